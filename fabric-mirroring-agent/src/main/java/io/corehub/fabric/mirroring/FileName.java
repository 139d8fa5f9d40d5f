package io.corehub.fabric.mirroring;

import java.util.UUID;
import java.util.regex.Pattern;

/** The names of files in a table folder. Pure. */
final class FileName {

  /** Folders that Fabric moves processed files to, in the order they are looked at. */
  static final String[] CLEAN_UP = {"_ProcessedFiles", "_FilesReadyToDelete"};

  static final String METADATA = "_metadata.json";
  static final String PARTNER_EVENTS = "_partnerEvents.json";

  private static final Pattern NUMBERED = Pattern.compile("[0-9]{20}\\.parquet");
  private static final String ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final Pattern TEMPORARY = Pattern.compile("_[0-9]{20}\\." + ID + "\\.parquet");
  private static final Pattern MANIFEST = Pattern.compile("_snapshot_" + ID + "\\.json");
  private static final Pattern MANIFEST_UPLOAD =
      Pattern.compile("_snapshot_" + ID + "\\." + ID + "\\.json");

  private FileName() {}

  /** The name a file is published under. */
  static String numbered(long seq) {
    return String.format("%020d.parquet", seq);
  }

  /** The name a file is uploaded under; Fabric ignores it for its underscore. */
  static String temporary(long seq, UUID attempt) {
    return String.format("_%020d.%s.parquet", seq, attempt);
  }

  static boolean isNumbered(String name) {
    return NUMBERED.matcher(name).matches();
  }

  static boolean isTemporary(String name) {
    return TEMPORARY.matcher(name).matches();
  }

  /** The name of the manifest of a staged snapshot. */
  static String manifest(UUID id) {
    return "_snapshot_" + id + ".json";
  }

  static boolean isManifest(String name) {
    return MANIFEST.matcher(name).matches();
  }

  /** Whether a manifest is written under this name before it gets its own. */
  static boolean isManifestUpload(String name) {
    return MANIFEST_UPLOAD.matcher(name).matches();
  }

  /** The digits of a numbered name; twenty digits may exceed a long. */
  static String digits(String name) {
    return name.substring(0, 20);
  }
}
