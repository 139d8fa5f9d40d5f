package io.corehub.storage.probe;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes of the storage alone. Each takes paths of its own, so that it may be repeated, and says
 * what it saw that must not be. Confined to one caller at a time.
 */
final class StorageProbes {

  private static final Logger LOG = LoggerFactory.getLogger(StorageProbes.class);

  private static final int LISTS = 10;
  private static final int RENAMES = 4;
  private static final int LARGE = 200_000;
  private static final int TAIL = 64 << 10;

  /** Failures that say nothing about what is probed. */
  private static final Set<Kind> BESIDE_THE_POINT =
      EnumSet.of(
          Kind.CONTAINER_NOT_FOUND,
          Kind.UNAUTHORIZED,
          Kind.FORBIDDEN,
          Kind.TLS,
          Kind.NOT_ONELAKE,
          Kind.SIGN_IN_REFUSED,
          Kind.CLOSED);

  private final DfsClient client;
  private final Executor threads;
  private final ProbeFolder scratch;
  private final Random random = new Random(1);

  /**
   * Probes.
   *
   * @param client sends the requests, each once
   * @param threads runs what looks while another request is under way
   * @param scratch where they write
   */
  StorageProbes(DfsClient client, Executor threads, ProbeFolder scratch) {
    this.client = client;
    this.threads = threads;
    this.scratch = scratch;
  }

  /**
   * Runs a probe once.
   *
   * @return what refutes its assumption; empty if it holds
   * @throws DfsException if it could not be tried
   */
  Optional<String> run(StorageProbe probe) throws InterruptedException {
    try {
      return switch (probe) {
        case FOLDER_WITH_FILE -> folderWithFile();
        case CREATE_KEEPS_FILE -> createKeepsFile();
        case CONDITIONS_HEARD -> conditionsHeard();
        case RENAME_KEEPS_FILE -> renameKeepsFile();
        case RENAME_IS_ATOMIC -> renameIsAtomic();
        case RENAME_HAPPENS_ONCE -> renameHappensOnce();
        case LIST_IS_CURRENT -> listIsCurrent();
        case FLUSH_CHECKS_LENGTH -> flushChecksLength();
        case APPEND_REPEATS -> appendRepeats();
        case LATE_APPEND_IS_HARMLESS -> lateAppendIsHarmless();
        case RENAMED_FILE_IS_FINAL -> renamedFileIsFinal();
        case TAIL_IS_READ -> tailIsRead();
        case ETAG_NAMES_FILE -> etagNamesFile();
        case ETAG_STAYS -> etagStays();
        case DELETE_IF_MATCH -> deleteIfMatch();
        case NAMES_STAY -> namesStay();
      };
    } catch (DfsException e) {
      if (e.transientFault() || BESIDE_THE_POINT.contains(e.kind())) {
        throw e;
      }
      return Optional.of("the server answered: " + e.getMessage());
    }
  }

  private Optional<String> folderWithFile() throws InterruptedException {
    client.create(scratch.unused(), true);
    return client.head(scratch.path()).filter(PathProperties::directory).isPresent()
        ? Optional.empty()
        : Optional.of("the file was created, and its folder is not there");
  }

  private Optional<String> createKeepsFile() throws InterruptedException {
    byte[] first = bytes(100);
    String file = scratch.written(first);
    if (!refused(() -> client.create(file, true))) {
      return Optional.of("a second create of the same name succeeded");
    }
    return same(file, first);
  }

  private Optional<String> conditionsHeard() throws InterruptedException {
    String file = scratch.unused();
    client.create(file, true);
    client.renameIfAbsent(file, scratch.unused());
    String folder = twin();
    client.createDirectory(folder);
    client.deleteTree(folder, etagOf(folder));
    return Optional.empty();
  }

  private Optional<String> renameKeepsFile() throws InterruptedException {
    byte[] first = bytes(100);
    byte[] second = bytes(100);
    String to = scratch.unused();
    client.renameIfAbsent(scratch.written(first), to);
    String other = scratch.written(second);
    if (!refused(() -> client.renameIfAbsent(other, to))) {
      return Optional.of("a second rename to the same name succeeded");
    }
    return same(to, first);
  }

