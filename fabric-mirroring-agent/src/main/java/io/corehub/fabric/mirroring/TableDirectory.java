package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.runtime.text.IgnoringCase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

/** The tables of a session: opened, refused or removed. Thread-safe. */
final class TableDirectory {

  /** Folders looked at at the same time. */
  private static final int PARALLEL = 16;

  /** Stops that a new folder cures. */
  private static final Set<ErrorCode> CURED_BY_RECREATION =
      EnumSet.of(
          ErrorCode.KEY_CHANGED,
          ErrorCode.TYPE_REFUSED,
          ErrorCode.NAME_REFUSED,
          ErrorCode.NEEDS_SNAPSHOT,
          ErrorCode.SOURCE_REPLACED);

  private final MirrorShared shared;
  private final Optional<SourcePosition> resumedAt;
  private final Map<TableId, TableMirror> mirrors = new ConcurrentHashMap<>();
  private final Map<TableId, Refusal> refused = new ConcurrentHashMap<>();
  private final Set<TableId> removed = ConcurrentHashMap.newKeySet();

  /** What {@link #open} waits for. */
  private final Queue<CompletableFuture<TableProgress>> looks = new ConcurrentLinkedQueue<>();

  private volatile boolean ended;

  /** Tables that are being added, each with the twins it was found to have meanwhile. */
  private final Map<TableId, List<TableId>> adding = new LinkedHashMap<>();

  /** Why a table is not taken, and since when the position waits for it, if it does. */
  private record Refusal(TableStoppedException reason, Optional<Instant> heldSince) {}

  TableDirectory(MirrorShared shared, Optional<SourcePosition> resumedAt) {
    this.shared = shared;
    this.resumedAt = resumedAt;
  }

  List<TableMirror> all() {
    return List.copyOf(mirrors.values());
  }

  Optional<TableMirror> find(TableId table) {
    return Optional.ofNullable(mirrors.get(table));
  }

  TableMirror mirror(TableId table) {
    TableMirror mirror = mirrors.get(table);
    if (mirror != null) {
      return mirror;
    }
    Refusal refusal = refused.get(table);
    if (refusal != null) {
      throw refusal.reason;
    }
    throw new IllegalArgumentException("Table " + table + " was not opened");
  }

  /** Whether changes of a table are taken; those of a refused or removed one are dropped. */
  boolean takes(TableId table) {
    if (mirrors.containsKey(table)) {
      return true;
    }
    if (refused.containsKey(table) || removed.contains(table)) {
      return false;
    }
    throw new IllegalArgumentException("Table " + table + " was not opened");
  }

  Map<TableId, TableProgress> open(List<TableSpec> specs) throws InterruptedException {
    refuseTwins(specs);
    Map<TableId, CompletableFuture<TableProgress>> results = new LinkedHashMap<>();
    Queue<Runnable> todo = new ConcurrentLinkedQueue<>();
    for (TableSpec spec : specs) {
      CompletableFuture<TableProgress> look = new CompletableFuture<>();
      results.put(spec.table(), look);
      if (refused.containsKey(spec.table())) {
        look.complete(new TableProgress.Stopped(refused.get(spec.table()).reason));
      } else {
        todo.add(() -> look(spec, look));
      }
    }
    looks.addAll(results.values());
    if (ended) {
      endLooks();
    }
    for (int i = Math.min(PARALLEL, todo.size()); i > 0; i--) {
      shared.zone().workers().uploads().execute(() -> runAll(todo));
    }
    Map<TableId, TableProgress> progress = new LinkedHashMap<>();
    for (Map.Entry<TableId, CompletableFuture<TableProgress>> look : results.entrySet()) {
      progress.put(look.getKey(), result(look.getValue()));
    }
    looks.clear();
    return progress;
  }

  private static void runAll(Queue<Runnable> todo) {
    for (Runnable next = todo.poll(); next != null; next = todo.poll()) {
      next.run();
    }
  }

  private void look(TableSpec spec, CompletableFuture<TableProgress> look) {
    try {
      look.complete(take(spec));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      look.completeExceptionally(e);
    } catch (RuntimeException | Error e) {
      look.completeExceptionally(e);
    }
  }

  /** The threads have ended: who waits for a look that they dropped waits no longer. */
  void ended() {
    ended = true;
    endLooks();
  }

  private void endLooks() {
    looks.forEach(look -> look.completeExceptionally(new InterruptedException()));
  }

