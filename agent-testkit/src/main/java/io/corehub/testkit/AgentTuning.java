package io.corehub.testkit;

/**
 * How a contract test wants an agent set up; the test of an agent turns it into settings.
 * Immutable.
 *
 * @param windowSeconds how long changes may be collected before they are published; 0: every commit
 *     at once
 * @param rowsPerFile rows after which an open file, of changes or of a snapshot, is published
 * @param memoryMegabytes memory that collected and unpublished data may take, about
 */
public record AgentTuning(int windowSeconds, int rowsPerFile, int memoryMegabytes) {

  /** Collects until {@code flush}, or until very many rows came. */
  public static final AgentTuning PATIENT = new AgentTuning(3600, 1_000_000, 64);

  /** Publishes each commit at once. */
  public static final AgentTuning PROMPT = new AgentTuning(0, 1_000_000, 64);

  /**
   * The same with another window.
   *
   * @param seconds seconds; 0: none
   * @return a new tuning
   */
  public AgentTuning withWindowSeconds(int seconds) {
    return new AgentTuning(seconds, rowsPerFile, memoryMegabytes);
  }

  /**
   * The same with other files.
   *
   * @param rows rows after which a file is published
   * @return a new tuning
   */
  public AgentTuning withRowsPerFile(int rows) {
    return new AgentTuning(windowSeconds, rows, memoryMegabytes);
  }

  /**
   * The same with other memory.
   *
   * @param megabytes megabytes
   * @return a new tuning
   */
  public AgentTuning withMemoryMegabytes(int megabytes) {
    return new AgentTuning(windowSeconds, rowsPerFile, megabytes);
  }
}