  private Optional<String> renameIsAtomic() throws InterruptedException {
    for (int round = 0; round < RENAMES; round++) {
      byte[] whole = bytes(LARGE);
      String from = scratch.written(whole);
      String to = scratch.unused();
      Looks looks = new Looks(to, whole);
      threads.execute(looks);
      try {
        looks.awaitBegin();
        client.renameIfAbsent(from, to);
      } finally {
        looks.end();
      }
      if (looks.part >= 0) {
        return Optional.of(
            "while the file of " + LARGE + " bytes was renamed, a reader found " + looks.part);
      }
      if (client.head(from).isPresent()) {
        return Optional.of("after the rename the file also stands under its old name");
      }
      Optional<String> changed = same(to, whole);
      if (changed.isPresent()) {
        return changed;
      }
    }
    return Optional.empty();
  }

  private Optional<String> renameHappensOnce() throws InterruptedException {
    byte[] first = bytes(100);
    String from = scratch.written(first);
    String to = scratch.unused();
    client.renameIfAbsent(from, to);
    if (!refused(() -> client.renameIfAbsent(from, to))) {
      return Optional.of("the same rename succeeded twice");
    }
    return client.head(from).isPresent()
        ? Optional.of("the second one brought a file back under the old name")
        : same(to, first);
  }

  private Optional<String> listIsCurrent() throws InterruptedException {
    for (int round = 0; round < LISTS; round++) {
      byte[] content = bytes(100 + round);
      String to = scratch.unused();
      client.renameIfAbsent(scratch.written(content), to);
      Optional<PathEntry> listed = scratch.listed(to);
      if (listed.isEmpty()) {
        return Optional.of("a file whose rename was answered was not in the list");
      }
      if (listed.get().length() != content.length) {
        return Optional.of(
            "the list said " + listed.get().length() + " bytes of a file of " + content.length);
      }
    }
    return Optional.empty();
  }

  private Optional<String> flushChecksLength() throws InterruptedException {
    String file = scratch.unused();
    client.create(file, true);
    client.append(file, 0, ByteBuffer.wrap(bytes(100)), AppendMode.APPEND);
    if (!refused(() -> client.flush(file, 200, true))) {
      return Optional.of("100 bytes were appended, and a flush at 200 succeeded");
    }
    long length = client.head(file).map(PathProperties::length).orElse(-1L);
    return length <= 0
        ? Optional.empty()
        : Optional.of("a refused flush made " + length + " bytes part of the file");
  }

  private Optional<String> appendRepeats() throws InterruptedException {
    byte[] whole = bytes(200);
    ByteBuffer first = ByteBuffer.wrap(whole, 0, 100);
    String file = scratch.unused();
    client.create(file, true);
    client.append(file, 0, first, AppendMode.APPEND);
    client.append(file, 0, first, AppendMode.APPEND);
    client.append(file, 100, ByteBuffer.wrap(whole, 100, 100), AppendMode.APPEND);
    client.flush(file, 200, true);
    return same(file, whole);
  }

  private Optional<String> lateAppendIsHarmless() throws InterruptedException {
    byte[] content = bytes(100);
    String file = scratch.written(content);
    tried(() -> client.append(file, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE));
    return same(file, content);
  }

  private Optional<String> renamedFileIsFinal() throws InterruptedException {
    byte[] content = bytes(100);
    byte[] more = bytes(50);
    String from = scratch.written(content);
    tried(() -> client.append(from, 100, ByteBuffer.wrap(more), AppendMode.APPEND));
    String to = scratch.unused();
    client.renameIfAbsent(from, to);
    tried(() -> client.flush(from, 150, true));
    tried(() -> client.append(from, 100, ByteBuffer.wrap(more), AppendMode.APPEND_FLUSH_CLOSE));
    tried(() -> client.append(from, 0, ByteBuffer.wrap(more), AppendMode.APPEND_FLUSH_CLOSE));
    return client.head(from).isPresent()
        ? Optional.of("an append brought a file back under the old name")
        : same(to, content);
  }

  private Optional<String> tailIsRead() throws InterruptedException {
    byte[] whole = bytes(LARGE);
    String file = scratch.written(whole);
    long length = client.head(file).map(PathProperties::length).orElse(-1L);
    if (length != LARGE) {
      return Optional.of("HEAD says " + length + " bytes of a file of " + LARGE);
    }
    boolean right =
        Arrays.equals(
                client.read(file, LARGE - TAIL, TAIL),
                Arrays.copyOfRange(whole, LARGE - TAIL, LARGE))
            && Arrays.equals(
                client.read(file, LARGE - 10, 100), Arrays.copyOfRange(whole, LARGE - 10, LARGE))
            && client.read(file, LARGE, 100).length == 0;
    return right ? Optional.empty() : Optional.of("a range came back with other bytes");
  }

