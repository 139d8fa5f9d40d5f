package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Added columns are followed, lost ones become NULL, and what cannot be followed stops a table. */
interface SchemaContract {

  AgentBench bench();

  /** The next version of a table, with one more text column. */
  static TableSchema withColumn(TableSchema table, String name) {
    List<Column> columns = new ArrayList<>(table.columns());
    columns.add(Column.of(name, ColumnType.of(Kind.STRING)));
    return next(table, columns, table.keyColumns());
  }

  private static TableSchema next(TableSchema table, List<Column> columns, List<String> keys) {
    return new TableSchema(table.table(), columns, keys, table.version() + 1);
  }

  @Test
  default void anAddedColumnIsFollowedWithinOneBatch() throws InterruptedException {
    TableSchema wider = withColumn(ORDERS, "note");
    List<SourceCommit> commits =
        List.of(
            insertAt(1, ORDERS),
            insertAt(2, ORDERS),
            SourceCommit.at(3, new Insert(SourceRow.of(wider, 3, "row 3", "noted"))),
            SourceCommit.at(
                4, new Update(row(ORDERS, 1).as(wider), SourceRow.of(wider, 1, "new", "noted"))));
    ReferenceModel model = new ReferenceModel();
    commits.forEach(model::apply);
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    session.apply(commits);
    session.flush();

    bench().assertShows(model, wider);
  }

  @Test
  default void aDroppedColumnIsWrittenAsNull() throws InterruptedException {
    TableSchema narrower = next(ORDERS, ORDERS.columns().subList(0, 1), ORDERS.keyColumns());
    List<SourceCommit> commits =
        List.of(
            insertAt(1, ORDERS),
            insertAt(2, ORDERS),
            SourceCommit.at(3, new Insert(SourceRow.of(narrower, 3))),
            SourceCommit.at(4, new Update(row(ORDERS, 1).as(narrower), SourceRow.of(narrower, 4))));
    ReferenceModel model = new ReferenceModel();
    commits.forEach(model::apply);
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    session.apply(commits);
    session.flush();

    bench().assertShows(model, narrower);
  }

  @Test
  default void aColumnAddedBetweenTwoRunsIsFollowed() throws InterruptedException {
    TableSchema wider = withColumn(ORDERS, "note");
    AgentSession first = bench().open(AgentTuning.PATIENT, ORDERS);
    first.apply(insertAt(1, ORDERS));
    first.flush();

    AgentSession second =
        bench().restart(AgentTuning.PATIENT, first.listener().resumePoint(), wider);
    second.apply(SourceCommit.at(2, new Insert(SourceRow.of(wider, 2, "row 2", "noted"))));
    second.flush();

    ReferenceModel model = new ReferenceModel();
    model.apply(insertAt(1, ORDERS));
    model.apply(SourceCommit.at(2, new Insert(SourceRow.of(wider, 2, "row 2", "noted"))));
    bench().assertShows(model, wider);
  }

  @Test
  default void aChangedTypeStopsTheTableBeforeAnythingOfTheNewShapeIsPublished()
      throws InterruptedException {
    assumeFalse(bench().target().followsTypes(), "the target follows other types");
    TableSchema other =
        next(
            ORDERS,
            List.of(ORDERS.columns().get(0), Column.of("text", ColumnType.of(Kind.DOUBLE))),
            ORDERS.keyColumns());

    stopsAtNewShape(
        SourceCommit.at(3, new Insert(SourceRow.of(other, 3, 1.5))), ErrorCode.TYPE_REFUSED);
  }

  @Test
  default void aChangedKeyStopsTheTableBeforeAnythingOfTheNewShapeIsPublished()
      throws InterruptedException {
    TableSchema other = next(ORDERS, ORDERS.columns(), List.of("id", "text"));

    stopsAtNewShape(
        SourceCommit.at(3, new Insert(SourceRow.of(other, 3, "row 3"))), ErrorCode.KEY_CHANGED);
  }

  private void stopsAtNewShape(SourceCommit newShape, ErrorCode code) throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);

    session.apply(insertAt(1, ORDERS), insertAt(2, ORDERS), newShape);
    session.apply(insertsAt(4, 6, LOG));
    session.flush();

    TableStoppedException stop = session.listener().awaitStop(ORDERS.table(), bench().patience());
    assertThat(stop.code()).isEqualTo(code);
    assertThat(stop).hasMessageContaining(ORDERS.table().toString());
    bench().assertHolds(LOG, Rows.ofSource(ContractTables.rows(LOG, 4, 6)));
    List<Row> allowed = ContractTables.rows(ORDERS, 1, 2).stream().map(SourceRow::view).toList();
    Rows shown = bench().target().readTable(ORDERS.table()).orElse(Rows.NONE);
    assertThat(allowed).containsAll(shown.rows());
  }

  @Test
  default void aTypeChangedBetweenTwoRunsStopsTheTable() throws InterruptedException {
    assumeFalse(bench().target().followsTypes(), "the target follows other types");
    AgentSession first = bench().open(AgentTuning.PATIENT, ORDERS);
    first.apply(insertAt(1, ORDERS));
    first.flush();
    TableSchema other =
        next(
            ORDERS,
            List.of(ORDERS.columns().get(0), Column.of("text", ColumnType.of(Kind.DOUBLE))),
            ORDERS.keyColumns());

    AgentSession second = bench().restart(AgentTuning.PATIENT, ResumePoint.NONE, other);
    second.apply(SourceCommit.at(2, new Insert(SourceRow.of(other, 2, 1.5))));
    second.flush();

    assertThat(second.listener().awaitStop(ORDERS.table(), bench().patience()).code())
        .isEqualTo(ErrorCode.TYPE_REFUSED);
    bench().assertHolds(ORDERS, Rows.ofSource(ContractTables.rows(ORDERS, 1, 1)));
  }
}
