package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code hub run} is killed at a random moment and started again, until its stream is in the
 * target; then comes the next stream. The request at which it dies may still be carried out,
 * seconds later.
 *
 * <p>{@code -Dkills=N} sets how often, {@code -Dkills.seed=N} begins at another place; a failure
 * names the seed of its stream.
 */
final class KillLoop {

  /** How many kills the long tests want. */
  static final int MANY = Integer.getInteger("kills", 25);

  private static final long SEED = Long.getLong("kills.seed", 1);

  /** Streams at the same time. */
  private static final int LANES = 3;

  private static final int MOST_REQUESTS = 60;
  private static final Map<String, String> QUICK_START =
      Map.of("HUB_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m");

  private final Path directory;
  private final Kind kind;
  private final AtomicInteger kills = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();

  /** What is killed, and how to tell whether it did well. */
  interface Kind {

    /**
     * Writes the configuration of a pipeline that has not run yet.
     *
     * @return the file
     */
    String configure(Emulator emulator, Stream stream) throws Exception;

    /** Fails unless every change of the stream is there once. */
    void judge(Emulator emulator, Stream stream) throws Exception;

    /** Makes room for the next stream. */
    void clear(Emulator emulator) throws Exception;

    /** Sets what kills the next run. */
    default Trap trap(Emulator emulator, Stream stream) throws Exception {
      emulator.addFaults(deadly(stream.random));
      return new Trap() {
        @Override
        public boolean struck() throws Exception {
          return emulator.firedFaults() > 0;
        }

        @Override
        public void clear() throws Exception {
          emulator.clearFaults();
        }
      };
    }
  }

  /** Tells when to kill. */
  interface Trap {
    boolean struck() throws Exception;

    /** It kills no more. */
    void clear() throws Exception;
  }

  /**
   * One stream and what goes with it.
   *
   * @param home its directory
   * @param name what the names of its tables begin with
   * @param random of its seed
   * @param changes what it holds
   */
  record Stream(Path home, String name, Random random, RandomStream changes) {}

  KillLoop(Path directory, Kind kind) {
    this.directory = directory;
    this.kind = kind;
  }

  /** Kills so many processes at least. */
  void kill(int most) throws Exception {
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
        Stream stream =
            new Stream(
                Files.createDirectory(home.resolve("stream-" + number)),
                "s" + number,
                new Random(seed),
                new RandomStream(seed, "s" + number));
        try {
          land(emulator, stream, most);
          kind.judge(emulator, stream);
        } catch (Exception | AssertionError e) {
          throw new AssertionError("Stream " + number + " of -Dkills.seed=" + SEED, e);
        }
        kind.clear(emulator);
      }
    }
  }

  private void land(Emulator emulator, Stream stream, int most) throws Exception {
    String config = kind.configure(emulator, stream);
    while (kills.get() < most) {
      Trap trap = kind.trap(emulator, stream);
      try (Hub.Running hub = Hub.start(QUICK_START, "run", config)) {
        Await.until(
            "the moment to die comes, or the hub ends",
            () -> trap.struck() || !hub.alive(),
            hub::errors);
        boolean struck = trap.struck();
        trap.clear();
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
}
