package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentException;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.CycleVerifier;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two tables are loaded while the source changes them, page by page at different moments, and the
 * process dies in between. A consumer that applies rows in the order of their sequences, and that
 * would stop at an insert over a row that is there or at an update of one that is not, ends with
 * the source's rows.
 *
 * <p>{@code -Dloads=N} sets how many stories are told, {@code -Dloads.first=N} with which seed they
 * begin; a failure names its seed.
 */
class FuzzyLoadTest {

  private static final int FEW = 60;
  private static final int MANY = Integer.getInteger("loads", 600);
  private static final long FIRST = Long.getLong("loads.first", 1);
  private static final int COMMITS = 14;
  private static final int MOST_RUNS = 12;

  @Test
  void aTableThatChangesWhileItIsLoadedIsRebuilt() {
    stories(FEW);
  }

  @Test
  @Tag("full")
  void manyTablesThatChangeWhileTheyAreLoadedAreRebuilt() {
    stories(MANY);
  }

  private static void stories(int count) {
    Set<String> operations = new HashSet<>();
    int deaths = 0;
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      try {
        Story story = new Story(seed);
        story.run();
        deaths += story.deaths;
        operations.addAll(story.seen);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Dloads.first=" + seed + ": " + e.getMessage(), e);
      }
    }
    assertThat(deaths).as("processes that died").isGreaterThan(count / 4);
    assertThat(operations)
        .as("phase and operation of the rows that were met")
        .contains("00 T", "01 I", "02 X", "02 Y", "03 I", "03 U", "03 D", "04 I", "04 U", "04 D");
  }

  /** The rows of the source's tables after each of its commits. */
  private static final class Source {
    private final List<SourceCommit> commits = new ArrayList<>();
    private final Map<TableSchema, List<TreeMap<Integer, SourceRow>>> states =
        new TreeMap<>(java.util.Comparator.comparing((TableSchema schema) -> schema.table()));
    private final Random random;
    private int nextId = 10;

    Source(Random random) {
      this.random = random;
      for (TableSchema table : List.of(ORDERS, CUSTOMERS)) {
        TreeMap<Integer, SourceRow> rows = new TreeMap<>();
        for (int id = 1; id <= random.nextInt(6); id++) {
          rows.put(id, row(table, id, "old"));
        }
        states.put(table, new ArrayList<>(List.of(rows)));
      }
      for (int i = 1; i <= COMMITS; i++) {
        commit(100L + 2 * i);
      }
    }

    private static SourceRow row(TableSchema table, int id, String text) {
      return table == ORDERS
          ? SourceRow.of(ORDERS, id, text, "1.00")
          : SourceRow.of(CUSTOMERS, id, text);
    }

    private void commit(long order) {
      List<SourceChange> changes = new ArrayList<>();
      states.forEach(
          (table, all) -> {
            TreeMap<Integer, SourceRow> rows = new TreeMap<>(all.get(all.size() - 1));
            int count = random.nextInt(3);
            for (int i = 0; i < count; i++) {
              changes.add(change(table, rows, "at " + order + "." + i));
            }
            all.add(rows);
          });
      commits.add(SourceCommit.at(order, changes.toArray(SourceChange[]::new)));
    }

    private SourceChange change(TableSchema table, TreeMap<Integer, SourceRow> rows, String text) {
      int kind = rows.isEmpty() ? 0 : random.nextInt(5);
      if (kind == 0) {
        SourceRow fresh = row(table, nextId++, text);
        rows.put((Integer) fresh.cell(0), fresh);
        return new SourceChange.Insert(fresh);
      }
      int id = new ArrayList<>(rows.keySet()).get(random.nextInt(rows.size()));
      SourceRow before = rows.remove(id);
      if (kind == 1) {
        return new SourceChange.Delete(before);
      }
      // Now and then the key changes too.
      SourceRow after = row(table, kind == 2 ? nextId++ : id, text);
      rows.put((Integer) after.cell(0), after);
      return new SourceChange.Update(before, after);
    }

    TreeMap<Integer, SourceRow> state(TableSchema table, int commits) {
      return states.get(table).get(commits);
    }

    SourcePosition position(int commits) {
      return SourceCommit.positionAt(100L + 2 * commits);
    }

    boolean touches(int index, TableSchema table) {
      return commits.get(index).changes().stream()
          .anyMatch(change -> change.table().equals(table.table()));
    }
  }

  /** One story: a source, a job, and a hub that starts again until all is there. */
  private static final class Story {
    private final Random random;
    private final Source source;
    private final Job job = new Job();
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<TableSchema, Integer> backlogs =
        new TreeMap<>(java.util.Comparator.comparing((TableSchema schema) -> schema.table()));
    private final List<TableSchema> unloaded = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private volatile boolean dead;
    private volatile int diesAt;
    private int deaths;
    private int snapshots;

    Story(long seed) {
      this.random = new Random(seed);
      this.source = new Source(random);
      job.settings.put("loadType", "COMBINED");
      job.settings.put("cycleChangeLimit", Integer.toString(1 + random.nextInt(8)));
      job.settings.put("cycleIntervalSeconds", "10");
      job.settings.put("maxFileRows", Integer.toString(1 + random.nextInt(4)));
    }

    void run() throws Exception {
      int deathsLeft = random.nextInt(4);
      ResumePoint resume = ResumePoint.NONE;
      for (int run = 0; run < MOST_RUNS; run++) {
        dead = false;
        requests.set(0);
        diesAt = deathsLeft-- > 0 ? 1 + random.nextInt(120) : Integer.MAX_VALUE;
        boolean whole = oneRun(resume);
        job.consumed().tables();
        resume =
            !whole && random.nextInt(6) == 0
                ? ResumePoint.NONE
                : job.listener.resumePointAfter(resume);
        if (whole) {
          end();
          return;
        }
        deaths++;
      }
      throw new AssertionError("the story did not end");
    }

    private boolean oneRun(ResumePoint resume) throws InterruptedException {
      try {
        job.start(resume, new Death(), ORDERS, CUSTOMERS);
        follow(confirmed(resume));
        job.agent.flush();
        return !dead && job.listener.agentStops().isEmpty();
      } catch (AgentException | IllegalStateException died) {
        if (!dead) {
          throw died;
        }
        return false;
      } finally {
        job.agent.close();
        job.time.turnTo(job.time.now().plusMillis(random.nextInt(2500)));
      }
    }

    private int confirmed(ResumePoint resume) {
      return resume.confirmed().map(position -> (int) (position.order() - 100) / 2).orElse(0);
    }

    private boolean toBeLoaded(TableSchema table) {
      TableProgress progress = job.progress.get(table.table());
      return progress instanceof TableProgress.NothingPublished
          || progress instanceof TableProgress.SnapshotUnfinished;
    }

    /** Loads what is not loaded, and delivers commits as a hub does. */
    private void follow(int from) throws InterruptedException {
      int next = from;
      backlogs.clear();
      unloaded.clear();
      List<TableSchema> tables = new ArrayList<>(List.of(ORDERS, CUSTOMERS));
      if (random.nextBoolean()) {
        java.util.Collections.reverse(tables);
      }
      tables.stream().filter(this::toBeLoaded).forEach(unloaded::add);
      for (TableSchema table : tables) {
        TableProgress progress = job.progress.get(table.table());
        if (toBeLoaded(table)) {
          next = load(table, next);
        } else if (progress instanceof TableProgress.SnapshotFinished) {
          // The host says again that the backlog is drained, should it still be open.
          backlogs.put(table, COMMITS);
        }
      }
      while (next < COMMITS) {
        int end = Math.min(COMMITS, next + 1 + random.nextInt(3));
        deliver(next, end);
        next = end;
      }
    }

    /** Pages are read one behind the other while the source goes on. */
    private int load(TableSchema table, int from) throws InterruptedException {
      SnapshotWriter writer =
          job.agent.beginSnapshot(
              table.table(), new SnapshotStart("s" + ++snapshots, source.position(from)));
      int next = from;
      int high = from;
      int firstId = 0;
      while (firstId < 60) {
        int lastId = firstId + 1 + random.nextInt(8);
        List<SourceRow> page =
            List.copyOf(source.state(table, high).subMap(firstId, true, lastId, false).values());
        if (!page.isEmpty()) {
          writer.write(ColumnBatches.of(table, page));
        }
        firstId = lastId;
        high = Math.min(COMMITS, high + (random.nextInt(3) == 0 ? 1 : 0));
        // Commits go on until the first that touches a table which is not loaded yet.
        while (next < high && unloaded.stream().noneMatch(touched(next))) {
          deliver(next, next + 1);
          next++;
        }
      }
      unloaded.remove(table);
      boolean backlog = random.nextBoolean();
      if (backlog) {
        backlogs.put(table, Math.min(COMMITS, high + 1 + random.nextInt(5)));
      }
      writer.finish(
          new SnapshotEnd(
              high > from ? Optional.of(source.position(high)) : Optional.empty(), backlog));
      return next;
    }

    private Predicate<TableSchema> touched(int commit) {
      return table -> source.touches(commit, table);
    }

    private void deliver(int from, int to) throws InterruptedException {
      job.time.turnTo(job.time.now().plusMillis(random.nextInt(900)));
      job.agent.apply(CommitBatches.of(source.commits.subList(from, to), BeforeImage.FULL));
      for (TableSchema table : List.copyOf(backlogs.keySet())) {
        if (to >= backlogs.get(table)) {
          job.agent.backlogEnded(table.table(), source.position(to));
          backlogs.remove(table);
        }
      }
      if (random.nextInt(6) == 0) {
        job.agent.flush();
      }
    }

    private void end() throws Exception {
      for (TableSchema table : List.of(ORDERS, CUSTOMERS)) {
        Rows rows = Rows.ofSource(List.copyOf(source.state(table, COMMITS).values()));
        assertThat(
                job.consumed()
                    .rows(TableId.of(table.table().name()))
                    .orElse(Rows.ofSource(List.of())))
            .as(table.table().name())
            .isEqualTo(rows);
        strictly(table);
      }
      try (TargetFiles files = job.stored()) {
        assertThat(new CycleVerifier(CycleDirectories.usual("sales_cdc")).verify(files))
            .noneMatch(found -> found.severity() == Violation.Severity.ERROR);
      }
    }

    /** No insert meets a row, no update or delete misses one; only an X may miss. */
    private void strictly(TableSchema table) {
      ConsumedTables.Table consumed = job.consumed().tables().get(table.table().name());
      if (consumed == null) {
        return;
      }
      String key = table.keyColumns().get(0);
      Set<String> keys = new HashSet<>();
      for (ConsumedTables.Line line : consumed.lines()) {
        String phase = line.sequence().substring(18, 20);
        seen.add(phase + " " + line.op());
        String id = line.cells().get(key);
        switch (line.op()) {
          case "T" -> keys.clear();
          case "I", "Y" -> assertThat(keys.add(id)).as("free for " + line).isTrue();
          case "U" -> {
            assertThat(keys.remove(line.old().get(key))).as("there for " + line).isTrue();
            assertThat(keys.add(id)).as("free for " + line).isTrue();
          }
          case "D" -> assertThat(keys.remove(id)).as("there for " + line).isTrue();
          default -> keys.remove(id);
        }
        assertThat(phase.equals("02"))
            .as("only changes captured while loading are X or Y: " + line)
            .isEqualTo(line.op().equals("X") || line.op().equals("Y"));
      }
    }

    /** The process ends at a request, before or after it is carried out. */
    private final class Death implements Faults {
      @Override
      public void before(Request request) {
        if (requests.incrementAndGet() == diesAt && diesAt % 2 == 0) {
          dead = true;
        }
        requireAlive();
      }

      @Override
      public void after(Request request) {
        if (requests.get() >= diesAt) {
          dead = true;
        }
        requireAlive();
      }

      private void requireAlive() {
        if (dead) {
          throw DfsException.of(DfsException.Kind.CLOSED, "test").build("the process is dead");
        }
      }
    }
  }
}
