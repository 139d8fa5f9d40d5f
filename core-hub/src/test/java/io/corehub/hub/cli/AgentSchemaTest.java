package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentSchemaTest {

  private static final JsonNode SCHEMA =
      AgentSchema.of(
          new AgentDescriptor(
              "test",
              "Test agent",
              "For tests.",
              new SettingsSchema(
                  List.of(
                      Setting.text("place", "Place", "Where to.").mandatory().inGroup("Setup"),
                      Setting.secret("password", "Password", "Secret.").mandatoryWhen("mode", "a"),
                      Setting.number("age", "Age", "Help.", Setting.Kind.SECONDS, 1, 0, 60),
                      Setting.toggle("on", "On", "Help.", true),
                      Setting.choice("mode", "Mode", "Help.", "a", List.of("a", "b")),
                      Setting.url("url", "URL", "Help.").mandatoryUnless("place"),
                      Setting.file("file", "File", "Help.").visibleWhen("mode", "b").mandatory())),
              new SettingsSchema(
                  List.of(Setting.number("rows", "Rows", "Help.", Setting.Kind.INTEGER, 5, 1, 9))),
              BeforeImage.NONE));

  @Test
  void describesAgentAndRequiredSettings() {
    assertThat(SCHEMA.get("title").asText()).isEqualTo("Test agent");
    assertThat(SCHEMA.get("description").asText()).isEqualTo("For tests.");
    assertThat(SCHEMA.get("required")).hasSize(1);
    assertThat(SCHEMA.get("required").get(0).asText()).isEqualTo("place");
  }

  @Test
  void describesEverySetting() {
    JsonNode properties = SCHEMA.get("properties");
    assertThat(properties.get("place").toString())
        .isEqualTo(
            "{\"title\":\"Place\",\"description\":\"Where to.\",\"group\":\"Setup\",\"order\":1,\"secret\":false,\"type\":\"string\",\"mandatory\":true}");
    assertThat(properties.get("password").get("secret").asBoolean()).isTrue();
    assertThat(properties.get("age").toString())
        .contains("\"type\":\"integer\"", "\"minimum\":0", "\"maximum\":60", "\"default\":1");
    assertThat(properties.get("on").get("default").isBoolean()).isTrue();
    assertThat(properties.get("mode").get("enum").toString()).isEqualTo("[\"a\",\"b\"]");
    assertThat(properties.get("url").get("requiredUnless").get("setting").asText())
        .isEqualTo("place");
    assertThat(properties.get("password").get("requiredWhen").toString())
        .isEqualTo("{\"setting\":\"mode\",\"values\":[\"a\"]}");
    assertThat(properties.get("file").get("visibleWhen").toString())
        .isEqualTo("{\"setting\":\"mode\",\"values\":[\"b\"]}");
    assertThat(SCHEMA.at("/$defs/table/properties/rows/default").asInt()).isEqualTo(5);
  }

  @Test
  void tellsValidatorsWhatIsRequiredWhen() {
    JsonNode rules = SCHEMA.get("allOf");
    assertThat(rules).hasSize(3);
    // The default of 'mode' is 'a': the password is missed where 'mode' is left out, too.
    assertThat(rules.get(0).toString())
        .isEqualTo(
            "{\"if\":{\"allOf\":[{\"properties\":{\"mode\":{\"enum\":[\"a\"]}}}]},\"then\":{\"required\":[\"password\"]}}");
    assertThat(rules.get(1).toString())
        .isEqualTo(
            "{\"if\":{\"allOf\":[{\"not\":{\"required\":[\"place\"]}}]},\"then\":{\"required\":[\"url\"]}}");
    assertThat(rules.get(2).toString())
        .isEqualTo(
            "{\"if\":{\"allOf\":[{\"required\":[\"mode\"],\"properties\":{\"mode\":{\"enum\":[\"b\"]}}}]},\"then\":{\"required\":[\"file\"]}}");
  }
}
