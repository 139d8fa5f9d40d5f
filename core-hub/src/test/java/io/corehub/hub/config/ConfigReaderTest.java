package io.corehub.hub.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.settings.Secret;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.stream.ChangeStreamProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {

  private static final Setting<String> PLACE =
      Setting.text("place", "Place", "Where to.").mandatory();
  private static final Setting<Secret> PASSWORD = Setting.secret("password", "Password", "Secret.");
  private static final Setting<String> CERTIFICATES =
      Setting.file("certificates", "Certificates", "PEM file.");
  private static final Setting<Integer> ROWS =
      Setting.number("rows", "Rows", "Rows of a file.", Setting.Kind.INTEGER, 10, 1, 1000);

  private static final TargetAgentProvider AGENT =
      new TargetAgentProvider() {
        @Override
        public AgentDescriptor descriptor() {
          return new AgentDescriptor(
              "test",
              "Test",
              "For tests.",
              new SettingsSchema(List.of(PLACE, PASSWORD, CERTIFICATES)),
              new SettingsSchema(List.of(ROWS)),
              BeforeImage.FULL);
        }

        @Override
        public TargetAgent create(Settings settings, AgentContext context) {
          throw new UnsupportedOperationException();
        }
      };

  private static final String HEAD = "pipelines:\n  - name: shop\n";
  private static final String SOURCE =
      "    source: { type: change-stream, files: [ ./a.jsonl, /b.jsonl ] }\n";
  private static final String TARGET = "    target: { agent: test, settings: { place: here } }\n";

  private static final ObserverProvider LINEAGE =
      new ObserverProvider() {
        @Override
        public String key() {
          return "lineage";
        }

        @Override
        public String description() {
          return "For tests.";
        }

        @Override
        public SettingsSchema settings() {
          return new SettingsSchema(
              List.of(
                  Setting.toggle("enabled", "Enabled", "Whether.", false),
                  Setting.file("configFile", "File", "Which."),
                  Setting.number(
                      "queueSize", "Queue", "How many.", Setting.Kind.INTEGER, 10, 1, 100)));
        }

        @Override
        public Optional<PipelineObserver> observe(Settings settings, ObservedPipeline pipeline) {
          throw new UnsupportedOperationException();
        }
      };

  @TempDir Path directory;

  private List<ObserverProvider> observers = List.of(LINEAGE);

  private ConfigReader reader(String yaml) throws IOException {
    Path file = Files.writeString(directory.resolve("hub.yaml"), yaml);
    return new ConfigReader(
        file,
        Map.of("PW", "se: cret", "PLACE", "there"),
        List.of(new ChangeStreamProvider()),
        List.of(AGENT),
        observers);
  }

  private HubConfig read(String yaml) throws Exception {
    return reader(yaml).read();
  }

  private List<String> problems(String yaml) throws Exception {
    ConfigReader reader = reader(yaml);
    ConfigException e = catchThrowableOfType(ConfigException.class, reader::read);
    assertThat(e).as("the file is refused").isNotNull();
    return e.problems().stream().map(ConfigProblem::toString).toList();
  }

  @Test
  void whatTheHubSaysOfLineageHoldsForAPipelineThatDoesNotSayOtherwise() throws Exception {
    HubConfig config =
        read(
            "hub:\n  lineage: { enabled: true, configFile: ./lineage.yml, queueSize: 5 }\n"
                + HEAD
                + SOURCE
                + TARGET
                + "  - name: quiet\n    lineage: { enabled: false, queueSize: 7 }\n"
                + SOURCE
                + TARGET);

    assertThat(config.pipelines())
        .extracting(pipeline -> pipeline.observers().get(0).settings().toString())
        .containsExactly(
            "{configFile=" + directory.resolve("lineage.yml") + ", enabled=true, queueSize=5}",
            "{configFile=" + directory.resolve("lineage.yml") + ", enabled=false, queueSize=7}");
  }

  @Test
  void whatIsWrongForAllPipelinesIsSaidOnce() throws Exception {
    assertThat(
            problems(
                "hub: { lineage: { queueSize: 0 } }\n"
                    + HEAD
                    + SOURCE
                    + TARGET
                    + "    lineage: { enabled: true }\n"))
        .singleElement()
        .asString()
        .contains("'queueSize'", "(line 1)");
  }

  @Test
  void lineageThatNobodyCouldSendIsRefused() throws Exception {
    observers = List.of();

    assertThat(problems(HEAD + SOURCE + TARGET + "    lineage: { enabled: true }\n"))
        .singleElement()
        .asString()
        .contains("'lineage.enabled' is true", "class path");
    assertThat(
            read(HEAD + SOURCE + TARGET + "    lineage: { enabled: false, queueSize: 5 }\n")
                .pipelines())
        .hasSize(1);
  }

  @Test
  void readsAllKeys() throws Exception {
    Files.writeString(directory.resolve("secret"), "top\nsecret\n");
    HubConfig config =
        read(
            "hub:\n  stateDirectory: ./here\n  name: my hub\n  web: { host: localhost, port: 0 }\n"
                + "  lineage: { }\n"
                + HEAD
                + "    id: stable\n    lineage: { enabled: false }\n"
                + SOURCE
                + "    target:\n      agent: test\n      settings:\n        place: \"x${env:PLACE}y\"\n"
                + "        password: ${file:./secret}\n        certificates: ./ca.pem\n"
                + "    tables:\n      - name: sales.*\n        settings: { rows: 7 }\n"
                + "      - { name: sales.Orders, columns: [ id, v ], targetTypes: { v: \"bigdecimal(18,4)\" } }\n"
                + "      - { name: sales.Old, exclude: true }\n");

    assertThat(config.stateDirectory()).isEqualTo(directory.resolve("here"));
    assertThat(config.name()).isEqualTo("my hub");
    assertThat(config.web()).contains(new WebConfig("localhost", 0));
    PipelineConfig pipeline = config.pipelines().get(0);
    assertThat(pipeline.name()).isEqualTo("shop");
    assertThat(pipeline.id()).isEqualTo("stable");
    assertThat(pipeline.sourceSettings().toString())
        .contains(directory.resolve("a.jsonl") + "\n/b.jsonl");
    assertThat(pipeline.agentSettings().get(PLACE)).isEqualTo("xtherey");
    assertThat(pipeline.agentSettings().get(PASSWORD).reveal()).isEqualTo("top\nsecret");
    assertThat(pipeline.agentSettings().get(CERTIFICATES))
        .isEqualTo(directory.resolve("ca.pem").toString());
    TableSelection tables = pipeline.tables();
    assertThat(tables.selects(TableId.of("sales", "Orders"))).isTrue();
    assertThat(tables.selects(TableId.of("sales", "Old"))).isFalse();
    assertThat(tables.selects(TableId.of("other"))).isFalse();
    assertThat(tables.settings(TableId.of("sales", "X")).get(ROWS)).isEqualTo(7);
    assertThat(tables.settings(TableId.of("sales", "Orders")).get(ROWS)).isEqualTo(10);
    assertThat(tables.columns(TableId.of("sales", "Orders"))).containsExactly("id", "v");
    assertThat(tables.targetTypes(TableId.of("sales", "Orders")))
        .isEqualTo(Map.of("v", TargetType.parse("bigdecimal(18,4)")));
    assertThat(tables.targetTypes(TableId.of("sales", "X"))).isEmpty();
  }

  @Test
  void saysWhereASettingInTheWrongPlaceBelongs() throws Exception {
    assertThat(
            problems(
                HEAD
                    + SOURCE
                    + "    target: { agent: test, settings: { place: here, rows: 7 } }\n"
                    + "    tables: [ { name: a, settings: { place: there } } ]\n"))
        .satisfiesExactlyInAnyOrder(
            problem ->
                assertThat(problem)
                    .startsWith("shop: 'rows' is a setting of tables: put it under 'settings' of")
                    .endsWith("(line 4)"),
            problem ->
                assertThat(problem)
                    .startsWith("shop: 'place' is a setting of the agent: put it under 'settings'")
                    .endsWith("(line 5)"));
  }

  @Test
  void findsEntriesThatConcernNoTableOfTheSource() throws Exception {
    TableSelection tables =
        read(HEAD
                + SOURCE
                + TARGET
                + "    tables:\n      - { name: sales.* }\n      - { name: slaes.* }\n"
                + "      - { name: sales.Ordrs }\n      - { name: sales.Orders }\n"
                + "      - { name: tmp.*, exclude: true }\n")
            .pipelines()
            .get(0)
            .tables();
    assertThat(tables.concerningNothing(List.of(TableId.of("sales", "Orders"))))
        .extracting(rule -> rule.pattern().toString())
        .containsExactly("sales.Ordrs", "slaes.*", "tmp.*");
  }

  @Test
  void fillsDefaults() throws Exception {
    HubConfig config = read(HEAD + SOURCE + TARGET);

    assertThat(config.name()).isEqualTo("core-hub");
    assertThat(config.stateDirectory()).isEqualTo(directory.resolve("state"));
    assertThat(config.web()).isEmpty();
    assertThat(config.pipelines().get(0).id()).isEqualTo("shop");
    assertThat(config.pipelines().get(0).tables().selects(TableId.of("any", "table"))).isTrue();
  }

  @Test
  void webKeyWithoutValuesListensOnTheLoopbackInterface() throws Exception {
    assertThat(read("hub:\n  web:\n" + HEAD + SOURCE + TARGET).web())
        .contains(new WebConfig("127.0.0.1", 8080));
  }

  @Test
  void valuesAreTakenAsTheyAreWritten() throws Exception {
    String target = "    target: { agent: test, settings: { place: 0777, password: 1e3 } }\n";
    PipelineConfig pipeline = read(HEAD + SOURCE + target).pipelines().get(0);

    assertThat(pipeline.agentSettings().get(PLACE)).isEqualTo("0777");
    assertThat(pipeline.agentSettings().get(PASSWORD).reveal()).isEqualTo("1e3");
  }

  @Test
  void onlyExcludingEntriesLeaveTheOtherTables() throws Exception {
    TableSelection tables =
        read(HEAD + SOURCE + TARGET + "    tables: [ { name: \"tmp_*\", exclude: true } ]\n")
            .pipelines()
            .get(0)
            .tables();

    assertThat(tables.selects(TableId.of("tmp_1"))).isFalse();
    assertThat(tables.selects(TableId.of("orders"))).isTrue();
  }

  @Test
  void tellsAllProblemsAtOnceWithPipelineAndLine() throws Exception {
    assertThat(
            problems(
                "hub: { stateDirectori: ./s, web: { port: 99999 } }\n"
                    + "pipelines:\n  - name: shop\n    source: { type: change-streem }\n"
                    + "    target: { agent: test, settings: { plaze: x, password: \"${env:NONE}\" } }\n"
                    + "    tables: [ { name: a, settings: { rows: 0 } }, { exclude: true } ]\n"
                    + "  - name: shop\n"))
        .containsExactly(
            "unknown key 'hub.stateDirectori'. Did you mean 'stateDirectory'? (line 1)",
            "shop: unknown type of source 'change-streem'. Did you mean 'change-stream'? There are:"
                + " change-stream. (line 4)",
            "shop: 'target.settings.password': environment variable 'NONE' is not set; set it or"
                + " change ${env:NONE} (line 5)",
            "shop: Setting 'place' (Place) is missing. (line 5)",
            "shop: Unknown setting 'plaze'. Did you mean 'place'? (line 5)",
            "shop: Setting 'rows' is '0', but must be a whole number from 1 to 1000. (line 6)",
            "shop: an entry of 'tables' has no 'name' (line 6)",
            "shop: there is another pipeline of this name; names must differ (line 7)",
            "shop: there is another pipeline with id 'shop'; ids must differ (line 7)",
            "shop: 'source' is missing; name its 'type' and settings (line 7)",
            "shop: 'target' is missing; name its 'agent' and 'settings' (line 7)",
            "'hub.web.port' is '99999', but must be a whole number from 0 to 65535 (line 1)");
  }

  @Test
  void refusesAnIdThatIsTooLongForTheStateDirectory() throws Exception {
    String longest = "x".repeat(200);

    assertThat(problems("pipelines: [ { name: p, id: " + longest + " } ]"))
        .noneMatch(problem -> problem.contains("the id"));
    assertThat(problems("pipelines: [ { name: p, id: " + longest + "x } ]"))
        .anyMatch(problem -> problem.contains("takes 201 characters") && problem.contains("'id'"));
    assertThat(problems("pipelines: [ { name: " + "é".repeat(34) + " } ]"))
        .anyMatch(problem -> problem.contains("takes 204 characters"));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `` | the file is empty
          a: [ | not valid YAML
          pipelines: 7 | 'pipelines' must be a list
          [ 1 ] | must be a mapping
          `hub: { name: a, name: b }` | key 'hub.name' occurs twice
          pipelines: [ ] | has no pipeline
          `pipelines: [ { name: p, lineage: { enabled: maybe } } ]` | 'enabled'
          `pipelines: [ { name: p, lineage: { queueSize: 0 } } ]` | 'queueSize'
          `pipelines: [ { name: p, lineage: 7 } ]` | 'lineage' must be a mapping
          `hub: { lineage: { queueSise: 5 } }` | unknown key 'hub.lineage.queueSise'
          `pipelines: [ { name: p, lineage: { enabld: true } } ]` | unknown key 'lineage.enabld'
          `pipelines: [ { name: p, target: { agent: nobody } } ]` | unknown agent 'nobody'
          `pipelines: [ { name: "${what:x}" } ]` | unknown placeholder; use
          `pipelines: [ { name: "${env:x" } ]` | no closing brace
          `pipelines: [ { name: *p } ]` | begins with '*'
          `pipelines: [ { name: !p!q r } ]` | begins with '!'
          `pipelines: [ { name: "${file:./none}" } ]` | file './none' of ${file:…} cannot be read
          `pipelines: [ { source: { type: change-stream } } ]` | a pipeline has no 'name'
          `pipelines: [ { name: p, source: { type: change-stream } } ]` | Setting 'files'
          `pipelines: [ { name: p, tables: [ { name: a.b.c } ] } ]` | more than two parts
          `pipelines: [ { name: p, tables: [ { name: a, exclude: maybe } ] } ]` | must be true or false
          `pipelines: [ { name: p, tables: [ { name: a, exclude: true, columns: [x] } ] } ]` | takes no 'columns', 'targetTypes' or 'settings'
          `pipelines: [ { name: p, tables: [ { name: a, targetTypes: { x: decimal } } ] } ]` | 'targetTypes' of column 'x': Unknown target type 'decimal'
          `pipelines: [ !!javax.script.ScriptEngineManager [ ] ]` | not allowed
          """)
  void refuses(String yaml, String problem) throws Exception {
    assertThat(problems(yaml)).anyMatch(message -> message.contains(problem));
  }

  @Test
  void deeplyNestedFileIsRefused() throws Exception {
    assertThat(problems("a: " + "[".repeat(10_000))).anyMatch(m -> m.contains("not valid YAML"));
  }

  @Test
  void secretsAreNotShown() throws Exception {
    String target =
        "    target: { agent: test, settings: { place: x, password: \"${env:PW}\" } }\n";

    assertThat(read(HEAD + SOURCE + target).toString()).doesNotContain("se: cret");
  }
}
