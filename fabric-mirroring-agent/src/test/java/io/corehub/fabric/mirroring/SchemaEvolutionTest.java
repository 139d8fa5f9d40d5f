package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentState;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.ReferenceModel;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of a table whose shape changes: at the end of a file, inside a collected window,
 * while the hub is down, and when the hub has lost its state too.
 */
@Timeout(60)
class SchemaEvolutionTest {

  private static final Column ID = Column.of("id", ColumnType.of(Kind.INT));
  private static final Column NAME = Column.of("name", ColumnType.of(Kind.STRING));
  private static final Column PRICE = Column.of("price", ColumnType.decimal(10, 2));
  private static final TableId ITEMS = TableId.of("shop", "items");

  /** When the shape changes. */
  enum When {
    AT_THE_END_OF_A_FILE,
    INSIDE_A_WINDOW,
    WHILE_THE_HUB_IS_DOWN,
    AND_THE_STATE_IS_LOST,
    AND_THE_SOURCE_IS_READ_FROM_ITS_START
  }

  private static TableSchema shape(int version, List<String> keys, Column... columns) {
    return new TableSchema(ITEMS, List.of(columns), keys, version);
  }

  private static TableSchema keyed(int version, Column... columns) {
    return shape(version, List.of("id"), columns);
  }

  /** Commits one after the other, each in a shape; the shape changes behind the given one. */
  private static AgentRun run(When when, int behind, SourceCommit... commits)
      throws InterruptedException {
    List<SourceCommit> old = Arrays.asList(commits).subList(0, behind);
    List<SourceCommit> young = Arrays.asList(commits).subList(behind, commits.length);
    TableSchema first = schema(commits[0]);
    AgentRun run = new AgentRun();
    if (when == When.INSIDE_A_WINDOW) {
      run.with("cdcBatchMaxSeconds", "600").open(first, LOG);
      run.apply(commits);
      return run;
    }
    run.open(first, LOG);
    for (SourceCommit commit : old) {
      run.publish(commit);
    }
    if (when == When.AT_THE_END_OF_A_FILE) {
      run.apply(young.toArray(SourceCommit[]::new));
      return run;
    }
    ResumePoint stored = run.listener.resumePoint();
    AgentRun next = run.successor();
    run.close();
    switch (when) {
      case WHILE_THE_HUB_IS_DOWN -> {
        next.open(stored, schema(young.get(0)), LOG);
        next.apply(young.toArray(SourceCommit[]::new));
      }
      case AND_THE_STATE_IS_LOST -> {
        next.open(schema(young.get(0)), LOG);
        next.apply(commits);
      }
      default -> {
        next.open(new ResumePoint(stored.confirmed(), stored.state(), true), first, LOG);
        next.apply(commits);
      }
    }
    return next;
  }

  private static TableSchema schema(SourceCommit commit) {
    return ((Insert) commit.changes().get(0)).after().schema();
  }

  private static SourceCommit insert(long order, TableSchema schema, Object... values) {
    return SourceCommit.at(order, new Insert(SourceRow.of(schema, values)));
  }

  /** Everything is followed: the target shows what the model says. */
  private static void follows(When when, int behind, SourceCommit... commits)
      throws InterruptedException {
    ReferenceModel model = new ReferenceModel();
    Arrays.asList(commits).forEach(model::apply);
    try (AgentRun run = run(when, behind, commits)) {
      run.agent().flush();

      assertThat(run.listener.stoppedTables()).isEmpty();
      assertThat(run.tables.rows(ITEMS).orElseThrow().differenceTo(model.fabricMirror(ITEMS)))
          .isEmpty();
      assertThat(run.listener.lastConfirmed())
          .contains(commits[commits.length - 1].commit().position());
    }
  }

