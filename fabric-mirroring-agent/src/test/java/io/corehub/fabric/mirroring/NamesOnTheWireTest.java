package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentContext;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.onelake.InvalidValueException;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.HostileNames;
import io.corehub.testkit.RecordingListener;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of tables and columns arrive in the mirrored database as the source spells them. */
class NamesOnTheWireTest {

  private static final int TABLES = 200;

  @TempDir Path directory;

  @Test
  void hostileNamesArriveAsTheyAreThroughRealRequests() throws Exception {
    Map<String, TableSchema> tables = tables();
    try (OneLakeEmulator emulator =
        OneLakeEmulator.start(EmulatorOptions.in(directory).replicate(true).build())) {
      RecordingListener listener = new RecordingListener();
      try (TargetAgent agent = agent(emulator.connection(), listener)) {
        agent.open(
            tables.values().stream().map(NamesOnTheWireTest::spec).toList(), ResumePoint.NONE);
        SourceChange[] inserts =
            tables.values().stream()
                .map(table -> new Insert(SourceRow.of(table, 1)))
                .toArray(SourceChange[]::new);
        agent.apply(CommitBatches.of(List.of(SourceCommit.at(1, inserts)), BeforeImage.FULL));
        agent.flush();
      }
      emulator.replicateNow();

      assertThat(listener.stoppedTables()).isEmpty();
      assertThat(emulator.tables().all())
          .extracting(MirroredTable::name)
          .containsExactlyInAnyOrderElementsOf(
              tables.values().stream().map(table -> table.table().toString()).toList());
      for (TableSchema table : tables.values()) {
        MirroredTable mirrored = emulator.tables().find(table.table().toString()).orElseThrow();
        assertThat(mirrored.columns()).containsExactly(table.columns().get(0).name());
        assertThat(mirrored.keyColumns()).isEqualTo(table.keyColumns());
        assertThat(mirrored.rowCount()).isEqualTo(1);
      }
    }
  }

  @Test
  void aNameLongerThanTheStoreTakesStopsItsTableAlone() throws Exception {
    TableSchema longName = table(TableId.of("x".repeat(300)));
    TableSchema other = table(TableId.of("other"));
    try (OneLakeEmulator emulator =
        OneLakeEmulator.start(EmulatorOptions.in(directory).replicate(true).build())) {
      RecordingListener listener = new RecordingListener();
      try (TargetAgent agent = agent(emulator.connection(), listener)) {
        agent.open(List.of(spec(longName), spec(other)), ResumePoint.NONE);
        agent.apply(
            CommitBatches.of(
                List.of(
                    SourceCommit.at(
                        1,
                        new Insert(SourceRow.of(longName, 1)),
                        new Insert(SourceRow.of(other, 1)))),
                BeforeImage.FULL));
        agent.flush();
      }
      emulator.replicateNow();

      assertThat(listener.stoppedTables()).singleElement().asString().contains("xxxx");
      assertThat(emulator.tables().find("other").orElseThrow().rowCount()).isEqualTo(1);
    }
  }

  private static TableSchema table(TableId id) {
    return new TableSchema(id, List.of(Column.of("id", ColumnType.of(Kind.INT))), List.of("id"), 1);
  }

  private static TableSpec spec(TableSchema table) {
    return new TableSpec(table, MirroringSettings.TABLE.parse(Map.of()));
  }

  /** Usable tables by folder, no two of which differ only by case. */
  private static Map<String, TableSchema> tables() {
    HostileNames names = new HostileNames(7);
    Map<String, TableSchema> tables = new TreeMap<>();
    while (tables.size() < TABLES) {
      TableId table =
          tables.size() % 2 == 0
              ? TableId.of(names.next())
              : TableId.of(names.next(), names.next());
      String column = names.next();
      try {
        String folder = FolderName.of(table);
        TableSchema schema =
            new TableSchema(
                table, List.of(Column.of(column, ColumnType.of(Kind.INT))), List.of(column), 1);
        FileSchema.of(schema, Map.of(), TypeRules.DEFAULTS);
        if (table.name().length() < 100 && table.schema().orElse("").length() < 100) {
          tables.putIfAbsent(IgnoringCase.of(folder), schema);
        }
      } catch (InvalidValueException | io.corehub.agent.TableStoppedException refused) {
        // Another name, then: which names are refused is tested elsewhere.
      }
    }
    return tables;
  }

  private static TargetAgent agent(EmulatorConnection connection, RecordingListener listener) {
    FabricMirroringProvider provider = new FabricMirroringProvider();
    Map<String, String> settings =
        Map.of(
            "landingZoneUrl", connection.landingZoneUrl(),
            "tenantId", connection.tenantId(),
            "username", connection.clientId(),
            "password", connection.clientSecret(),
            "authorityHost", connection.authorityHost(),
            "trustedCertificates", connection.caCertificate().toString(),
            "allowedHosts", connection.host());
    return provider.create(
        provider.descriptor().settings().parse(settings),
        new AgentContext(
            "names", 1, "testkit", "1", listener, InstantSource.system(), Meters.NONE));
  }
}
