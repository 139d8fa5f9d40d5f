package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** A landing zone in memory. Filled by one thread, then read by any. */
final class MemoryFiles implements TargetFiles {
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<String, Instant> times = new TreeMap<>();
  private final Set<String> directories = new TreeSet<>(Set.of(""));
  private final Set<String> gone = new HashSet<>();
  private final Set<String> failing = new HashSet<>();
  private final AtomicLong bytesRead = new AtomicLong();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  MemoryFiles put(String path, byte[] content) {
    files.put(path, content);
    now = now.plusSeconds(1);
    times.put(path, now);
    int slash = path.lastIndexOf('/');
    return slash < 0 ? this : directory(path.substring(0, slash));
  }

  MemoryFiles put(String path, String content) {
    return put(path, content.getBytes(StandardCharsets.UTF_8));
  }

  MemoryFiles directory(String path) {
    directories.add(path);
    int slash = path.lastIndexOf('/');
    return slash < 0 ? this : directory(path.substring(0, slash));
  }

  /** It is listed, but gone when it is to be read. */
  MemoryFiles vanishing(String path) {
    gone.add(path);
    return this;
  }

  /** It cannot be read for a reason that lies in the target. */
  MemoryFiles failing(String path) {
    failing.add(path);
    return this;
  }

  byte[] content(String path) {
    return files.get(path);
  }

  long bytesRead() {
    return bytesRead.get();
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException {
    if (!directories.contains(directory)) {
      throw new NoSuchFileException(directory);
    }
    List<TargetFile> entries = new ArrayList<>();
    for (String path : directories) {
      if (!path.isEmpty() && parent(path).equals(directory)) {
        entries.add(new TargetFile(path, true, 0, now, ""));
      }
    }
    files.forEach(
        (path, content) -> {
          if (parent(path).equals(directory)) {
            entries.add(new TargetFile(path, false, content.length, times.get(path), ""));
          }
        });
    return entries;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  @Override
  public byte[] read(String path, long offset, int length) throws IOException {
    byte[] content = files.get(path);
    if (content == null || gone.contains(path)) {
      throw new NoSuchFileException(path);
    }
    if (failing.contains(path)) {
      throw new IOException("The target does not answer");
    }
    int from = (int) Math.min(offset, content.length);
    byte[] part =
        Arrays.copyOfRange(content, from, (int) Math.min(content.length, offset + length));
    bytesRead.addAndGet(part.length);
    return part;
  }

  @Override
  public void close() {}
}
