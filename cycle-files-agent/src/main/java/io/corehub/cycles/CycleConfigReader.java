package io.corehub.cycles;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.cycles.CycleConfig.Limits;
import io.corehub.cycles.CycleConfig.Parts;
import io.corehub.cycles.CycleConfig.Rules;
import io.corehub.cycles.CycleConfig.Summary;
import io.corehub.cycles.CycleConfig.Truncate;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.parquet.Compression;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.PolicySettings;
import io.corehub.storage.UploadSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Turns valid settings into the values the agent works with. Pure. */
final class CycleConfigReader {

  private static final int ZSTD_LEVEL = 3;

  private CycleConfigReader() {}

  /**
   * Reads valid settings.
   *
   * @param settings of {@link CycleSettings#AGENT}
   * @param pipeline the pipeline's id, which names the job folder unless a setting does
   * @param environment the environment's variables
   */
  static CycleConfig read(Settings settings, String pipeline, Map<String, String> environment) {
    String ownFolder = PathSegment.of(pipeline);
    CycleLayout.Choices choices =
        choices(setting -> settings.find(setting).map(String::valueOf).orElse(""), ownFolder);
    CycleLayout layout =
        settings.find(CycleSettings.TASK_TARGET_DIRECTORY).isPresent()
            ? CycleLayout.of(choices)
            : CycleLayout.of(choices, ownFolder);
    StoragePlace place = place(settings, environment);
    boolean absolute = settings.get(CycleSettings.PATH_STYLE).equals("absolute");
    return new CycleConfig(
        place,
        layout,
        absolute ? PathStyle.absolute(address(place)) : PathStyle.RELATIVE,
        new ColumnChoices(
            settings.get(CycleSettings.METADATA_PREFIX),
            settings.get(CycleSettings.BEFORE_SUFFIX),
            settings.get(CycleSettings.ADD_OPERATION_TIME),
            settings.get(CycleSettings.ADD_OPERATION_OWNER),
            settings.get(CycleSettings.ADD_TRANSACTION_ID),
            settings.get(CycleSettings.ADD_BEFORE_IMAGES),
            new TypeRules(
                false, TypeRules.LocalTimestamp.LOCAL, PolicySettings.unrepresentable(settings))),
        EncodingChoices.of(
            settings.get(CycleSettings.CSV_HEADER),
            compression(settings.get(CycleSettings.PARQUET_COMPRESSION))),
        new Limits(
            Duration.ofSeconds(settings.get(CycleSettings.CYCLE_INTERVAL_SECONDS)),
            settings.get(CycleSettings.CYCLE_CHANGE_LIMIT),
            Duration.ofSeconds(settings.get(CycleSettings.LOW_ACTIVITY_FLUSH_SECONDS)),
            settings.get(CycleSettings.EMPTY_CYCLES).equals("write"),
            settings.get(CycleSettings.CLOSE_CYCLE_ON_STOP)),
        new Parts(
            settings.get(CycleSettings.MAX_FILE_ROWS),
            (long) settings.get(CycleSettings.MAX_FILE_MB) << 20),
        new Summary(
            settings.get(CycleSettings.LIST_FILES), settings.get(CycleSettings.WRITE_SCHEMA_INI)),
        new Rules(
            settings.get(CycleSettings.LOAD_TYPE).equals("COMBINED"),
            Truncate.valueOf(
                settings.get(CycleSettings.TRUNCATE_IN_INCREMENTAL).toUpperCase(Locale.ROOT)),
            settings.get(CycleSettings.ORPHAN_POLICY).equals("delete"),
            Duration.ofDays(settings.get(CycleSettings.RETENTION_DAYS)),
            settings.get(CycleSettings.ACCEPT_TARGET_ROLLBACK),
            PolicySettings.holdStopped(settings)),
        UploadSettings.of(settings));
  }

  private static Compression compression(String name) {
    return switch (name) {
      case "ZSTD" -> Compression.zstd(ZSTD_LEVEL);
      case "SNAPPY" -> Compression.SNAPPY;
      case "GZIP" -> Compression.GZIP;
      case "NONE" -> Compression.UNCOMPRESSED;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * The directories as users write them.
   *
   * @param text text of a setting; empty if it has none
   * @param job the job's folder unless a setting names it
   */
  static CycleLayout.Choices choices(Function<Setting<?>, String> text, String job) {
    String own = text.apply(CycleSettings.TASK_TARGET_DIRECTORY);
    return new CycleLayout.Choices(
        own.isEmpty() ? job : own,
        text.apply(CycleSettings.DATA_DIRECTORY),
        text.apply(CycleSettings.SCHEMA_DIRECTORY),
        text.apply(CycleSettings.CYCLE_COMPLETION_DIRECTORY),
        text.apply(CycleSettings.CYCLE_CONTENTS_DIRECTORY),
        text.apply(CycleSettings.AVRO_SCHEMA_DIRECTORY),
        text.apply(CycleSettings.ADD_DIRECTORY_TAGS).equals("true"),
        text.apply(CycleSettings.PARTITION_DATA).equals("true"),
        text.apply(CycleSettings.PARTITION_SUMMARY).equals("true"),
        format(text),
        text.apply(CycleSettings.SCHEMA_FILE_FOR_PARQUET).equals("true"));
  }

  private static DataFormat format(Function<Setting<?>, String> text) {
    if (text.apply(CycleSettings.OUTPUT_FORMAT).equals("PARQUET")) {
      return DataFormat.PARQUET;
    }
    return text.apply(CycleSettings.CSV_COMPRESSION).equals("gzip")
        ? DataFormat.CSV_GZIP
        : DataFormat.CSV;
  }

  private static StoragePlace place(Settings settings, Map<String, String> environment) {
    String url = settings.get(CycleSettings.STORAGE_URL);
    String folder = settings.find(CycleSettings.CONNECTION_FOLDER).orElse("");
    if (StoragePlace.isFolder(url)) {
      Path root = StoragePlace.folder(url).toAbsolutePath().normalize();
      return new StoragePlace.Folder(folder.isEmpty() ? root : root.resolve(folder));
    }
    OneLakeUrl place = StoragePlace.remote(url, ConnectionSettings.hosts(settings));
    String path = place.path();
    String below = String.join("/", StoragePlace.segments(folder));
    return new StoragePlace.Remote(
        ConnectionSettings.connection(place, settings, environment),
        path.isEmpty() ? below : below.isEmpty() ? path : path + "/" + below);
  }

  static String address(StoragePlace place) {
    if (place instanceof StoragePlace.Remote remote) {
      return remote.address();
    }
    return "file://" + ((StoragePlace.Folder) place).root().toString().replace('\\', '/');
  }
}
