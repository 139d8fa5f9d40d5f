package io.corehub.cycles;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.cycles.Manifest.Load;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.runtime.UploadLane;
import io.corehub.runtime.rows.CellRule;
import io.corehub.runtime.rows.RowLimit;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where one table of the job stands. Guarded by the session's turn. */
final class TableCourse {

  private final TableId id;
  private final CycleConfig config;
  private final RowLimit rowLimit;
  private final CellRule.Replacements replacements;
  private @Nullable TableSchema schema;
  private @Nullable TableShape shape;
  private @Nullable RowRules rules;

  /** Schema versions whose schema files are known to stand in the storage. */
  final Set<Integer> written = new HashSet<>();

  int incarnation = 1;
  int version;
  String hash = "";
  Phase phase = Phase.CDC;

  /** The last commit whose rows of this table are in a cycle, if there is one. */
  Optional<Long> applied = Optional.empty();

  private long unfinishedOrder;
  private Optional<Long> beforeUnfinished = Optional.empty();

  /** Commits up to this one came before, in an earlier run or in the load. */
  Optional<Long> known = Optional.empty();

  Optional<Load> load = Optional.empty();

  /** The last commit of the backlog, once it is known. */
  Optional<Long> backlogUpTo = Optional.empty();

  /** Whether rows of this incarnation, its T at least, are in a cycle. */
  boolean begun;

  @Nullable CycleLoad loading;
  @Nullable TableStoppedException stopped;
  @Nullable UploadLane lane;

  /** The shape that the host was told of. */
  String toldHash = "";

  /** Figures for a person. */
  Optional<String> lastFile = Optional.empty();

  Optional<SourcePosition> lastPosition = Optional.empty();
  Optional<Instant> oldest = Optional.empty();
  long files;
  long rows;
  long bytes;
  boolean diverged;

  /** Whether the host was told of a truncation that was skipped. */
  boolean truncateTold;

  TableCourse(
      TableId id, CycleConfig config, RowLimit rowLimit, CellRule.Replacements replacements) {
    this.id = id;
    this.config = config;
    this.rowLimit = rowLimit;
    this.replacements = replacements;
  }

  TableId id() {
    return id;
  }

  /** Goes on where the newest manifest says. */
  void resume(TableState state) {
    incarnation = state.incarnation();
    version = state.schemaVersion();
    hash = state.schemaHash();
    phase = state.phase();
    applied = Optional.of(state.appliedOrder());
    known = applied;
    load = state.load();
    begun = true;
    for (int i = 1; i <= version; i++) {
      written.add(i);
    }
  }

  /** Whether its rows have ever been in a cycle. */
  boolean exists() {
    return version > 0 && (begun || applied.isPresent());
  }

  /**
   * Rows of a commit are in the open cycle.
   *
   * @param order order of the commit
   * @param unfinished whether more of it is to come
   */
  void applied(long order, boolean unfinished) {
    if (unfinished && !applied.equals(Optional.of(order))) {
      unfinishedOrder = order;
      beforeUnfinished = applied;
    }
    applied = Optional.of(order);
  }

  /** Rows of a commit that is not finished were given up: it was not applied. */
  void gaveUp(long order) {
    if (applied.equals(Optional.of(order)) && unfinishedOrder == order) {
      applied = beforeUnfinished;
      begun = begun && applied.isPresent();
    }
  }

  /** Whether nothing of it counts: it waits for a load. */
  boolean empty() {
    return !exists() || (phase == Phase.TRUNCATION && load.map(l -> l.id().isEmpty()).orElse(true));
  }

  /** Whether what comes next begins it anew, so that nothing which was passed over is missing. */
  boolean beginsAnew() {
    return config.rules().combined()
        ? empty() || phase == Phase.TRUNCATION || phase == Phase.LOAD
        : !exists();
  }

  TableState state() {
    return new TableState(incarnation, version, phase, hash, applied.orElse(0L), load);
  }

  /**
   * Whether rows of a schema begin a new version.
   *
   * @throws TableStoppedException if the schema cannot be written
   */
  boolean isNewVersion(TableSchema next) {
    if (schema != null && schema.equals(next)) {
      return false;
    }
    return exists()
        && !TableShape.of(next, config.columns(), config.layout().format()).hash().equals(hash);
  }

