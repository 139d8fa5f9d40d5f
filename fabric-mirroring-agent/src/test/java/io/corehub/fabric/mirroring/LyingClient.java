package io.corehub.fabric.mirroring;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.storage.probe.StorageProbe;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A storage that breaks one promise and keeps all others. Confined to one caller and one reader.
 */
final class LyingClient implements DfsClient {

  /** The promise that is broken, and the probe that must say so. */
  enum Lie {
    NO_FOLDER_COMES_WITH_A_FILE(StorageProbe.FOLDER_WITH_FILE),
    CREATE_EMPTIES(StorageProbe.CREATE_KEEPS_FILE),
    CREATE_IS_REFUSED_AND_EMPTIES(StorageProbe.CREATE_KEEPS_FILE),
    CONDITION_IS_NOT_HEARD(StorageProbe.CONDITIONS_HEARD),
    RENAME_REPLACES(StorageProbe.RENAME_KEEPS_FILE),
    RENAME_IS_REFUSED_AND_REPLACES(StorageProbe.RENAME_KEEPS_FILE),
    RENAME_COPIES_BIT_BY_BIT(StorageProbe.RENAME_IS_ATOMIC),
    RENAME_LEAVES_THE_OLD_NAME(StorageProbe.RENAME_IS_ATOMIC),
    RENAME_REPEATED_EMPTIES(StorageProbe.RENAME_HAPPENS_ONCE),
    RENAME_REPEATED_SUCCEEDS(StorageProbe.RENAME_HAPPENS_ONCE),
    LIST_FORGETS(StorageProbe.LIST_IS_CURRENT),
    LIST_KNOWS_NO_LENGTH(StorageProbe.LIST_IS_CURRENT),
    FLUSH_TAKES_ANY_LENGTH(StorageProbe.FLUSH_CHECKS_LENGTH),
    APPEND_REPEATED_DAMAGES(StorageProbe.APPEND_REPEATS),
    LATE_APPEND_DOUBLES(StorageProbe.LATE_APPEND_IS_HARMLESS),
    APPEND_MAKES_A_FILE(StorageProbe.RENAMED_FILE_IS_FINAL),
    APPEND_FOLLOWS_A_RENAME(StorageProbe.RENAMED_FILE_IS_FINAL),
    READ_IS_OFF_BY_ONE(StorageProbe.TAIL_IS_READ),
    HEAD_KNOWS_NO_LENGTH(StorageProbe.TAIL_IS_READ),
    ETAG_IS_OF_THE_NAME(StorageProbe.ETAG_NAMES_FILE),
    LIST_HAS_OTHER_ETAGS(StorageProbe.ETAG_STAYS),
    DELETE_HEEDS_NO_ETAG(StorageProbe.DELETE_IF_MATCH),
    FOLDERS_HAVE_ONE_ETAG(StorageProbe.DELETE_IF_MATCH),
    NAMES_ARE_CHANGED(StorageProbe.NAMES_STAY);

    final StorageProbe found;

    Lie(StorageProbe found) {
      this.found = found;
    }
  }

  private static final int LARGE = 100_000;

  private final DfsClient honest;
  private final Lie lie;
  private final Set<String> madeByHand = new HashSet<>();
  private final Set<String> appended = new HashSet<>();
  private final Map<String, String> renamed = new HashMap<>();
  private final Semaphore looks = new Semaphore(0);

  LyingClient(DfsClient honest, Lie lie) {
    this.honest = honest;
    this.lie = lie;
  }

  private static boolean scratch(String path) {
    return path.substring(path.lastIndexOf('/') + 1).startsWith("corehub_probe_");
  }

  @Override
  public Optional<PathProperties> head(String path) throws InterruptedException {
    Optional<PathProperties> found = honest.head(path);
    if (lie == Lie.NO_FOLDER_COMES_WITH_A_FILE && scratch(path) && !madeByHand.contains(path)) {
      return Optional.empty();
    }
    return found.map(
        p ->
            new PathProperties(
                p.directory(),
                lie == Lie.HEAD_KNOWS_NO_LENGTH && p.length() > LARGE ? 0 : p.length(),
                p.lastModified(),
                lie == Lie.FOLDERS_HAVE_ONE_ETAG && p.directory() ? "\"1\"" : p.etag()));
  }

  @Override
  public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException {
    List<PathEntry> told = new ArrayList<>();
    honest.list(
        directory,
        recursive,
        e -> {
          if (lie != Lie.LIST_FORGETS || e.length() != 105) {
            told.add(
                new PathEntry(
                    lie == Lie.NAMES_ARE_CHANGED ? e.path().replace(' ', '+') : e.path(),
                    e.directory(),
                    lie == Lie.LIST_KNOWS_NO_LENGTH && e.length() == 105 ? 0 : e.length(),
                    e.lastModified(),
                    etag(e)));
          }
        });
    told.forEach(entries);
  }

