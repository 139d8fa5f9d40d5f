package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableSchema;
import io.corehub.fabric.mirroring.SimWorld.Process;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.memory.InMemoryFileSystem;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * OneLake with everything that may go wrong between it and a process, and Fabric behind it. What
 * becomes visible is checked at once.
 */
final class SimStore {

  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LATEST = Duration.ofSeconds(90);

  /** Fabric is taken to leave a file for longer than the proof of a folder lasts. */
  private static final Duration NOT_CLEANED = TableFolder.PROOF_LASTS.plusMillis(1);

  private final SimWorld world;
  private final SimSource source;
  private final InMemoryFileSystem files;
  private final DfsClient direct;
  private final Map<String, SimLedger> ledgers = new HashMap<>();
  private final Map<String, Long> visibleAt = new HashMap<>();
  private double faultRate;

  SimStore(SimWorld world, SimSource source) throws InterruptedException {
    this.world = world;
    this.source = source;
    this.files =
        new InMemoryFileSystem(
            new Clock() {
              @Override
              public Instant instant() {
                return world.now();
              }

              @Override
              public ZoneId getZone() {
                return ZoneOffset.UTC;
              }

              @Override
              public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
              }
            });
    this.direct = files.client();
    direct.createDirectory(MemoryTarget.ROOT);
    SimSource.TABLES.forEach(this::newLedger);
  }

  private void newLedger(TableSchema table) {
    ledgers.put(folder(table), new SimLedger(source, table, world::fail));
  }

  static String folder(TableSchema table) {
    return MemoryTarget.ROOT + "/" + FolderName.of(table.table());
  }

  void faultRate(double rate) {
    faultRate = rate;
  }

  long covered(TableSchema table) {
    return ledgers.get(folder(table)).covered();
  }

  // --- Fabric ----------------------------------------------------------------------------------

  /**
   * Fabric takes what is there, and cleans up what has been there for a while, but never the last
   * file.
   */
  void consume() {
    for (TableSchema table : SimSource.TABLES) {
      try {
        consume(folder(table));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void consume(String folder) throws InterruptedException {
    List<String> numbered = new ArrayList<>();
    if (direct.head(folder).isEmpty()) {
      return;
    }
    direct.list(
        folder,
        false,
        entry -> {
          if (FileName.isNumbered(entry.name())) {
            numbered.add(entry.name());
          }
        });
    numbered.sort(null);
    for (int i = 0; i + 1 < numbered.size(); i++) {
      String file = folder + "/" + numbered.get(i);
      if (world.since(visibleAt.getOrDefault(file, 0L)).compareTo(NOT_CLEANED) > 0) {
        String clean = folder + "/_FilesReadyToDelete";
        direct.createDirectory(clean);
        if (direct.head(clean + "/" + numbered.get(i)).isEmpty()) {
          direct.renameIfAbsent(file, clean + "/" + numbered.get(i));
          world.tell("Fabric cleans up " + file);
        }
      }
    }
  }

  // --- requests --------------------------------------------------------------------------------

  private interface Work<T> {
    T run() throws InterruptedException;
  }

  private enum Fault {
    NONE,
    BEFORE,
    AFTER,
    LATE,
    BUSY,
    THROTTLED,
    LIE_NOT_FOUND,
    LIE_EXISTS,
    LIE_CONDITION,
    LIE_PARENT,
    FORBIDDEN,
    PORTAL,
    HANG
  }

  private static final Fault[] ANY = {
    Fault.BEFORE,
    Fault.AFTER,
    Fault.LATE,
    Fault.LATE,
    Fault.BUSY,
    Fault.THROTTLED,
    Fault.HANG,
    Fault.AFTER
  };
  private static final Fault[] RENAME = {
    Fault.LIE_NOT_FOUND, Fault.LIE_EXISTS, Fault.LIE_CONDITION, Fault.LIE_PARENT
  };
  private static final Fault[] RARE = {Fault.FORBIDDEN, Fault.PORTAL};

  private Fault fault(String operation) {
    if (!world.chance(faultRate)) {
      return Fault.NONE;
    }
    if (world.chance(0.03)) {
      return RARE[world.random().nextInt(RARE.length)];
    }
    if (operation.equals("rename") && world.chance(0.5)) {
      return RENAME[world.random().nextInt(RENAME.length)];
    }
    return ANY[world.random().nextInt(ANY.length)];
  }

  private final class Turn {
    Fault fault = Fault.NONE;
    boolean applied;
    Duration delay = Duration.ZERO;
  }

  private <T> T request(Process process, String operation, String path, Work<T> work)
      throws InterruptedException {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (FileName.isNumbered(name) && List.of("create", "append", "flush").contains(operation)) {
      world.fail(operation + " of the published name " + path);
    }
    live(process, operation);
    Turn turn = new Turn();
    world.gate(
        process,
        operation,
        Duration.ZERO,
        () -> {
          turn.fault = fault(operation);
          turn.applied = world.chance(0.5);
          turn.delay = Duration.ofMillis(world.random().nextLong(LATEST.toMillis()));
        });
    live(process, operation);
    if (turn.fault != Fault.NONE) {
      world.tell(process.name + " " + operation + " " + path + " " + turn.fault);
    }
    switch (turn.fault) {
      case NONE -> {
        T result = work.run();
        world.tell(process.name + " " + operation + " " + path);
        answered(process, operation);
        return result;
      }
      case BEFORE -> throw failure(Kind.CONNECTION_LOST, operation);
      case AFTER -> {
        quietly(work);
        answered(process, operation);
        throw failure(Kind.CONNECTION_LOST, operation);
      }
      case LATE -> {
        world.in(null, turn.delay, () -> late(process, operation, path, work));
        world.gate(process, operation, TRY_TIMEOUT, () -> {});
        live(process, operation);
        throw failure(Kind.TIMEOUT, operation);
      }
      case HANG -> {
        world.gate(process, operation, turn.delay, () -> {});
        live(process, operation);
        return work.run();
      }
      case PORTAL -> throw failure(Kind.NOT_ONELAKE, operation);
      default -> {
        if (turn.applied) {
          quietly(work);
          answered(process, operation);
        }
        throw status(turn.fault, operation);
      }
    }
  }

  private DfsException status(Fault fault, String operation) {
    return switch (fault) {
      case LIE_NOT_FOUND -> failure(Kind.SOURCE_NOT_FOUND, operation);
      case LIE_EXISTS -> failure(Kind.ALREADY_EXISTS, operation);
      case LIE_CONDITION -> failure(Kind.CONDITION_NOT_MET, operation);
      case LIE_PARENT -> failure(Kind.PARENT_NOT_FOUND, operation);
      case FORBIDDEN -> failure(Kind.FORBIDDEN, operation);
      case THROTTLED ->
          DfsException.of(Kind.THROTTLED, operation)
              .outcomeUnknown(true)
              .retryAfter(Duration.ofSeconds(5))
              .build(operation + " was throttled");
      default -> failure(Kind.TRANSIENT, operation);
    };
  }

  private void late(Process process, String operation, String path, Work<?> work) {
    world.tell("the service performs " + process.name + "'s " + operation + " " + path + " late");
    try {
      quietly(work);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void quietly(Work<?> work) throws InterruptedException {
    try {
      work.run();
    } catch (DfsException refused) {
      // Nobody hears the service's answer.
      if (refused.kind() == Kind.CLOSED) {
        throw refused;
      }
    }
  }

  /** The answer is on its way: the world goes on, or the process dies. */
  private void answered(Process process, String operation) throws InterruptedException {
    world.gate(process, operation, Duration.ZERO, () -> {});
    live(process, operation);
  }

  private static void live(Process process, String operation) {
    if (process.dead()) {
      throw DfsException.of(Kind.CLOSED, operation).build("the process is dead");
    }
  }

  private static DfsException failure(Kind kind, String operation) {
    return DfsException.of(kind, operation)
        .outcomeUnknown(true)
        .build(operation + " ended with " + kind);
  }

  private void renamed(String to) throws InterruptedException {
    int slash = to.lastIndexOf('/');
    SimLedger ledger = ledgers.get(to.substring(0, slash));
    String name = to.substring(slash + 1);
    if (ledger != null && FileName.isNumbered(name)) {
      world.tell("visible: " + to);
      visibleAt.put(to, world.elapsed());
      ledger.published(name, direct.read(to, 0, DfsClient.MAX_READ_BYTES));
    }
  }

  private void deleted(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (FileName.isNumbered(name)
        && Long.parseLong(FileName.digits(name))
            <= ledgers.get(path.substring(0, path.lastIndexOf('/'))).number()) {
      world.fail("the published file " + path + " was deleted");
    }
    SimSource.TABLES.stream()
        .filter(table -> folder(table).equals(path))
        .forEach(
            table -> {
              world.tell("folder " + path + " is deleted");
              if (covered(table) >= 0) {
                world.fail("a finished folder was deleted");
              }
              newLedger(table);
            });
  }

  /** What one process sees of the store. */
  DfsClient client(Process process) {
    return new DfsClient() {
      @Override
      public Optional<PathProperties> head(String path) throws InterruptedException {
        return request(process, "head", path, () -> direct.head(path));
      }

      @Override
      public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
          throws InterruptedException {
        List<PathEntry> found =
            request(
                process,
                "list",
                directory,
                () -> {
                  List<PathEntry> all = new ArrayList<>();
                  direct.list(directory, recursive, all::add);
                  return all;
                });
        found.forEach(entries);
      }

      private void step(String operation, String path, Step step) throws InterruptedException {
        request(
            process,
            operation,
            path,
            () -> {
              step.run();
              return path;
            });
      }

      @Override
      public void create(String path, boolean ifAbsent) throws InterruptedException {
        step("create", path, () -> direct.create(path, ifAbsent));
      }

      @Override
      public void createDirectory(String path) throws InterruptedException {
        step("create directory", path, () -> direct.createDirectory(path));
      }

      @Override
      public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
          throws InterruptedException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        step("append", path, () -> direct.append(path, position, ByteBuffer.wrap(copy), mode));
      }

      @Override
      public void flush(String path, long length, boolean close) throws InterruptedException {
        step("flush", path, () -> direct.flush(path, length, close));
      }

      @Override
      public String renameIfAbsent(String from, String to) throws InterruptedException {
        return request(
            process,
            "rename",
            to,
            () -> {
              String etag = direct.renameIfAbsent(from, to);
              renamed(to);
              return etag;
            });
      }

      @Override
      public byte[] read(String path, long offset, int length) throws InterruptedException {
        return request(process, "read", path, () -> direct.read(path, offset, length));
      }

      @Override
      public void delete(String path, boolean recursive) throws InterruptedException {
        step(
            "delete",
            path,
            () -> {
              direct.delete(path, recursive);
              deleted(path);
            });
      }

      @Override
      public void deleteTree(String path, String etag) throws InterruptedException {
        step(
            "delete",
            path,
            () -> {
              direct.deleteTree(path, etag);
              deleted(path);
            });
      }

      @Override
      public void close() {}
    };
  }

  private interface Step {
    void run() throws InterruptedException;
  }
}
