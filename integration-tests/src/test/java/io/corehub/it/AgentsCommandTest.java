package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code hub agents} tells of an agent's settings, in words and as JSON Schema. */
class AgentsCommandTest {

  private static final String AGENT = "fabric-open-mirroring";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private static JsonNode exported;

  @BeforeAll
  static void export() throws Exception {
    exported = JSON.readTree(Hub.run("agents", AGENT, "--json").succeeded().output());
  }

  private static AgentDescriptor descriptor() {
    return ServiceLoader.load(TargetAgentProvider.class).stream()
        .map(provider -> provider.get().descriptor())
        .filter(agent -> agent.id().equals(AGENT))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectNode example() throws Exception {
    return (ObjectNode)
        JSON.readTree(
            """
            {
              "landingZoneUrl": "https://onelake.dfs.fabric.microsoft.com/w/m.MirroredDatabase/Files/LandingZone",
              "tenantId": "44444444-4444-4444-4444-444444444444",
              "username": "33333333-3333-3333-3333-333333333333",
              "password": "secret",
              "cdcBatchMaxSeconds": 5,
              "parquetCompression": "SNAPPY",
              "writePartnerEvents": false
            }
            """);
  }

  private static List<Error> errors(JsonNode settings) {
    Schema schema = SCHEMAS.getSchema(exported);
    return schema.validate(settings);
  }

  @Test
  void theExportIsAJsonSchema() {
    Schema dialect =
        SCHEMAS.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    assertThat(dialect.validate(exported)).isEmpty();
    assertThat(dialect.validate(JSON.createObjectNode().put("type", "nonsense"))).isNotEmpty();
  }

  @Test
  void aGoodConfigurationPasses() throws Exception {
    assertThat(errors(example())).isEmpty();
  }

  @Test
  void brokenOnesFail() throws Exception {
    assertThat(errors(example().put("cdcBatchMaxSeconds", -1))).hasSize(1);
    assertThat(errors(example().put("cdcBatchRows", "many"))).hasSize(1);
    assertThat(errors(example().put("parquetCompression", "zip"))).hasSize(1);
    assertThat(errors(example().put("emitFlushWithClose", "yes"))).hasSize(1);
    assertThat(errors(example().put("cdcBatchRow", 1))).hasSize(1);
    ObjectNode withoutSecret = example();
    withoutSecret.remove("password");
    assertThat(errors(withoutSecret)).hasSize(1);
    assertThat(errors(withoutSecret.put("credential", "managed-identity"))).isEmpty();
    ObjectNode withoutPlace = example();
    withoutPlace.remove("landingZoneUrl");
    assertThat(errors(withoutPlace)).hasSize(1);
    assertThat(errors(withoutPlace.put("workspace", "Sales"))).isEmpty();
  }

  @Test
  void settingsOfATableAreASchemaToo() throws Exception {
    Schema table = SCHEMAS.getSchema(exported.at("/$defs/table"));
    assertThat(table.validate(JSON.readTree("{\"parquetMaxRowCount\":200000}"))).isEmpty();
    assertThat(table.validate(JSON.readTree("{\"parquetMaxRowCount\":0}"))).hasSize(1);
    assertThat(table.validate(JSON.readTree("{\"snapshotOntoExistingTable\":\"x\"}"))).hasSize(1);
  }

  @Test
  void eachSettingIsTheSameInTheExportAsInItsDescription() {
    compare(exported.get("properties"), descriptor().settings());
    compare(exported.at("/$defs/table/properties"), descriptor().tableSettings());
  }

  private static void compare(JsonNode properties, SettingsSchema schema) {
    assertThat(properties).hasSize(schema.settings().size());
    int order = 0;
    for (Setting<?> setting : schema.settings()) {
      order++;
      JsonNode property = properties.get(setting.name());
      assertThat(property.get("title").asText()).isEqualTo(setting.label());
      assertThat(property.get("description").asText()).isEqualTo(setting.help());
      assertThat(property.get("group").asText()).isEqualTo(setting.group());
      assertThat(property.get("order").asInt()).isEqualTo(order);
      assertThat(property.get("secret").asBoolean())
          .isEqualTo(setting.kind() == Setting.Kind.SECRET);
      assertThat(property.path("default").asText()).isEqualTo(setting.defaultValue().orElse(""));
      assertThat(property.has("minimum")).isEqualTo(setting.min().isPresent());
      assertThat(property.has("visibleWhen")).isEqualTo(setting.visibleWhen().isPresent());
      assertThat(property.has("mandatory")).isEqualTo(setting.required());
    }
  }

  @Test
  void theTextTellsEverythingOfEverySetting() throws Exception {
    String text = Hub.run("agents", AGENT).succeeded().output();

    for (SettingsSchema schema : List.of(descriptor().settings(), descriptor().tableSettings())) {
      int order = 0;
      for (Setting<?> setting : schema.settings()) {
        order++;
        assertThat(text)
            .contains(" " + setting.group())
            .contains("  " + order + ". " + setting.name() + " - " + setting.label() + " [")
            .contains("      " + setting.help());
      }
    }
    assertThat(text)
        .contains(
            "cdcBatchMaxSeconds - Seconds a change file may collect commits before it is"
                + " published [seconds from 0 to 86400] [default 1]")
        .contains("uploadBlockSizeMb - Upload block size in MB [MB from 1 to 1000] [default 8]")
        .contains(
            "parquetCompression - Parquet compression [SNAPPY | ZSTD | GZIP | UNCOMPRESSED]"
                + " [default ZSTD]")
        .contains(
            "password - Client Secret [secret] [required] [only with credential client-secret]")
        .contains("landingZoneUrl - Landing zone URL [URL] [required unless workspace]")
        .contains("[true | false] [only with cdcBatchMaxSeconds 0] [default false]");
  }
}
