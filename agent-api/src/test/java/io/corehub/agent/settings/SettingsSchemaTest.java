package io.corehub.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.settings.Setting.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsSchemaTest {

  private static final Setting<String> URL =
      Setting.url("landingZoneUrl", "Landing zone URL", "Where.").mandatoryUnless("workspace");
  private static final Setting<String> WORKSPACE = Setting.text("workspace", "Workspace", "Which.");
  private static final Setting<String> CREDENTIAL =
      Setting.choice(
          "credential", "Credential", "How.", "secret", List.of("secret", "certificate"));
  private static final Setting<Secret> PASSWORD =
      Setting.secret("password", "Client secret", "What.")
          .mandatory()
          .visibleWhen("credential", "secret");
  private static final Setting<Integer> SECONDS =
      Setting.number("windowSeconds", "Window", "How long.", Kind.SECONDS, 1, 0, 3600);
  private static final Setting<Boolean> EVENTS =
      Setting.toggle("writeEvents", "Events", "Whether.", true);

  private static final Setting<String> STORE =
      Setting.file("store", "Key store", "Which.").mandatoryWhen("credential", "certificate");

  private static final SettingsSchema SCHEMA =
      new SettingsSchema(List.of(URL, WORKSPACE, CREDENTIAL, PASSWORD, STORE, SECONDS, EVENTS));

  private static Map<String, String> valid() {
    Map<String, String> values = new HashMap<>();
    values.put("landingZoneUrl", "https://host/");
    values.put("password", "hush");
    return values;
  }

  @Test
  void fillsInDefaults() {
    Settings settings = SCHEMA.parse(valid());

    assertThat(settings.get(CREDENTIAL)).isEqualTo("secret");
    assertThat(settings.get(SECONDS)).isEqualTo(1);
    assertThat(settings.get(EVENTS)).isTrue();
    assertThat(settings.find(WORKSPACE)).isEmpty();
    assertThat(settings.isExplicit(SECONDS)).isFalse();
    assertThat(settings.isExplicit(PASSWORD)).isTrue();
  }

  @Test
  void readsEveryKindWithBlanksAround() {
    Map<String, String> values = valid();
    values.put("workspace", " w ");
    values.put("credential", "certificate ");
    values.put("store", "keys.pem");
    values.put("windowSeconds", " 60");
    values.put("writeEvents", "false");

    Settings settings = SCHEMA.parse(values);

    assertThat(settings.get(WORKSPACE)).isEqualTo("w");
    assertThat(settings.get(CREDENTIAL)).isEqualTo("certificate");
    assertThat(settings.get(SECONDS)).isEqualTo(60);
    assertThat(settings.get(EVENTS)).isFalse();
    assertThat(settings.get(PASSWORD).reveal()).isEqualTo("hush");
  }

  @Test
  void anEmptyTextIsNoValue() {
    Map<String, String> values = valid();
    values.put("windowSeconds", "  ");

    assertThat(SCHEMA.parse(values).get(SECONDS)).isEqualTo(1);
    assertThat(SCHEMA.parse(values).isExplicit(SECONDS)).isFalse();
  }

  @Test
  void findsAllProblemsAtOnceInTheOrderOfTheSettings() {
    Map<String, String> values =
        Map.of(
            "credential", "password",
            "windowSeconds", "soon",
            "writeEvents", "yes",
            "windowSecond", "5");

    List<SettingProblem> problems = SCHEMA.validate(values);

    assertThat(problems)
        .extracting(SettingProblem::setting)
        .containsExactly(
            "landingZoneUrl", "credential", "windowSeconds", "writeEvents", "windowSecond");
    assertThat(problems)
        .extracting(SettingProblem::message)
        .containsExactly(
            "Setting 'landingZoneUrl' (Landing zone URL) is missing."
                + " Give it, or 'workspace' instead.",
            "Setting 'credential' is 'password', but must be one of secret, certificate.",
            "Setting 'windowSeconds' is 'soon', but must be a whole number of seconds from 0 to"
                + " 3600.",
            "Setting 'writeEvents' is 'yes', but must be true or false.",
            "Unknown setting 'windowSecond'. Did you mean 'windowSeconds'?");
    assertThatThrownBy(() -> SCHEMA.parse(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("landingZoneUrl")
        .hasMessageContaining("'yes'");
  }

  @ParameterizedTest
  @CsvSource({"-1", "3601", "1.5", "1e3", "99999999999999999999", "0x10"})
  void numbersOutOfBoundsAreRefused(String text) {
    Map<String, String> values = valid();
    values.put("windowSeconds", text);

    assertThat(SCHEMA.validate(values))
        .singleElement()
        .extracting(SettingProblem::message)
        .asString()
        .contains("'" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "3600"})
  void boundsBelongToTheRange(String text) {
    Map<String, String> values = valid();
    values.put("windowSeconds", text);

    assertThat(SCHEMA.validate(values)).isEmpty();
  }

  @Test
  void aRequiredSettingIsNotMissedWhereItIsHidden() {
    Map<String, String> values = valid();
    values.remove("password");
    assertThat(SCHEMA.validate(values)).extracting(SettingProblem::setting).contains("password");

    values.put("credential", "certificate");
    values.put("store", "keys.pem");

    assertThat(SCHEMA.validate(values)).isEmpty();
    assertThat(SCHEMA.parse(values).find(PASSWORD)).isEmpty();
  }

  @Test
  void aSettingIsRequiredOnlyWithTheValueThatAsksForIt() {
    Map<String, String> values = valid();
    assertThat(SCHEMA.validate(values)).isEmpty();

    values.put("credential", "certificate");

    assertThat(SCHEMA.validate(values))
        .extracting(SettingProblem::message)
        .containsExactly("Setting 'store' (Key store) is missing.");
  }

  @Test
  void anotherSettingFreesFromGivingARequiredOne() {
    Map<String, String> values = valid();
    values.remove("landingZoneUrl");
    values.put("workspace", "w");

    assertThat(SCHEMA.validate(values)).isEmpty();
  }

  @Test
  void aSettingWithoutValueCannotBeRead() {
    Settings settings = SCHEMA.parse(valid());

    assertThatThrownBy(() -> settings.get(WORKSPACE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'workspace'");
  }

  @Test
  void secretsAreShownNowhere() {
    Map<String, String> values = valid();
    values.put("password", "p4ss'w\"ord");
    values.put("windowSeconds", "x");

    List<SettingProblem> problems = SCHEMA.validate(values);
    values.remove("windowSeconds");
    Settings settings = SCHEMA.parse(values);

    assertThat(problems.toString()).doesNotContain("p4ss");
    assertThat(settings.toString())
        .doesNotContain("p4ss")
        .contains("password=***")
        .contains("windowSeconds=1");
    assertThat(settings.get(PASSWORD)).hasToString("***");
    assertThat(settings.get(PASSWORD)).isEqualTo(new Secret("p4ss'w\"ord"));
    assertThat(String.valueOf(settings.find(PASSWORD))).doesNotContain("p4ss");
  }

  @Test
  void aNameOccursOnce() {
    assertThatThrownBy(() -> new SettingsSchema(List.of(SECONDS, SECONDS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("windowSeconds");
  }

  @Test
  void aDefaultThatCannotBeIsRefused() {
    assertThatThrownBy(() -> Setting.number("n", "N", "N.", Kind.INTEGER, 5, 6, 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Setting.number("n", "N", "N.", Kind.TEXT, 5, 1, 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Setting.choice("c", "C", "C.", "x", List.of("y")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "landingzoneurl, landingZoneUrl",
    "paswword, password",
    "writeEvent, writeEvents",
    "wrkspace, workspace"
  })
  void theNearestNameIsSuggested(String written, String meant) {
    assertThat(
            Nearest.of(written, List.of("landingZoneUrl", "password", "writeEvents", "workspace")))
        .contains(meant);
  }

  @Test
  void nothingIsSuggestedForANameUnlikeAllOthers() {
    assertThat(Nearest.of("colour", List.of("landingZoneUrl", "password"))).isEmpty();
    assertThat(Nearest.of("x", List.of())).isEmpty();
  }

  @Test
  void saysWhichValueOfAnotherSettingFreesFromGivingOne() {
    SettingsSchema schema =
        new SettingsSchema(
            List.of(
                Setting.text("place", "Place", "Where.").mandatory(),
                Setting.text("user", "User", "Who.").mandatoryUnless("place", "file:*")));

    assertThat(schema.validate(Map.of("place", "https://host/x")))
        .extracting(SettingProblem::message)
        .containsExactly("Setting 'user' (User) is missing. Give it, unless 'place' is file:*.");
    assertThat(schema.validate(Map.of("place", "file:x"))).isEmpty();
  }
}
