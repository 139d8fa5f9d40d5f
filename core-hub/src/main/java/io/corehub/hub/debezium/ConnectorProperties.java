package io.corehub.hub.debezium;

import io.corehub.agent.settings.Settings;
import io.corehub.hub.debezium.internal.ResumeOffsetStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** Debezium's configuration of the PostgreSQL connector. Stateless. */
final class ConnectorProperties {

  private static final String PREFIX = "corehub";
  private static final int BATCH_RECORDS = 4096;
  private static final long QUEUE_BYTES = 64L << 20;

  private ConnectorProperties() {}

  /**
   * The properties.
   *
   * @param pipeline name of the pipeline
   * @param settings settings of the source
   * @param tables the captured tables
   * @param unavailable text for values that are not sent
   * @param resumeBehind log position to go on behind
   * @return properties for the engine
   */
  static Properties of(
      String pipeline,
      Settings settings,
      List<CatalogTable> tables,
      UnavailableValue unavailable,
      long resumeBehind) {
    Properties p = new Properties();
    p.setProperty("name", PREFIX);
    p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    p.setProperty("topic.prefix", PREFIX);
    // Two connectors with the same name for their figures wait a minute for each other.
    p.setProperty(
        "custom.metric.tags", "pipeline=" + URLEncoder.encode(pipeline, StandardCharsets.UTF_8));
    p.setProperty("offset.storage", ResumeOffsetStore.class.getName());
    p.setProperty("offset.flush.interval.ms", "0");
    p.setProperty(ResumeOffsetStore.RESUME_BEHIND, Long.toUnsignedString(resumeBehind));
    connection(p, settings);
    p.setProperty("plugin.name", "pgoutput");
    p.setProperty("slot.name", settings.get(PostgresSourceProvider.SLOT_NAME));
    p.setProperty("publication.name", settings.get(PostgresSourceProvider.PUBLICATION_NAME));
    p.setProperty("publication.autocreate.mode", "disabled");
    p.setProperty("slot.drop.on.stop", "false");
    // The driver alone would tell the server to let go of transactions that are on their way.
    p.setProperty("lsn.flush.mode", "connector");
    p.setProperty("snapshot.mode", "no_data");
    p.setProperty("table.include.list", tables(tables));
    String excluded =
        PostgresSourceProvider.lines(
                settings.find(PostgresSourceProvider.EXCLUDE_COLUMNS).orElse(""))
            .stream()
            .map(ConnectorProperties::literally)
            .collect(Collectors.joining(","));
    if (!excluded.isEmpty()) {
      p.setProperty("column.exclude.list", excluded);
    }
    p.setProperty("provide.transaction.metadata", "true");
    p.setProperty("tombstones.on.delete", "false");
    p.setProperty("skipped.operations", "none");
    p.setProperty("message.prefix.exclude.list", ".*");
    values(p, unavailable);
    p.setProperty(
        "heartbeat.interval.ms",
        Integer.toString(settings.get(PostgresSourceProvider.HEARTBEAT) * 1000));
    p.setProperty("poll.interval.ms", "50");
    p.setProperty("max.batch.size", Integer.toString(BATCH_RECORDS));
    p.setProperty("max.queue.size", Integer.toString(4 * BATCH_RECORDS));
    p.setProperty("max.queue.size.in.bytes", Long.toString(QUEUE_BYTES));
    p.setProperty("openlineage.integration.enabled", "false");
    return p;
  }

  private static void connection(Properties p, Settings settings) {
    p.setProperty("database.hostname", settings.get(PostgresSourceProvider.HOSTNAME));
    p.setProperty("database.port", settings.get(PostgresSourceProvider.PORT).toString());
    p.setProperty("database.dbname", settings.get(PostgresSourceProvider.DATABASE));
    p.setProperty("database.user", settings.get(PostgresSourceProvider.USERNAME));
    settings
        .find(PostgresSourceProvider.PASSWORD)
        .ifPresent(password -> p.setProperty("database.password", password.reveal()));
    p.setProperty("database.sslmode", settings.get(PostgresSourceProvider.SSL_MODE));
    settings
        .find(PostgresSourceProvider.SSL_ROOT_CERTIFICATE)
        .ifPresent(file -> p.setProperty("database.sslrootcert", file));
  }

  /** Values arrive exactly or not at all. */
  private static void values(Properties p, UnavailableValue unavailable) {
    p.setProperty("decimal.handling.mode", "precise");
    p.setProperty("time.precision.mode", "adaptive_time_microseconds");
    p.setProperty("interval.handling.mode", "string");
    p.setProperty("hstore.handling.mode", "map");
    p.setProperty("binary.handling.mode", "bytes");
    p.setProperty("include.unknown.datatypes", "true");
    p.setProperty("unavailable.value.placeholder", unavailable.text());
    p.setProperty("event.converting.failure.handling.mode", "fail");
    p.setProperty("event.processing.failure.handling.mode", "fail");
    p.setProperty("column.propagate.source.type", ".*");
  }

  private static String tables(List<CatalogTable> tables) {
    return tables.stream()
        .map(table -> literally(table.schema() + "." + table.name()))
        .collect(Collectors.joining(","));
  }

  /** A pattern that matches one name; a comma would end it, so nothing is left unescaped. */
  private static String literally(String name) {
    StringBuilder pattern = new StringBuilder();
    name.codePoints()
        .forEach(
            c -> {
              if ((c < 128 && Character.isLetterOrDigit(c)) || c == '_') {
                pattern.appendCodePoint(c);
              } else {
                pattern.append("\\x{").append(Integer.toHexString(c)).append('}');
              }
            });
    return pattern.toString();
  }
}