  private static TableProgress result(CompletableFuture<TableProgress> look)
      throws InterruptedException {
    try {
      return look.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException) {
        throw new InterruptedException("The agent was closed while it was opened");
      }
      throw new IllegalStateException("A table could not be opened", e.getCause());
    }
  }

  private void refuseTwins(List<TableSpec> specs) {
    Map<String, List<TableId>> byFolder = new LinkedHashMap<>();
    for (TableSpec spec : specs) {
      try {
        String folder = IgnoringCase.of(FileSchema.folderOf(spec.table()));
        byFolder.computeIfAbsent(folder, f -> new ArrayList<>()).add(spec.table());
      } catch (TableStoppedException stop) {
        refuse(stop);
      }
    }
    for (List<TableId> twins : byFolder.values()) {
      if (twins.size() > 1) {
        twins.forEach(table -> refuse(twin(table, twins)));
      }
    }
  }

  private static TableStoppedException twin(TableId table, List<TableId> twins) {
    return new TableStoppedException(
        table,
        ErrorCode.NAME_REFUSED,
        "Table "
            + table
            + ": the names of "
            + twins
            + " differ only by case, and Fabric would take them for one table. Rename one, or leave"
            + " all but one out.");
  }

  private void refuse(TableStoppedException reason) {
    boolean passed = shared.remembered().passedOver(reason.table()) != PassedOver.NO;
    if (shared.config().rules().holdStopped() && !passed) {
      shared.ledger().hold(reason.table());
      refused.put(
          reason.table(), new Refusal(reason, Optional.of(shared.zone().clock().instant())));
    } else {
      shared.ledger().pass(reason.table());
      refused.put(reason.table(), new Refusal(reason, Optional.empty()));
    }
    shared.count("tables.stopped", 1, reason.table());
    shared.news().tableStopped(reason);
  }

  TableProgress add(TableSpec spec) throws InterruptedException {
    TableId table = spec.table();
    TableMirror old = mirrors.remove(table);
    if (old != null) {
      if (!old.isStopped()) {
        mirrors.put(table, old);
        throw new IllegalStateException("Table " + table + " is open already");
      }
      old.remove();
    }
    if (shared.ledger().misses(table)) {
      // What it was handed while it was stopped does not come a second time in this session.
      shared.remembered().notePassed(table, PassedOver.STOPPED);
    }
    shared.ledger().release(table);
    refused.remove(table);
    removed.remove(table);
    try {
      beginAdding(table);
    } catch (TableStoppedException stop) {
      refuse(stop);
      return new TableProgress.Stopped(stop);
    }
    TableProgress progress;
    List<TableId> twins;
    try {
      progress = take(spec);
    } finally {
      synchronized (adding) {
        twins = adding.remove(table);
      }
    }
    TableMirror mirror = mirrors.get(table);
    if (mirror == null || twins == null || twins.isEmpty()) {
      return progress;
    }
    TableStoppedException stop = twin(table, twins);
    mirror.stopNow(stop);
    return new TableProgress.Stopped(stop);
  }

  /**
   * Takes a table's name, which no other may have but for its case.
   *
   * @throws TableStoppedException if one has: that one is stopped too
   */
  private void beginAdding(TableId table) {
    String folder = IgnoringCase.of(FileSchema.folderOf(table));
    synchronized (adding) {
      for (Map.Entry<TableId, TableMirror> open : mirrors.entrySet()) {
        TableId other = open.getKey();
        if (IgnoringCase.of(FileSchema.folderOf(other)).equals(folder)) {
          List<TableId> twins = List.of(other, table);
          open.getValue().stopNow(twin(other, twins));
          throw twin(table, twins);
        }
      }
      for (Map.Entry<TableId, List<TableId>> other : adding.entrySet()) {
        if (IgnoringCase.of(FileSchema.folderOf(other.getKey())).equals(folder)) {
          List<TableId> twins = List.of(other.getKey(), table);
          other.setValue(twins);
          throw twin(table, twins);
        }
      }
      adding.put(table, List.of());
    }
  }

  private TableProgress take(TableSpec spec) throws InterruptedException {
    try {
      TableMirror mirror = opened(spec);
      mirrors.put(spec.table(), mirror);
      return mirror.progress();
    } catch (TableStoppedException stop) {
      boolean recreate =
          spec.settings().get(MirroringSettings.SNAPSHOT_ONTO_EXISTING_TABLE).equals("recreate")
              && shared.remembered().passedOver(spec.table()) != PassedOver.REMOVED;
      if (recreate && CURED_BY_RECREATION.contains(stop.code())) {
        return recreated(spec, stop);
      }
      refuse(stop);
      return new TableProgress.Stopped(stop);
    }
  }

  private TableMirror opened(TableSpec spec) throws InterruptedException {
    if (shared.remembered().passedOver(spec.table()) == PassedOver.REMOVED) {
      throw PassedOver.REMOVED.stop(spec.table(), shared.ledger().confirmedPosition());
    }
    Recreation recreation = new Recreation(shared);
    if (shared.remembered().ending(spec.table()).isPresent()) {
      recreation.startOver(spec.table(), FolderFence.Only.ANYTHING);
    }
    TableOpening.Opened opened;
    try {
      opened =
          shared.zone().atSetUp(() -> shared.opening().open(spec.schema(), shared.remembered()));
    } catch (DfsException e) {
      throw shared.zone().stopped(spec.table(), e);
    }
    refuseOtherTimeline(spec.table(), opened.log());
    TableProgress progress = opened.log().progress();
    boolean nothing = progress instanceof TableProgress.NothingPublished;
    boolean whole = !nothing && !(progress instanceof TableProgress.SnapshotUnfinished);
    PassedOver passedOver = shared.remembered().passedOver(spec.table());
    boolean passed = passedOver != PassedOver.NO;
    if (whole && passed) {
      throw passedOver.stop(spec.table(), shared.ledger().confirmedPosition());
    }
    // A file of the run that stopped may still appear in an empty folder: it must not be gone on
    // behind, so the snapshot starts the folder over.
    TableMirror mirror = new TableMirror(shared, spec, opened, nothing && passed);
    if (whole) {
      mirror.noteLastPublished();
      recreation.awaitReturn(spec.table());
    }
    return mirror;
  }

  private void refuseOtherTimeline(TableId table, TableLog log) {
    String written = log.reached().map(TableLog.Reached::timeline).orElse("");
    String now = resumedAt.map(SourcePosition::timeline).orElse("");
    if (!written.isEmpty() && !now.isEmpty() && !written.equals(now)) {
      throw ReplayGuard.sourceReplaced(table, written, now);
    }
  }

  private TableProgress recreated(TableSpec spec, TableStoppedException why) {
    try {
      TableMirror mirror =
          new TableMirror(shared, spec, shared.opening().fresh(spec.schema()), true);
      mirrors.put(spec.table(), mirror);
      shared
          .news()
          .warning(
              Optional.of(spec.table()),
              "Table "
                  + spec.table()
                  + " is re-created by its next snapshot, as snapshotOntoExistingTable says. The"
                  + " reason: "
                  + why.getMessage());
      return new TableProgress.NothingPublished();
    } catch (TableStoppedException stop) {
      refuse(stop);
      return new TableProgress.Stopped(stop);
    }
  }

  /**
   * Lets go of a table and deletes its folder.
   *
   * @return whether there was anything of it
   * @throws TableStoppedException if it stays
   */
  boolean recreate(TableId table) throws InterruptedException {
    Optional<TableMirror> mirror = find(table);
    if (mirror.isPresent() && mirror.get().snapshotRuns()) {
      throw new IllegalStateException("A snapshot of " + table + " is running");
    }
    letGo(table);
    if (mirror.isPresent()) {
      shared.news().await(mirror.get()::quiet);
    }
    return new Recreation(shared).startOver(table, FolderFence.Only.ANYTHING);
  }

  /**
   * Lets go of a table, and has the host remember that the position goes on without it.
   *
   * @throws TableStoppedException if the host cannot store that
   */
  void remove(TableId table) throws InterruptedException {
    shared.remembered().noteRemoved(table);
    letGo(table);
    try {
      shared.news().storeState();
    } catch (ExecutionException e) {
      throw new TableStoppedException(
          table,
          ErrorCode.INTERNAL,
          "Table "
              + table
              + ": it is not removed for good, because the hub could not store that it is to be: "
              + String.valueOf(e.getCause())
              + ". Correct that and remove it again.",
          e);
    }
  }

  private void letGo(TableId table) {
    TableMirror mirror = mirrors.remove(table);
    boolean known = mirror != null || refused.remove(table) != null;
    removed.add(table);
    if (mirror != null) {
      mirror.remove();
    } else if (known) {
      shared.ledger().pass(table);
      shared.news().confirm();
    }
  }

  List<TableStatus> status() {
    List<TableStatus> all = new ArrayList<>();
    mirrors.values().forEach(mirror -> all.add(mirror.status()));
    refused.forEach(
        (table, refusal) ->
            all.add(
                new FileCounts()
                    .status(
                        table,
                        TableStatus.State.STOPPED,
                        shared.remembered().diverged(table),
                        refusal.heldSince,
                        0,
                        Optional.ofNullable(refusal.reason.getMessage()))));
    return all;
  }
}
