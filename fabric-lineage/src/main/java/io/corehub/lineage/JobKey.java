package io.corehub.lineage;

import io.corehub.agent.table.TableId;

/**
 * A job as a catalogue shows it. Immutable.
 *
 * @param name its name in the namespace
 * @param kind what it does
 */
record JobKey(String name, Kind kind) {

  /** What a job does. */
  enum Kind {
    /** The pipeline as a whole; it has no datasets. */
    PIPELINE("SERVICE", "JOB"),
    /** The snapshot of a table. */
    SNAPSHOT("BATCH", "TASK"),
    /** The changes of a table. */
    CHANGES("STREAMING", "TASK");

    final String processing;
    final String type;

    Kind(String processing, String type) {
      this.processing = processing;
      this.type = type;
    }
  }

  /** The job of a pipeline. */
  static JobKey of(String pipeline) {
    return new JobKey(escape(pipeline), Kind.PIPELINE);
  }

  /**
   * The job of a table: one for each, because lineage within a job is every input to every output.
   *
   * @param defaultSchema schema of a table that has none
   */
  static JobKey of(String pipeline, TableId table, String defaultSchema, Kind kind) {
    return new JobKey(
        escape(pipeline)
            + "."
            + escape(table.schema().orElse(defaultSchema))
            + "."
            + escape(table.name())
            + (kind == Kind.SNAPSHOT ? ".snapshot" : ""),
        kind);
  }

  private static String escape(String part) {
    return part.replace("\\", "\\\\").replace(".", "\\.");
  }
}
