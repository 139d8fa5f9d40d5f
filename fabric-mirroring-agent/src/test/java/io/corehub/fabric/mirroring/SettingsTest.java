package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
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
    assertThat(TypeRules.DEFAULTS.forTable(table)).isEqualTo(TypeRules.DEFAULTS);
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
            new AgentConfig.Uploads(5, 11L << 20, 2 << 20, 3, false, Duration.ofSeconds(13)));
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
}
