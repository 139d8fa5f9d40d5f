package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A connection folder in memory. */
final class MemoryFiles implements TargetFiles {
  private final Map<String, byte[]> files = new TreeMap<>();
  long bytesRead;

  MemoryFiles put(String path, byte[] content) {
    files.put(path, content);
    return this;
  }

  MemoryFiles put(String path, String content) {
    return put(path, content.getBytes(StandardCharsets.UTF_8));
  }

  MemoryFiles remove(String path) {
    if (files.remove(path) == null) {
      throw new AssertionError("No file " + path);
    }
    return this;
  }

  /** Replaces the first such text of a file, which must be there. */
  MemoryFiles edit(String path, String from, String to) {
    String text = text(path);
    int at = text.indexOf(from);
    if (at < 0) {
      throw new AssertionError("No " + from + " in " + text);
    }
    return put(path, text.substring(0, at) + to + text.substring(at + from.length()));
  }

  /** Replaces every such text of a file, which must be there. */
  MemoryFiles editAll(String path, String from, String to) {
    if (!text(path).contains(from)) {
      throw new AssertionError("No " + from + " in " + text(path));
    }
    return put(path, text(path).replace(from, to));
  }

  String text(String path) {
    return new String(bytes(path), StandardCharsets.UTF_8);
  }

  byte[] bytes(String path) {
    byte[] content = files.get(path);
    if (content == null) {
      throw new AssertionError("No file " + path + " in " + files.keySet());
    }
    return content;
  }

  Set<String> paths() {
    return new TreeSet<>(files.keySet());
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException {
    String start = directory.isEmpty() ? "" : directory + "/";
    Set<String> names = new TreeSet<>();
    for (String path : files.keySet()) {
      if (path.startsWith(start)) {
        int slash = path.indexOf('/', start.length());
        names.add(path.substring(start.length(), slash < 0 ? path.length() : slash));
      }
    }
    if (names.isEmpty() && !directory.isEmpty()) {
      throw new NoSuchFileException(directory);
    }
    List<TargetFile> entries = new ArrayList<>();
    for (String name : names) {
      byte[] content = files.get(start + name);
      boolean folder = content == null;
      entries.add(
          new TargetFile(start + name, folder, folder ? 0 : content.length, Instant.EPOCH, ""));
    }
    return entries;
  }

  @Override
  public byte[] read(String path, long offset, int length) throws IOException {
    byte[] content = files.get(path);
    if (content == null) {
      throw new NoSuchFileException(path);
    }
    int from = (int) Math.min(offset, content.length);
    byte[] part =
        Arrays.copyOfRange(content, from, (int) Math.min(content.length, offset + length));
    bytesRead += part.length;
    return part;
  }

  @Override
  public void close() {}
}
