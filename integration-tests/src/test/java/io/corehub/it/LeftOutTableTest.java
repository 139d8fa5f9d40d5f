package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table that {@code exclude} leaves out for a while comes back without a hole. */
class LeftOutTableTest {

  private static final String WITHOUT_T = "[ { name: shop.t, exclude: true } ]";
  private static final String ALL = "[ { name: \"*\" } ]";

  @TempDir Path directory;

  /** A database does not repeat what is confirmed: the table is loaded anew. */
  @Test
  @Tag("full")
  void aTableOfADatabaseIsLoadedAnew() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start();
        Emulator emulator =
            Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      createTables(shop);
      String config = mirroring(shop, emulator, ALL);
      runUntilMirrored(config, emulator, "shop.t", 1);

      mirroring(shop, emulator, WITHOUT_T);
      shop.execute("INSERT INTO shop.t VALUES (2)");
      shop.execute("INSERT INTO shop.other VALUES (1)");
      runUntilMirrored(config, emulator, "shop.other", 1);
      assertThat(Hub.run("status", config).succeeded().output()).doesNotContain("shop.t ");

      mirroring(shop, emulator, ALL);
      shop.execute("INSERT INTO shop.t VALUES (3)");
      shop.execute("INSERT INTO shop.other VALUES (2)");
      assertThat(runUntilMirrored(config, emulator, "shop.other", 2))
          .contains("Table shop.t: it was left out of the configuration", "recreate-table");
      assertThat(emulator.mirrored("shop.t")).hasSize(1);

