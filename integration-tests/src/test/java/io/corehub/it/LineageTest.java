package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.corehub.lineage.OpenLineageSchemas;
import io.corehub.lineage.naming.FabricSqlAddress;
import io.openlineage.client.OpenLineage.OutputDataset;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import io.openlineage.client.OpenLineageClientUtils;
import io.openlineage.client.utils.DatasetIdentifier;
import io.openlineage.client.utils.filesystem.FilesystemDatasetUtils;
import io.openlineage.client.utils.jdbc.JdbcDatasetUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a catalogue is told while the hub mirrors, and that it never hears too much. */
class LineageTest {

  private static final String TABLE =
      """
      {"kind":"table","table":"sales.orders","columns":[{"name":"id","type":"INT"}],"primaryKey":["id"]}
      """;

  @TempDir Path directory;

  private Path events() {
    return directory.resolve("events.jsonl");
  }

  private List<String> lines() throws IOException {
    return Files.exists(events()) ? Files.readAllLines(events()) : List.of();
  }

  private List<RunEvent> read() throws IOException {
    return lines().stream().map(OpenLineageClientUtils::runEventFromJson).toList();
  }

  private static String name(RunEvent event) {
    return event.getJob().getName();
  }

  private static long rows(RunEvent event) {
    return event.getOutputs().stream()
        .filter(out -> out.getOutputFacets() != null)
        .filter(out -> out.getOutputFacets().getOutputStatistics() != null)
        .mapToLong(out -> out.getOutputFacets().getOutputStatistics().getRowCount())
        .sum();
  }

