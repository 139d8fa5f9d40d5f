package io.corehub.cyclereader;

import io.corehub.agent.verify.Violation.Severity;

/** What the layout of cycles promises. The ids are stable. */
public enum CycleRule {
  COMPLETED_MALFORMED(
      "CY-C1",
      Severity.ERROR,
      "A completed file is not one line of the six columns, with times, a sequence and a known reason."),
  COMPLETED_NAME(
      "CY-C2",
      Severity.ERROR,
      "A completed file tells another cycle than its name does, or lies in the folder of another."),
  CONTENTS_MISSING("CY-C3", Severity.ERROR, "A completed cycle has no contents file."),
  NAME_REUSED(
      "CY-C4",
      Severity.ERROR,
      "The name of a cycle was used twice: there are two completed files or two contents files of it."),
  CURRENT_GOES_BACK(
      "CY-C5",
      Severity.ERROR,
      "The current sequence of a cycle lies before that of an earlier one."),
  CONTENTS_PATH(
      "CY-C6",
      Severity.ERROR,
      "`contents_path` does not name the contents file of the cycle, below or with the connection"
          + " folder's address."),
  TIMES("CY-C7", Severity.ERROR, "A cycle ended before it began."),
  CURRENT_ROW(
      "CY-C8",
      Severity.ERROR,
      "The row number of the current sequence is not that of the last row of its commit."),

  CONTENTS_MALFORMED(
      "CY-N1",
      Severity.ERROR,
      "A contents file does not have exactly the columns of its kind of job, or a value is none of"
          + " its column."),
  LINE_CYCLE("CY-N2", Severity.ERROR, "A line of a contents file tells another cycle."),
  LINE_TWICE(
      "CY-N3",
      Severity.ERROR,
      "Two lines of a contents file name the same files, whose rows a consumer would apply twice."),
  LINE_ORDER("CY-N4", Severity.REMARK, "Lines do not stand in the order of the tables' names."),
  COUNTS("CY-N5", Severity.ERROR, "A line's counts are not those of the rows."),
  BOUNDS(
      "CY-N6",
      Severity.ERROR,
      "A line's first or last sequence is not that of the first or last row."),
  KIND_OF_JOB(
      "CY-N7",
      Severity.ERROR,
      "Sequences have 52 digits without the columns of a combined job, or 32 with them."),

  DATA_MISSING(
      "CY-D1", Severity.ERROR, "A data file is missing that a contents file or manifest names."),
  DATA_EXTRA(
      "CY-D2",
      Severity.ERROR,
      "A file that a consumer may take for data of a completed cycle is named by neither its"
          + " contents file nor its manifest."),
  DATA_DAMAGED(
      "CY-D3", Severity.ERROR, "A data file is not whole CSV, gzip or Parquet from end to end."),
  DATA_COLUMNS(
      "CY-D4",
      Severity.ERROR,
      "A data file lacks operation type and sequence as its first columns, or its columns are not"
          + " those of its schema."),
  OPERATION(
      "CY-D5",
      Severity.ERROR,
      "A row has an operation type that is none, or one of combined jobs in an incremental one."),
  SEQUENCE("CY-D6", Severity.ERROR, "A row has a sequence that is not 32 or 52 digits."),
  ROW_ORDER(
      "CY-D7",
      Severity.ERROR,
      "A row of a table does not come after the row before it, in this file or an earlier one."),
  PREFIX_VERSION(
      "CY-D8", Severity.ERROR, "The schema version in a row's sequence is not that of its line."),
  PHASE(
      "CY-D9",
      Severity.ERROR,
      "A row has an operation type that its phase cannot have, or a phase that is none."),
  BEYOND_CURRENT(
      "CY-D10", Severity.ERROR, "A row belongs to a commit behind the cycle's current sequence."),
  SPLIT(
      "CY-D11",
      Severity.REMARK,
      "A row of an incremental job belongs to a commit that an earlier cycle ended with or passed:"
          + " its table was stopped then."),
  VALUE("CY-D12", Severity.ERROR, "A value is none of its column's type."),
  NO_ROWS("CY-D13", Severity.REMARK, "A data file has no rows."),

  SCHEMA_MISSING(
      "CY-S1", Severity.ERROR, "A schema file is missing that a line of CSV files names."),
  SCHEMA_MALFORMED("CY-S2", Severity.ERROR, "A schema file is no Avro record."),
  SCHEMA_VERSION(
      "CY-S3", Severity.ERROR, "A schema file is one of another version than its line's."),

  MANIFEST_MISSING(
      "CY-M1", Severity.ERROR, "A cycle lacks its manifest, though others have theirs."),
  MANIFEST_MALFORMED("CY-M2", Severity.ERROR, "A manifest is not JSON of the known form."),
  MANIFEST_DISAGREES(
      "CY-M3",
      Severity.ERROR,
      "A manifest tells another cycle, order, reason or time than the completed file."),
  DATA_CHANGED(
      "CY-M4", Severity.ERROR, "A data file has another length or hash than when it was written."),
  MANIFEST_FILE(
      "CY-M5",
      Severity.ERROR,
      "A manifest tells other rows, sequences or another version of a file than the file has."),
  GAP(
      "CY-M6",
      Severity.ERROR,
      "The cycle before, as a manifest tells it, is not the completed cycle before: one was lost or"
          + " came in between."),
  EARLIER_REMOVED(
      "CY-M7",
      Severity.REMARK,
      "The cycle before the oldest one, or before an accepted rollback, is not there any more."),
  IDENTITY(
      "CY-M8", Severity.ERROR, "A manifest tells another job or timeline than the one before it."),
  STATE(
      "CY-M9",
      Severity.ERROR,
      "The state of a table in a manifest goes back, or lies before the rows of the cycle."),
  NO_MANIFESTS(
      "CY-M10", Severity.REMARK, "No cycle has a manifest: hashes and gaps cannot be judged."),

  OLD_LEFTOVER(
      "CY-O1",
      Severity.REMARK,
      "A cycle up to the newest completed one has files but no completed file: it was abandoned, or"
          + " is being removed."),
  OPEN_CYCLE(
      "CY-O2",
      Severity.REMARK,
      "A cycle behind the newest completed one has files but no completed file: it is open, or was"
          + " abandoned."),
  TEMPORARY("CY-O3", Severity.REMARK, "A temporary file is left (`_tmp_…`)."),
  STRANGER("CY-O4", Severity.REMARK, "A file or folder is none of the layout.");

  private final String id;
  private final Severity severity;
  private final String explanation;

  CycleRule(String id, Severity severity, String explanation) {
    this.id = id;
    this.severity = severity;
    this.explanation = explanation;
  }

  /**
   * The id that users see.
   *
   * @return such as {@code CY-C1}
   */
  public String id() {
    return id;
  }

  /**
   * How bad it is.
   *
   * @return error or remark
   */
  public Severity severity() {
    return severity;
  }

  /**
   * What breaks the rule.
   *
   * @return one sentence; code in it stands between back-quotes
   */
  public String explanation() {
    return explanation;
  }
}