      Hub.run("recreate-table", config, "shop.t").succeeded();
      runUntilMirrored(config, emulator, "shop.t", 3);
      assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
    }
  }

  /** The source's own choice of schemas leaves tables out as well. */
  @Test
  @Tag("full")
  void aTableWhoseSchemaIsLeftOutIsLoadedAnew() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start();
        Emulator emulator =
            Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      createTables(shop);
      shop.execute("CREATE SCHEMA hr");
      shop.execute("CREATE TABLE hr.people (id INT PRIMARY KEY)");
      shop.execute("INSERT INTO hr.people VALUES (1)");
      String config = mirroring(shop, emulator, ALL, "\"shop\\nhr\"");
      runUntilMirrored(config, emulator, "hr.people", 1);

      mirroring(shop, emulator, ALL, "shop");
      shop.execute("INSERT INTO hr.people VALUES (2)");
      shop.execute("INSERT INTO shop.other VALUES (1)");
      runUntilMirrored(config, emulator, "shop.other", 1);

      mirroring(shop, emulator, ALL, "\"shop\\nhr\"");
      shop.execute("INSERT INTO shop.other VALUES (2)");
      assertThat(runUntilMirrored(config, emulator, "shop.other", 2))
          .contains("Table hr.people: it was left out of the configuration");
    }
  }

  @Test
  @Tag("full")
  void aTableOfADatabaseInCyclesIsLoadedAnew() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start()) {
      createTables(shop);
      String config = cycles(shop, ALL);
      runUntilInCycles(config, "t", 1);

      cycles(shop, WITHOUT_T);
      shop.execute("INSERT INTO shop.t VALUES (2)");
      shop.execute("INSERT INTO shop.other VALUES (1)");
      runUntilInCycles(config, "other", 1);

      cycles(shop, ALL);
      shop.execute("INSERT INTO shop.t VALUES (3)");
      shop.execute("INSERT INTO shop.other VALUES (2)");
      assertThat(runUntilInCycles(config, "other", 2))
          .contains("Table shop.t: the others went on without it", "recreate-table");
      assertThat(rowsInCycles("t")).isEqualTo(1);

      Hub.run("recreate-table", config, "shop.t").succeeded();
      runUntilInCycles(config, "t", 4);
    }
  }

  /** Files are read again from their start: the table goes on where it was. */
  @Test
  void aTableOfChangeStreamFilesGoesOn() throws Exception {
    try (Emulator emulator =
        Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      Pipeline pipeline = new Pipeline(directory, emulator);
      String table =
          "{\"kind\":\"table\",\"table\":\"shop.%s\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}";
      List<String> first =
          List.of(
              table.formatted("t"),
              table.formatted("other"),
              "{\"kind\":\"snapshotEnd\",\"table\":\"shop.t\"}",
              "{\"kind\":\"snapshotEnd\",\"table\":\"shop.other\"}",
              insert(1, "t"));
      String config = pipeline.lines(first).tables(ALL).write();
      Hub.run("run", config).succeeded();

      List<String> second =
          Stream.concat(first.stream(), Stream.of(insert(2, "t"), insert(3, "other"))).toList();
      pipeline.lines(second).tables(WITHOUT_T).write();
      Hub.run("run", config).succeeded();
      assertThat(emulator.mirrored("shop.t")).hasSize(1);

      pipeline
          .lines(Stream.concat(second.stream(), Stream.of(insert(4, "t"))).toList())
          .tables(ALL)
          .write();
      Hub.run("run", config).succeeded();
      assertThat(emulator.mirrored("shop.t")).hasSize(3);
      assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
    }
  }

  private static String insert(int position, String table) {
    return ("{\"kind\":\"commit\",\"position\":%d,\"changes\":[{\"op\":\"insert\",\"table\":\"shop.%s\","
            + "\"after\":{\"id\":%d}}]}")
        .formatted(position, table, position);
  }

  private static void createTables(ShopDatabase shop) throws Exception {
    shop.execute("CREATE TABLE shop.t (id INT PRIMARY KEY)");
    shop.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
    shop.execute("INSERT INTO shop.t VALUES (1)");
  }

  private String mirroring(ShopDatabase shop, Emulator emulator, String tables) throws IOException {
    return mirroring(shop, emulator, tables, "shop");
  }

  private String mirroring(ShopDatabase shop, Emulator emulator, String tables, String schemas)
      throws IOException {
    return new Pipeline(directory, emulator)
        .source(shop.sourceOf(schemas))
        .set("recreateWaitSeconds", 60)
        .tables(tables)
        .write();
  }

  private String cycles(ShopDatabase shop, String tables) throws IOException {
    return new Pipeline(directory, "cycle-files", "        storageUrl: file:out\n")
        .source(shop.source())
        .set("connectionFolder", "cdc")
        .set("taskTargetDirectory", "job")
        .set("loadType", "COMBINED")
        .set("cycleIntervalSeconds", 1)
        .tables(tables)
        .write();
  }

  /** Runs the hub until a table has a number of rows; what it said. */
  private static String runUntilMirrored(String config, Emulator emulator, String table, int count)
      throws Exception {
    return runUntil(
        config, table + " has " + count, () -> emulator.mirrored(table).size() == count);
  }

  private String runUntilInCycles(String config, String table, int count) throws Exception {
    return runUntil(
        config, table + " has " + count + " in cycles", () -> rowsInCycles(table) == count);
  }

  private static String runUntil(
      String config, String what, java.util.concurrent.Callable<Boolean> reached) throws Exception {
    try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
      Await.until(what, () -> !hub.alive() || reached.call(), hub::errors);
      assertThat(hub.alive()).as(hub.errors()).isTrue();
      return hub.stop().errors();
    }
  }

  /** Rows of a table in all completed cycles, truncations left out. */
  private long rowsInCycles(String table) throws IOException {
    Path job = directory.resolve("out/cdc/job");
    if (!Files.isDirectory(job)) {
      return 0;
    }
    long rows = 0;
    try (Stream<Path> files = Files.walk(job)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().matches(table + "_.*\\.csv")).toList()) {
        rows += Files.readAllLines(file).stream().filter(line -> line.startsWith("\"I\"")).count();
      }
    }
    return rows;
  }
}
