package io.corehub.cycles;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two writers off one job's folder: each start takes the next number, and who finds a higher
 * one than its own stops. Thread-safe.
 */
final class WriterFence {

  private static final Pattern NUMBER = Pattern.compile("(\\d{9})\\.json");
  private static final int MOST_TRIES = 20;
  private static final long LOOK_NANOS = 10_000_000_000L;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectStore store;
  private final String folder;
  private final int number;
  private volatile @Nullable Look look;

  /**
   * A look that found no newer run.
   *
   * @param cycle the cycle it was for
   * @param nanos when it was asked for
   */
  private record Look(CycleName cycle, long nanos) {}

  private WriterFence(ObjectStore store, String folder, int number) {
    this.store = store;
    this.folder = folder;
    this.number = number;
  }

  /**
   * Takes the next number.
   *
   * @param store the storage
   * @param folder the fence's folder
   * @param pipeline who writes
   * @param run id of this run
   * @param now the clock
   * @throws StoreException if that fails
   */
  static WriterFence take(
      ObjectStore store, String folder, String pipeline, String run, Instant now)
      throws InterruptedException {
    for (int tries = 1; ; tries++) {
      List<Integer> there = numbers(store, folder);
      int next = there.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
      ObjectNode json = MAPPER.createObjectNode();
      json.put("v", 1);
      json.put("pipeline", pipeline);
      json.put("run", run);
      json.put("startedAt", now.toString());
      try {
        store.publish(path(folder, next), (json + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (StoreException e) {
        if (e.code() != ErrorCode.CONFLICT || tries == MOST_TRIES) {
          throw e;
        }
        continue;
      }
      for (int old : there) {
        store.delete(path(folder, old));
      }
      return new WriterFence(store, folder, next);
    }
  }

  private static String path(String folder, int number) {
    return folder + "/" + String.format("%09d.json", number);
  }

  private static List<Integer> numbers(ObjectStore store, String folder)
      throws InterruptedException {
    List<Integer> numbers = new ArrayList<>();
    for (ObjectStore.Entry entry : store.list(folder, false)) {
      Matcher matcher = NUMBER.matcher(entry.name());
      if (matcher.matches()) {
        numbers.add(Integer.parseInt(matcher.group(1)));
      }
    }
    return numbers;
  }

  /**
   * The same number, looked after through another store.
   *
   * @param other the same storage, with the patience that later looks are to have
   */
  WriterFence in(ObjectStore other) {
    return new WriterFence(other, folder, number);
  }

  /**
   * Looks before a file of a cycle appears. A newer run may open a cycle of the same name in the
   * same second: a file of an older one that stands there first would be in its way. The first file
   * of a cycle looks, and each that comes ten seconds after a look.
   *
   * @param cycle the cycle
   * @param nanos monotonic time
   * @throws ActionRequiredException if a newer run took over, or the fence is gone
   */
  void proveFor(CycleName cycle, long nanos) throws InterruptedException {
    Look known = look;
    if (known == null || !known.cycle.equals(cycle) || nanos - known.nanos >= LOOK_NANOS) {
      prove();
      look = new Look(cycle, nanos);
    }
  }

  /**
   * Looks whether this run still is the writer.
   *
   * @throws ActionRequiredException if a newer run took over, or the fence is gone
   */
  void prove() throws InterruptedException {
    List<Integer> there = numbers(store, folder);
    int newest = there.stream().mapToInt(Integer::intValue).max().orElse(0);
    if (newest > number) {
      throw new ActionRequiredException(
          ErrorCode.FENCED,
          "WRITER_FENCED: a newer run writes "
              + store.address(folder)
              + " (number "
              + newest
              + ", this run has "
              + number
              + "). This run stops before its cycle is visible. Keep only one run of the pipeline.");
    }
    if (!there.contains(number)) {
      throw new ActionRequiredException(
          ErrorCode.CONFLICT,
          store.address(path(folder, number))
              + ", which this run made, is gone: somebody deleted or emptied the job's folder while it"
              + " is written, and published cycles may be gone with it. This run stops before it writes"
              + " more there. Put the folder back as it was, then start again; the start says whether"
              + " cycles are missing.");
    }
  }
}
