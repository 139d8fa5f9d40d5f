package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Setting.Kind;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.PolicySettings;
import io.corehub.storage.SignInSettings;
import io.corehub.storage.UploadSettings;
import java.util.List;
import java.util.stream.Stream;

/** Every setting of the agent and of its tables. Immutable. */
final class MirroringSettings {

  private static final String SETUP = "Setup";
  private static final String CHANGES = "Change files";
  private static final String FILES = "Parquet files";
  private static final String RULES = "When something does not fit";
  private static final String MONITORING = "Monitoring";

  static final Setting<String> LANDING_ZONE_URL =
      Setting.url(
              "landingZoneUrl",
              "Landing zone URL",
              "The URL shown on the Home page of the mirrored database, such as"
                  + " https://onelake.dfs.fabric.microsoft.com/<workspace id>/<mirrored database"
                  + " id>/Files/LandingZone. A trailing slash, a query string, the abfss:// form and"
                  + " the blob host are understood.")
          .mandatoryUnless("workspace")
          .inGroup(SETUP);

  static final Setting<String> WORKSPACE =
      Setting.text(
              "workspace",
              "Workspace ID",
              "GUID or name of the workspace. Used only when the landing zone URL is empty.")
          .inGroup(SETUP);

  static final Setting<String> MIRRORED_DATABASE =
      Setting.text(
              "mirroredDatabase",
              "Mirrored database ID",
              "GUID or name of the mirrored database; both this and the workspace are GUIDs, or both"
                  + " are names. Used only when the landing zone URL is empty.")
          .inGroup(SETUP);

  static final Setting<String> HOST =
      Setting.text("host", "OneLake DFS host", "Used only when the landing zone URL is empty.")
          .withDefault("https://onelake.dfs.fabric.microsoft.com")
          .inGroup(SETUP);

  static final Setting<String> CUSTOM_PREFIX =
      Setting.text(
              "customPrefix",
              "Optional custom path prefix under landing zone",
              "A folder below Files/LandingZone under which the table folders are written. Fabric"
                  + " knows only <schema>.schema folders there: any other prefix gets a warning.")
          .inGroup(SETUP);

  static final Setting<Integer> CDC_BATCH_MAX_SECONDS =
      Setting.number(
              "cdcBatchMaxSeconds",
              "Seconds a change file may collect commits before it is published",
              "A longer time means fewer and larger files, and changes that arrive later. 0 writes"
                  + " one file for each commit.",
              Kind.SECONDS,
              1,
              0,
              86_400)
          .inGroup(CHANGES);

  static final Setting<Integer> CDC_BATCH_ROWS =
      Setting.number(
              "cdcBatchRows",
              "Rows after which an open change file is published",
              "The commit that reaches this number ends its file and is in it as a whole; a commit that"
                  + " has more rows by itself is spread over several files.",
              Kind.INTEGER,
              100_000,
              1,
              100_000_000)
          .inGroup(CHANGES);

  static final Setting<Integer> CDC_BATCH_MAX_MB =
      Setting.number(
              "cdcBatchMaxMb",
              "Megabytes after which an open change file is published",
              "Counted before encoding; a file is closed before it would grow beyond this, and a"
                  + " commit that is larger by itself is spread over several files. Also bounds the memory a table holds while it collects"
                  + " changes. A small heap lowers it; the effective value is logged at start.",
              Kind.MEGABYTES,
              16,
              1,
              1_024)
          .inGroup(CHANGES);

  static final Setting<Boolean> USE_UPSERT_ROW_MARKER =
      Setting.toggle(
              "useUpsertRowMarker",
              "Use the upsert row marker (4) for inserts and updates",
              "Has an effect only where each commit is a file of its own (0 seconds): files that"
                  + " collect commits always use the upsert marker for tables with a key.",
              false)
          .visibleWhen("cdcBatchMaxSeconds", "0")
          .inGroup(CHANGES);

  static final Setting<Integer> KEY_CHANGE_MAX_ROWS =
      Setting.number(
              "keyChangeMaxRows",
              "Rows of a commit that passes keys on",
              "A commit whose rows pass primary keys on to each other is held in memory and written"
                  + " by its net effect. One with more rows than this stops the table.",
              Kind.INTEGER,
              100_000,
              1,
              10_000_000)
          .inGroup(CHANGES);

