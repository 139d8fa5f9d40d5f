package io.corehub.verify;

import io.corehub.agent.verify.Violation.Severity;

/**
 * The rules of a landing zone. Their ids are stable. They come from Microsoft's pages on the
 * landing zone format and its best practices, from Delta's protocol, to which the tables are
 * converted, and from the chain that the mirroring agent's files form.
 */
public enum Rule {
  NESTED_DATA(
      "LZ-L1",
      Severity.ERROR,
      "Data files lie deeper than Fabric looks: a table is a folder directly below the landing zone"
          + " or below a `<name>.schema` folder."),
  NESTED_FOLDER(
      "LZ-L2",
      Severity.REMARK,
      "A table folder holds a folder that Fabric does not know, or a `Column=value` partition,"
          + " which is not judged."),
  DATA_OUTSIDE_TABLE(
      "LZ-L3", Severity.ERROR, "A data file lies outside of any table folder and is never read."),
  FILE_OUTSIDE_TABLE("LZ-L4", Severity.REMARK, "A file lies outside of any table folder."),
  TABLES_DIFFER_BY_CASE(
      "LZ-L5", Severity.ERROR, "Two table folders differ only by case; Fabric takes them for one."),
  IGNORED_TABLE(
      "LZ-L6",
      Severity.ERROR,
      "A folder with data has a name that begins with an underscore, which Fabric ignores."),
  SCHEMA_NAME_EMPTY("LZ-L7", Severity.ERROR, "A folder `.schema` names no schema."),
  SCHEMA_SUFFIX_CASE(
      "LZ-L8", Severity.ERROR, "The suffix of a schema folder is not written `.schema`."),
  TABLE_WITHOUT_FILES(
      "LZ-L9", Severity.REMARK, "A table folder holds no data file, so the table does not appear."),

  GAP(
      "LZ-N1",
      Severity.ERROR,
      "A number is missing between two files; Fabric waits for it for ever."),
  FIRST_NUMBER(
      "LZ-N2",
      Severity.ERROR,
      "The first file of a table is not number 1, and none was cleaned up."),
  ZERO_BYTES("LZ-N3", Severity.ERROR, "A data file has no bytes; Fabric stops at it."),
  DIGITS(
      "LZ-N4", Severity.ERROR, "The number of a file name has not exactly 20 digits; never read."),
  UNNUMBERED(
      "LZ-N5", Severity.ERROR, "A Parquet file has a name that is no number; it is never read."),
  EXTENSION_CASE("LZ-N6", Severity.ERROR, "The extension of a numbered file is not `.parquet`."),
  NUMBER_OVERFLOW(
      "LZ-N7", Severity.REMARK, "A number is greater than a signed 64-bit integer can hold."),
  NUMBER_ZERO("LZ-N8", Severity.ERROR, "A file has number 0; numbers begin at 1."),
  FOREIGN_DATA(
      "LZ-N9", Severity.ERROR, "A data file of another format lies in a table folder of Parquet."),
  FOREIGN_FILE("LZ-N10", Severity.REMARK, "A table folder holds a file that is no data file."),
  NUMBER_PASSED(
      "LZ-N11",
      Severity.ERROR,
      "A file has a number that Fabric has already processed; it is never read."),

  METADATA_UNREADABLE("LZ-M1", Severity.ERROR, "`_metadata.json` is not one JSON object."),
  METADATA_PROPERTY(
      "LZ-M2", Severity.REMARK, "`_metadata.json` has a property that the contract does not know."),
  KEYS_MALFORMED("LZ-M3", Severity.ERROR, "`keyColumns` is not a list of column names."),
  KEYS_DUPLICATE("LZ-M4", Severity.ERROR, "`keyColumns` names a column twice."),
  KEYS_EMPTY(
      "LZ-M5", Severity.REMARK, "`keyColumns` is empty: no updates and deletes are possible."),
  KEYS_TWO_SPELLINGS(
      "LZ-M6",
      Severity.ERROR,
      "`_metadata.json` has both `keyColumns` and `KeyColumns`, and they differ."),
  KEYS_SAID_TWICE(
      "LZ-M7", Severity.REMARK, "`_metadata.json` has both `keyColumns` and `KeyColumns`."),
  DETECTION_UNKNOWN(
      "LZ-M8",
      Severity.ERROR,
      "`fileDetectionStrategy` is neither `SequentialFileName` nor `LastUpdateTimeFileDetection`."),
  DETECTION_BY_TIME(
      "LZ-M9",
      Severity.REMARK,
      "Files are taken by time of change: numbers do not count, a lost file goes unseen, and equal"
          + " times have no order."),
  DELIMITED_TEXT("LZ-M10", Severity.REMARK, "The table is delimited text, which is not judged."),
  UPSERT_DEFAULT(
      "LZ-M11",
      Severity.ERROR,
      "`isUpsertDefaultRowMarker` is no truth value, or is set without key columns."),
  METADATA_NAME(
      "LZ-M12", Severity.ERROR, "The metadata file is not called `_metadata.json` exactly."),

  UNREADABLE(
      "LZ-F1",
      Severity.ERROR,
      "A file is not whole, readable Parquet: magic, footer, pages, checksums, numbers of rows."),
  COMPRESSION(
      "LZ-F2", Severity.ERROR, "A file is compressed otherwise than by Snappy, GZIP or Zstandard."),
  NO_COLUMNS("LZ-F3", Severity.ERROR, "A file has no column beside the row marker."),
  VANISHED("LZ-F4", Severity.REMARK, "A file went away while it was to be judged."),