  /** The table stops before the last commit; what came before stands, another table goes on. */
  private static void stops(
      When when, int behind, ErrorCode code, List<String> named, SourceCommit... commits)
      throws InterruptedException {
    ReferenceModel model = new ReferenceModel();
    Arrays.asList(commits).subList(0, behind).forEach(model::apply);
    try (AgentRun run = run(when, behind, commits)) {
      run.apply(insert(99, LOG, 99, "goes on"));
      run.agent().flush();

      TableStoppedException stop = run.listener.awaitStop(ITEMS, AgentRun.PATIENCE);
      assertThat(stop.code()).isEqualTo(code);
      assertThat(stop).hasMessageContaining("shop.items").hasMessageContaining("recreate-table");
      named.forEach(part -> assertThat(stop).hasMessageContaining(part));
      assertThat(run.tables.rows(ITEMS).orElseThrow().differenceTo(model.fabricMirror(ITEMS)))
          .isEmpty();
      assertThat(run.tables.rows(LOG.table()))
          .contains(Rows.ofSource(List.of(SourceRow.of(LOG, 99, "goes on"))));
      assertThat(run.listener.lastConfirmed().map(p -> p.order()).orElse(0L))
          .as("the position waits before the change")
          .isLessThanOrEqualTo(commits[behind - 1].commit().position().order());
    }
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void anAddedColumnIsFollowed(When when) throws InterruptedException {
    TableSchema wider = keyed(2, ID, NAME, PRICE);
    follows(
        when,
        2,
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(1, ID, NAME), 2, "b"),
        insert(3, wider, 3, "c", new BigDecimal("1.50")),
        insert(4, wider, 4, "d", null));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aDroppedColumnIsNullFromThenOn(When when) throws InterruptedException {
    follows(
        when,
        1,
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(2, ID), 2),
        SourceCommit.at(
            3, new Update(SourceRow.of(keyed(2, ID), 1), SourceRow.of(keyed(2, ID), 4))));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aColumnDroppedAndAddedAgainGoesOn(When when) throws InterruptedException {
    follows(
        when,
        2,
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(2, ID), 2),
        insert(3, keyed(3, ID, NAME), 3, "c"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aColumnDroppedAndAddedAgainWithAnotherTypeStops(When when) throws InterruptedException {
    stops(
        when,
        2,
        ErrorCode.TYPE_REFUSED,
        List.of("'name'", "STRING", "DOUBLE"),
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(2, ID), 2),
        insert(3, keyed(3, ID, Column.of("name", ColumnType.of(Kind.DOUBLE))), 3, 0.5));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void theOrderOfColumnsMayChange(When when) throws InterruptedException {
    follows(when, 1, insert(1, keyed(1, ID, NAME), 1, "a"), insert(2, keyed(2, NAME, ID), "b", 2));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aRenamedColumnIsANewOneAndTheOldOneIsNull(When when) throws InterruptedException {
    follows(
        when,
        1,
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(2, ID, Column.of("title", ColumnType.of(Kind.STRING))), 2, "b"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aColumnWhoseNameChangesItsCaseStops(When when) throws InterruptedException {
    stops(
        when,
        1,
        ErrorCode.NAME_REFUSED,
        List.of("'name'", "'Name'"),
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(2, ID, Column.of("Name", ColumnType.of(Kind.STRING))), 2, "b"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aChangedTypeStops(When when) throws InterruptedException {
    stops(
        when,
        2,
        ErrorCode.TYPE_REFUSED,
        List.of("'name'", "STRING", "INT32"),
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, keyed(1, ID, NAME), 2, "b"),
        insert(3, keyed(2, ID, Column.of("name", ColumnType.of(Kind.INT))), 3, 3));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aWiderDecimalIsAnotherType(When when) throws InterruptedException {
    stops(
        when,
        1,
        ErrorCode.TYPE_REFUSED,
        List.of("'price'", "10", "12"),
        insert(1, keyed(1, ID, PRICE), 1, new BigDecimal("1.50")),
        insert(
            2,
            keyed(2, ID, Column.of("price", ColumnType.decimal(12, 2))),
            2,
            new BigDecimal("2.50")));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void nullabilityIsNoPartOfTheFilesTypes(When when) throws InterruptedException {
    Column required = new Column("name", ColumnType.of(Kind.STRING), false, Optional.empty());
    follows(
        when, 1, insert(1, keyed(1, ID, required), 1, "a"), insert(2, keyed(2, ID, NAME), 2, null));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aChangedKeyStops(When when) throws InterruptedException {
    stops(
        when,
        1,
        ErrorCode.KEY_CHANGED,
        List.of("[id]", "[id, name]"),
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, shape(2, List.of("id", "name"), ID, NAME), 2, "b"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aLostKeyStops(When when) throws InterruptedException {
    stops(
        when,
        1,
        ErrorCode.KEY_CHANGED,
        List.of("[id]"),
        insert(1, keyed(1, ID, NAME), 1, "a"),
        insert(2, shape(2, List.of(), ID, NAME), 2, "b"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void theOrderOfKeyColumnsSaysNothing(When when) throws InterruptedException {
    follows(
        when,
        1,
        insert(1, shape(1, List.of("id", "name"), ID, NAME), 1, "a"),
        insert(2, shape(2, List.of("name", "id"), ID, NAME), 2, "b"));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void aTableThatGetsItsKeyLaterIsKeyedFromThenOn(When when) throws InterruptedException {
    TableSchema keyless = shape(1, List.of(), ID, NAME);
    TableSchema keyed = shape(2, List.of("id"), ID, NAME);
    SourceCommit[] commits = {
      insert(1, keyless, 1, "a"),
      insert(2, keyed, 2, "b"),
      SourceCommit.at(3, new Delete(SourceRow.of(keyed, 1, "a")))
    };
    try (AgentRun run = run(when, 1, commits)) {
      run.agent().flush();

      assertThat(run.listener.stoppedTables()).isEmpty();
      assertThat(run.tables.keys(ITEMS)).containsExactly("id");
      assertThat(run.tables.rows(ITEMS))
          .contains(Rows.ofSource(List.of(SourceRow.of(keyed, 2, "b"))));
    }
  }

  @Test
  void aTableThatGotItsKeyGoesOnWhenItsSourceIsReadFromItsStart() throws InterruptedException {
    TableSchema keyless = shape(1, List.of(), ID, NAME);
    TableSchema keyed = shape(2, List.of("id"), ID, NAME);
    SourceCommit[] commits = {insert(1, keyless, 1, "a"), insert(2, keyed, 2, "b")};
    try (AgentRun first = run(When.AT_THE_END_OF_A_FILE, 1, commits)) {
      first.agent().flush();
      ResumePoint stored = first.listener.resumePoint();
      AgentRun second = first.successor();
      try (second) {
        second.open(new ResumePoint(stored.confirmed(), stored.state(), true), keyless, LOG);
        second.publish(commits[0], commits[1], insert(3, keyed, 3, "c"));

        assertThat(second.listener.stoppedTables()).isEmpty();
        assertThat(second.tables.rows(ITEMS).orElseThrow().count()).isEqualTo(3);
      }
    }
  }

  @Test
  void aTableRecreatedWithAnotherTypeGoesOnWhenItsSourceIsReadFromItsStart()
      throws InterruptedException {
    TableSchema texts = keyed(1, ID, NAME);
    TableSchema numbers = keyed(2, ID, Column.of("name", ColumnType.of(Kind.INT)));
    AgentRun first = new AgentRun().withTable("snapshotOntoExistingTable", "recreate");
    try (first) {
      first.open(numbers);
      first.snapshot(numbers, "2", 10, List.of(SourceRow.of(numbers, 1, 1)));
      AgentRun second = first.successor();
      try (second) {
        second.open(new ResumePoint(Optional.empty(), AgentState.NONE, true), texts);
        assertThat(second.progress(texts)).isInstanceOf(TableProgress.SnapshotFinished.class);
        List<SourceCommit> commits = new ArrayList<>();
        commits.add(insert(5, texts, 5, "old"));
        commits.add(insert(11, numbers, 2, 2));
        second.publish(commits.toArray(SourceCommit[]::new));

        assertThat(second.tables.rows(ITEMS))
            .contains(
                Rows.ofSource(List.of(SourceRow.of(numbers, 1, 1), SourceRow.of(numbers, 2, 2))));
        second.apply(insert(12, texts, 6, "again"));
        assertThat(second.listener.awaitStop(ITEMS, AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.TYPE_REFUSED);
      }
    }
  }
}