  static final Setting<String> PARQUET_COMPRESSION =
      Setting.choice(
              "parquetCompression",
              "Parquet compression",
              "Fabric reads all of them. ZSTD makes the smallest files.",
              "ZSTD",
              List.of("SNAPPY", "ZSTD", "GZIP", "UNCOMPRESSED"))
          .inGroup(FILES);

  static final Setting<Integer> PARQUET_ROW_GROUP_ROWS =
      Setting.number(
              "parquetRowGroupRows",
              "Rows per Parquet row group",
              "Left at its default it is the least size: rows of several batches are joined into"
                  + " larger groups. A value given here is kept exactly, unless the memory of a group"
                  + " would be too large for the heap.",
              Kind.INTEGER,
              10_000,
              1,
              10_000_000)
          .inGroup(FILES);

  /** What a snapshot says that becomes visible when it is complete. */
  static final String STAGED = "staged";

  static final Setting<String> SNAPSHOT_PUBLISHING =
      Setting.choice(
              "snapshotPublishing",
              "When the files of a snapshot become visible",
              "'streamed' publishes each file as it closes, so that Fabric loads while the snapshot"
                  + " runs. 'staged' uploads all files first and makes them visible when the snapshot"
                  + " is complete: later, but a snapshot that is interrupted leaves nothing behind.",
              "streamed",
              List.of("streamed", STAGED))
          .inGroup(FILES);

  static final Setting<Boolean> WRITE_PARTNER_EVENTS =
      Setting.toggle(
              "writePartnerEvents",
              "Write _partnerEvents.json at landing-zone root",
              "Tells Fabric which partner and source fill the mirrored database. Written once.",
              true)
          .inGroup(FILES);

  static final Setting<String> TIME_AS =
      Setting.choice(
              "timeAs",
              "Times of day are written as",
              "Delta tables have no type for a time of day. 'time' writes Parquet TIME in"
                  + " microseconds, 'string' writes ISO-8601 text.",
              "time",
              List.of("time", "string"))
          .inGroup(RULES);

  static final Setting<String> LOCAL_TIMESTAMP_AS =
      Setting.choice(
              "localTimestampAs",
              "Timestamps without offset are written as",
              "'timestamp' writes a timestamp that is not adjusted to UTC, 'utc-timestamp' one that"
                  + " says it is in UTC, 'string' ISO-8601 text.",
              "timestamp",
              List.of("timestamp", "utc-timestamp", "string"))
          .inGroup(RULES);

  static final Setting<String> INTERRUPTED_SNAPSHOT =
      Setting.choice(
              "interruptedSnapshot",
              "When a snapshot was interrupted",
              "'restart' deletes the table folder that holds nothing but the unfinished snapshot and"
                  + " starts over; 'stop' stops the table.",
              "restart",
              List.of("restart", "stop"))
          .inGroup(RULES);

  static final Setting<Integer> RECREATE_WAIT_SECONDS =
      Setting.number(
              "recreateWaitSeconds",
              "Seconds to wait for Fabric when a table is re-created",
              "After the table folder was deleted, Fabric must drop the table before a new folder"
                  + " appears. This long at most is waited for it.",
              Kind.SECONDS,
              300,
              0,
              86_400)
          .inGroup(RULES);

  static final Setting<Integer> MONITORING_SECONDS =
      Setting.number(
              "monitoringSeconds",
              "Seconds between two looks at Fabric's status",
              "Fabric's own files in Files/Monitoring say how far it got with the tables: two"
                  + " requests each time, and one list for a table with files waiting. 0 does not"
                  + " look.",
              Kind.SECONDS,
              30,
              0,
              86_400)
          .inGroup(MONITORING);

  static final Setting<Integer> NOT_CONSUMING_SECONDS =
      Setting.number(
              "notConsumingSeconds",
              "Seconds without progress before Fabric counts as not consuming",
              "When files of a table have waited this long and neither its folder nor its last sync"
                  + " moved, there is one warning, and another line when it goes on.",
              Kind.SECONDS,
              900,
              1,
              604_800)
          .inGroup(MONITORING);

