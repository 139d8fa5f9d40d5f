package io.corehub.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.Finding;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.settings.SettingProblem;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineageSettingsTest {

  private final LineageProvider provider = new LineageProvider();

  @Test
  void lineageIsOffUnlessAskedFor() {
    assertThat(
            provider.observe(
                provider.settings().parse(Map.of()),
                LineageBench.pipeline(
                    LineageBench.POSTGRES, Path.of("unused"), InstantSource.system())))
        .isEmpty();
  }

  @Test
  void theDefaultsAreThoseOfTheSpecification() {
    LineageConfig config = LineageBench.config();

    assertThat(config.jobNamespace()).isEqualTo("core-hub");
    assertThat(config.interval()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.defaultSchema()).isEqualTo("dbo");
    assertThat(config.columnLineage()).isTrue();
    assertThat(config.fabricFacet()).isTrue();
    assertThat(config.queueSize()).isEqualTo(1_000);
    assertThat(config.shutdown()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.configFile()).isEmpty();
  }

  @Test
  void everySettingChangesSomething() {
    LineageConfig config =
        LineageBench.config(
            "configFile", "/x/openlineage.yml",
            "jobNamespace", "prod",
            "intervalSeconds", "7",
            "columnLineage", "false",
            "fabricFacet", "false",
            "defaultSchema", "raw",
            "queueSize", "9",
            "shutdownSeconds", "0",
            "jobTags", "env=prod, team = sales\ntier=1",
            "jobOwners", "team:sales=MAINTAINER,user:jo");

    assertThat(config.configFile()).contains("/x/openlineage.yml");
    assertThat(config.jobNamespace()).isEqualTo("prod");
    assertThat(config.interval()).isEqualTo(Duration.ofSeconds(7));
    assertThat(config.columnLineage()).isFalse();
    assertThat(config.fabricFacet()).isFalse();
    assertThat(config.defaultSchema()).isEqualTo("raw");
    assertThat(config.queueSize()).isEqualTo(9);
    assertThat(config.shutdown()).isZero();
    assertThat(config.tags())
        .containsExactly(
            Map.entry("env", "prod"), Map.entry("team", "sales"), Map.entry("tier", "1"));
    assertThat(config.owners())
        .containsExactly(Map.entry("team:sales", "MAINTAINER"), Map.entry("user:jo", ""));
  }

  @Test
  void listsThatCannotBeReadAreRefusedByName() {
    assertThat(provider.validate(Map.of("jobTags", "env", "jobOwners", "=x")))
        .extracting(SettingProblem::message)
        .containsExactly(
            "Setting 'jobTags' has the entry 'env', but must be key=value,key=value.",
            "Setting 'jobOwners' has the entry '=x', but must be name=kind,name=kind or name,name.");
  }

  private List<Finding> check(Map<String, String> lineage, Map<String, String> target) {
    return provider.check(
        provider.settings().parse(lineage),
        new ObservedPipeline(
            "core-hub",
            "shop",
            LineageBench.POSTGRES,
            target,
            List.of(),
            Path.of("unused"),
            InstantSource.system()));
  }

  @Test
  void aCheckSaysWhereTheTargetsTablesAreNamed() {
    assertThat(
            check(
                Map.of("enabled", "true", "mirroredDatabaseName", "Sales"),
                Map.of("landingZoneUrl", LineageBench.ZONE, "tenantId", LineageBench.TENANT)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Finding.Severity.OK);
              assertThat(finding.message())
                  .startsWith("lineage names the target's tables in fabric-warehouse://");
            });
    assertThat(check(Map.of("enabled", "true"), Map.of("storageUrl", "file:/data/cycles")))
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).endsWith(" in file"));
  }

  @Test
  void aCheckSaysWhyATargetHasNoName() {
    Map<String, String> byName =
        Map.of(
            "landingZoneUrl",
            "https://onelake.dfs.fabric.microsoft.com/Sales/Shop.MirroredDatabase/Files/LandingZone");
    for (Map.Entry<Map<String, String>, String> each :
        Map.of(
                byName,
                "use IDs in the URL, or set 'sqlEndpoint'",
                Map.of("landingZoneUrl", LineageBench.ZONE),
                "set 'tenantId'",
                Map.of("storageUrl", "gs://bucket/x"),
                "gs://bucket/x")
            .entrySet()) {
      assertThat(check(Map.of("enabled", "true", "mirroredDatabaseName", "Sales"), each.getKey()))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
                assertThat(finding.message()).contains("no output").contains(each.getValue());
              });
    }
  }

  @Test
  void aCheckOfLineageThatIsOffFindsNothing() {
    assertThat(check(Map.of(), Map.of("storageUrl", "gs://bucket/x"))).isEmpty();
  }
}
