package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.Settings;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.PolicySettings;
import io.corehub.storage.UploadSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The agent's settings as the code uses them. Immutable.
 *
 * @param connection how to reach the landing zone
 * @param prefix folders below the landing zone that hold the table folders
 * @param window when a change file is closed
 * @param uploads how files are uploaded
 * @param files how files are written
 * @param rules what happens when something does not fit
 * @param watching how Fabric is watched
 */
record AgentConfig(
    OneLakeConnection connection,
    List<String> prefix,
    Window window,
    UploadSettings.Uploads uploads,
    Files files,
    Rules rules,
    Watching watching) {

  /**
   * When a change file is closed.
   *
   * @param age how long it may collect commits; zero for a file for each commit
   * @param rows rows that close it
   * @param bytes bytes, before encoding, that close it
   * @param upsertMarker whether single commits use the upsert marker
   * @param keyChangeMaxRows rows of a commit that passes keys on
   */
  record Window(Duration age, int rows, long bytes, boolean upsertMarker, int keyChangeMaxRows) {

    /** Whether inserts and updates of keyed tables are written as upserts. */
    boolean upserts() {
      return !age.isZero() || upsertMarker;
    }
  }

  /**
   * How files are written.
   *
   * @param compression name of the codec
   * @param rowGroupRows rows of a row group
   * @param exactRowGroups whether {@code rowGroupRows} was given by the user
   * @param partnerEvents whether to write the partner file
   * @param stagedSnapshots whether snapshots become visible when they are complete
   */
  record Files(
      String compression,
      int rowGroupRows,
      boolean exactRowGroups,
      boolean partnerEvents,
      boolean stagedSnapshots) {

    /** Whether the snapshots of a table that may have settings of its own are staged. */
    boolean staged(Settings table) {
      String own = table.get(MirroringSettings.TABLE_SNAPSHOT_PUBLISHING);
      return own.equals(MirroringSettings.AS_THE_AGENT)
          ? stagedSnapshots
          : own.equals(MirroringSettings.STAGED);
    }
  }

  /**
   * What happens when something does not fit.
   *
   * @param types how types without a counterpart are written
   * @param holdStopped whether a stopped table holds the confirmed position
   * @param restartInterrupted whether an interrupted snapshot starts over by itself
   * @param recreateWait how long to wait for Fabric when a table is re-created
   */
  record Rules(
      TypeRules types, boolean holdStopped, boolean restartInterrupted, Duration recreateWait) {

    /** The type rules of a table that may have settings of its own. */
    TypeRules typesFor(Settings table) {
      String time = table.get(MirroringSettings.TABLE_TIME_AS);
      String timestamp = table.get(MirroringSettings.TABLE_LOCAL_TIMESTAMP_AS);
      return new TypeRules(
          time.equals(MirroringSettings.AS_THE_AGENT) ? types.timeAsText() : time.equals("string"),
          timestamp.equals(MirroringSettings.AS_THE_AGENT)
              ? types.localTimestamp()
              : TypeRules.LocalTimestamp.named(timestamp),
          types.unrepresentable());
    }
  }

  /**
   * How Fabric is watched.
   *
   * @param period time between two looks; zero for none
   * @param patience how long files may wait without anything moving
   */
  record Watching(Duration period, Duration patience) {}

  /** Reads valid settings. */
  static AgentConfig of(Settings settings) {
    return of(settings, System.getenv());
  }

  static AgentConfig of(Settings settings, Map<String, String> environment) {
    return new AgentConfig(
        connection(settings, environment),
        settings.find(MirroringSettings.CUSTOM_PREFIX).map(FolderName::prefix).orElse(List.of()),
        new Window(
            Duration.ofSeconds(settings.get(MirroringSettings.CDC_BATCH_MAX_SECONDS)),
            settings.get(MirroringSettings.CDC_BATCH_ROWS),
            megabytes(settings.get(MirroringSettings.CDC_BATCH_MAX_MB)),
            settings.get(MirroringSettings.USE_UPSERT_ROW_MARKER),
            settings.get(MirroringSettings.KEY_CHANGE_MAX_ROWS)),
        UploadSettings.of(settings),
        new Files(
            settings.get(MirroringSettings.PARQUET_COMPRESSION),
            settings.get(MirroringSettings.PARQUET_ROW_GROUP_ROWS),
            settings.isExplicit(MirroringSettings.PARQUET_ROW_GROUP_ROWS),
            settings.get(MirroringSettings.WRITE_PARTNER_EVENTS),
            settings.get(MirroringSettings.SNAPSHOT_PUBLISHING).equals(MirroringSettings.STAGED)),
        new Rules(
            new TypeRules(
                settings.get(MirroringSettings.TIME_AS).equals("string"),
                TypeRules.LocalTimestamp.named(settings.get(MirroringSettings.LOCAL_TIMESTAMP_AS)),
                PolicySettings.unrepresentable(settings)),
            PolicySettings.holdStopped(settings),
            settings.get(MirroringSettings.INTERRUPTED_SNAPSHOT).equals("restart"),
            Duration.ofSeconds(settings.get(MirroringSettings.RECREATE_WAIT_SECONDS))),
        new Watching(
            Duration.ofSeconds(settings.get(MirroringSettings.MONITORING_SECONDS)),
            Duration.ofSeconds(settings.get(MirroringSettings.NOT_CONSUMING_SECONDS))));
  }

  private static OneLakeConnection connection(Settings settings, Map<String, String> environment) {
    HostPolicy hosts = ConnectionSettings.hosts(settings);
    LandingZoneUrl url =
        settings
            .find(MirroringSettings.LANDING_ZONE_URL)
            .map(text -> LandingZoneUrl.parse(text, hosts))
            .orElseGet(
                () ->
                    LandingZoneUrl.of(
                        settings.get(MirroringSettings.HOST),
                        settings.get(MirroringSettings.WORKSPACE),
                        settings.get(MirroringSettings.MIRRORED_DATABASE),
                        hosts));
    return ConnectionSettings.connection(url.url(), settings, environment);
  }

  private static long megabytes(int megabytes) {
    return (long) megabytes << 20;
  }
}
