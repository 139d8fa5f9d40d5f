package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One hub with a hundred tables: what it needs of memory, and how soon it goes on. */
@Tag("full")
@Tag("alone")
class HundredTablesTest {

  private static final int TABLES = 100;

  /** What the hub may need beside its budget for open change files and uploads. */
  private static final int BESIDE_BUDGET_MB = 64;

  /** 40 % of it are the budget, the rest is what the hub may need beside that. */
  private static final int HEAP_MB = 104;

  /** The goal is 5 s, which a quiet machine meets; a busy one may take twice that. */
  private static final Duration FIRST_FILE = Duration.ofSeconds(10);

  /** Every request to the storage takes as long as one over a network: measured, not asked for. */
  private static final String DISTANT =
      "[{\"operation\":\"any\",\"times\":1000000,\"fault\":{\"type\":\"hang\",\"millis\":%d}}]";

  private static final int ROUND_TRIP_MILLIS = 50;

  /** The stream does not end, so the hub stays. */
  private static final String PAUSE = "{\"kind\":\"pause\",\"millis\":600000}";

  @TempDir Path directory;
  private Emulator emulator;
  private Pipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.startOptimised(Files.createDirectory(directory.resolve("onelake")));
    pipeline = new Pipeline(directory, emulator);
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  /** The heap has no room for more than the budget and what may be needed beside it. */
  @Test
  void aHeapOfTheBudgetAnd64MbIsEnough() throws Exception {
    int snapshotRows = 1_000;
    int commits = 40;
    int rowsOfCommit = 100;
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      declare(out);
      for (int table = 0; table < TABLES; table++) {
        snapshot(out, table, snapshotRows);
      }
      for (int commit = 1; commit <= commits; commit++) {
        commit(out, commit, snapshotRows + (commit - 1) * rowsOfCommit, rowsOfCommit);
      }
    }
    Path log = directory.resolve("gc.log");

    Hub.Result run =
        Hub.run(
                Map.of("HUB_JAVA_OPTS", "-Xmx" + HEAP_MB + "m -Xlog:gc:file=" + log),
                "run",
                pipeline.write())
            .succeeded();

    int budget = number("Memory of pipeline shop: (\\d+) MB in all", run.errors());
    assertThat(HEAP_MB).isLessThanOrEqualTo(budget + BESIDE_BUDGET_MB);
    System.out.printf(
        "%d tables: heap of %d MB, budget %d MB, after a collection at most %d MB%n",
        TABLES, HEAP_MB, budget, CollectorLog.largestAfterCollection(log));
    String rows = String.format(Locale.ROOT, "%,d", snapshotRows + commits * rowsOfCommit);
    assertThat(Hub.run("compare", directory.resolve("hub.yaml").toString()).succeeded().output())
        .contains("All " + TABLES + " tables agree", rows);
  }

  @Test
  void theFirstFileComesSoonAfterARestart() throws Exception {
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      declare(out);
      for (int table = 0; table < TABLES; table++) {
        snapshot(out, table, 10);
      }
      commit(out, 1, 10, 10);
    }
    String config = pipeline.set("cdcBatchMaxSeconds", 0).write();
    Hub.run("run", config).succeeded();

    Duration near = restart(config, 2, 0);
    restart(config, 3, ROUND_TRIP_MILLIS);

    assertThat(near).isLessThanOrEqualTo(FIRST_FILE);
  }

  /**
   * Starts the hub again when the stream has one more commit, which touches every table.
   *
   * @return from the start of the process to its first file
   */
  private Duration restart(String config, int position, int roundTripMillis) throws Exception {
    String last = name(TABLES - 1);
    int before = emulator.published(last).size();
    List<String> lines = new ArrayList<>(Files.readAllLines(pipeline.stream()));
    lines.removeIf(line -> line.equals(PAUSE));
    Files.write(pipeline.stream(), lines);
    try (BufferedWriter out =
        Files.newBufferedWriter(pipeline.stream(), StandardOpenOption.APPEND)) {
      commit(out, position, 20 * position, 1);
      out.write(PAUSE + "\n");
    }
    if (roundTripMillis > 0) {
      emulator.addFaults(DISTANT.formatted(roundTripMillis));
    }
    long requests = emulator.requests().size();

    long began = System.nanoTime();
    try (Hub.Running hub = Hub.start(Hub.OPTIMISED, "run", config)) {
      Await.until(
          "a table has another file",
          () -> {
            for (int table = 0; table < TABLES; table++) {
              if (emulator.published(name(table)).size() > before) {
                return true;
              }
            }
            return false;
          },
          hub::errors);
      Duration first = Duration.ofNanos(System.nanoTime() - began);
      Await.until(
          "the last table has it", () -> emulator.published(last).size() > before, hub::errors);
      Duration all = Duration.ofNanos(System.nanoTime() - began);
      System.out.printf(
          "%d tables, %d ms a round trip: first file %d ms after the start, last one %d ms, %d requests%n",
          TABLES,
          roundTripMillis,
          first.toMillis(),
          all.toMillis(),
          emulator.requests().size() - requests);
      return first;
    }
  }

  private static String name(int table) {
    return String.format("t%03d", table);
  }

  private static void declare(BufferedWriter out) throws Exception {
    for (int table = 0; table < TABLES; table++) {
      out.write(
          "{\"kind\":\"table\",\"table\":\"%s\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"name\",\"type\":\"STRING\"},{\"name\":\"amount\",\"type\":\"BIG_DECIMAL\",\"precision\":18,\"scale\":4}],\"primaryKey\":[\"id\"]}\n"
              .formatted(name(table)));
    }
  }

  private static void snapshot(BufferedWriter out, int table, int rows) throws Exception {
    out.write("{\"kind\":\"snapshot\",\"table\":\"" + name(table) + "\",\"rows\":[");
    for (int id = 0; id < rows; id++) {
      out.write((id == 0 ? "" : ",") + row(id));
    }
    out.write("]}\n{\"kind\":\"snapshotEnd\",\"table\":\"" + name(table) + "\"}\n");
  }

  /** A commit that inserts rows into every table. */
  private static void commit(BufferedWriter out, int position, int firstId, int rows)
      throws Exception {
    out.write("{\"kind\":\"commit\",\"position\":" + position + ",\"changes\":[");
    for (int table = 0; table < TABLES; table++) {
      for (int id = firstId; id < firstId + rows; id++) {
        out.write(
            (table == 0 && id == firstId ? "" : ",")
                + "{\"op\":\"insert\",\"table\":\""
                + name(table)
                + "\",\"after\":"
                + row(id)
                + "}");
      }
    }
    out.write("]}\n");
  }

  private static String row(int id) {
    return "{\"id\":"
        + id
        + ",\"name\":\"customer "
        + id * 7919L
        + "\",\"amount\":\""
        + id
        + ".25\"}";
  }

  private static int number(String pattern, String text) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as("'%s' in:%n%s", pattern, text).isTrue();
    return Integer.parseInt(found.group(1));
  }
}