  static final Setting<Integer> PARQUET_MAX_ROW_COUNT =
      Setting.number(
              "parquetMaxRowCount",
              "Maximum row count in Parquet file",
              "Rows after which a snapshot file is closed and uploaded. Lower it for very wide"
                  + " rows.",
              Kind.INTEGER,
              1_000_000,
              1,
              1_000_000_000)
          .inGroup(FILES);

  static final Setting<String> SNAPSHOT_ONTO_EXISTING_TABLE =
      Setting.choice(
              "snapshotOntoExistingTable",
              "A new snapshot of a table that was loaded before",
              "'stop' stops the table; 'recreate' deletes the table folder, waits until Fabric"
                  + " dropped the table, and loads it anew; 'append' adds the rows to those that are"
                  + " there; 'upsert' replaces rows of equal key.",
              "stop",
              List.of("stop", "recreate", "append", "upsert"))
          .inGroup(RULES);

  /** What a table's own choice says when it follows the agent. */
  static final String AS_THE_AGENT = "agent";

  static final Setting<String> TABLE_TIME_AS =
      Setting.choice(
              "timeAs",
              "Times of day of this table are written as",
              "'agent' follows the agent's setting of this name; the others replace it for this"
                  + " table.",
              AS_THE_AGENT,
              List.of(AS_THE_AGENT, "time", "string"))
          .inGroup(RULES);

  static final Setting<String> TABLE_LOCAL_TIMESTAMP_AS =
      Setting.choice(
              "localTimestampAs",
              "Timestamps without offset of this table are written as",
              "'agent' follows the agent's setting of this name; the others replace it for this"
                  + " table.",
              AS_THE_AGENT,
              List.of(AS_THE_AGENT, "timestamp", "utc-timestamp", "string"))
          .inGroup(RULES);

  static final Setting<String> TABLE_SNAPSHOT_PUBLISHING =
      Setting.choice(
              "snapshotPublishing",
              "When the snapshot files of this table become visible",
              "'agent' follows the agent's setting of this name; the others replace it for this"
                  + " table.",
              AS_THE_AGENT,
              List.of(AS_THE_AGENT, "streamed", STAGED))
          .inGroup(FILES);

  /** Settings of the agent as a whole. */
  static final SettingsSchema AGENT =
      new SettingsSchema(
          Stream.<List<? extends Setting<?>>>of(
                  List.of(LANDING_ZONE_URL),
                  SignInSettings.ALL,
                  List.of(
                      WORKSPACE,
                      MIRRORED_DATABASE,
                      HOST,
                      CUSTOM_PREFIX,
                      CDC_BATCH_MAX_SECONDS,
                      CDC_BATCH_ROWS,
                      CDC_BATCH_MAX_MB,
                      USE_UPSERT_ROW_MARKER,
                      KEY_CHANGE_MAX_ROWS),
                  UploadSettings.ALL,
                  List.of(
                      PARQUET_COMPRESSION,
                      PARQUET_ROW_GROUP_ROWS,
                      SNAPSHOT_PUBLISHING,
                      WRITE_PARTNER_EVENTS,
                      TIME_AS,
                      LOCAL_TIMESTAMP_AS,
                      PolicySettings.UNREPRESENTABLE_VALUES,
                      PolicySettings.STOPPED_TABLE_POLICY,
                      INTERRUPTED_SNAPSHOT,
                      RECREATE_WAIT_SECONDS,
                      MONITORING_SECONDS,
                      NOT_CONSUMING_SECONDS),
                  ConnectionSettings.ALL)
              .<Setting<?>>flatMap(List::stream)
              .toList());

  /** Settings each table may have of its own. */
  static final SettingsSchema TABLE =
      new SettingsSchema(
          List.of(
              PARQUET_MAX_ROW_COUNT,
              TABLE_SNAPSHOT_PUBLISHING,
              SNAPSHOT_ONTO_EXISTING_TABLE,
              TABLE_TIME_AS,
              TABLE_LOCAL_TIMESTAMP_AS));

  private MirroringSettings() {}
}
