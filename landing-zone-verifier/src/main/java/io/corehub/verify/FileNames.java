package io.corehub.verify;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a name in a landing zone tells. Pure. */
final class FileNames {
  static final String METADATA = "_metadata.json";
  static final String PARTNER_EVENTS = "_partnerEvents.json";
  static final String SCRATCH = "_scratchPad";
  static final String SCHEMA_SUFFIX = ".schema";
  static final String PARQUET = ".parquet";

  /** Folders in a table folder that Fabric moves processed files to. */
  static final List<String> CLEAN_UP = List.of("_ProcessedFiles", "_FilesReadyToDelete");

  /** What Fabric itself writes beside the clean-up folders. */
  static final String CLEAN_UP_INFO = "_FilesReadyToDeleteInfo.json";

  private static final Pattern NUMBERED = Pattern.compile("[0-9]{20}\\.parquet");
  private static final Pattern NUMBERED_ANY_CASE = Pattern.compile("(?i)[0-9]{20}\\.parquet");
  private static final Pattern DIGITS = Pattern.compile("(?i)[0-9]+\\.parquet");
  private static final Pattern SNAPSHOT_MANIFEST = Pattern.compile("_snapshot_.*\\.json");
  private static final Pattern OTHER_DATA =
      Pattern.compile("(?i).*\\.(csv|tsv|txt|avro|orc|jsonl|ndjson)(\\.gz)?");

  private FileNames() {}

  static boolean numbered(String name) {
    return NUMBERED.matcher(name).matches();
  }

  /** The digits of a numbered name. */
  static String digits(String name) {
    return name.substring(0, 20);
  }

  static boolean numberedButForCase(String name) {
    return NUMBERED_ANY_CASE.matcher(name).matches();
  }

  static boolean digitsOnly(String name) {
    return DIGITS.matcher(name).matches();
  }

  static boolean parquet(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(PARQUET);
  }

  static boolean otherData(String name) {
    return OTHER_DATA.matcher(name).matches();
  }

  static boolean snapshotManifest(String name) {
    return SNAPSHOT_MANIFEST.matcher(name).matches();
  }

  static boolean ignored(String name) {
    return name.startsWith("_");
  }

  static boolean schemaSuffixButForCase(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(SCHEMA_SUFFIX);
  }
}