  @Test
  void everythingFromPostgresToBothTargetsIsToldAndValid() throws Exception {
    OpenLineageSchemas schemas = OpenLineageSchemas.find();
    try (ShopDatabase shop = ShopDatabase.start();
        Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      Statement sql = shop.sql();
      sql.execute("CREATE TABLE shop.orders (id INT PRIMARY KEY, amount NUMERIC(12,2))");
      sql.execute("CREATE TABLE shop.prices (id INT PRIMARY KEY, v INT)");
      sql.execute("CREATE TABLE shop.log (entry TEXT)");
      sql.execute("INSERT INTO shop.orders SELECT i, i FROM generate_series(1, 50) i");
      String config = config(shop, emulator);

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        awaitEvents(
            hub,
            "the snapshots",
            "(shop|lake)\\.shop\\.(orders|prices|log)\\.snapshot",
            EventType.COMPLETE,
            6);
        sql.execute("INSERT INTO shop.orders VALUES (100, 1), (101, 2)");
        awaitEvents(hub, "changes", "(shop|lake)\\.shop\\.orders", EventType.RUNNING, 2);
        sql.execute("ALTER TABLE shop.orders ADD COLUMN note TEXT");
        sql.execute("INSERT INTO shop.orders VALUES (102, 3, 'noted')");
        sql.execute("INSERT INTO shop.prices VALUES (1, 10)");
        awaitEvents(hub, "prices", "(shop|lake)\\.shop\\.prices", EventType.RUNNING, 2);
        sql.execute("ALTER TABLE shop.prices ALTER COLUMN v TYPE TEXT");
        sql.execute("INSERT INTO shop.prices VALUES (2, 'two')");
        awaitEvents(hub, "the error", "shop\\.shop\\.prices", EventType.FAIL, 1);
        for (String pipeline : List.of("shop", "lake")) {
          Await.until(
              "the new column is told by " + pipeline,
              () ->
                  read().stream()
                      .filter(event -> name(event).equals(pipeline + ".shop.orders"))
                      .anyMatch(LineageTest::tellsOfNote),
              hub::errors);
        }
        assertThat(hub.stop().errors()).doesNotContain("Unable to register metrics");
      }

      for (String line : lines()) {
        assertThat(schemas.problems(line)).as(line).isEmpty();
        assertThat(line)
            .doesNotContain("lifecycleStateChange")
            .doesNotContain("__rowMarker__")
            .doesNotContain(emulator.get("clientSecret"));
      }
      List<RunEvent> told = read();
      assertNames(told, shop.port(), emulator);
      assertRuns(told);
      assertThat(sum(told, "shop.shop.orders.snapshot", EventType.COMPLETE)).isEqualTo(50);
      assertThat(sum(told, "shop.shop.orders", EventType.RUNNING)).isEqualTo(3);
      assertThat(sum(told, "shop.shop.prices", EventType.RUNNING, EventType.FAIL)).isEqualTo(1);
      RunEvent failed =
          told.stream()
              .filter(event -> event.getEventType() == EventType.FAIL)
              .findFirst()
              .orElseThrow();
      assertThat(name(failed)).isEqualTo("shop.shop.prices");
      assertThat(failed.getRun().getFacets().getErrorMessage().getMessage())
          .contains("column 'v' changed its type");
      assertThat(sum(told, "lake.shop.orders", EventType.RUNNING)).isEqualTo(3);
      assertThat(ended(told, "shop")).isEqualTo(EventType.COMPLETE);
      assertThat(ended(told, "lake")).isEqualTo(EventType.COMPLETE);

      assertThat(Hub.run("lineage", events().toString()).succeeded().output())
          .contains("/ postgres.shop.orders")
          .contains("    note ← note")
          .contains("by shop.shop.orders.snapshot: COMPLETE, 50 rows")
          .contains("by shop.shop.prices: FAIL");
    }
  }

  private static boolean tellsOfNote(RunEvent event) {
    return event.getOutputs().stream()
        .map(output -> output.getFacets().getColumnLineage())
        .anyMatch(
            columns ->
                columns != null
                    && columns.getFields().getAdditionalProperties().containsKey("note"));
  }

  private static EventType ended(List<RunEvent> told, String job) {
    return told.stream()
        .filter(event -> name(event).equals(job))
        .reduce((first, second) -> second)
        .orElseThrow()
        .getEventType();
  }

  private static long sum(List<RunEvent> told, String job, EventType... types) {
    Set<EventType> wanted = Set.of(types);
    return told.stream()
        .filter(event -> name(event).equals(job) && wanted.contains(event.getEventType()))
        .mapToLong(LineageTest::rows)
        .sum();
  }

  /**
   * Source and target are called what the client's own utilities and our address rule call them.
   */
  private static void assertNames(List<RunEvent> told, int port, Emulator emulator) {
    String namespace =
        FabricSqlAddress.of(
                UUID.fromString(emulator.get("tenantId")),
                UUID.fromString(emulator.get("workspaceId")))
            .namespace();
    for (RunEvent event : told) {
      if (event.getInputs().isEmpty()) {
        assertThat(name(event)).isIn("shop", "lake");
        continue;
      }
      boolean lake = name(event).startsWith("lake.");
      assertThat(event.getInputs()).hasSize(1);
      assertThat(event.getOutputs()).as(OpenLineageClientUtils.toJson(event)).hasSize(1);
      String table = name(event).replace(".snapshot", "").substring("shop.shop.".length());
      DatasetIdentifier source =
          JdbcDatasetUtils.getDatasetIdentifier(
              "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
              "shop." + table,
              new Properties());
      assertThat(event.getInputs().get(0).getNamespace()).isEqualTo(source.getNamespace());
      assertThat(event.getInputs().get(0).getName()).isEqualTo(source.getName());
      DatasetIdentifier folder =
          FilesystemDatasetUtils.fromLocation(
              URI.create(
                  "abfss://"
                      + emulator.get("workspaceId")
                      + "@onelake.dfs.fabric.microsoft.com/"
                      + (lake
                          ? emulator.get("lakehouseId") + "/Files/cdc/job/data/"
                          : emulator.get("mirroredDatabaseId") + "/Tables/shop/")
                      + table));
      OutputDataset output = event.getOutputs().get(0);
      if (lake) {
        assertThat(output.getNamespace()).isEqualTo(folder.getNamespace());
        assertThat(output.getName()).isEqualTo(folder.getName());
      } else {
        assertThat(output.getNamespace()).isEqualTo(namespace);
        assertThat(output.getName())
            .isEqualTo(emulator.get("mirroredDatabaseName") + ".shop." + table);
        var link = output.getFacets().getSymlinks().getIdentifiers().get(0);
        assertThat(link.getNamespace()).isEqualTo(folder.getNamespace());
        assertThat(link.getName()).isEqualTo(folder.getName());
      }
    }
  }

  private static void assertRuns(List<RunEvent> told) {
    Set<UUID> ended = new HashSet<>();
    Set<UUID> begun = new HashSet<>();
    for (RunEvent event : told) {
      UUID run = event.getRun().getRunId();
      assertThat(ended).doesNotContain(run);
      if (event.getEventType() == EventType.START) {
        assertThat(begun.add(run)).isTrue();
      } else {
        assertThat(begun).contains(run);
      }
      if (event.getEventType() != EventType.START && event.getEventType() != EventType.RUNNING) {
        ended.add(run);
      }
    }
    assertThat(ended).isEqualTo(begun);
  }

  private void awaitEvents(Hub.Running hub, String what, String job, EventType type, int count) {
    Await.until(
        what + " are told",
        () ->
            !hub.alive()
                || read().stream()
                        .filter(event -> event.getEventType() == type)
                        .filter(event -> name(event).matches(job))
                        .map(LineageTest::name)
                        .distinct()
                        .count()
                    >= count,
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  private String config(ShopDatabase shop, Emulator emulator) throws Exception {
    Path client = directory.resolve("openlineage.yml");
    Files.writeString(client, "transport:\n  type: file\n  location: " + events() + "\n");
    return Files.writeString(
            directory.resolve("hub.yaml"),
            """
            hub:
              stateDirectory: ./state
              lineage: { configFile: ./openlineage.yml, intervalSeconds: 1, shutdownSeconds: 30 }
            pipelines:
              - name: shop
                source:
            %s
                target:
                  agent: fabric-open-mirroring
                  settings:
            %s
                lineage: { enabled: true, mirroredDatabaseName: %s }
              - name: lake
                source:
            %s
                target:
                  agent: cycle-files
                  settings:
            %s
                    connectionFolder: cdc
                    taskTargetDirectory: job
                    loadType: COMBINED
                    cycleIntervalSeconds: 1
                lineage: { enabled: true }
            """
                .formatted(
                    shop.source().stripTrailing(),
                    emulator.targetSettings().stripTrailing(),
                    emulator.get("mirroredDatabaseName"),
                    shop.source("slotName: lake", "publicationName: lake").stripTrailing(),
                    emulator.targetSettings("storageUrl", "lakehouseFilesUrl").stripTrailing()))
        .toString();
  }

  private String stream(Emulator emulator, String client) throws Exception {
    Files.writeString(directory.resolve("openlineage.yml"), client);
    return new Pipeline(directory, emulator)
        .inserts("sales.orders", 200)
        .set("cdcBatchMaxSeconds", 0)
        .hub(
            "lineage: { enabled: true, configFile: ./openlineage.yml, intervalSeconds: 1, queueSize: 5,"
                + " shutdownSeconds: 1, mirroredDatabaseName: m }")
        .write();
  }

  @Test
  void aCatalogueThatHangsHoldsNothingUp() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch release = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    server.start();
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String client =
          "transport:\n  type: http\n  url: http://127.0.0.1:"
              + server.getAddress().getPort()
              + "\n  timeoutInMillis: 600000\n";

      Hub.Result result = Hub.run("run", stream(emulator, client)).succeeded();

      assertThat(asked.get()).as("requests to the catalogue").isEqualTo(1);
      assertThat(emulator.published("sales.schema/orders")).hasSize(200);
      assertThat(result.errors()).contains("events were not sent within 1 s");
      assertThat(Files.readString(directory.resolve("state/shop.json"))).contains("\"200\"");
    } finally {
      release.countDown();
      server.stop(0);
    }
  }

  @Test
  void aClientThatCannotBeSetUpStopsNothing() throws Exception {
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      Hub.Result result =
          Hub.run("run", stream(emulator, "transport: { type: nonsense }")).succeeded();

      assertThat(result.errors()).contains("no lineage is sent").contains("transport");
      assertThat(emulator.published("sales.schema/orders")).hasSize(200);
    }
  }

  @Test
  void aHubThatIsKilledEndsItsRunsAtTheNextStart() throws Exception {
    String file = "transport:\n  type: file\n  location: " + events() + "\n";
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String config = stream(emulator, file);
      Files.writeString(
          directory.resolve("stream.changes.jsonl"),
          TABLE.strip()
              + "\n{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":"
              + "\"sales.orders\",\"after\":{\"id\":1}}]}\n{\"kind\":\"pause\",\"millis\":600000}\n");
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        Await.until(
            "the table's run is told",
            () -> read().stream().anyMatch(event -> name(event).equals("shop.sales.orders")),
            hub::errors);
        hub.killAtOnce();
      }
      stream(emulator, file);

      Hub.run("run", config).succeeded();

      List<String> story =
          read().stream()
              .filter(event -> event.getEventType() != EventType.RUNNING)
              .map(event -> event.getEventType() + " " + name(event))
              .collect(Collectors.toList());
      assertThat(story)
          .containsExactly(
              "START shop",
              "START shop.sales.orders",
              "ABORT shop",
              "ABORT shop.sales.orders",
              "START shop",
              "START shop.sales.orders",
              "COMPLETE shop.sales.orders",
              "COMPLETE shop");
      assertRuns(read());
    }
  }

  @Test
  void theHubWorksWithoutLineageOnItsClassPath() throws Exception {
    Path lib = Path.of("..", "core-hub", "target", "hub", "lib").toAbsolutePath().normalize();
    String rest;
    try (Stream<Path> jars = Files.list(lib)) {
      rest =
          jars.map(Path::toString)
              .filter(jar -> jar.endsWith(".jar"))
              .filter(jar -> !jar.matches(".*/(fabric-lineage|fabric-naming|openlineage)-.*"))
              .collect(Collectors.joining(":"));
    }
    Map<String, String> without = Map.of("HUB_JAVA_OPTS", "-cp " + rest);
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String config = stream(emulator, "");
      assertThat(Hub.run(without, "run", config).exited(1).errors())
          .contains("'lineage.enabled' is true, but this hub has no lineage");

      Files.writeString(
          Path.of(config), Files.readString(Path.of(config)).replaceAll("  lineage: .*\n", ""));
      Hub.run(without, "run", config).succeeded();

      assertThat(emulator.published("sales.schema/orders")).hasSize(200);
    }
  }
}
