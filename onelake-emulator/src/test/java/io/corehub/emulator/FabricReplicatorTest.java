package io.corehub.emulator;

import static io.corehub.emulator.ParquetFiles.metadata;
import static io.corehub.emulator.ParquetFiles.publish;
import static io.corehub.emulator.ParquetFiles.row;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FabricReplicatorTest {
  private static final String PLAIN = "required int32 id; optional binary name (STRING);";
  private static final String KEYED =
      "required int32 id; optional binary name (STRING); optional int32 __rowMarker__;";

  @TempDir Path directory;
  private OneLakeEmulator emulator;
  private Path item;
  private Path table;

  @BeforeEach
  void start() throws IOException {
    emulator = OneLakeEmulator.start(EmulatorOptions.in(directory).build());
    EmulatorConnection connection = emulator.connection();
    item = directory.resolve(connection.workspaceId()).resolve(connection.mirroredDatabaseId());
    table = item.resolve("Files/LandingZone/orders");
  }

  @AfterEach
  void stop() throws IOException {
    emulator.close();
  }

  private JsonNode line() throws IOException {
    JsonNode tables =
        new ObjectMapper()
            .readTree(item.resolve("Files/Monitoring/tables.json").toFile())
            .path("tables");
    return tables.path(0);
  }

  private long rows() {
    return emulator.tables().find("orders").orElseThrow().rowCount();
  }

  @Test
  void movesAllButTheLastFileOutOfTheWay() throws Exception {
    for (int i = 1; i <= 3; i++) {
      publish(table, i, PLAIN, row(i, "x"));
    }
    emulator.replicateNow();
    assertThat(rows()).isEqualTo(3);
    assertThat(names(table)).containsExactly("00000000000000000003.parquet", "_FilesReadyToDelete");
    assertThat(names(table.resolve("_FilesReadyToDelete")))
        .containsExactly("00000000000000000001.parquet", "00000000000000000002.parquet");

    publish(table, 4, PLAIN, row(4, "x"));
    emulator.replicateNow();

    assertThat(rows()).isEqualTo(4);
    assertThat(names(table)).containsExactly("00000000000000000004.parquet", "_FilesReadyToDelete");
  }

  private static Stream<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @Test
  void reportsTablesAsFabricDoes() throws Exception {
    emulator.replicateNow();
    JsonNode replicator =
        new ObjectMapper().readTree(item.resolve("Files/Monitoring/replicator.json").toFile());
    assertThat(replicator.path("status").asText()).isEqualTo("Running");
    assertThat(line().isMissingNode()).isTrue();

    Path inSchema = item.resolve("Files/LandingZone/abc.schema/12345");
    metadata(inSchema, "id");
    publish(inSchema, 1, PLAIN, row(1, "a"), row(2, "b"));
    publish(inSchema, 2, KEYED, row(2, null, 2));
    emulator.replicateNow();

    assertThat(line().path("status").asText()).isEqualTo("Replicating");
    assertThat(line().path("normalizedTableName").asText()).isEqualTo("abc.12345");
    assertThat(line().path("sourceTableName").asText()).isEqualTo("12345");
    assertThat(line().path("sourceSchemaName").asText()).isEqualTo("abc");
    assertThat(line().path("sourceObjectType").asText()).isEqualTo("Table");
    assertThat(line().path("errorMessage").asText()).isEmpty();
    assertThat(line().path("metrics").path("processedRowCount").asLong()).isEqualTo(3);
    assertThat(line().path("metrics").path("processedByte").asLong()).isPositive();
    assertThat(line().path("metrics").path("lastSyncTimeUtc").asText()).endsWith("Z");
  }

  @Test
  void aFailedTableSaysWhyAndGoesOnOnceTheFileIsReplaced() throws Exception {
    publish(table, 1, PLAIN, row(1, "a"));
    emulator.replicateNow();
    Path bad = publish(table, 2, "optional int64 id; optional binary name (STRING);");
    publish(table, 3, PLAIN, row(3, "c"));
    emulator.replicateNow();
    assertThat(line().path("status").asText()).isEqualTo("Failed");
    assertThat(line().path("errorCode").asText()).isEqualTo("SchemaMergeFailure");
    assertThat(line().path("errorMessage").asText())
        .contains("00000000000000000002.parquet", "'id'", "long", "integer");
    assertThat(rows()).isEqualTo(1);

    Files.delete(bad);
    publish(table, 2, PLAIN, row(2, "b"));
    emulator.replicateNow();

    assertThat(line().path("status").asText()).isEqualTo("Replicating");
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void aChangedKeyStopsTheTable() throws Exception {
    metadata(table, "id");
    publish(table, 1, PLAIN, row(1, "a"));
    emulator.replicateNow();
    metadata(table, "name");
    publish(table, 2, PLAIN, row(2, "b"));
    emulator.replicateNow();
    assertThat(line().path("errorCode").asText()).isEqualTo("KeyColumnsChanged");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void deletingTheFolderDropsTheTableAndANewOneStartsOver() throws Exception {
    publish(table, 1, PLAIN, row(1, "a"));
    publish(table, 2, PLAIN, row(2, "b"));
    emulator.replicateNow();
    EmulatorClient client = new EmulatorClient(emulator.connection());
    assertThat(client.delete(client.path("orders?recursive=true")).statusCode()).isEqualTo(200);
    emulator.replicateNow();
    assertThat(emulator.tables().all()).isEmpty();
    assertThat(line().isMissingNode()).isTrue();

    publish(table, 1, "required int64 other;", row(7L));
    emulator.replicateNow();

    assertThat(emulator.tables().find("orders").orElseThrow().columns()).containsExactly("other");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aFolderMadeAgainBetweenTwoLooksStartsOver() throws Exception {
    publish(table, 1, PLAIN, row(1, "a"));
    emulator.replicateNow();
    EmulatorClient client = new EmulatorClient(emulator.connection());
    assertThat(client.delete(client.path("orders?recursive=true")).statusCode()).isEqualTo(200);
    publish(table, 1, PLAIN, row(8, "x"), row(9, "y"));
    emulator.replicateNow();
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aRestartedEmulatorHasItsTablesBack() throws Exception {
    metadata(table, "id");
    publish(table, 1, PLAIN, row(1, "a"), row(2, "b"));
    publish(table, 2, KEYED, row(1, "A", 4));
    publish(table, 3, KEYED, row(2, null, 2));
    emulator.replicateNow();
    RowChecksum before = emulator.tables().find("orders").orElseThrow().checksum();
    EmulatorConnection connection = emulator.connection();
    emulator.close();

    emulator =
        OneLakeEmulator.start(
            EmulatorOptions.in(directory)
                .port(port(connection.landingZoneUrl()))
                .managedIdentityPort(port(connection.managedIdentityEndpoint()))
                .replicate(true)
                .build());
    emulator.replicateNow();

    assertThat(emulator.connection()).isEqualTo(connection);
    assertThat(emulator.tables().find("orders").orElseThrow().checksum().value())
        .isEqualTo(before.value());
    publish(table, 4, KEYED, row(5, "e", 4));
    emulator.replicateNow();
    assertThat(rows()).isEqualTo(2);
    assertThat(names(table))
        .containsExactly("00000000000000000004.parquet", "_FilesReadyToDelete", "_metadata.json");
    assertThat(MirroredTables.below(directory).find("orders").orElseThrow().checksum().value())
        .isEqualTo(emulator.tables().find("orders").orElseThrow().checksum().value());
  }

  private static int port(String url) {
    return java.net.URI.create(url).getPort();
  }

  @Test
  void leavesAFileInPlaceForAsLongAsItIsTold() throws Exception {
    emulator.close();
    emulator =
        OneLakeEmulator.start(
            EmulatorOptions.in(directory).leftInPlace(Duration.ofHours(1)).build());
    for (int i = 1; i <= 3; i++) {
      publish(table, i, PLAIN, row(i, "x"));
    }
    emulator.replicateNow();
    emulator.replicateNow();
    assertThat(rows()).isEqualTo(3);
    assertThat(table.resolve("00000000000000000001.parquet")).exists();
    assertThat(table.resolve("_FilesReadyToDelete")).doesNotExist();

    emulator.close();
    emulator =
        OneLakeEmulator.start(
            EmulatorOptions.in(directory).leftInPlace(Duration.ofMillis(1)).build());
    Path moved = table.resolve("_FilesReadyToDelete/00000000000000000002.parquet");
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!Files.exists(moved)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      emulator.replicateNow();
    }
    assertThat(rows()).isEqualTo(3);
    assertThat(table.resolve("00000000000000000003.parquet")).exists();
  }
}
