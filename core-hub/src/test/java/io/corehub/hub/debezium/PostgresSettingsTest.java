package io.corehub.hub.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.settings.Secret;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresSettingsTest {

  private static final Map<String, String> LEAST =
      Map.of("hostname", "db.example.com", "database", "shop", "username", "reader");

  private final PostgresSourceProvider provider = new PostgresSourceProvider();

  @TempDir private Path directory;

  @Test
  void defaultsSuitAServerAsItIsInstalled() {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (Setting<?> setting : provider.settings().settings()) {
      setting.defaultValue().ifPresent(value -> defaults.put(setting.name(), value));
    }
    assertThat(defaults)
        .containsOnly(
            Map.entry("port", "5432"),
            Map.entry("sslMode", "prefer"),
            Map.entry("slotName", "core_hub"),
            Map.entry("publicationName", "core_hub"),
            Map.entry("managePublication", "true"),
            Map.entry("heartbeatSeconds", "1"),
            Map.entry("snapshotPageRows", "10000"));

    Settings settings = provider.settings().parse(LEAST);
    assertThat(settings.get(PostgresSourceProvider.PORT)).isEqualTo(5432);
    assertThat(settings.get(PostgresSourceProvider.MANAGE_PUBLICATION)).isTrue();
    assertThat(settings.get(PostgresSourceProvider.HEARTBEAT)).isEqualTo(1);
    assertThat(settings.get(PostgresSourceProvider.SNAPSHOT_PAGE_ROWS)).isEqualTo(10_000);
    for (Setting<?> absent :
        List.of(
            PostgresSourceProvider.PASSWORD,
            PostgresSourceProvider.SSL_ROOT_CERTIFICATE,
            PostgresSourceProvider.SCHEMAS,
            PostgresSourceProvider.SCHEMALESS,
            PostgresSourceProvider.EXCLUDE_COLUMNS)) {
      assertThat(settings.find(absent)).as(absent.name()).isEmpty();
    }
  }

  private Map<String, String> all() throws Exception {
    Map<String, String> values = new HashMap<>(LEAST);
    values.put("port", "6543");
    values.put("password", "hidden");
    values.put("sslMode", "verify-full");
    values.put("sslRootCertificate", Files.createFile(directory.resolve("root.pem")).toString());
    values.put("slotName", "slot_1");
    values.put("publicationName", "pub_1");
    values.put("managePublication", "false");
    values.put("heartbeatSeconds", "7");
    values.put("schemas", "public\nsales");
    values.put("schemalessSchema", "public");
    values.put("excludeColumns", "public.t.secret\nsales.u.photo");
    values.put("snapshotPageRows", "123");
    return values;
  }

  @Test
  void everyKeyIsParsedToWhatWasGiven() throws Exception {
    Map<String, String> values = all();
    assertThat(provider.validate(values)).isEmpty();
    assertThat(values.keySet())
        .containsExactlyInAnyOrderElementsOf(
            provider.settings().settings().stream().map(Setting::name).toList());
    Settings settings = provider.settings().parse(values);

    assertThat(settings.get(PostgresSourceProvider.HOSTNAME)).isEqualTo("db.example.com");
    assertThat(settings.get(PostgresSourceProvider.PORT)).isEqualTo(6543);
    assertThat(settings.get(PostgresSourceProvider.DATABASE)).isEqualTo("shop");
    assertThat(settings.get(PostgresSourceProvider.USERNAME)).isEqualTo("reader");
    assertThat(settings.find(PostgresSourceProvider.PASSWORD).map(Secret::reveal))
        .contains("hidden");
    assertThat(settings.get(PostgresSourceProvider.SSL_MODE)).isEqualTo("verify-full");
    assertThat(settings.find(PostgresSourceProvider.SSL_ROOT_CERTIFICATE))
        .contains(directory.resolve("root.pem").toString());
    assertThat(settings.get(PostgresSourceProvider.SLOT_NAME)).isEqualTo("slot_1");
    assertThat(settings.get(PostgresSourceProvider.PUBLICATION_NAME)).isEqualTo("pub_1");
    assertThat(settings.get(PostgresSourceProvider.MANAGE_PUBLICATION)).isFalse();
    assertThat(settings.get(PostgresSourceProvider.HEARTBEAT)).isEqualTo(7);
    assertThat(settings.find(PostgresSourceProvider.SCHEMAS).map(PostgresSourceProvider::lines))
        .contains(List.of("public", "sales"));
    assertThat(settings.find(PostgresSourceProvider.SCHEMALESS)).contains("public");
    assertThat(
            settings
                .find(PostgresSourceProvider.EXCLUDE_COLUMNS)
                .map(PostgresSourceProvider::lines))
        .contains(List.of("public.t.secret", "sales.u.photo"));
    assertThat(settings.get(PostgresSourceProvider.SNAPSHOT_PAGE_ROWS)).isEqualTo(123);
    assertThat(settings.toString()).doesNotContain("hidden");
  }

  @Test
  void whatTheConnectorNeedsReachesIt() throws Exception {
    Properties connector =
        ConnectorProperties.of(
            "shop, eu=1",
            provider.settings().parse(all()),
            List.of(),
            new UnavailableValue("not sent"),
            -1);

    assertThat(connector)
        .containsEntry("database.hostname", "db.example.com")
        .containsEntry("database.port", "6543")
        .containsEntry("database.dbname", "shop")
        .containsEntry("database.user", "reader")
        .containsEntry("database.password", "hidden")
        .containsEntry("database.sslmode", "verify-full")
        .containsEntry("database.sslrootcert", directory.resolve("root.pem").toString())
        .containsEntry("slot.name", "slot_1")
        .containsEntry("publication.name", "pub_1")
        .containsEntry("custom.metric.tags", "pipeline=shop%2C+eu%3D1")
        .containsEntry("heartbeat.interval.ms", "7000")
        .containsEntry(
            "column.exclude.list", "public\\x{2e}t\\x{2e}secret,sales\\x{2e}u\\x{2e}photo");
  }

  @Test
  void everyProblemIsFoundAtOnce() {
    Map<String, String> values = new HashMap<>();
    values.put("hostname", "db.example.com");
    values.put("port", "0");
    values.put("sslMode", "maybe");
    values.put("slotName", "Slot-1");
    values.put("publicationName", "pub 1");
    values.put("excludeColumns", "t.secret");
    values.put("slotname", "x");

    assertThat(provider.validate(values))
        .extracting(SettingProblem::setting)
        .containsExactlyInAnyOrder(
            "port",
            "database",
            "username",
            "sslMode",
            "slotName",
            "publicationName",
            "excludeColumns",
            "slotname");
  }
}
