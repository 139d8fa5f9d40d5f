package io.corehub.hub.debezium.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;

/**
 * The engine's offsets, kept in memory: they begin with the position that the hub confirmed, which
 * is the only one that survives a restart. Made by Debezium by class name. Thread-safe.
 */
public final class ResumeOffsetStore implements OffsetBackingStore {

  /** Property with the log position to go on behind, as a decimal number. */
  public static final String RESUME_BEHIND = "corehub.resume.behind";

  private final Map<ByteBuffer, ByteBuffer> marked = new HashMap<>();
  private String resumeBehind = "0";

  /** An empty store. */
  public ResumeOffsetStore() {}

  @Override
  public void configure(WorkerConfig config) {
    resumeBehind = String.valueOf(config.originals().getOrDefault(RESUME_BEHIND, "0"));
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  /**
   * The offset of a commit. It names the end of the commit and no row: Debezium then asks the
   * server for everything behind it and skips nothing by itself.
   *
   * @param order order of the commit
   * @return keys and values of Debezium's offset
   */
  public static Map<String, Long> offsetOf(long order) {
    return Map.of("lsn", order, "lsn_commit", order);
  }

  @Override
  public Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Map<ByteBuffer, ByteBuffer> found = new HashMap<>();
    synchronized (marked) {
      for (ByteBuffer key : keys) {
        found.put(key, marked.getOrDefault(key, resumeOffset()).duplicate());
      }
    }
    return CompletableFuture.completedFuture(found);
  }

  private ByteBuffer resumeOffset() {
    String json = "{\"lsn\":" + resumeBehind + ",\"lsn_commit\":" + resumeBehind + "}";
    return ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Future<Void> set(Map<ByteBuffer, ByteBuffer> values, Callback<Void> callback) {
    synchronized (marked) {
      marked.putAll(values);
    }
    if (callback != null) {
      callback.onCompletion(null, null);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }
}
