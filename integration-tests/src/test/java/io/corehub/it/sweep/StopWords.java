package io.corehub.it.sweep;

import java.util.List;

/** What the words with which something stops must contain. */
final class StopWords {

  private static final List<String> REMEDIES =
      List.of(
          "Check ",
          "Find out what it is",
          "If this lasts",
          "Open the mirrored database",
          "Repair or remove it",
          "Resume it",
          "Start again",
          "Have localhost",
          "Add it to the workspace",
          "is usually over",
          "Its snapshot starts over",
          "Find out who wrote it",
          "start again",
          "started again",
          "raise '",
          "takes it again");

  private StopWords() {}

  /** Whether a message names what stopped, and what a person can do about it. */
  static boolean tellWhatToDo(String message) {
    boolean names =
        message.contains("Table shop.")
            || message.contains("landing zone")
            || message.contains("LandingZone")
            || message.contains("workspace '")
            || message.contains("sign-in")
            || message.contains("sign in")
            || message.contains("Microsoft Entra");
    return names && REMEDIES.stream().anyMatch(message::contains);
  }
}
