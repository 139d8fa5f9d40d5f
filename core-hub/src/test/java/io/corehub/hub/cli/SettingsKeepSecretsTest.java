package io.corehub.hub.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.ConfigReader;
import io.corehub.hub.source.SourceProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is wrong with a configuration, no message, no stack trace and no text form of anything
 * repeats a secret in it.
 */
class SettingsKeepSecretsTest {

  private static final String CLIENT_SECRET = "kN8~client/canary+0.Q";
  private static final String PROXY_PASSWORD = "kN8-proxy-canary-1";
  private static final String DATABASE_PASSWORD = "kN8=database&canary-2";
  private static final String WEB_TOKEN = "kN8~door/canary+3.Q";
  private static final List<String> CANARIES =
      List.of(CLIENT_SECRET, PROXY_PASSWORD, DATABASE_PASSWORD, WEB_TOKEN);

  private static final String ZONE =
      "https://onelake.dfs.fabric.microsoft.com/3f2504e0-4f89-11d3-9a0c-0305e82c3301/6ba7b810-9dad-11d1-80b4-00c04fd430c8/Files/LandingZone";

  @TempDir Path directory;

  /** A configuration whose secrets are right and of which one thing is wrong. */
  private record Mistake(String name, String yaml) {}

  @Test
  void noMistakeInAConfigurationShowsASecret() throws Exception {
    List<Mistake> mistakes = mistakes();
    assertThat(mistakes).hasSizeGreaterThan(120);
    List<String> leaks = new ArrayList<>();
    for (Mistake mistake : mistakes) {
      Path file = Files.writeString(directory.resolve("hub.yaml"), mistake.yaml());
      leaks.addAll(leaks("stack trace, " + mistake.name(), refusal(file, mistake)));
      for (String command : List.of("check", "run")) {
        StringWriter told = new StringWriter();
        PrintWriter writer = new PrintWriter(told);
        int exit = Main.run(new String[] {command, file.toString()}, writer, writer);
        assertThat(exit).as("%s of %s:%n%s", command, mistake, told).isEqualTo(1);
        leaks.addAll(leaks(command + ", " + mistake.name(), told.toString()));
      }
    }
    assertThat(leaks).isEmpty();
  }

