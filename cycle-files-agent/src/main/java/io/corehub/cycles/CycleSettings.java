package io.corehub.cycles;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Setting.Kind;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.PolicySettings;
import io.corehub.storage.SignInSettings;
import io.corehub.storage.UploadSettings;
import java.util.List;
import java.util.stream.Stream;

/** Every setting of the agent. Immutable. */
final class CycleSettings {

  private static final String SETUP = "Setup";
  private static final String LAYOUT = "Directories";
  private static final String FILES = "Data files";
  private static final String CYCLES = "Cycles";
  private static final String RULES = "When something does not fit";
  private static final int DAY = 86_400;

  static final Setting<String> STORAGE_URL =
      Setting.url(
              "storageUrl",
              "Storage URL",
              "Where the files go: the Files folder of a Lakehouse"
                  + " (https://onelake.dfs.fabric.microsoft.com/<workspace>/<lakehouse>/Files, all"
                  + " GUIDs or all names), a file system of an ADLS Gen2 account (its host must be"
                  + " named in allowedHosts), or a local folder (file:///absolute or file:relative"
                  + " to the configuration file). The abfss:// form is understood.")
          .mandatory()
          .inGroup(SETUP);

  static final Setting<String> CONNECTION_FOLDER =
      Setting.text(
              "connectionFolder",
              "Connection folder",
              "A folder below the storage URL that holds the job folders. Paths in summary files are"
                  + " relative to it.")
          .inGroup(SETUP);

  static final Setting<String> TASK_TARGET_DIRECTORY =
      Setting.text(
              "taskTargetDirectory",
              "Job folder",
              "The folder of this job. Empty means the pipeline's id. Another folder is another job,"
                  + " which begins at the hub's position.")
          .inGroup(LAYOUT);

  static final Setting<String> DATA_DIRECTORY =
      Setting.text(
              "dataDirectory",
              "Data directory",
              "Pattern. Placeholders: {TaskTargetDirectory}, {SchemaName}, {TableName}, {YYYY}, {YY},"
                  + " {MM}, {DD}, {HH}, {Timestamp}; times are those at which a cycle opens, in UTC.")
          .withDefault("{TaskTargetDirectory}/data/{TableName}/data")
          .inGroup(LAYOUT);

  static final Setting<String> SCHEMA_DIRECTORY =
      Setting.text(
              "schemaDirectory",
              "Schema directory",
              "Pattern, with the placeholders of the data directory but those of time.")
          .withDefault("{TaskTargetDirectory}/data/{TableName}/schema")
          .inGroup(LAYOUT);

  static final Setting<String> CYCLE_COMPLETION_DIRECTORY =
      Setting.text(
              "cycleCompletionDirectory",
              "Directory of completed files",
              "May hold {TaskTargetDirectory}.")
          .withDefault("{TaskTargetDirectory}/cycle/completed")
          .inGroup(LAYOUT);

  static final Setting<String> CYCLE_CONTENTS_DIRECTORY =
      Setting.text(
              "cycleContentsDirectory",
              "Directory of contents files",
              "May hold {TaskTargetDirectory}.")
          .withDefault("{TaskTargetDirectory}/cycle/contents")
          .inGroup(LAYOUT);

  static final Setting<Boolean> ADD_DIRECTORY_TAGS =
      Setting.toggle(
              "addDirectoryTags",
              "Add directory tags",
              "Writes dt= before the name of each cycle folder, for readers that take key=value"
                  + " folders for partitions. Declare the column as text.",
              false)
          .inGroup(LAYOUT);

  static final Setting<Boolean> PARTITION_DATA =
      Setting.toggle(
              "useCyclePartitioningForData",
              "Cycle folders for data files",
              "Off, all data files of a table lie in one directory, and contents files list each.",
              true)
          .inGroup(LAYOUT);

  static final Setting<Boolean> PARTITION_SUMMARY =
      Setting.toggle(
              "useCyclePartitioningForSummary",
              "Cycle folders for contents and completed files",
              "Off, they lie in one directory each.",
              true)
          .inGroup(LAYOUT);

  static final Setting<Boolean> LIST_FILES =
      Setting.toggle(
              "listIndividualFiles",
              "List individual files in contents files",
              "One line for each data file instead of one for each table. Always so without cycle"
                  + " folders for data files.",
              false)
          .inGroup(LAYOUT);

  static final Setting<String> PATH_STYLE =
      Setting.choice(
              "pathStyle",
              "Paths in summary files",
              "'relative' to the connection folder, or 'absolute' with the storage's address.",
              "relative",
              List.of("relative", "absolute"))
          .inGroup(LAYOUT);

  static final Setting<String> OUTPUT_FORMAT =
      Setting.choice(
              "outputFormat", "Output format", "Of data files.", "CSV", List.of("CSV", "PARQUET"))
          .inGroup(FILES);

