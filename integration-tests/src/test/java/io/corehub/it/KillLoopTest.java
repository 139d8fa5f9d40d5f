package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hub run} is killed at a random request and started again, until its stream is mirrored;
 * then comes the next stream. The request at which it dies may still be carried out, seconds later.
 *
 * <p>{@code -Dkills=N} sets how often, {@code -Dkills.seed=N} begins at another place; a failure
 * names the seed of its stream.
 */
class KillLoopTest {

  private static final int KILLS = Integer.getInteger("kills", 25);
  private static final long SEED = Long.getLong("kills.seed", 1);

  /** Streams at the same time. */
  private static final int LANES = 3;

  private static final int MOST_REQUESTS = 60;
  private static final Map<String, String> QUICK_START =
      Map.of("HUB_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m");

  @TempDir Path directory;
  private final AtomicInteger kills = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();

  @Test
  void nothingIsLostOrDoubledOverAFewKills() throws Exception {
    loop(3);
  }

  @Test
  @Tag("full")
  void nothingIsLostOrDoubledOverManyKills() throws Exception {
    loop(KILLS);
  }

  private void loop(int most) throws Exception {
    long began = System.nanoTime();
    ExecutorService lanes = Executors.newFixedThreadPool(LANES);
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int i = 0; i < Math.min(LANES, most); i++) {
        Path home = Files.createDirectory(directory.resolve("lane-" + i));
        ends.add(
            lanes.submit(
                () -> {
                  lane(home, most);
                  return true;
                }));
      }
      for (Future<Boolean> end : ends) {
        end.get();
      }
    } finally {
      lanes.shutdownNow();
    }
    System.out.printf(
        "%d kills over %d streams in %d s: nothing lost, nothing doubled%n",
        kills.get(), streams.get(), (System.nanoTime() - began) / 1_000_000_000);
    assertThat(kills.get()).isGreaterThanOrEqualTo(most);
  }

  private void lane(Path home, int most) throws Exception {
    try (Emulator emulator = Emulator.start(Files.createDirectory(home.resolve("onelake")))) {
      while (kills.get() < most) {
        int number = streams.incrementAndGet();
        long seed = SEED * 1_000_000 + number;
        Path stream = Files.createDirectory(home.resolve("stream-" + number));
        try {
          mirror(emulator, stream, "s" + number, seed, most);
          compare(emulator, new RandomStream(seed, "s" + number).expected());
          emulator.assertLandedWell();
        } catch (Exception | AssertionError e) {
          throw new AssertionError("Stream " + number + " of -Dkills.seed=" + SEED, e);
        }
        empty(emulator.landingZone());
      }
    }
  }

  private void mirror(Emulator emulator, Path home, String name, long seed, int most)
      throws Exception {
    Random random = new Random(seed);
    String config =
        new Pipeline(home, emulator)
            .lines(new RandomStream(seed, name).lines())
            .set("tryTimeoutInSeconds", 10)
            .set("writePartnerEvents", "false")
            .set("cdcBatchMaxSeconds", random.nextInt(2))
            .set("cdcBatchRows", 10)
            .set("snapshotPublishing", random.nextBoolean() ? "staged" : "streamed")
            .write();
    while (kills.get() < most) {
      emulator.addFaults(deadly(random));
      try (Hub.Running hub = Hub.start(QUICK_START, "run", config)) {
        Await.until(
            "the request to die at arrives, or the hub ends",
            () -> emulator.firedFaults() > 0 || !hub.alive(),
            hub::errors);
        boolean struck = emulator.firedFaults() > 0;
        emulator.clearFaults();
        if (struck) {
          hub.killAtOnce();
          kills.incrementAndGet();
        } else {
          hub.await().succeeded();
          return;
        }
      }
    }
    Hub.run(QUICK_START, "run", config).succeeded();
  }

  /** The request at which the hub is killed, and what becomes of it all the same. */
  private static String deadly(Random random) {
    int[] doneAfter = {0, 300, 1500, 4000};
    String fault =
        switch (random.nextInt(3)) {
          case 0 -> "{\"type\":\"before\"}";
          case 1 -> "{\"type\":\"after\"}";
          default ->
              "{\"type\":\"late\",\"millis\":" + doneAfter[random.nextInt(doneAfter.length)] + "}";
        };
    return "[{\"operation\":\"any\",\"nth\":"
        + (1 + random.nextInt(MOST_REQUESTS))
        + ",\"fault\":"
        + fault
        + "}]";
  }

  private static void compare(Emulator emulator, Map<String, List<String>> expected)
      throws IOException {
    Map<String, List<String>> mirrored = new TreeMap<>();
    for (MirroredTable table : MirroredTables.below(emulator.directory()).all()) {
      assertThat(table.problem()).as(table.name()).isEmpty();
      StringBuilder rows = new StringBuilder();
      table.writeJsonRows(rows);
      mirrored.put(table.name(), rows.toString().lines().sorted().toList());
    }
    assertThat(mirrored).isEqualTo(expected);
  }

  private static void empty(Path zone) throws IOException {
    try (Stream<Path> landed = Files.walk(zone)) {
      for (Path path : landed.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(zone)) {
          Files.delete(path);
        }
      }
    }
  }
}