  private Optional<String> etagNamesFile() throws InterruptedException {
    String to = scratch.unused();
    client.renameIfAbsent(scratch.written(bytes(100)), to);
    String first = listedEtag(to);
    client.delete(to, false);
    client.renameIfAbsent(scratch.written(bytes(100)), to);
    String second = listedEtag(to);
    return !first.isEmpty() && first.equals(second)
        ? Optional.of("two files that stood there one after the other had the etag " + first)
        : Optional.empty();
  }

  private Optional<String> etagStays() throws InterruptedException {
    String to = scratch.unused();
    String answered = client.renameIfAbsent(scratch.written(bytes(100)), to);
    String listed = listedEtag(to);
    return !answered.isEmpty() && answered.equals(listed)
        ? Optional.empty()
        : Optional.of("the rename told '" + answered + "', the list '" + listed + "'");
  }

  private Optional<String> deleteIfMatch() throws InterruptedException {
    String folder = twin();
    client.createDirectory(folder);
    String first = etagOf(folder);
    client.delete(folder, true);
    byte[] content = bytes(100);
    String inside = folder + "/" + scratch.unusedName();
    client.createDirectory(folder);
    scratch.write(inside, content);
    if (first.isEmpty() || first.equals(etagOf(folder))) {
      return Optional.of("a folder that was made anew has the etag of the one before: " + first);
    }
    if (!refused(() -> client.deleteTree(folder, first))) {
      return Optional.of(
          "the folder that was made anew was deleted for the etag of the one before");
    }
    return same(inside, content);
  }

  private Optional<String> namesStay() throws InterruptedException {
    byte[] content = bytes(100);
    String from = scratch.pathOf("_a 50%, ü%2F " + scratch.unusedName());
    String to = scratch.pathOf("_b +%25 ñ " + scratch.unusedName());
    scratch.write(from, content);
    if (scratch.listed(from).isEmpty()) {
      return Optional.of("a file is not listed under the name it was created with");
    }
    client.renameIfAbsent(from, to);
    if (scratch.listed(to).isEmpty()) {
      return Optional.of("a file is not listed under the name it was renamed to");
    }
    Optional<String> changed = same(to, content);
    client.delete(to, false);
    return changed;
  }

  private String twin() {
    return scratch.pathOf("_twin_" + scratch.unusedName());
  }

  private String etagOf(String path) throws InterruptedException {
    return client.head(path).map(PathProperties::etag).orElse("");
  }

  private String listedEtag(String path) throws InterruptedException {
    return scratch.listed(path).map(PathEntry::etag).orElse("");
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Empty if the file has this content. */
  private Optional<String> same(String file, byte[] content) throws InterruptedException {
    Optional<byte[]> found = scratch.content(file);
    if (found.isEmpty()) {
      return Optional.of("the file is gone");
    }
    return Arrays.equals(found.get(), content)
        ? Optional.empty()
        : Optional.of(
            "a file of "
                + content.length
                + " bytes holds "
                + found.get().length
                + (found.get().length == content.length ? " other ones" : ""));
  }

  private interface Request {
    void send() throws InterruptedException;
  }

  /** Whether a request is refused. One that is carried out against its condition is not. */
  private static boolean refused(Request request) throws InterruptedException {
    try {
      request.send();
      return false;
    } catch (DfsException e) {
      if (e.transientFault()
          || e.kind() == Kind.CONDITION_IGNORED
          || BESIDE_THE_POINT.contains(e.kind())) {
        throw e;
      }
      return true;
    }
  }

  /** A request that may be refused or not; what counts is what it did. */
  private static void tried(Request request) throws InterruptedException {
    boolean unused = refused(request);
  }

  /** Looks at a name again and again while a file is renamed to it. */
  private final class Looks implements Runnable {
    private final String path;
    private final byte[] whole;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean enough;

    /** Bytes of a part that was found; -1 for none. */
    private volatile long part = -1;

    Looks(String path, byte[] whole) {
      this.path = path;
      this.whole = whole;
    }

    void awaitBegin() throws InterruptedException {
      begun.await();
    }

    void end() throws InterruptedException {
      enough = true;
      ended.await();
    }

    @Override
    public void run() {
      try {
        while (!enough && part < 0) {
          look();
          begun.countDown();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        begun.countDown();
        ended.countDown();
      }
    }

    private void look() throws InterruptedException {
      try {
        Optional<byte[]> found = scratch.content(path);
        if (found.isPresent() && !Arrays.equals(found.get(), whole)) {
          part = found.get().length;
        }
      } catch (DfsException e) {
        // A look that fails saw nothing; the rename itself tells what is wrong.
        LOG.debug("A look at {} failed", path, e);
      }
    }
  }
}