  static final Setting<Boolean> CSV_HEADER =
      Setting.toggle(
              "csvHeader", "Header in CSV files", "The names of the columns, in each file.", true)
          .visibleWhen("outputFormat", "CSV")
          .inGroup(FILES);

  static final Setting<String> CSV_COMPRESSION =
      Setting.choice(
              "csvCompression",
              "CSV compression",
              "'gzip' writes .csv.gz files.",
              "none",
              List.of("none", "gzip"))
          .visibleWhen("outputFormat", "CSV")
          .inGroup(FILES);

  static final Setting<String> PARQUET_COMPRESSION =
      Setting.choice(
              "parquetCompression",
              "Parquet compression",
              "ZSTD makes the smallest files.",
              "SNAPPY",
              List.of("NONE", "GZIP", "SNAPPY", "ZSTD"))
          .visibleWhen("outputFormat", "PARQUET")
          .inGroup(FILES);

  static final Setting<String> AVRO_SCHEMA_DIRECTORY =
      Setting.text(
              "avroSchemaDirectory",
              "Avro schema directory",
              "Below the connection folder: a file <schema>_<table>.txt for each table and version.")
          .inGroup(FILES);

  static final Setting<Boolean> SCHEMA_FILE_FOR_PARQUET =
      Setting.toggle(
              "schemaFileForParquet",
              "Schema files for Parquet",
              "Contents files name a schema file that is not written for Parquet unless this is on.",
              false)
          .visibleWhen("outputFormat", "PARQUET")
          .inGroup(FILES);

  static final Setting<Boolean> WRITE_SCHEMA_INI =
      Setting.toggle(
              "writeSchemaIni",
              "Write schema.ini",
              "Beside the schema file, for readers of CSV files that want one.",
              false)
          .visibleWhen("outputFormat", "CSV")
          .inGroup(FILES);

  static final Setting<Integer> MAX_FILE_ROWS =
      Setting.number(
              "maxFileRows",
              "Rows of a data file",
              "A table's file that has as many is closed, and another part begins.",
              Kind.INTEGER,
              1_000_000,
              1,
              1_000_000_000)
          .inGroup(FILES);

  static final Setting<Integer> MAX_FILE_MB =
      Setting.number(
              "maxFileMb",
              "Megabytes of a data file",
              "A table's file that is about as large is closed, and another part begins.",
              Kind.MEGABYTES,
              128,
              1,
              65_536)
          .inGroup(FILES);

  static final Setting<Boolean> ADD_OPERATION_TIME =
      Setting.toggle(
              "addOperationTime",
              "Add operation time",
              "A column with the time of the commit: 20 digits in UTC.",
              false)
          .inGroup(FILES);

  static final Setting<Boolean> ADD_OPERATION_OWNER =
      Setting.toggle(
              "addOperationOwner",
              "Add operation owner",
              "A column with the user who committed, where the source tells.",
              false)
          .inGroup(FILES);

  static final Setting<Boolean> ADD_TRANSACTION_ID =
      Setting.toggle(
              "addTransactionId",
              "Add transaction ID",
              "A column with the source's name of the transaction, where it tells.",
              false)
          .inGroup(FILES);

  static final Setting<Boolean> ADD_BEFORE_IMAGES =
      Setting.toggle(
              "addBeforeImages",
              "Add before images",
              "A column with the old value for each column of the table. Off, only for those of the"
                  + " key.",
              true)
          .inGroup(FILES);

  static final Setting<String> METADATA_PREFIX =
      Setting.text(
              "metadataColumnPrefix",
              "Prefix of metadata columns",
              "INFA_ gives the names that some existing consumers expect.")
          .withDefault("CDC_")
          .inGroup(FILES);

  static final Setting<String> BEFORE_SUFFIX =
      Setting.text("beforeImageSuffix", "Suffix of before images", "Behind the name of the column.")
          .withDefault("_OLD")
          .inGroup(FILES);

  static final Setting<String> LOAD_TYPE =
      Setting.choice(
              "loadType",
              "Load type",
              "'INCREMENTAL' writes changes alone. 'COMBINED' loads each table first, and prefixes"
                  + " sequences so that loads and changes sort. Cannot be switched in a job folder.",
              "INCREMENTAL",
              List.of("INCREMENTAL", "COMBINED"))
          .inGroup(CYCLES);

  static final Setting<Integer> CYCLE_INTERVAL_SECONDS =
      Setting.number(
              "cycleIntervalSeconds",
              "Seconds a cycle may stay open",
              "The source must keep its log for at least as long.",
              Kind.SECONDS,
              900,
              1,
              7 * DAY)
          .inGroup(CYCLES);

  static final Setting<Integer> CYCLE_CHANGE_LIMIT =
      Setting.number(
              "cycleChangeLimit",
              "Rows that end a cycle",
              "At the next commit, when the cycle is at least a second old. Raise it where many rows"
                  + " come each second.",
              Kind.INTEGER,
              10_000,
              1,
              1_000_000_000)
          .inGroup(CYCLES);

