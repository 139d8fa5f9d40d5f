package io.corehub.it.sweep;

import java.util.Map;

/**
 * A way to bring {@link SourceHistory} to the target: up to {@link SourceHistory#FIRST_PART} by one
 * process, then to the end by another.
 *
 * @param name for the report
 * @param settings of the agent
 * @param forgets whether the second process knows nothing of what the first one published
 * @param recreates whether the second process loads the keyless table anew
 * @param replicates whether Fabric applies and cleans up meanwhile
 * @param standing fault rules that hold in every run, to make the agent take the ways of doubt
 */
record Scenario(
    String name,
    Map<String, String> settings,
    boolean forgets,
    boolean recreates,
    boolean replicates,
    String standing) {

  private static final String LOST_ANSWERS =
      "[{\"operation\":\"rename\",\"nth\":2,\"times\":4,\"fault\":{\"type\":\"after\"}},"
          + "{\"operation\":\"flush\",\"nth\":2,\"times\":1,\"fault\":{\"type\":\"after\"}},"
          + "{\"operation\":\"append\",\"nth\":6,\"times\":1,\"fault\":{\"type\":\"after\"}}]";

  /** Each commit a file of its own; the second process knows what a hub stores. */
  static final Scenario CHANGES = new Scenario("changes", Map.of(), false, false, false, "[]");

  /** Commits are collected, and the second process begins at the start of the stream. */
  static final Scenario COLLECTED =
      new Scenario(
          "collected",
          Map.of("cdcBatchMaxSeconds", "3600", "cdcBatchRows", "20", "emitFlushWithClose", "false"),
          true,
          false,
          false,
          "[]");

  static final Scenario STAGED =
      new Scenario("staged", Map.of("snapshotPublishing", "staged"), false, false, false, "[]");

  static final Scenario RECREATED = new Scenario("recreated", Map.of(), false, true, true, "[]");

  /** Some answers get lost in any case, so that the agent looks at what it did. */
  static final Scenario DOUBTFUL =
      new Scenario("doubtful", Map.of(), false, false, false, LOST_ANSWERS);

  @Override
  public String toString() {
    return name;
  }
}
