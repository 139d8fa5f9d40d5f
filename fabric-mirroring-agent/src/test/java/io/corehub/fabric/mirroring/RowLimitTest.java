package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row whose columns are too large together is refused by name, before it is encoded. */
class RowLimitTest {

  private static final TableSchema WIDE =
      new TableSchema(
          TableId.of("sales", "Wide"),
          List.of(
              Column.of("id", ColumnType.of(Kind.INT)),
              Column.of("a", ColumnType.of(Kind.STRING)),
              Column.of("b", ColumnType.of(Kind.STRING)),
              Column.of("c", ColumnType.of(Kind.STRING))),
          List.of("id"),
          1);

  /** An eighth of the heap. */
  private static final int LIMIT = 1 << 20;

  private static SourceRow wide(int id, int bytes) {
    int third = bytes / 3;
    return SourceRow.of(
        WIDE, id, "a".repeat(third), "b".repeat(third), "c".repeat(bytes - 2 * third));
  }

  private static AgentRun run() throws InterruptedException {
    AgentRun run = new AgentRun();
    run.heapBytes = 8L * LIMIT;
    return run;
  }

  @Test
  void inAChangeItStopsItsTableAloneAndWhatCameBeforeIsPublished() throws InterruptedException {
    try (AgentRun run = run().open(WIDE, LOG)) {
      run.publish(
          SourceCommit.at(1, new Insert(wide(1, LIMIT))),
          SourceCommit.at(2, new Insert(wide(2, LIMIT + 1))),
          insert(LOG, 3));

      TableStoppedException stop = run.listener.stoppedTables().get(0);
      assertThat(stop.code()).isEqualTo(ErrorCode.VALUE_REFUSED);
      assertThat(stop)
          .hasMessageStartingWith(
              "Table sales.Wide, key id=2: the columns of the row hold 1048577 bytes together, and"
                  + " at most 1048576 can be written with a heap of 8 MB.");
      assertThat(run.tables.names(WIDE.table())).hasSize(1);
      assertThat(run.tables.names(LOG.table())).hasSize(1);
      run.assertNoViolations();
    }
  }

  @Test
  void inASnapshotItStopsItsTable() throws InterruptedException {
    try (AgentRun run = run().open(WIDE)) {
      SnapshotWriter writer = run.begin(WIDE, "s", 0);
      writer.write(ColumnBatches.of(WIDE, List.of(wide(1, LIMIT), wide(2, 3 * LIMIT))));

      assertThatThrownBy(writer::finish)
          .isInstanceOf(TableStoppedException.class)
          .hasMessageStartingWith(
              "Table sales.Wide, key id=2: the columns of the row hold 3145728 bytes together");
      assertThat(run.tables.names(WIDE.table())).isEmpty();
    }
  }

  @Test
  void columnsThatAddUpToMoreThanAnArrayHoldsAreAddedUpRightly() {
    // Offsets alone count: no array of this size is needed to show it.
    int[] offsets = {0, 1_000_000_000};
    List<ColumnVector> columns = Collections.nCopies(5, new FarOffsets(offsets).vector());
    assertThatThrownBy(() -> RowLimit.ofHeap(1L << 40).check(columns, 0, 1))
        .isInstanceOf(RefusedValueException.class)
        .hasMessageContaining("hold 5000000000 bytes together, and at most 1073741824 can be");
  }

  /** A vector that says it is large: its offsets are set after they were checked. */
  private record FarOffsets(int[] far) {
    ColumnVector vector() {
      int[] offsets = {0, 0};
      ColumnVector vector = new ColumnVector.OfBytes(new byte[0], offsets, 1, Nulls.NONE);
      offsets[1] = far[1];
      return vector;
    }
  }
}
