package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.RandomCommits;
import io.corehub.testkit.RandomCommits.Extra;
import io.corehub.testkit.RandomTable;
import io.corehub.testkit.RandomTables;
import io.corehub.testkit.ReferenceModel;
import io.corehub.testkit.Seeds;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables and transactions made from seeds, written by the agent and replicated by the emulator, end
 * as the model of their source says: all column types, keys of one to three columns and none,
 * windows and none, commits whole and in parts, keys passed on, unchanged cells not delivered.
 */
class HistoriesReplicatedTest {

  @TempDir Path directory;

  @Test
  void historiesEndAsTheModelOfTheirSourceSays() {
    Seeds.forEach(300, 14, this::check);
  }

  @Test
  @Tag("full")
  void thousandsOfHistoriesEndAsTheModelOfTheirSourceSays() {
    Seeds.forEach(5000, 30, this::check);
  }

  private void check(long seed, int size) throws InterruptedException, IOException {
    Random random = new Random(seed);
    RandomTables source = new RandomTables(seed);
    List<RandomTable> tables = new ArrayList<>();
    ReferenceModel model = new ReferenceModel();
    for (int i = random.nextInt(3); i >= 0; i--) {
      RandomTable table = source.next(size, random.nextInt(4));
      tables.add(table);
      model.snapshot(table.schema(), table.rows());
    }
    BeforeImage images = random.nextInt(4) == 0 ? BeforeImage.KEY : BeforeImage.FULL;
    RandomCommits history = new RandomCommits(seed, tables, extras(images));
    TableSchema[] schemas = tables.stream().map(RandomTable::schema).toArray(TableSchema[]::new);
    try (AgentRun run = run(random).open(schemas)) {
      for (RandomTable table : tables) {
        run.snapshot(table.schema(), "s", 0, table.rows());
      }
      List<SourceCommit> waiting = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        SourceCommit commit = history.next(size);
        model.apply(commit);
        waiting.add(images == BeforeImage.FULL ? partlyDelivered(commit, random) : commit);
        if (random.nextInt(3) == 0) {
          apply(run, waiting, images, random);
        }
      }
      apply(run, waiting, images, random);
      run.agent().flush();

      assertEndsAs(model, run, schemas);
    }
  }

  /** Whose row a key was cannot be told from keys alone when it is passed on. */
  private static Set<Extra> extras(BeforeImage images) {
    Set<Extra> extras = EnumSet.allOf(Extra.class);
    if (images != BeforeImage.FULL) {
      extras.remove(Extra.PASSED_ON_KEYS);
    }
    return extras;
  }

  private static AgentRun run(Random random) throws InterruptedException {
    return new AgentRun()
        .with("cdcBatchMaxSeconds", random.nextBoolean() ? "0" : "3600")
        .with("cdcBatchRows", Integer.toString(1 + random.nextInt(60)))
        .with("useUpsertRowMarker", Boolean.toString(random.nextBoolean()))
        .withTable("parquetMaxRowCount", Integer.toString(1 + random.nextInt(60)));
  }

  private static void apply(
      AgentRun run, List<SourceCommit> waiting, BeforeImage images, Random random)
      throws InterruptedException {
    if (waiting.isEmpty()) {
      return;
    }
    SourceCommit last = waiting.remove(waiting.size() - 1);
    if (!waiting.isEmpty()) {
      run.agent().apply(CommitBatches.of(waiting, images));
    }
    waiting.clear();
    int perPart = random.nextBoolean() ? Integer.MAX_VALUE >> 1 : 1 + random.nextInt(5);
    for (CommitBatch part : CommitBatches.parts(last, perPart, images)) {
      run.agent().apply(part);
    }
  }

  /** The commit as a source delivers it that leaves out some of the cells it did not change. */
  private static SourceCommit partlyDelivered(SourceCommit commit, Random random) {
    List<SourceChange> changes = new ArrayList<>();
    for (SourceChange change : commit.changes()) {
      changes.add(change instanceof Update update ? partlyDelivered(update, random) : change);
    }
    return new SourceCommit(commit.commit(), changes);
  }

  private static Update partlyDelivered(Update update, Random random) {
    SourceRow after = update.after();
    SourceRow before = update.before().as(after.schema());
    int[] keys = after.schema().keyIndexes();
    for (int i = 0; i < after.schema().columns().size(); i++) {
      int column = i;
      boolean key = IntStream.of(keys).anyMatch(k -> k == column);
      if (!key
          && Objects.deepEquals(before.cell(column), update.after().cell(column))
          && random.nextInt(3) == 0) {
        after = after.with(column, SourceRow.UNDELIVERED);
      }
    }
    return new Update(update.before(), after);
  }

  private void assertEndsAs(ReferenceModel model, AgentRun run, TableSchema[] schemas)
      throws IOException, InterruptedException {
    assertThat(run.listener.stoppedTables()).isEmpty();
    run.assertNoViolations();
    Path copy = directory.resolve("landed");
    try {
      Replicated replicated = Replicated.of(run.fileSystem, copy);
      for (TableSchema schema : schemas) {
        assertThat(replicated.rows(schema.table()).differenceTo(model.fabricMirror(schema.table())))
            .as("table %s", schema.table())
            .isEmpty();
        assertThat(replicated.table(schema.table()).keyColumns()).isEqualTo(schema.keyColumns());
      }
    } finally {
      delete(copy);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
