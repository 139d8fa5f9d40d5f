package io.corehub.it.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.TargetAgentProvider;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every request of an agent meets every fault: the tables are mirrored exactly once all the same,
 * or a run stops with words that say what to do, and a start without the fault brings them to their
 * end. {@code target/fault-sweep.md} tells the outcome of each point; {@code -Dsweep.only=TEXT}
 * runs those whose line contains a text.
 */
class FaultSweepTest {

  /** How often a run looks at the same thing depends on time: the last look may not come. */
  private static final String NOT_REACHED = "not reached: the run sent fewer such requests";

  /** Most of a point's time is spent waiting. */
  private static final int AT_A_TIME = 32;

  private static final int SAMPLE = 30;
  private static final long SEED = 20_261_130;

  /** Signing in waits 30 seconds after a failure, too long for the sample. */
  private static final String SLOW_OPERATION = "token";

  @TempDir Path directory;
  private Emulators emulators;

  private final TargetAgentProvider provider =
      ServiceLoader.load(TargetAgentProvider.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(found -> found.descriptor().id().equals("fabric-open-mirroring"))
          .findFirst()
          .orElseThrow();

  @BeforeEach
  void prepare() {
    emulators = new Emulators(directory);
  }

  @AfterEach
  void close() throws IOException {
    emulators.close();
  }

  @Test
  void aSampleOfFaultsEndsExactOrWithAName() throws Exception {
    List<FaultPoint> all =
        new ArrayList<>(
            points().stream()
                .filter(point -> !point.operation().equals(SLOW_OPERATION) && !point.lasting())
                .toList());
    Collections.shuffle(all, new Random(SEED));
    sweep(all.subList(0, SAMPLE), "fault-sample.md");
  }

  @Test
  @Tag("full")
  void everyFaultAtEveryRequestEndsExactOrWithAName() throws Exception {
    String only = System.getProperty("sweep.only", "");
    List<FaultPoint> points =
        new ArrayList<>(
            points().stream().filter(point -> point.toString().contains(only)).toList());
    // Those that wait for long are spread out.
    Collections.shuffle(points, new Random(SEED));
    assertThat(points).hasSizeGreaterThan(only.isEmpty() ? 400 : 0);
    sweep(points, "fault-sweep.md");
  }

  /** What is swept in a scenario, and whether at first, middle and last or in the middle only. */
  private record Area(Scenario scenario, String operation, boolean thorough) {}

  private static List<Area> areas() {
    List<Area> areas = new ArrayList<>();
    for (String operation :
        List.of("token", "list", "get", "create", "append", "flush", "rename")) {
      areas.add(new Area(Scenario.CHANGES, operation, true));
    }
    areas.add(new Area(Scenario.DOUBTFUL, "head", true));
    areas.add(new Area(Scenario.RECREATED, "delete", true));
    areas.add(new Area(Scenario.STAGED, "rename", true));
    areas.add(new Area(Scenario.STAGED, "delete", true));
    areas.add(new Area(Scenario.STAGED, "create", false));
    areas.add(new Area(Scenario.STAGED, "append", false));
    areas.add(new Area(Scenario.COLLECTED, "append", false));
    areas.add(new Area(Scenario.COLLECTED, "flush", false));
    areas.add(new Area(Scenario.COLLECTED, "rename", false));
    return areas;
  }

  private List<FaultPoint> points() throws Exception {
    Map<Scenario, List<JsonNode>> clean = new HashMap<>();
    List<FaultPoint> points = new ArrayList<>();
    for (Area area : areas()) {
      Scenario scenario = area.scenario();
      if (!clean.containsKey(scenario)) {
        clean.put(scenario, requestsWithoutFault(scenario));
      }
      List<JsonNode> ofIt =
          clean.get(scenario).stream()
              .filter(request -> request.get("operation").asText().equals(area.operation()))
              .toList();
      assertThat(ofIt).as("requests of %s", area).isNotEmpty();
      int middle = (ofIt.size() + 1) / 2;
      TreeSet<Integer> places =
          new TreeSet<>(area.thorough() ? List.of(1, middle, ofIt.size()) : List.of(middle));
      for (InjectedFault fault : InjectedFault.all()) {
        if (!fault.operations().contains(area.operation())) {
          continue;
        }
        for (int nth : places) {
          long bytes = ofIt.get(nth - 1).get("bytes").asLong();
          points.add(new FaultPoint(scenario, area.operation(), fault, nth, false, bytes));
        }
        if (scenario == Scenario.CHANGES && fault.passing() && isWrite(area.operation())) {
          points.add(new FaultPoint(scenario, area.operation(), fault, middle, true, 0));
        }
      }
    }
    return points;
  }

  private List<JsonNode> requestsWithoutFault(Scenario scenario) throws Exception {
    try (Emulators.Lent lent = emulators.lend(scenario.replicates())) {
      return new PointRun(provider, scenario, lent.emulator(), lent.zone(), "clean-" + scenario)
          .run()
          .requests();
    }
  }

  private static boolean isWrite(String operation) {
    return List.of("create", "append", "flush", "rename").contains(operation);
  }

  private void sweep(List<FaultPoint> points, String report) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
    List<Future<String>> lines = new ArrayList<>();
    try {
      for (int i = 0; i < points.size(); i++) {
        FaultPoint point = points.get(i);
        String name = "point-" + (i + 1);
        lines.add(pool.submit(outcome(point, name)));
      }
      List<String> table = new ArrayList<>();
      try (BufferedWriter out = Files.newBufferedWriter(Path.of("target", report))) {
        out.write("| Point | Outcome | Requests | Seconds |\n|---|---|---|---|\n");
        for (Future<String> line : lines) {
          table.add(line.get());
          out.write(line.get() + "\n");
          out.flush();
        }
      }
      assertThat(table.stream().filter(line -> line.contains("| FAILED")).toList())
          .as("points of %d that failed", points.size())
          .isEmpty();
      assertThat(table.stream().filter(line -> line.contains(NOT_REACHED)).toList())
          .as("points of %d whose fault never struck", points.size())
          .hasSizeLessThanOrEqualTo(1 + points.size() / 50);
    } finally {
      pool.shutdownNow();
    }
  }

  private Callable<String> outcome(FaultPoint point, String name) {
    return () -> {
      try (Emulators.Lent lent = emulators.lend(point.scenario().replicates())) {
        PointRun.Result result =
            new PointRun(provider, point.scenario(), lent.emulator(), lent.zone(), name).run(point);
        String outcome = result.stops().isEmpty() ? "exact" : "stopped, then exact: ";
        if (result.fired() == 0) {
          return line(point, NOT_REACHED, 0, 0);
        }
        List<String> unnamed =
            result.stops().stream().filter(stop -> !StopWords.tellWhatToDo(stop)).toList();
        if (!unnamed.isEmpty()) {
          return line(point, "FAILED: says not what to do: " + unnamed, 0, 0);
        }
        return line(
            point,
            outcome + String.join(" / ", result.stops()),
            result.requests().size(),
            result.took().toMillis());
      } catch (Exception | AssertionError e) {
        return line(
            point, "FAILED: " + e + (e.getCause() == null ? "" : ": " + e.getCause()), 0, 0);
      }
    };
  }

  private static String line(FaultPoint point, String outcome, int requests, long millis) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %.1f |",
        point,
        outcome.replace("|", "\\|").replace('\n', ' '),
        requests,
        millis / 1000.0);
  }
}
