package io.corehub.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.testkit.RandomCommits.Extra;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceChange.Update;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratorsTest {

  @Test
  void equalSeedsMakeEqualHistories() {
    assertThat(describe(7)).isEqualTo(describe(7)).isNotEqualTo(describe(8));
  }

  private static String describe(long seed) {
    List<RandomTable> tables = tables(seed, 10);
    RandomCommits commits = new RandomCommits(seed, tables, EnumSet.allOf(Extra.class));
    StringBuilder text = new StringBuilder();
    tables.forEach(table -> text.append(table.schema()).append(Rows.ofSource(table.rows())));
    for (int i = 0; i < 20; i++) {
      SourceCommit commit = commits.next(10);
      text.append(commit.position()).append(commit.changes());
    }
    return text.toString();
  }

  private static List<RandomTable> tables(long seed, int size) {
    RandomTables source = new RandomTables(seed);
    List<RandomTable> tables = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tables.add(source.next(size));
    }
    return tables;
  }

  @Test
  void everyHistoryCanBeCarriedOut() {
    Seeds.forEach(
        60,
        40,
        (seed, size) -> {
          List<RandomTable> tables = tables(seed, size);
          ReferenceModel model = new ReferenceModel();
          tables.forEach(table -> model.snapshot(table.schema(), table.rows()));
          RandomCommits commits = new RandomCommits(seed, tables, EnumSet.allOf(Extra.class));
          for (int i = 0; i < size; i++) {
            model.apply(commits.next(size));
          }
          assertThat(model.tables()).hasSize(3);
        });
  }

  @Test
  void withoutPassedOnKeysNoTwoRowsEverShareAKey() {
    Seeds.forEach(
        40,
        30,
        (seed, size) -> {
          List<RandomTable> tables = tables(seed, size);
          ReferenceModel model = new ReferenceModel();
          tables.forEach(table -> model.snapshot(table.schema(), table.rows()));
          RandomCommits commits = new RandomCommits(seed, tables, Set.of());
          long order = 1;
          for (int i = 0; i < size; i++) {
            // Each change as a commit of its own: the model refuses a key that two rows share.
            for (SourceChange change : commits.next(size).changes()) {
              model.apply(SourceCommit.at(order++, change));
            }
          }
        });
  }

  @Test
  void everyTypeKeyShapeAndKindOfChangeOccurs() {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    Set<Integer> keyColumns = new HashSet<>();
    Set<Class<?>> changes = new HashSet<>();
    boolean[] found = new boolean[3];
    for (int seed = 0; seed < 60; seed++) {
      List<RandomTable> tables = tables(seed, 20);
      for (RandomTable table : tables) {
        table.schema().columns().stream().map(Column::type).forEach(t -> kinds.add(t.kind()));
        keyColumns.add(table.schema().keyColumns().size());
        found[0] |= table.schema().table().schema().isEmpty();
      }
      RandomCommits commits = new RandomCommits(seed, tables, EnumSet.allOf(Extra.class));
      for (int i = 0; i < 20; i++) {
        SourceCommit commit = commits.next(10);
        commit.changes().forEach(change -> changes.add(change.getClass()));
        found[1] |= commit.changes().isEmpty();
        found[2] |= commit.changes().stream().anyMatch(GeneratorsTest::changesKey);
      }
    }
    assertThat(kinds).containsExactlyInAnyOrder(Kind.values());
    assertThat(keyColumns).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(changes).contains(Truncate.class, Update.class).hasSize(4);
    assertThat(found).containsOnly(true);
  }

  private static boolean changesKey(SourceChange change) {
    return change instanceof Update update
        && update.after().schema().keyed()
        && !update
            .before()
            .view()
            .key(update.after().schema().keyColumns())
            .equals(update.after().view().key(update.after().schema().keyColumns()));
  }

  @Test
  void aFailedPropertyNamesSeedAndSizeAndTriesSmallSizesFirst() {
    List<Integer> sizes = new ArrayList<>();

    assertThatThrownBy(
            () ->
                Seeds.forEach(
                    10,
                    19,
                    (seed, size) -> {
                      sizes.add(size);
                      assertThat(size).isLessThan(8);
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dtestkit.seed=")
        .hasMessageContaining("-Dtestkit.size=9");
    assertThat(sizes).containsExactly(1, 3, 5, 7, 9);
  }
}
