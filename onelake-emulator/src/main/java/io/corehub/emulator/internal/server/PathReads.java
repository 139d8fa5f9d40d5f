package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.server.Namespace.Place;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.ReadableFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HEAD and GET of paths. Thread-safe. */
final class PathReads {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})?");

  private final FileStore store;

  PathReads(FileStore store) {
    this.store = store;
  }

  Answer head(Call call, Place place) throws IOException {
    if (place.fileSystem()) {
      return Answer.empty(200).with("x-ms-namespace-enabled", "true").with("Content-Length", "0");
    }
    Entry entry = store.find(place.storePath()).orElseThrow(RefusedException::pathNotFound);
    if (notModified(call, entry)) {
      return PathHeaders.describe(Answer.empty(304), entry);
    }
    Conditions.require(call.headers(), Optional.of(entry));
    return PathHeaders.describeFully(Answer.empty(200), entry)
        .with("Content-Length", Long.toString(entry.length()));
  }

  Answer get(Call call, Place place) throws IOException {
    Entry entry = store.find(place.storePath()).orElseThrow(RefusedException::pathNotFound);
    if (entry.directory()) {
      throw new RefusedException(
          409, "ResourceTypeMismatch", "The resource type is directory; only a file can be read.");
    }
    if (notModified(call, entry)) {
      return PathHeaders.describe(Answer.empty(304), entry);
    }
    Conditions.require(call.headers(), Optional.of(entry));
    ReadableFile file;
    try {
      file = store.open(place.storePath());
    } catch (NoSuchFileException e) {
      throw RefusedException.pathNotFound();
    }
    try {
      Answer answer = ranged(call, file);
      return PathHeaders.describeFully(answer, entry);
    } catch (RefusedException e) {
      file.close();
      throw e;
    }
  }

  private static Answer ranged(Call call, ReadableFile file) throws RefusedException {
    Optional<String> range = call.header("x-ms-range").or(() -> call.header("range"));
    if (range.isEmpty()) {
      return Answer.range(200, file, 0, file.length());
    }
    Matcher matcher = RANGE.matcher(range.get().trim());
    if (!matcher.matches()) {
      throw RefusedException.invalidHeader("Range", range.get());
    }
    long from = Long.parseLong(matcher.group(1));
    long last = matcher.group(2) == null ? Long.MAX_VALUE : Long.parseLong(matcher.group(2));
    if (last < from) {
      throw RefusedException.invalidHeader("Range", range.get());
    }
    if (from >= file.length()) {
      throw new RefusedException(
          416,
          "InvalidRange",
          "The range specified is invalid for the current size of the resource.");
    }
    last = Math.min(last, file.length() - 1);
    return Answer.range(206, file, from, last - from + 1)
        .with("Content-Range", "bytes " + from + "-" + last + "/" + file.length());
  }

  private static boolean notModified(Call call, Entry entry) {
    return call.header("if-none-match")
        .map(tag -> tag.replace("\"", "").trim().equals(entry.etag()))
        .orElse(false);
  }
}
