package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.row;
import static io.corehub.testkit.ContractTables.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceChange.Update;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferenceModelTest {

  private final ReferenceModel model = new ReferenceModel();

  @Test
  void rowsThatSwapTheirKeysBothLive() {
    model.snapshot(ORDERS, List.of(row(ORDERS, 1, "first"), row(ORDERS, 2, "second")));

    model.apply(
        SourceCommit.at(
            1,
            new Update(row(ORDERS, 1, "first"), row(ORDERS, 2, "first")),
            new Update(row(ORDERS, 2, "second"), row(ORDERS, 1, "second"))));

    Rows swapped = Rows.ofSource(List.of(row(ORDERS, 1, "second"), row(ORDERS, 2, "first")));
    assertThat(model.source(ORDERS.table())).isEqualTo(swapped);
    assertThat(model.fabricMirror(ORDERS.table())).isEqualTo(swapped);
  }

  @Test
  void oneRowMovedTwiceLeavesNoStrayKey() {
    model.snapshot(ORDERS, rows(ORDERS, 1, 1));

    model.apply(
        SourceCommit.at(
            1,
            new Update(row(ORDERS, 1), row(ORDERS, 2)),
            new Update(row(ORDERS, 2), row(ORDERS, 3))));

    assertThat(model.fabricMirror(ORDERS.table())).isEqualTo(Rows.ofSource(rows(ORDERS, 3, 3)));
  }

  @Test
  void aMirrorOfAKeylessTableKeepsEveryRowEverWritten() {
    model.snapshot(LOG, rows(LOG, 1, 2));

    model.apply(
        SourceCommit.at(
            1, new Update(row(LOG, 1), row(LOG, 1, "changed")), new Delete(row(LOG, 2))));

    assertThat(model.source(LOG.table()).rows()).containsExactly(row(LOG, 1, "changed").view());
    assertThat(model.fabricMirror(LOG.table()))
        .isEqualTo(Rows.ofSource(List.of(row(LOG, 1), row(LOG, 2), row(LOG, 1, "changed"))));
  }

  @Test
  void aMirrorSkipsATruncateAndReplacesWhatIsWrittenAgain() {
    model.snapshot(ORDERS, rows(ORDERS, 1, 3));

    model.apply(SourceCommit.at(1, new Truncate(ORDERS), new Insert(row(ORDERS, 2, "new"))));

    assertThat(model.source(ORDERS.table()))
        .isEqualTo(Rows.ofSource(List.of(row(ORDERS, 2, "new"))));
    assertThat(model.fabricMirror(ORDERS.table()))
        .isEqualTo(Rows.ofSource(List.of(row(ORDERS, 1), row(ORDERS, 2, "new"), row(ORDERS, 3))));
  }

  @Test
  void aMirrorKeepsADroppedColumnUntilTheRowIsWrittenAgain() {
    TableSchema narrower =
        new TableSchema(ORDERS.table(), ORDERS.columns().subList(0, 1), List.of("id"), 2);
    model.snapshot(ORDERS, rows(ORDERS, 1, 2));

    model.apply(
        SourceCommit.at(1, new Update(SourceRow.of(narrower, 1), SourceRow.of(narrower, 1))));

    assertThat(model.fabricMirror(ORDERS.table()))
        .isEqualTo(Rows.ofSource(List.of(SourceRow.of(narrower, 1), row(ORDERS, 2))));
    assertThat(model.source(ORDERS.table()))
        .isEqualTo(Rows.ofSource(List.of(SourceRow.of(narrower, 1), SourceRow.of(narrower, 2))));
  }

  @Test
  void changingARowThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> model.apply(SourceCommit.at(1, new Delete(row(ORDERS, 1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shop.orders");
  }

  @Test
  void twoRowsOfOneKeyAtTheEndOfACommitAreRefused() {
    assertThatThrownBy(
            () ->
                model.apply(
                    SourceCommit.at(
                        1, new Insert(row(ORDERS, 1, "a")), new Insert(row(ORDERS, 1, "b")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two rows of key [1]");
  }
}
