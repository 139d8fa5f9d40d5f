package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.util.Optional;

/** Whether the confirmed position went on without a table, so that rows of it are missing. */
enum PassedOver {
  /** All that was confirmed stands in the table. */
  NO("", ""),
  /** It stopped, and the others were to move on: it needs a snapshot. */
  STOPPED("stopped", "it stopped"),
  /** The host left it out for a while: it needs a snapshot. */
  LEFT_OUT("left-out", "it was left out of the configuration"),
  /** The host removed it: it stays out until it is re-created. */
  REMOVED("removed", "it was removed");

  private final String word;
  private final String story;

  PassedOver(String word, String story) {
    this.word = word;
    this.story = story;
  }

  /** The word for it in the agent's state. */
  String word() {
    return word;
  }

  /**
   * Reads the word for it.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PassedOver ofWord(String word) {
    for (PassedOver each : values()) {
      if (each != NO && each.word.equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException("it says of a table that is passed over: " + word);
  }

  /**
   * Why the table does not go on.
   *
   * @param upTo position confirmed last
   */
  TableStoppedException stop(TableId table, Optional<SourcePosition> upTo) {
    return new TableStoppedException(
        table,
        ErrorCode.NEEDS_SNAPSHOT,
        "Table "
            + table
            + ": "
            + story
            + ", and the others go on without it. Its changes"
            + upTo.map(position -> " up to position " + position).orElse("")
            + " were passed over, so rows may be missing in it. "
            + (this == REMOVED ? Advice.RECREATE_BY_COMMAND : Advice.RECREATE)
            + " Or leave the table out of the configuration.");
  }
}