  static final Setting<Integer> LOW_ACTIVITY_FLUSH_SECONDS =
      Setting.number(
              "lowActivityFlushSeconds",
              "Seconds without a commit that end a cycle",
              "0 waits for the interval.",
              Kind.SECONDS,
              0,
              0,
              7 * DAY)
          .inGroup(CYCLES);

  static final Setting<String> EMPTY_CYCLES =
      Setting.choice(
              "emptyCycles",
              "Cycles without rows",
              "'write' completes a cycle at each interval though nothing was captured, as a sign of"
                  + " life.",
              "skip",
              List.of("skip", "write"))
          .inGroup(CYCLES);

  static final Setting<Boolean> CLOSE_CYCLE_ON_STOP =
      Setting.toggle(
              "closeCycleOnStop",
              "Complete the open cycle at a stop",
              "Off, it is given up, and its commits come again.",
              true)
          .inGroup(CYCLES);

  static final Setting<String> TRUNCATE_IN_INCREMENTAL =
      Setting.choice(
              "truncateInIncremental",
              "Truncated tables of an incremental job",
              "'skip' counts it and warns once, 'write' writes a T row, 'fail' stops the table.",
              "skip",
              List.of("write", "skip", "fail"))
          .inGroup(RULES);

  static final Setting<String> ORPHAN_POLICY =
      Setting.choice(
              "orphanPolicy",
              "Files of cycles that were never completed",
              "'delete' removes them at the next start, 'keep' leaves them. No consumer sees them.",
              "delete",
              List.of("delete", "keep"))
          .inGroup(RULES);

  static final Setting<Integer> RETENTION_DAYS =
      Setting.number(
              "retentionDays",
              "Days completed cycles are kept",
              "Older ones are removed, never the newest. 0 keeps all.",
              Kind.INTEGER,
              0,
              0,
              36_500)
          .inGroup(RULES);

  static final Setting<Boolean> ACCEPT_TARGET_ROLLBACK =
      Setting.toggle(
              "acceptTargetRollback",
              "Go on though the folder lost cycles",
              "Without it the job stops when its newest cycle is older than the hub knows. The lost"
                  + " changes do not come again.",
              false)
          .inGroup(RULES);

  /** Settings of the agent as a whole. */
  static final SettingsSchema AGENT = new SettingsSchema(all());

  /** Tables have no settings of their own. */
  static final SettingsSchema TABLE = new SettingsSchema(List.of());

  private CycleSettings() {}

  private static List<Setting<?>> all() {
    return Stream.<List<? extends Setting<?>>>of(
            List.of(STORAGE_URL, CONNECTION_FOLDER),
            SignInSettings.ALL.stream().map(CycleSettings::unlessFolder).toList(),
            List.of(
                TASK_TARGET_DIRECTORY,
                DATA_DIRECTORY,
                SCHEMA_DIRECTORY,
                CYCLE_COMPLETION_DIRECTORY,
                CYCLE_CONTENTS_DIRECTORY,
                ADD_DIRECTORY_TAGS,
                PARTITION_DATA,
                PARTITION_SUMMARY,
                LIST_FILES,
                PATH_STYLE,
                OUTPUT_FORMAT,
                CSV_HEADER,
                CSV_COMPRESSION,
                PARQUET_COMPRESSION,
                AVRO_SCHEMA_DIRECTORY,
                SCHEMA_FILE_FOR_PARQUET,
                WRITE_SCHEMA_INI,
                MAX_FILE_ROWS,
                MAX_FILE_MB,
                ADD_OPERATION_TIME,
                ADD_OPERATION_OWNER,
                ADD_TRANSACTION_ID,
                ADD_BEFORE_IMAGES,
                METADATA_PREFIX,
                BEFORE_SUFFIX,
                LOAD_TYPE,
                CYCLE_INTERVAL_SECONDS,
                CYCLE_CHANGE_LIMIT,
                LOW_ACTIVITY_FLUSH_SECONDS,
                EMPTY_CYCLES,
                CLOSE_CYCLE_ON_STOP,
                TRUNCATE_IN_INCREMENTAL,
                ORPHAN_POLICY,
                RETENTION_DAYS,
                ACCEPT_TARGET_ROLLBACK,
                PolicySettings.STOPPED_TABLE_POLICY,
                PolicySettings.UNREPRESENTABLE_VALUES),
            UploadSettings.ALL,
            ConnectionSettings.ALL)
        .<Setting<?>>flatMap(List::stream)
        .toList();
  }

  /** Nobody signs in to a local folder. */
  private static Setting<?> unlessFolder(Setting<?> setting) {
    return setting.required() ? setting.mandatoryUnless("storageUrl", "file:*") : setting;
  }
}