  private String etag(PathEntry entry) {
    if (lie == Lie.ETAG_IS_OF_THE_NAME) {
      return Integer.toString(entry.path().hashCode());
    }
    return lie == Lie.LIST_HAS_OTHER_ETAGS ? entry.etag() + "0" : entry.etag();
  }

  @Override
  public void create(String path, boolean ifAbsent) throws InterruptedException {
    boolean there = honest.head(path).isPresent();
    if (lie == Lie.CREATE_IS_REFUSED_AND_EMPTIES && there) {
      honest.create(path, false);
    }
    honest.create(path, ifAbsent && lie != Lie.CREATE_EMPTIES);
  }

  @Override
  public void createDirectory(String path) throws InterruptedException {
    madeByHand.add(path);
    honest.createDirectory(path);
  }

  @Override
  public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException {
    long length = honest.head(path).map(PathProperties::length).orElse(-1L);
    byte[] content = new byte[bytes.remaining()];
    bytes.duplicate().get(content);
    if (lie == Lie.APPEND_REPEATED_DAMAGES && !appended.add(path + position + mode)) {
      Arrays.fill(content, (byte) 0);
    } else if (lie == Lie.LATE_APPEND_DOUBLES && length == content.length && position == 0) {
      rewrite(path, content, content);
      return;
    } else if (lie == Lie.APPEND_MAKES_A_FILE && length < 0 && mode != AppendMode.APPEND) {
      rewrite(path, content);
      return;
    } else if (lie == Lie.APPEND_FOLLOWS_A_RENAME && length < 0 && mode != AppendMode.APPEND) {
      rewrite(renamed.get(path), content);
      return;
    }
    honest.append(path, position, ByteBuffer.wrap(content), mode);
  }

  private void rewrite(String path, byte[]... parts) throws InterruptedException {
    honest.create(path, false);
    int at = 0;
    for (byte[] part : parts) {
      honest.append(path, at, ByteBuffer.wrap(part), AppendMode.APPEND);
      at += part.length;
    }
    honest.flush(path, at, true);
  }

  @Override
  public void flush(String path, long length, boolean close) throws InterruptedException {
    try {
      honest.flush(path, length, close);
    } catch (DfsException e) {
      if (lie != Lie.FLUSH_TAKES_ANY_LENGTH || e.kind() != Kind.INVALID_FLUSH_POSITION) {
        throw e;
      }
    }
  }

  @Override
  public String renameIfAbsent(String from, String to) throws InterruptedException {
    boolean source = honest.head(from).isPresent();
    boolean there = honest.head(to).isPresent();
    if (source && there && lie == Lie.RENAME_REPLACES) {
      honest.delete(to, false);
    }
    if (source && there && lie == Lie.RENAME_IS_REFUSED_AND_REPLACES) {
      rewrite(to, honest.read(from, 0, MAX_READ_BYTES));
    }
    if (!source && lie == Lie.RENAME_REPEATED_EMPTIES) {
      honest.create(to, false);
    }
    if (!source && lie == Lie.RENAME_REPEATED_SUCCEEDS) {
      return "";
    }
    byte[] content = source ? honest.read(from, 0, MAX_READ_BYTES) : new byte[0];
    // A table's file is large, too, and nobody looks for that one.
    boolean looked = content.length > LARGE && !FileName.isNumbered(to.replaceFirst(".*/", ""));
    if (lie == Lie.RENAME_COPIES_BIT_BY_BIT && looked) {
      looks.drainPermits();
      rewrite(to, Arrays.copyOf(content, LARGE / 2));
      if (!looks.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new AssertionError("Nobody looks while a file is renamed");
      }
      honest.delete(to, false);
    }
    String etag = honest.renameIfAbsent(from, to);
    renamed.put(from, to);
    if (lie == Lie.RENAME_LEAVES_THE_OLD_NAME && looked) {
      rewrite(from, content);
    }
    return lie == Lie.ETAG_IS_OF_THE_NAME ? Integer.toString(to.hashCode()) : etag;
  }

  @Override
  public byte[] read(String path, long offset, int length) throws InterruptedException {
    byte[] bytes = honest.read(path, offset, length);
    if (bytes.length < LARGE) {
      looks.release();
    }
    return lie == Lie.READ_IS_OFF_BY_ONE && offset > 0 && bytes.length > 0
        ? Arrays.copyOf(bytes, bytes.length - 1)
        : bytes;
  }

  @Override
  public void delete(String path, boolean recursive) throws InterruptedException {
    honest.delete(path, recursive);
  }

  @Override
  public void deleteTree(String path, String etag) throws InterruptedException {
    boolean any = lie == Lie.DELETE_HEEDS_NO_ETAG || lie == Lie.FOLDERS_HAVE_ONE_ETAG;
    honest.deleteTree(path, any ? "" : etag);
    if (lie == Lie.CONDITION_IS_NOT_HEARD) {
      throw DfsException.of(Kind.CONDITION_IGNORED, "delete")
          .build("the server names If-Match among x-ms-rejected-headers");
    }
  }

  @Override
  public void close() {
    honest.close();
  }
}
