package io.corehub.hub.debezium;

import io.corehub.agent.observe.SourceOrigin;
import io.corehub.agent.settings.Secret;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Setting.Kind;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceProvider;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** PostgreSQL, 12 or later, through logical replication. Thread-safe. */
public final class PostgresSourceProvider implements SourceProvider {

  private static final String CONNECTION = "Connection";
  private static final String REPLICATION = "Replication";
  private static final String TABLES = "Tables";

  static final Setting<String> HOSTNAME =
      Setting.text("hostname", "Host", "Name or address of the database server.")
          .mandatory()
          .inGroup(CONNECTION);
  static final Setting<Integer> PORT =
      Setting.number("port", "Port", "Port of the server.", Kind.INTEGER, 5432, 1, 65_535)
          .inGroup(CONNECTION);
  static final Setting<String> DATABASE =
      Setting.text("database", "Database", "Name of the database.").mandatory().inGroup(CONNECTION);
  static final Setting<String> USERNAME =
      Setting.text(
              "username",
              "User",
              "A user with the REPLICATION attribute who may read the tables; who owns them, if the"
                  + " hub is to create the publication.")
          .mandatory()
          .inGroup(CONNECTION);
  static final Setting<Secret> PASSWORD =
      Setting.secret("password", "Password", "The user's password; left out for other sign-ins.")
          .inGroup(CONNECTION);
  static final Setting<String> SSL_MODE =
      Setting.choice(
              "sslMode",
              "TLS",
              "How the connection is protected, in the words of PostgreSQL's own clients.",
              "prefer",
              List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"))
          .inGroup(CONNECTION);
  static final Setting<String> SSL_ROOT_CERTIFICATE =
      Setting.file(
              "sslRootCertificate",
              "TLS root certificate",
              "PEM file with the certificates that may sign the server's.")
          .visibleWhen("sslMode", "verify-ca", "verify-full")
          .inGroup(CONNECTION);

  static final Setting<String> SLOT_NAME =
      Setting.text(
              "slotName",
              "Replication slot",
              "Slot that keeps the log for this pipeline; created if it does not exist. Each"
                  + " pipeline needs its own.")
          .withDefault("core_hub")
          .inGroup(REPLICATION);
  static final Setting<String> PUBLICATION_NAME =
      Setting.text(
              "publicationName",
              "Publication",
              "Publication that names the tables; created, and tables added to it, if needed.")
          .withDefault("core_hub")
          .inGroup(REPLICATION);
  static final Setting<Boolean> MANAGE_PUBLICATION =
      Setting.toggle(
              "managePublication",
              "Create the publication",
              "Whether the hub may create the publication and add tables to it.",
              true)
          .inGroup(REPLICATION);
  static final Setting<Integer> HEARTBEAT =
      Setting.number(
              "heartbeatSeconds",
              "Heartbeat",
              "How often the source is told what is confirmed while nothing changes.",
              Kind.SECONDS,
              1,
              1,
              3600)
          .inGroup(REPLICATION);

  static final Setting<String> SCHEMAS =
      Setting.text(
              "schemas",
              "Schemas",
              "Schemas to capture, one a line; all of the database's own if left out.")
          .inGroup(TABLES);
  static final Setting<String> SCHEMALESS =
      Setting.text(
              "schemalessSchema",
              "Schema without name",
              "Schema whose tables land without a schema, such as public.")
          .inGroup(TABLES);
  static final Setting<String> EXCLUDE_COLUMNS =
      Setting.text(
              "excludeColumns",
              "Columns left out",
              "Columns that are not read, as schema.table.column, one a line.")
          .inGroup(TABLES);
  static final Setting<Integer> SNAPSHOT_PAGE_ROWS =
      Setting.number(
              "snapshotPageRows",
              "Rows in a page of a snapshot",
              "Rows fetched and handed over at once.",
              Kind.INTEGER,
              10_000,
              1,
              1_000_000)
          .inGroup(TABLES);

  private static final SettingsSchema SCHEMA =
      new SettingsSchema(
          List.of(
              HOSTNAME,
              PORT,
              DATABASE,
              USERNAME,
              PASSWORD,
              SSL_MODE,
              SSL_ROOT_CERTIFICATE,
              SLOT_NAME,
              PUBLICATION_NAME,
              MANAGE_PUBLICATION,
              HEARTBEAT,
              SCHEMAS,
              SCHEMALESS,
              EXCLUDE_COLUMNS,
              SNAPSHOT_PAGE_ROWS));

  private static final Pattern SLOT = Pattern.compile("[a-z0-9_]{1,63}");
  private static final Pattern COLUMN = Pattern.compile("[^.\\s]+\\.[^.\\s]+\\.[^.\\s]+");

  /** The provider. */
  public PostgresSourceProvider() {}

  @Override
  public String type() {
    return "postgresql";
  }

  @Override
  public SettingsSchema settings() {
    return SCHEMA;
  }

  @Override
  public List<SettingProblem> validate(Map<String, String> values) {
    List<SettingProblem> problems = new ArrayList<>(SCHEMA.validate(values));
    for (Setting<String> name : List.of(SLOT_NAME, PUBLICATION_NAME)) {
      String value = values.getOrDefault(name.name(), "").strip();
      if (!value.isEmpty() && !SLOT.matcher(value).matches()) {
        problems.add(
            new SettingProblem(
                name.name(),
                "Setting '"
                    + name.name()
                    + "' is '"
                    + value
                    + "', but must be 1 to 63 lower-case letters, digits and underscores."));
      }
    }
    for (String column : lines(values.getOrDefault(EXCLUDE_COLUMNS.name(), ""))) {
      if (!COLUMN.matcher(column).matches()) {
        problems.add(
            new SettingProblem(
                EXCLUDE_COLUMNS.name(),
                "Setting 'excludeColumns' holds '"
                    + column
                    + "', but each line must be schema.table.column."));
      }
    }
    return problems;
  }

  @Override
  public SourceOrigin origin(Settings settings) {
    String host = settings.get(HOSTNAME);
    String url =
        "jdbc:postgresql://"
            + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host)
            + ":"
            + settings.get(PORT)
            + "/"
            + URLEncoder.encode(settings.get(DATABASE), StandardCharsets.UTF_8).replace("+", "%20");
    return new SourceOrigin(type(), Optional.of(url), settings.find(SCHEMALESS));
  }

  @Override
  public Source create(Settings settings, SourceContext context) {
    return new PostgresSource(settings, context);
  }

  /** Entries of a list that came as lines. */
  static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
