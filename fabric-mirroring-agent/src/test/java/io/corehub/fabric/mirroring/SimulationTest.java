package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The real agent in a simulated world: time, threads and everything that may go wrong come from a
 * seed. A failing seed is run again with {@code -Dsimulation.seed=SEED}, which prints its story.
 */
class SimulationTest {

  private static final int TROUBLED_STEPS = 450;
  private static final int PATIENCE_STEPS = 60_000;
  private static final int LAST_STARTS = 8;

  /** A world hands over between its threads all the time; more of them fill the gaps. */
  private static final int WORLDS_AT_ONCE = Runtime.getRuntime().availableProcessors() + 1;

  @Test
  void everyCommittedRowStandsOnceWhateverHappens() throws Exception {
    run(Long.getLong("simulation.first", 1), Integer.getInteger("simulation.seeds", 2_000));
  }

  @Test
  @Tag("full")
  void everyCommittedRowStandsOnceInTwentyThousandWorlds() throws Exception {
    run(100_001, 18_000);
  }

  @Test
  void aSeedAlwaysTellsTheSameStory() throws InterruptedException {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(story(seed)).isEqualTo(story(seed));
    }
  }

  private static void run(long first, int seeds) throws Exception {
    Long only = Long.getLong("simulation.seed");
    if (only != null) {
      System.err.println(story(only));
      runAll(new AtomicLong(only), only + 1);
      return;
    }
    AtomicLong next = new AtomicLong(first);
    ExecutorService workers = Executors.newFixedThreadPool(WORLDS_AT_ONCE);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < WORLDS_AT_ONCE; i++) {
        ends.add(
            workers.submit(
                () -> {
                  runAll(next, first + seeds);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      workers.shutdownNow();
    }
    assertThat(next.get()).isGreaterThanOrEqualTo(first + seeds);
  }

  /** Runs worlds as long as there are seeds. */
  private static void runAll(AtomicLong next, long end) throws InterruptedException {
    try (SimThreads threads = new SimThreads()) {
      for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
        List<String> failures = new Simulation(threads, seed, false).run();
        if (!failures.isEmpty()) {
          next.set(end);
        }
        assertThat(failures).as("run again with -Dsimulation.seed=%d", seed).isEmpty();
      }
    }
  }

  private static String story(long seed) throws InterruptedException {
    try (SimThreads threads = new SimThreads()) {
      Simulation run = new Simulation(threads, seed, true);
      run.run();
      return run.world.story();
    }
  }

  /** One world from its beginning to its end. */
  private static final class Simulation {
    final SimWorld world;
    private final SplittableRandom random;
    private final SimSource source;
    private final SimStore store;
    private SimHub.Durable durable = new SimHub.Durable();
    private final Map<String, String> settings = new HashMap<>(MemoryTarget.settings());
    private final List<SimHub> hubs = new ArrayList<>();
    private final double deaths;
    private final double freezes;
    private final double rivals;
    private final boolean equalEpochs;
    private long epoch;
    private int started;

    Simulation(SimThreads threads, long seed, boolean told) throws InterruptedException {
      world = new SimWorld(threads, seed, told);
      random = world.random();
      source = new SimSource(random, 4 + random.nextInt(14));
      store = new SimStore(world, source);
      store.faultRate(random.nextInt(5) == 0 ? 0 : random.nextDouble() * 0.3);
      deaths = random.nextInt(3) == 0 ? 0 : random.nextDouble() * 0.02;
      freezes = random.nextInt(2) == 0 ? 0 : random.nextDouble() * 0.02;
      rivals = random.nextInt(2) == 0 ? 0 : random.nextDouble() * 0.02;
      equalEpochs = random.nextInt(4) == 0;
      settings.put("writePartnerEvents", "false");
      settings.put("parquetCompression", "UNCOMPRESSED");
      settings.put("cdcBatchMaxSeconds", random.nextInt(3) == 0 ? "0" : "1");
      settings.put("cdcBatchRows", Integer.toString(1 + random.nextInt(8)));
      settings.put("uploadBlockSizeMb", "1");
    }

    List<String> run() throws InterruptedException {
      startHub();
      for (int step = 0; step < TROUBLED_STEPS && world.failures().isEmpty(); step++) {
        if (!world.step() && hubs.isEmpty()) {
          break;
        }
        trouble();
      }
      settle();
      return world.failures();
    }

    private void startHub() {
      if (!equalEpochs || epoch == 0) {
        epoch++;
      }
      if (!hubs.isEmpty()) {
        durable = durable.copy();
      }
      SimHub hub = new SimHub(world, source, store, durable, "hub" + ++started, epoch, settings);
      hubs.add(hub);
      hub.start();
    }

    private void trouble() {
      for (SimHub hub : List.copyOf(hubs)) {
        if (hub.ended()) {
          world.kill(hub.process());
          hubs.remove(hub);
        } else if (world.chance(deaths)) {
          world.kill(hub.process());
          hubs.remove(hub);
        } else if (world.chance(freezes)) {
          world.freeze(
              hub.process(), Duration.ofMillis(random.nextInt(60_000)), random.nextBoolean());
        }
      }
      if (world.chance(0.02)) {
        store.consume();
      }
      if (world.chance(0.001)) {
        world.shiftWall(Duration.ofMinutes(random.nextInt(60)));
      }
      if (world.chance(0.003)) {
        world.tell("the hub loses its state");
        durable.lose();
      }
      if (hubs.isEmpty() || (hubs.size() < 2 && world.chance(rivals))) {
        startHub();
      }
    }

    /** Everything heals; the hub is started until all is there. */
    private void settle() {
      world.tell("all faults end");
      store.faultRate(0);
      for (SimHub hub : hubs) {
        world.kill(hub.process());
      }
      hubs.clear();
      for (int start = 1; start <= LAST_STARTS && world.failures().isEmpty(); start++) {
        startHub();
        SimHub hub = hubs.remove(0);
        for (int step = 0; !hub.ended() && world.failures().isEmpty(); step++) {
          if (!world.step() || step == PATIENCE_STEPS) {
            world.fail(hub.process().name + " never ends");
          }
        }
        world.kill(hub.process());
        if (complete()) {
          return;
        }
      }
      if (world.failures().isEmpty()) {
        world.fail("The tables never become complete: " + standing());
      }
    }

    private boolean complete() {
      return durable.confirmedOrder() == source.end()
          && SimSource.TABLES.stream()
              .allMatch(table -> store.covered(table) >= source.lastWritten(table, source.end()));
    }

    private String standing() {
      StringBuilder text = new StringBuilder("confirmed " + durable.confirmedOrder());
      for (TableSchema table : SimSource.TABLES) {
        text.append(", ").append(table.table()).append(" at ").append(store.covered(table));
      }
      return text + ", the source is at " + source.end();
    }
  }
}