  /**
   * Takes the schema of the rows that come now.
   *
   * @param mayChangeKey whether the rows begin a new incarnation
   * @throws TableStoppedException if the schema cannot be written, or changed its key
   */
  void follow(TableSchema next, boolean mayChangeKey) {
    if (schema != null && schema.equals(next) && rules != null) {
      return;
    }
    TableShape nextShape = TableShape.of(next, config.columns(), config.layout().format());
    boolean keyKnown = exists() && !hash.isEmpty();
    if (keyKnown && !mayChangeKey && !nextShape.sameKeyAs(hash)) {
      throw new TableStoppedException(
          id,
          ErrorCode.KEY_CHANGED,
          "Table "
              + id
              + " has another primary key than the rows that are in its cycles, which consumers"
              + " cannot follow. Re-create the table, so that it is loaded anew: stop the hub, run"
              + " its command recreate-table, start it again.");
    }
    if (version == 0 || (exists() && !hash.isEmpty() && !nextShape.hash().equals(hash))) {
      version++;
    }
    hash = nextShape.hash();
    schema = next;
    shape = nextShape;
    rules = new RowRules(nextShape, replacements, rowLimit);
  }

  TableShape shape() {
    TableShape known = shape;
    if (known == null) {
      throw new IllegalStateException("Table " + id + " has no shape yet");
    }
    return known;
  }

  boolean hasShape() {
    return shape != null;
  }

  RowRules rules() {
    RowRules known = rules;
    if (known == null) {
      throw new IllegalStateException("Table " + id + " has no shape yet");
    }
    return known;
  }

  /** What precedes the positions of changes of a commit. */
  Optional<SequencePrefix> prefix(long order) {
    return config.rules().combined()
        ? Optional.of(new SequencePrefix(incarnation, version, phaseOf(order)))
        : Optional.empty();
  }

  SequencePrefix prefix(Phase of) {
    return new SequencePrefix(incarnation, version, of);
  }

  /** The phase that changes of a commit belong to. */
  Phase phaseOf(long order) {
    if (!config.rules().combined() || load.isEmpty()) {
      return Phase.CDC;
    }
    if (loading != null || isUpTo(order, load.get().capturedUpTo())) {
      return Phase.DURING_LOAD;
    }
    return load.get().backlog() && (backlogUpTo.isEmpty() || isUpTo(order, backlogUpTo))
        ? Phase.BACKLOG
        : Phase.CDC;
  }

  private static boolean isUpTo(long order, Optional<Long> bound) {
    return bound.isPresent() && Long.compareUnsigned(order, bound.get()) <= 0;
  }

  /** Whether a commit's rows came before. */
  boolean knows(long order) {
    return isUpTo(order, known);
  }

  /** A load waits for its first page or for its end. */
  boolean toBeLoaded() {
    return config.rules().combined()
        && stopped == null
        && (loading != null
            || (exists() ? phase == Phase.TRUNCATION || phase == Phase.LOAD : applied.isEmpty()));
  }

  /** Whether changes captured around its load are still to come. */
  boolean hasBacklog() {
    return phase == Phase.DURING_LOAD || phase == Phase.BACKLOG;
  }

  /**
   * Moves on to the phase of the next commit.
   *
   * @param takenUpTo order of the last commit that was taken whole
   */
  void catchUp(Optional<Long> takenUpTo) {
    if (load.isEmpty() || loading != null || !hasBacklog()) {
      return;
    }
    Load of = load.get();
    if (phase == Phase.DURING_LOAD && reached(takenUpTo, of.capturedUpTo())) {
      phase = of.backlog() ? Phase.BACKLOG : Phase.CDC;
    }
    if (phase == Phase.BACKLOG && backlogUpTo.isPresent() && reached(takenUpTo, backlogUpTo)) {
      phase = Phase.CDC;
      load = Optional.of(new Load(of.id(), of.order(), of.capturedUpTo(), false));
    }
  }

  private static boolean reached(Optional<Long> taken, Optional<Long> bound) {
    return bound.isEmpty()
        || (taken.isPresent() && Long.compareUnsigned(taken.get(), bound.get()) >= 0);
  }

  TableStatus status() {
    TableStatus.State state =
        stopped != null
            ? TableStatus.State.STOPPED
            : loading != null
                ? TableStatus.State.SNAPSHOT
                : empty() ? TableStatus.State.WAITING : TableStatus.State.CHANGES;
    UploadLane files = lane;
    return new TableStatus(
        id,
        state,
        diverged,
        lastFile,
        lastPosition,
        oldest,
        files == null ? 0 : files.queued(),
        this.files,
        rows,
        bytes,
        Optional.ofNullable(stopped).map(Throwable::getMessage),
        Optional.empty());
  }
}
