package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.storage.UploadSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static TargetAgentProvider provider() {
    return ServiceLoader.load(TargetAgentProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(found -> found.descriptor().id().equals("fabric-open-mirroring"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void isFoundAndAsksForWholeOldRows() {
    assertThat(provider().descriptor().beforeImage()).isEqualTo(BeforeImage.FULL);
  }

  @Test
  void defaultsAreThoseOfTheSourceDocument() {
    Map<String, String> defaults = new LinkedHashMap<>();
    provider()
        .descriptor()
        .settings()
        .settings()
        .forEach(s -> s.defaultValue().ifPresent(value -> defaults.put(s.name(), value)));

    assertThat(defaults)
        .containsOnly(
            Map.entry("credential", "client-secret"),
            Map.entry("host", "https://onelake.dfs.fabric.microsoft.com"),
            Map.entry("cdcBatchMaxSeconds", "1"),
            Map.entry("cdcBatchRows", "100000"),
            Map.entry("cdcBatchMaxMb", "16"),
            Map.entry("useUpsertRowMarker", "false"),
            Map.entry("keyChangeMaxRows", "100000"),
            Map.entry("maxConcurrentUploads", "0"),
            Map.entry("uploadMemoryBudgetMb", "256"),
            Map.entry("uploadBlockSizeMb", "8"),
            Map.entry("uploadBlockConcurrency", "4"),
            Map.entry("emitFlushWithClose", "true"),
            Map.entry("tryTimeoutInSeconds", "600"),
            Map.entry("retryBudgetSeconds", "600"),
            Map.entry("parquetCompression", "ZSTD"),
            Map.entry("parquetRowGroupRows", "10000"),
            Map.entry("snapshotPublishing", "streamed"),
            Map.entry("writePartnerEvents", "true"),
            Map.entry("timeAs", "time"),
            Map.entry("localTimestampAs", "timestamp"),
            Map.entry("unrepresentableValues", "stop"),
            Map.entry("stoppedTablePolicy", "hold"),
            Map.entry("interruptedSnapshot", "restart"),
            Map.entry("recreateWaitSeconds", "300"),
            Map.entry("monitoringSeconds", "30"),
            Map.entry("notConsumingSeconds", "900"));
    Settings table = provider().descriptor().tableSettings().parse(Map.of());
    assertThat(table.get(MirroringSettings.PARQUET_MAX_ROW_COUNT)).isEqualTo(1_000_000);
    assertThat(table.get(MirroringSettings.SNAPSHOT_ONTO_EXISTING_TABLE)).isEqualTo("stop");
    assertThat(new AgentConfig.Rules(TypeRules.DEFAULTS, true, true, Duration.ZERO).typesFor(table))
        .isEqualTo(TypeRules.DEFAULTS);
  }

  @Test
  void everySettingReachesTheCode() {
    Map<String, String> values = MemoryTarget.settings();
    values.put("customPrefix", "eu.schema");
    values.put("cdcBatchMaxSeconds", "0");
    values.put("cdcBatchRows", "7");
    values.put("cdcBatchMaxMb", "3");
    values.put("useUpsertRowMarker", "true");
    values.put("keyChangeMaxRows", "9");
    values.put("maxConcurrentUploads", "5");
    values.put("uploadMemoryBudgetMb", "11");
    values.put("uploadBlockSizeMb", "2");
    values.put("uploadBlockConcurrency", "3");
    values.put("emitFlushWithClose", "false");
    values.put("tryTimeoutInSeconds", "12");
    values.put("retryBudgetSeconds", "13");
    values.put("parquetCompression", "GZIP");
    values.put("parquetRowGroupRows", "500");
    values.put("snapshotPublishing", "staged");
    values.put("writePartnerEvents", "false");
    values.put("timeAs", "string");
    values.put("localTimestampAs", "utc-timestamp");
    values.put("unrepresentableValues", "null");
    values.put("stoppedTablePolicy", "release");
    values.put("interruptedSnapshot", "stop");
    values.put("recreateWaitSeconds", "14");
    values.put("monitoringSeconds", "15");
    values.put("notConsumingSeconds", "16");
    values.put("proxy", "http://user:hidden@proxy.example.com:3128");
    Settings settings = MirroringSettings.AGENT.parse(values);
    AgentConfig config = AgentConfig.of(settings);

    assertThat(config.prefix()).containsExactly("eu.schema");
    assertThat(config.window())
        .isEqualTo(new AgentConfig.Window(Duration.ZERO, 7, 3L << 20, true, 9));
    assertThat(config.uploads())
        .isEqualTo(
            new UploadSettings.Uploads(5, 11L << 20, 2 << 20, 3, false, Duration.ofSeconds(13)));
    assertThat(config.files()).isEqualTo(new AgentConfig.Files("GZIP", 500, true, false, true));
    assertThat(config.rules())
        .isEqualTo(
            new AgentConfig.Rules(
                new TypeRules(true, TypeRules.LocalTimestamp.UTC, TypeRules.Unrepresentable.NULL),
                false,
                false,
                Duration.ofSeconds(14)));
    assertThat(config.watching())
        .isEqualTo(new AgentConfig.Watching(Duration.ofSeconds(15), Duration.ofSeconds(16)));
    assertThat(config.connection().tryTimeout()).isEqualTo(Duration.ofSeconds(12));
    assertThat(config.connection().proxy()).isPresent();
    assertThat(settings + " " + config).doesNotContain("hidden").doesNotContain("s3cr3t");
  }

  @Test
  void everyProblemIsFoundAtOnce() {
    Map<String, String> values = new HashMap<>();
    values.put("landingZoneUrl", "https://evil.example.com/a/b/Files/LandingZone");
    values.put("tenantId", "../x");
    values.put("authorityHost", "https://evil.example.com");
    values.put("trustedCertificates", "/does/not/exist.pem");
    values.put("customPrefix", "../up");
    values.put("cdcBatchRows", "-1");
    values.put("cdcBatchRow", "1");

    assertThat(provider().validate(values))
        .extracting(SettingProblem::setting)
        .containsExactlyInAnyOrder(
            "landingZoneUrl",
            "username",
            "password",
            "tenantId",
            "authorityHost",
            "trustedCertificates",
            "customPrefix",
            "cdcBatchRows",
            "cdcBatchRow");
  }

  @Test
  void theLandingZoneMayBeGivenByItsParts() {
    Map<String, String> values = MemoryTarget.settings();
    values.remove("landingZoneUrl");
    assertThat(provider().validate(values))
        .extracting(SettingProblem::setting)
        .containsExactly("landingZoneUrl");

    values.put("workspace", "Sales");
    assertThat(provider().validate(values))
        .extracting(SettingProblem::setting)
        .containsExactly("mirroredDatabase");

    values.put("mirroredDatabase", "Mirror");
    assertThat(provider().validate(values)).isEmpty();
    assertThat(AgentConfig.of(MirroringSettings.AGENT.parse(values)).connection().url().toString())
        .endsWith("/Sales/Mirror.MirroredDatabase/Files/LandingZone");
  }

  @Test
  void everySettingHasWordsForAForm() {
    List<Setting<?>> all =
        java.util.stream.Stream.concat(
                provider().descriptor().settings().settings().stream(),
                provider().descriptor().tableSettings().settings().stream())
            .toList();
    assertThat(all)
        .allSatisfy(
            setting -> {
              assertThat(setting.label()).isNotBlank();
              assertThat(setting.help()).endsWith(".");
              assertThat(setting.group()).isNotBlank();
            });
  }

  @Test
  void aDozenProblemsAreToldAtOnceEachWithSettingValueAndRemedy() {
    record Broken(String setting, String value, String remedy) {}
    List<Broken> all =
        List.of(
            new Broken("landingZoneUrl", "http://onelake.dfs.fabric.microsoft.com/a", "https://"),
            new Broken("tenantId", "not a tenant", "Enter the Directory (tenant) ID"),
            new Broken("customPrefix", "..", "Use another name"),
            new Broken("cdcBatchMaxSeconds", "-1", "seconds from 0 to 86400"),
            new Broken("cdcBatchRows", "0", "from 1 to"),
            new Broken("cdcBatchMaxMb", "16 MB", "megabytes from 1 to 1024"),
            new Broken("maxConcurrentUploads", "many", "whole number from 0 to 1000"),
            new Broken("uploadBlockConcurrency", "65", "from 1 to 64"),
            new Broken("emitFlushWithClose", "yes", "true or false"),
            new Broken("parquetCompression", "zip", "SNAPPY, ZSTD, GZIP, UNCOMPRESSED"),
            new Broken("snapshotPublishing", "later", "streamed, staged"),
            new Broken("unrepresentableValues", "round", "stop, null, replace"),
            new Broken("trustedCertificates", "nowhere/ca.pem", "Give the path of a PEM file"),
            new Broken("parquetCompresion", "ZSTD", "Did you mean 'parquetCompression'?"));
    Map<String, String> values = new LinkedHashMap<>(MemoryTarget.settings());
    all.forEach(broken -> values.put(broken.setting(), broken.value()));

    List<SettingProblem> problems = provider().validate(values);

    assertThat(problems).hasSameSizeAs(all);
    for (Broken broken : all) {
      String message =
          problems.stream()
              .filter(problem -> problem.setting().equals(broken.setting()))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no problem with " + broken.setting()))
              .message();
      assertThat(message).contains("'" + broken.setting() + "'").contains(broken.remedy());
      // The scheme of a URL, and a name that does not exist, are what is wrong there.
      assertThat(message.contains(broken.value()) || message.contains("http://"))
          .as(message)
          .isEqualTo(!broken.setting().equals("parquetCompresion"));
    }
  }

  @Test
  void labelsAreThoseOfTheSourceDocument() {
    Map<String, String> labels = new LinkedHashMap<>();
    provider().descriptor().settings().settings().forEach(s -> labels.put(s.name(), s.label()));
    provider()
        .descriptor()
        .tableSettings()
        .settings()
        .forEach(s -> labels.put(s.name(), s.label()));
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("username", "Client ID (Application ID)");
    expected.put("password", "Client Secret");
    expected.put("tenantId", "Tenant ID (Entra)");
    expected.put("landingZoneUrl", "Landing zone URL");
    expected.put("workspace", "Workspace ID");
    expected.put("mirroredDatabase", "Mirrored database ID");
    expected.put("host", "OneLake DFS host");
    expected.put("customPrefix", "Optional custom path prefix under landing zone");
    expected.put(
        "cdcBatchMaxSeconds", "Seconds a change file may collect commits before it is published");
    expected.put("cdcBatchRows", "Rows after which an open change file is published");
    expected.put("cdcBatchMaxMb", "Megabytes after which an open change file is published");
    expected.put("maxConcurrentUploads", "Max concurrent uploads");
    expected.put("uploadMemoryBudgetMb", "Memory in MB the files being uploaded may hold");
    expected.put("parquetCompression", "Parquet compression");
    expected.put("parquetRowGroupRows", "Rows per Parquet row group");
    expected.put("uploadBlockSizeMb", "Upload block size in MB");
    expected.put("uploadBlockConcurrency", "Parallel block uploads per file");
    expected.put("useUpsertRowMarker", "Use the upsert row marker (4) for inserts and updates");
    expected.put("writePartnerEvents", "Write _partnerEvents.json at landing-zone root");
    expected.put("emitFlushWithClose", "Emit FlushWithClose event for Event Grid triggers");
    expected.put("tryTimeoutInSeconds", "Request try timeout in seconds");
    expected.put("parquetMaxRowCount", "Maximum row count in Parquet file");

    assertThat(labels).containsAllEntriesOf(expected);
  }
}
