package io.corehub.storage.probe;

/** What came of a probe. Immutable. */
public sealed interface Verdict {

  /** The assumption held. */
  record Held() implements Verdict {}

  /**
   * It does not hold.
   *
   * @param seen what shows it
   */
  record Refuted(String seen) implements Verdict {}

  /**
   * Nothing was seen that says so or otherwise.
   *
   * @param why a sentence
   */
  record Undecided(String why) implements Verdict {}
}