  TYPE_TIME(
      "LZ-T1",
      Severity.REMARK,
      "A column is a TIME in microseconds, for which Delta has no counterpart."),
  TYPE_PRECISION(
      "LZ-T2",
      Severity.ERROR,
      "A date or time is INT96, or counts milliseconds or nanoseconds; Delta has microseconds."),
  TYPE_UNKNOWN(
      "LZ-T3",
      Severity.ERROR,
      "Delta has no counterpart for a column's type: unsigned, UUID, ENUM, JSON, FLOAT16 or the like."),
  TYPE_DECIMAL(
      "LZ-T4",
      Severity.ERROR,
      "A decimal has more than 38 digits, or is stored as a byte array of changing length."),
  TYPE_NESTED("LZ-T5", Severity.ERROR, "A column is a list, map or group; write JSON text."),
  COLUMNS_DIFFER_BY_CASE(
      "LZ-T6", Severity.ERROR, "Two columns of a table have the same name but for case."),

  MARKER_PLACE("LZ-R1", Severity.ERROR, "`__rowMarker__` is not the last column."),
  MARKER_TYPE("LZ-R2", Severity.ERROR, "`__rowMarker__` is not INT32."),
  MARKER_NAME(
      "LZ-R3",
      Severity.ERROR,
      "A column looks like the row marker but is not called `__rowMarker__`, so all rows count as"
          + " inserts."),
  MARKER_NULL("LZ-R4", Severity.ERROR, "`__rowMarker__` is NULL in a row."),
  MARKER_VALUE("LZ-R5", Severity.ERROR, "`__rowMarker__` is something else than 0, 1, 2 or 4."),
  MARKER_WITHOUT_KEY(
      "LZ-R6",
      Severity.ERROR,
      "A table without key columns has rows that are no inserts, which Fabric cannot apply."),
  MARKER_STOPS(
      "LZ-R7",
      Severity.REMARK,
      "A file without row marker follows one with: its rows are inserted once more, it is no new"
          + " snapshot."),
  MARKER_ABSENT(
      "LZ-R8", Severity.ERROR, "A file that says it holds changes has no `__rowMarker__`."),

  SCHEMA_TYPE("LZ-S1", Severity.ERROR, "A column changed its type between two files."),
  SCHEMA_DECIMAL("LZ-S2", Severity.ERROR, "A decimal changed its precision or scale."),
  SCHEMA_NULLABILITY(
      "LZ-S3", Severity.ERROR, "A column became nullable, or is not nullable any more."),
  SCHEMA_CASE(
      "LZ-S4", Severity.ERROR, "A column's name differs only by case from one of an earlier file."),
  SCHEMA_REQUIRED_GONE("LZ-S5", Severity.ERROR, "A column that is not nullable is missing."),
  SCHEMA_REQUIRED_NEW(
      "LZ-S6", Severity.ERROR, "A column that joins in a later file is not nullable."),

  KEY_NULL("LZ-K1", Severity.ERROR, "A key column is NULL in a row."),
  KEY_MISSING("LZ-K2", Severity.ERROR, "A file lacks a column of `keyColumns`."),
  KEY_CASE(
      "LZ-K3",
      Severity.ERROR,
      "A name in `keyColumns` differs from the file's column by the case of its letters."),

  PARTNER_PLACE("LZ-P1", Severity.REMARK, "`_partnerEvents.json` lies elsewhere than at the root."),
  PARTNER_SHAPE(
      "LZ-P2",
      Severity.REMARK,
      "`_partnerEvents.json` is no JSON object with `partnerName` and `sourceInfo.sourceType`."),

  LEFT_UPLOAD("LZ-O1", Severity.REMARK, "A data file is left under the name of an upload."),
  LEFT_SNAPSHOT("LZ-O2", Severity.REMARK, "The manifest of a staged snapshot is left."),
  LEFT_OTHER(
      "LZ-O3", Severity.REMARK, "A file or folder is left whose name Fabric ignores (`_…`)."),

  CHAIN_UNREADABLE("LZ-C1", Severity.ERROR, "The footer's entry `cdc.chain` is malformed."),
  CHAIN_NUMBER(
      "LZ-C2", Severity.ERROR, "The number in `cdc.chain` is not that of the file's name."),
  CHAIN_PREVIOUS(
      "LZ-C3", Severity.ERROR, "`cdc.chain` names another file before it than the one there."),
  CHAIN_FILE_TWICE("LZ-C4", Severity.ERROR, "Two files have the same file id."),
  CHAIN_INCARNATION("LZ-C5", Severity.ERROR, "The folder's id changes from one file to the next."),
  CHAIN_EPOCH("LZ-C6", Severity.ERROR, "A file was written by an older run than the one before."),
  CHAIN_OWNER(
      "LZ-C7",
      Severity.ERROR,
      "A file belongs to another table or, without a handover, to another pipeline or timeline."),
  CHAIN_POSITIONS(
      "LZ-C8", Severity.ERROR, "A file holds commits that an earlier one holds already."),
  CHAIN_ROWS("LZ-C9", Severity.ERROR, "A file has another number of rows than it says."),
  CHAIN_STRANGER(
      "LZ-C10", Severity.ERROR, "A file without `cdc.chain` stands among files that have one.");

  private final String id;
  private final Severity severity;
  private final String explanation;

  Rule(String id, Severity severity, String explanation) {
    this.id = id;
    this.severity = severity;
    this.explanation = explanation;
  }

  /** The id that users see. */
  public String id() {
    return id;
  }

  public Severity severity() {
    return severity;
  }

  /** What breaks the rule, in one sentence; code in it stands between back-quotes. */
  public String explanation() {
    return explanation;
  }
}
