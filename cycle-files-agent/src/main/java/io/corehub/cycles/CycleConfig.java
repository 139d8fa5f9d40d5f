package io.corehub.cycles;

import io.corehub.storage.UploadSettings;
import java.time.Duration;

/**
 * The agent's settings as the code uses them. Immutable.
 *
 * @param place where the files go
 * @param layout how they are named
 * @param style how summary files write paths
 * @param columns which columns data files have
 * @param encoding how their bytes are written
 * @param limits when a cycle ends
 * @param parts when a data file ends
 * @param summary what goes with the data files
 * @param rules what happens in special cases
 * @param uploads how files are uploaded
 */
record CycleConfig(
    StoragePlace place,
    CycleLayout layout,
    PathStyle style,
    ColumnChoices columns,
    EncodingChoices encoding,
    Limits limits,
    Parts parts,
    Summary summary,
    Rules rules,
    UploadSettings.Uploads uploads) {

  /**
   * When a cycle ends.
   *
   * @param interval longest time it stays open
   * @param changes rows that end it at the next commit
   * @param lowActivity time without a commit that ends it; zero for none
   * @param empty whether a cycle is written though nothing was captured
   * @param onStop whether a stop ends the open cycle, or gives it up
   */
  record Limits(
      Duration interval, long changes, Duration lowActivity, boolean empty, boolean onStop) {}

  /**
   * When a data file ends.
   *
   * @param rows rows of a part
   * @param bytes bytes of a part
   */
  record Parts(long rows, long bytes) {}

  /**
   * What goes with the data files.
   *
   * @param listFiles whether the contents file has a line for each file
   * @param schemaIni whether a {@code schema.ini} is written
   */
  record Summary(boolean listFiles, boolean schemaIni) {}

  /**
   * What happens in special cases.
   *
   * @param combined whether tables are loaded before their changes follow
   * @param truncate what becomes of a truncation in an incremental job
   * @param deleteOrphans whether files of abandoned cycles are deleted at the start
   * @param retention how long completed cycles are kept; zero for ever
   * @param acceptRollback whether to go on though the folder lost cycles
   * @param holdStopped whether a stopped table holds the confirmed position
   */
  record Rules(
      boolean combined,
      Truncate truncate,
      boolean deleteOrphans,
      Duration retention,
      boolean acceptRollback,
      boolean holdStopped) {}

  /** What becomes of a truncation in an incremental job. */
  enum Truncate {
    /** A T row is written. */
    WRITE,
    /** It is counted and told once. */
    SKIP,
    /** The table stops. */
    FAIL
  }
}