  @Test
  void noFormOfAValidConfigurationShowsASecret() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("hub.yaml"),
            "hub: { web: { token: '" + WEB_TOKEN + "' } }\n" + yaml(valid(), source()));
    assertThat(leaks("configuration", reader(file).read().toString())).isEmpty();
    assertThat(reader(file).read().toString()).contains("***");
  }

  @Test
  void aSecretWouldBeFound() {
    for (String canary : CANARIES) {
      assertThat(leaks("x", "a" + canary + "b")).hasSize(1);
      for (String prefix : List.of("", "u", "u:")) {
        String encoded = Base64.getEncoder().encodeToString((prefix + canary).getBytes(UTF_8));
        assertThat(leaks("x", "Basic " + encoded)).as(encoded).hasSize(1);
      }
      String url = URLEncoder.encode(canary, UTF_8);
      assertThat(leaks("x", "secret=" + url)).as(url).isNotEmpty();
    }
  }

  private List<Mistake> mistakes() {
    List<Mistake> mistakes = new ArrayList<>();
    TargetAgentProvider agent =
        ConfigFile.load(TargetAgentProvider.class).stream()
            .filter(a -> a.descriptor().id().equals("fabric-open-mirroring"))
            .findFirst()
            .orElseThrow();
    wrongValues(agent.descriptor().settings(), mistakes);
    agent
        .descriptor()
        .tableSettings()
        .settings()
        .forEach(
            setting ->
                wrongTexts(setting)
                    .forEach(
                        text ->
                            mistakes.add(
                                new Mistake(
                                    "table " + setting.name() + "=" + text,
                                    yaml(valid(), source())
                                        + "    tables: [ { name: a, settings: { "
                                        + setting.name()
                                        + ": '"
                                        + text
                                        + "' } } ]\n"))));
    secretsInTheWrongPlace(mistakes);
    secretsAsYamlReadsThem(mistakes);
    wrongSources(mistakes);
    wrongFiles(mistakes);
    return mistakes;
  }

  private static void wrongValues(SettingsSchema schema, List<Mistake> mistakes) {
    for (Setting<?> setting : schema.settings()) {
      for (String text : wrongTexts(setting)) {
        Map<String, String> settings = validFor(setting);
        settings.put(setting.name(), "'" + text + "'");
        mistakes.add(new Mistake(setting.name() + "=" + text, yaml(settings, source())));
      }
      if (setting.required() && setting.defaultValue().isEmpty()) {
        Map<String, String> settings = validFor(setting);
        settings.remove(setting.name());
        mistakes.add(new Mistake("without " + setting.name(), yaml(settings, source())));
      }
      mistakes.add(with(setting.name() + "x", "1"));
      mistakes.add(with(setting.name(), "{ a: b }"));
    }
  }

  private static List<String> wrongTexts(Setting<?> setting) {
    return switch (setting.kind()) {
      case INTEGER, SECONDS, MEGABYTES -> List.of("many", "-1", "99999999999999999999");
      case SWITCH -> List.of("maybe");
      case CHOICE -> List.of("none of these");
      case FILE -> List.of("/does/not/exist.pem");
      case TEXT, SECRET, URL -> List.of();
    };
  }

  private static void secretsInTheWrongPlace(List<Mistake> mistakes) {
    for (String value :
        List.of(
            "https://me:" + CLIENT_SECRET + "@onelake.dfs.fabric.microsoft.com/w/i",
            "https://onelake.dfs.fabric.microsoft.com/w?sig=" + CLIENT_SECRET,
            "https://evil.example/w/i/Files/LandingZone?sv=1&sig=" + CLIENT_SECRET,
            "abfss://a:" + PROXY_PASSWORD + "@onelake.dfs.fabric.microsoft.com/i",
            "http://me:" + PROXY_PASSWORD + "@x/")) {
      mistakes.add(with("landingZoneUrl", "'" + value + "'"));
    }
    for (String value :
        List.of(
            "https://me:" + PROXY_PASSWORD + "@login.microsoftonline.com",
            "https://login.microsoftonline.com/?client_secret=" + PROXY_PASSWORD,
            "https://login.microsoftonline.com/#" + PROXY_PASSWORD,
            "me:" + PROXY_PASSWORD + "@login.microsoftonline.com",
            "http://me:" + PROXY_PASSWORD + "@x y")) {
      mistakes.add(with("authorityHost", "'" + value + "'"));
    }
    for (String value :
        List.of(
            "socks5://me:" + PROXY_PASSWORD + "@proxy.example:1080",
            "https://me:" + PROXY_PASSWORD + "@proxy.example:1080",
            "http://me:" + PROXY_PASSWORD + "@proxy.example:99999",
            "http://me:" + PROXY_PASSWORD + "@proxy.example:x",
            "http://me:" + PROXY_PASSWORD + "@proxy.example:80/path",
            "http://me:" + PROXY_PASSWORD + "@proxy.example:80?a=b",
            "http://" + PROXY_PASSWORD + "@proxy.example:80",
            "http://:" + PROXY_PASSWORD + "@proxy.example:80",
            "http://me:" + PROXY_PASSWORD + "%zz@proxy.example:80",
            "http://me:" + PROXY_PASSWORD + "%@proxy.example:80",
            "http://me:" + PROXY_PASSWORD + " @proxy.example:80",
            "http://me:" + PROXY_PASSWORD + "@",
            "http://me:" + PROXY_PASSWORD,
            "me:" + PROXY_PASSWORD + "@[::1",
            PROXY_PASSWORD + "://x")) {
      mistakes.add(with("proxy", "'" + value + "'"));
    }
  }

  /** Passwords without quotes, of which YAML and placeholders make something else. */
  private static void secretsAsYamlReadsThem(List<Mistake> mistakes) {
    String secret = PROXY_PASSWORD;
    for (String value :
        List.of(
            "*" + secret,
            "!!" + secret + " x",
            "!<" + secret + "> [",
            "!" + secret,
            "!" + secret + "!x y",
            "!" + secret + "%zz y",
            "&" + secret + " *other",
            "&" + secret,
            "%" + secret,
            "@" + secret,
            "`" + secret,
            "{" + secret,
            "[" + secret,
            "{ " + secret + ": x }",
            "[ " + secret + " ]]",
            "}" + secret,
            "]" + secret,
            "\"" + secret,
            "'" + secret,
            "\"" + secret + "\" tail",
            "'a' " + secret,
            "\"\\x" + secret + "\"",
            "\"\\" + secret + "\"",
            "|" + secret,
            ">" + secret,
            "a: " + secret,
            "- " + secret,
            "? " + secret,
            "${" + secret,
            "a${" + secret + "}b",
            "a${" + secret + ":x}b",
            "${env:" + "NOT_SET_ANYWHERE}" + secret + "${",
            "x\u0000" + secret,
            "x\u0007" + secret)) {
      mistakes.add(with("password", value));
    }
  }

  private static void wrongSources(List<Mistake> mistakes) {
    String password = "password: '" + DATABASE_PASSWORD + "'";
    for (String source :
        List.of(
            "type: postgresql, " + password,
            "type: postgresql, hostname: h, database: d, username: u, port: x, " + password,
            "type: postgresql, hostname: h, database: d, username: u, port: 99999, " + password,
            "type: postgresql, hostnme: h, database: d, username: u, " + password,
            "type: postgresq, " + password,
            "type: [ postgresql ], " + password,
            password,
            "type: postgresql, hostname: h, database: d, username: u, password: *"
                + PROXY_PASSWORD)) {
      mistakes.add(new Mistake("source " + source, yaml(valid(), source)));
    }
  }

  private static void wrongFiles(List<Mistake> mistakes) {
    String good = yaml(valid(), source());
    mistakes.add(new Mistake("unknown key", good + "secrets: x\n"));
    mistakes.add(new Mistake("bad port", "hub: { web: { port: x } }\n" + good));
    for (String web :
        List.of(
            "port: x, token: '" + WEB_TOKEN + "'",
            "token: '" + WEB_TOKEN + " '",
            "token: '" + WEB_TOKEN + "\u00e9'",
            "token: *" + WEB_TOKEN,
            "token: ['" + WEB_TOKEN + "']",
            "token: '${" + WEB_TOKEN + "}'",
            "tokn: '" + WEB_TOKEN + "'")) {
      mistakes.add(new Mistake("web " + web, "hub: { web: { " + web + " } }\n" + good));
    }
    mistakes.add(new Mistake("tab", good + "\tx: y\n"));
    mistakes.add(new Mistake("cut short", good.substring(0, good.length() - 3)));
    mistakes.add(new Mistake("deep", good + "x: " + "[".repeat(200) + "\n"));
    mistakes.add(new Mistake("twice", good + good));
    mistakes.add(new Mistake("agent", good.replace("fabric-open-mirroring", "fabric")));
    mistakes.add(new Mistake("pattern", good + "    tables: [ { name: a.b.c } ]\n"));
    mistakes.add(
        new Mistake(
            "password twice",
            good.replace("        password:", "        password: x\n        password:")));
    mistakes.add(
        new Mistake("object", good.replace("pipelines:", "x: !!java.net.URL [ 'x' ]\npipelines:")));
  }

  private static Mistake with(String setting, String yamlValue) {
    Map<String, String> settings = valid();
    settings.put(setting, yamlValue);
    return new Mistake(setting + ": " + yamlValue, yaml(settings, source()));
  }

  private static Map<String, String> valid() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("landingZoneUrl", ZONE);
    settings.put("tenantId", "contoso.example");
    settings.put("username", "client");
    settings.put("password", "'" + CLIENT_SECRET + "'");
    settings.put("proxy", "'http://me:" + PROXY_PASSWORD + "@proxy.example:3128'");
    return settings;
  }

  /** Under which this setting counts. */
  private static Map<String, String> validFor(Setting<?> setting) {
    Map<String, String> settings = valid();
    settings.put("clientCertificatePassword", "'" + DATABASE_PASSWORD + "'");
    setting.visibleWhen().ifPresent(c -> settings.put(c.setting(), c.values().get(0)));
    return settings;
  }

  private static String source() {
    return "type: postgresql, hostname: h, database: d, username: u, password: '"
        + DATABASE_PASSWORD
        + "'";
  }

  private static String yaml(Map<String, String> settings, String source) {
    StringBuilder yaml =
        new StringBuilder("pipelines:\n  - name: shop\n    source: { " + source + " }\n");
    yaml.append("    target:\n      agent: fabric-open-mirroring\n      settings:\n");
    settings.forEach(
        (name, value) ->
            yaml.append("        ").append(name).append(": ").append(value).append('\n'));
    return yaml.toString();
  }

  private static ConfigReader reader(Path file) {
    return new ConfigReader(
        file,
        Map.of(),
        ConfigFile.load(SourceProvider.class),
        ConfigFile.load(TargetAgentProvider.class),
        ConfigFile.load(ObserverProvider.class));
  }

  private static String refusal(Path file, Mistake mistake) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, reader(file)::read);
    assertThat(refused).as(mistake.toString()).isNotNull();
    StringWriter text = new StringWriter();
    refused.printStackTrace(new PrintWriter(text));
    return text.append(refused.problems().toString()).toString();
  }

  /** Every secret in a text, plain or as part of something encoded. */
  private static List<String> leaks(String where, String text) {
    List<String> found = new ArrayList<>();
    for (String canary : CANARIES) {
      for (String form : forms(canary)) {
        int at = text.indexOf(form);
        if (at >= 0) {
          found.add(
              where
                  + ": "
                  + text.substring(Math.max(0, at - 60), Math.min(text.length(), at + 60)));
          break;
        }
      }
    }
    return found;
  }

  private static List<String> forms(String secret) {
    List<String> forms = new ArrayList<>();
    forms.add(secret);
    forms.add(URLEncoder.encode(secret, UTF_8));
    forms.add(secret.replace("&", "&amp;"));
    for (int before = 0; before < 3; before++) {
      String encoded =
          Base64.getEncoder().encodeToString(("x".repeat(before) + secret).getBytes(UTF_8));
      // What does not depend on the bytes around it.
      int whole = secret.length() - (3 - before) % 3;
      int from = before == 0 ? 0 : 4;
      String core = encoded.substring(from, from + whole / 3 * 4);
      forms.add(core);
      forms.add(core.replace('+', '-').replace('/', '_'));
    }
    return forms;
  }
}
