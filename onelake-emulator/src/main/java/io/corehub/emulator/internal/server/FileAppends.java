package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.server.Namespace.Place;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import io.corehub.emulator.internal.store.ReadableFile;
import io.corehub.emulator.internal.store.StagedFile;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Append and flush, and the uncommitted bytes between them. Thread-safe. */
final class FileAppends {
  private static final int CHUNK = 64 * 1024;

  private final FileStore store;
  private final PathLocks locks;
  private final Map<String, UncommittedFile> uncommitted = new ConcurrentHashMap<>();

  FileAppends(FileStore store, PathLocks locks) {
    this.store = store;
    this.locks = locks;
  }

  Answer append(Call call, Place place) throws IOException {
    long position = position(call);
    long length = call.contentLength();
    boolean flush = call.flag("flush");
    if (length < 0) {
      throw new RefusedException(
          411, "MissingContentLengthHeader", "The Content-Length header was not specified.");
    }
    if (length == 0 && !flush) {
      throw RefusedException.invalidHeader("Content-Length", "0");
    }
    UncommittedFile file = locks.onFile(place.storePath(), () -> openForAppend(call, place));
    if (position < file.committedLength()) {
      throw invalidFlushPosition();
    }
    long stored = receive(call, file, position, length);
    file.arrived(position, position + stored);
    if (!flush) {
      return Answer.empty(202).with("x-ms-request-server-encrypted", "true");
    }
    Entry entry =
        locks.onFile(place.storePath(), () -> commit(call, place, position + length, file));
    return PathHeaders.describe(Answer.empty(202), entry)
        .with("x-ms-request-server-encrypted", "true");
  }

  Answer flush(Call call, Place place) throws IOException {
    PathWrites.requireEmptyBody(call);
    long position = position(call);
    Entry entry =
        locks.onFile(
            place.storePath(),
            () -> {
              requireFile(call, place);
              return commit(call, place, position, uncommitted.get(place.storePath()));
            });
    return PathHeaders.describe(Answer.empty(200), entry)
        .with("x-ms-request-server-encrypted", "true");
  }

  /** Drops the uncommitted bytes of a file. */
  void forget(String path) throws IOException {
    UncommittedFile file = uncommitted.remove(path);
    if (file != null) {
      file.close();
    }
  }

  /** Drops the uncommitted bytes of a path and everything below it. */
  void forgetBelow(String path) throws IOException {
    forget(path);
    for (String candidate : List.copyOf(uncommitted.keySet())) {
      if (candidate.startsWith(path + "/")) {
        forget(candidate);
      }
    }
  }

  /** Lets uncommitted bytes follow a rename; those of the replaced destination are dropped. */
  void moved(String from, String to) throws IOException {
    forget(to);
    for (String candidate : List.copyOf(uncommitted.keySet())) {
      if (candidate.equals(from) || candidate.startsWith(from + "/")) {
        UncommittedFile file = uncommitted.remove(candidate);
        if (file != null) {
          uncommitted.put(to + candidate.substring(from.length()), file);
        }
      }
    }
  }

  private UncommittedFile openForAppend(Call call, Place place) throws IOException {
    Entry entry = requireFile(call, place);
    UncommittedFile present = uncommitted.get(place.storePath());
    if (present != null) {
      return present;
    }
    UncommittedFile fresh = new UncommittedFile(stageWithCommitted(entry), entry.length());
    uncommitted.put(place.storePath(), fresh);
    return fresh;
  }

  private Entry requireFile(Call call, Place place) throws IOException {
    if (place.managed()) {
      throw RefusedException.managedFolder();
    }
    Optional<Entry> found = store.find(place.storePath());
    if (found.isEmpty()) {
      forget(place.storePath());
      throw RefusedException.pathNotFound();
    }
    if (found.get().directory()) {
      throw new RefusedException(
          409, "ResourceTypeMismatch", "The resource type is directory; only a file takes data.");
    }
    Conditions.require(call.headers(), found);
    return found.get();
  }

  private StagedFile stageWithCommitted(Entry entry) throws IOException {
    StagedFile staged = store.stage();
    if (entry.length() > 0) {
      try (ReadableFile committed = store.open(entry.path())) {
        byte[] buffer = new byte[CHUNK];
        long done = 0;
        int read = committed.read(0, buffer, 0, CHUNK);
        while (read > 0) {
          staged.write(done, buffer, 0, read);
          done += read;
          read = committed.read(done, buffer, 0, CHUNK);
        }
      }
    }
    return staged;
  }

  /** Stores the body and says how much of it was kept. */
  private static long receive(Call call, UncommittedFile file, long position, long length)
      throws IOException {
    long keep = call.storeLimit() < 0 ? length : Math.min(length, call.storeLimit());
    byte[] buffer = new byte[(int) Math.max(1, Math.min(length, CHUNK))];
    long received = 0;
    while (received < length) {
      int read = call.body().read(buffer, 0, (int) Math.min(buffer.length, length - received));
      if (read < 0) {
        throw new EOFException("body ended after " + received + " of " + length + " bytes");
      }
      int kept = (int) Math.max(0, Math.min(read, keep - received));
      if (kept > 0 && !file.write(position + received, buffer, kept)) {
        throw RefusedException.pathNotFound();
      }
      received += read;
    }
    return keep;
  }

  private Entry commit(
      Call call,
      Place place,
      long position,
      @org.jspecify.annotations.Nullable UncommittedFile file)
      throws IOException {
    Optional<Entry> present = store.find(place.storePath());
    if (present.isEmpty()) {
      throw RefusedException.pathNotFound();
    }
    if (file == null) {
      if (position != present.get().length()) {
        throw invalidFlushPosition();
      }
      return present.get();
    }
    if (uncommitted.get(place.storePath()) != file) {
      throw RefusedException.pathNotFound();
    }
    boolean retain = call.flag("retainUncommittedData");
    if (retain && (position < file.contiguousLength() || file.hasGap())) {
      throw RefusedException.invalidQuery("retainUncommittedData", "true");
    }
    if (position != file.contiguousLength() || file.hasGap()) {
      throw invalidFlushPosition();
    }
    uncommitted.remove(place.storePath());
    file.commit(store, place.storePath(), position);
    return store.find(place.storePath()).orElseThrow(RefusedException::pathNotFound);
  }

  private static long position(Call call) throws RefusedException {
    String text = call.parameter("position").orElse("");
    if (!text.matches("\\d{1,18}")) {
      throw RefusedException.invalidQuery("position", text);
    }
    return Long.parseLong(text);
  }

  private static RefusedException invalidFlushPosition() {
    return new RefusedException(
        400,
        "InvalidFlushPosition",
        "The uploaded data is not contiguous or the position query parameter value is not equal to the"
            + " length of the file after appending the uploaded data.");
  }
}
