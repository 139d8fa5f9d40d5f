package io.corehub.fabric.mirroring;

/** Sentences about the mirrored database as a whole. */
final class MirroringWords {

  /** Where a person finds out why nothing moves. */
  static final String LOOK_AT_FABRIC =
      "Look at Monitor replication of the mirrored database in Fabric, and whether its capacity is"
          + " paused or throttled; files go on being published and are taken up then.";

  private MirroringWords() {}

  /** A mirrored database that takes no files. */
  static String database(FabricStatus status) {
    String error = status.error().replaceFirst("[.\\s]+$", "");
    return "The mirrored database is "
        + status.word()
        + (error.isEmpty() ? "" : " (" + error + ")")
        + " and takes no files. "
        + remedy(status)
        + " files go on being published and are taken up then.";
  }

  private static String remedy(FabricStatus status) {
    if (status.failed()) {
      return "Look at Monitor replication of the mirrored database in Fabric and clear the error;";
    }
    return status.starting()
        ? "Wait until it runs;"
        : "Start or resume replication on the page of the mirrored database in Fabric;";
  }
}
