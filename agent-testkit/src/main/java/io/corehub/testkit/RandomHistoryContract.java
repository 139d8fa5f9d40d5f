package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.RandomCommits.Extra;
import io.corehub.testkit.SourceChange.Insert;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tables and transactions made from seeds end in the target as the model says. */
interface RandomHistoryContract {

  AgentBench bench();

  /** Another bench over a target of its own. */
  AgentBench newBench();

  @Test
  default void randomHistoriesEndAsTheModelSays() {
    Seeds.forEach(
        25, 40, (seed, size) -> runHistory(seed, size, AgentTuning.PATIENT.withRowsPerFile(17), 0));
  }

  @Test
  default void randomHistoriesCommitByCommitEndAsTheModelSays() {
    Seeds.forEach(15, 20, (seed, size) -> runHistory(seed, size, AgentTuning.PROMPT, 0));
  }

  @Test
  default void randomHistoriesWithCrashesEndAsTheModelSays() {
    Seeds.forEach(
        20, 30, (seed, size) -> runHistory(seed, size, AgentTuning.PATIENT.withRowsPerFile(5), 4));
  }

  /** Loads tables, applies commits in batches of random length, and crashes now and then. */
  private void runHistory(long seed, int size, AgentTuning tuning, int crashesWanted)
      throws InterruptedException {
    Random random = new Random(seed);
    List<RandomTable> tables = new ArrayList<>();
    RandomTables source = new RandomTables(seed);
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      tables.add(source.next(size));
    }
    ReferenceModel model = new ReferenceModel();
    tables.forEach(table -> model.snapshot(table.schema(), table.rows()));
    try (AgentBench own = newBench()) {
      RandomCommits history = new RandomCommits(seed, tables, extrasFor(own.target()));
      List<SourceCommit> commits = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        commits.add(history.next(size));
      }
      commits.forEach(model::apply);
      new HistoryRun(own, tuning, tables, commits, random, crashesWanted).run();
      for (RandomTable table : tables) {
        own.assertShows(model, table.schema());
      }
    }
  }

  /** Without whole old rows nobody can tell which row passed a key on to which. */
  private static Set<Extra> extrasFor(TestTarget target) {
    Set<Extra> extras = EnumSet.allOf(Extra.class);
    if (target.descriptor().beforeImage() != BeforeImage.FULL) {
      extras.remove(Extra.PASSED_ON_KEYS);
    }
    return extras;
  }

  @Test
  default void hostileValuesAreKeptExactlyOrStopTheirTable() throws InterruptedException {
    Map<TableSchema, SourceRow> cases = hostileRows();
    List<TableSchema> tables = new ArrayList<>(cases.keySet());
    tables.add(LOG);
    AgentSession session = bench().open(AgentTuning.PROMPT, tables.toArray(TableSchema[]::new));
    long order = 1;
    for (SourceRow row : cases.values()) {
      session.apply(SourceCommit.at(order++, new Insert(row)));
    }
    session.apply(insertAt(order, LOG));
    session.flush();

    cases.forEach((table, row) -> assertKeptOrStopped(session, table, row));
    int id = Math.toIntExact(order);
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, id, id)));
  }

  private void assertKeptOrStopped(AgentSession session, TableSchema table, SourceRow row) {
    Optional<TableStoppedException> stop = session.listener().stopOf(table.table());
    if (stop.isPresent()) {
      assertThat(stop.get().code())
          .isIn(ErrorCode.VALUE_REFUSED, ErrorCode.TYPE_REFUSED, ErrorCode.TOO_LARGE);
      assertThat(stop.get()).hasMessageContaining(table.table().toString());
      bench().assertNothingOf(table);
    } else if (!(session.progressOf(table) instanceof TableProgress.Stopped)) {
      bench().assertHolds(table, Rows.ofSource(List.of(row)));
    }
  }

  private static Map<TableSchema, SourceRow> hostileRows() {
    Map<TableSchema, SourceRow> cases = new LinkedHashMap<>();
    put(cases, ColumnType.of(Kind.STRING), "\uD800");
    put(cases, ColumnType.of(Kind.STRING), "a\uDC00b");
    put(cases, ColumnType.of(Kind.STRING), "\0");
    put(cases, ColumnType.of(Kind.STRING), "");
    put(cases, ColumnType.of(Kind.STRING), "x".repeat(1 << 20));
    put(cases, ColumnType.of(Kind.BYTE_ARRAY), new byte[0]);
    put(cases, ColumnType.of(Kind.LOCAL_DATE), ColumnType.INFINITE_DATE);
    put(cases, ColumnType.of(Kind.LOCAL_DATE), ColumnType.MINUS_INFINITE_DATE);
    put(cases, ColumnType.of(Kind.LOCAL_DATE), -800_000);
    put(cases, ColumnType.of(Kind.LOCAL_TIME), 86_400_000_000L);
    put(cases, ColumnType.of(Kind.LOCAL_DATE_TIME), ColumnType.INFINITE_TIMESTAMP);
    put(cases, ColumnType.of(Kind.LOCAL_DATE_TIME), 253_402_300_800_000_000L);
    put(cases, ColumnType.of(Kind.OFFSET_DATE_TIME), ColumnType.MINUS_INFINITE_TIMESTAMP);
    put(cases, ColumnType.of(Kind.OFFSET_DATE_TIME), -62_135_596_800_000_001L);
    put(cases, ColumnType.of(Kind.BIG_DECIMAL), "0.1234567890123456789012345678901234567890");
    put(cases, ColumnType.decimal(38, 0), "9".repeat(38));
    put(cases, ColumnType.decimal(60, 20), "1".repeat(40) + "." + "2".repeat(20));
    put(cases, ColumnType.of(Kind.DOUBLE), Double.NaN);
    put(cases, ColumnType.of(Kind.DOUBLE), -0.0);
    put(cases, ColumnType.of(Kind.ARRAY), "[\"\\ud800\"]");
    return cases;
  }

  private static void put(Map<TableSchema, SourceRow> cases, ColumnType type, Object value) {
    TableSchema table =
        new TableSchema(
            TableId.of("hostile", "t" + cases.size()),
            List.of(
                new Column("id", ColumnType.of(Kind.INT), false, Optional.empty()),
                Column.of("value", type)),
            List.of("id"),
            1);
    cases.put(table, SourceRow.of(table, 1, value));
  }

  /** Drives one random history through runs of an agent. Confined to one caller. */
  final class HistoryRun {
    private final AgentBench bench;
    private final AgentTuning tuning;
    private final List<RandomTable> tables;
    private final List<SourceCommit> commits;
    private final Random random;
    private final Map<TableId, TableSchema> shapes = new LinkedHashMap<>();
    private int crashesLeft;
    private AgentSession session;

    HistoryRun(
        AgentBench bench,
        AgentTuning tuning,
        List<RandomTable> tables,
        List<SourceCommit> commits,
        Random random,
        int crashesWanted)
        throws InterruptedException {
      this.bench = bench;
      this.tuning = tuning;
      this.tables = tables;
      this.commits = commits;
      this.random = random;
      this.crashesLeft = crashesWanted;
      tables.forEach(table -> shapes.put(table.schema().table(), table.schema()));
      this.session = bench.open(tuning, schemas());
    }

    void run() throws InterruptedException {
      loadTables();
      int next = 0;
      while (next < commits.size()) {
        int end = Math.min(commits.size(), next + 1 + random.nextInt(4));
        commits.subList(next, end).forEach(commit -> commit.changes().forEach(this::keepShape));
        session.apply(commits.subList(next, end));
        next = crashesLeft > 0 && random.nextInt(3) == 0 ? crash() : end;
      }
      session.flush();
    }

    private void keepShape(SourceChange change) {
      if (change instanceof SourceChange.Insert insert) {
        TableSchema shape = insert.after().schema();
        shapes.merge(
            shape.table(), shape, (old, shown) -> shown.version() > old.version() ? shown : old);
      }
    }

    private void loadTables() throws InterruptedException {
      for (RandomTable table : tables) {
        TableProgress progress = session.progressOf(table.schema());
        boolean loaded =
            progress instanceof TableProgress.SnapshotFinished
                || progress instanceof TableProgress.ChangesPublished;
        if (!loaded) {
          session.snapshot(table.schema(), "s" + random.nextInt(), 0, table.rows());
        }
      }
    }

    /**
     * Starts anew at what the hub stored, or, now and then, with nothing stored at all.
     *
     * @return index of the commit to go on with
     */
    private int crash() throws InterruptedException {
      crashesLeft--;
      ResumePoint resume =
          random.nextInt(4) == 0 ? ResumePoint.NONE : session.listener().resumePoint();
      session = bench.restart(tuning, resume, schemas());
      loadTables();
      Optional<SourcePosition> confirmed = resume.confirmed();
      int next = 0;
      while (confirmed.isPresent()
          && next < commits.size()
          && !commits.get(next).position().isAfter(confirmed.get())) {
        next++;
      }
      return next;
    }

    /** The tables in the shape the source has shown last. */
    private TableSchema[] schemas() {
      return shapes.values().toArray(TableSchema[]::new);
    }
  }
}
