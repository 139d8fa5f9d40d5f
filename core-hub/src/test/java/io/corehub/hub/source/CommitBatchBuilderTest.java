package io.corehub.hub.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitBatchBuilderTest {

  private static final TableSchema A = schema("a", 1);
  private static final TableSchema A2 = schema("a", 2);
  private static final TableSchema B = schema("b", 1);

  private final List<CommitBatch> batches = new ArrayList<>();
  private final CommitBatchBuilder builder = new CommitBatchBuilder(4, 1 << 20, batches::add);

  private static TableSchema schema(String name, int version) {
    return new TableSchema(
        TableId.of(name),
        List.of(Column.of("v", ColumnType.of(ColumnType.Kind.INT))),
        List.of(),
        version);
  }

  private static Commit at(long position) {
    return Commit.at(new SourcePosition("line", position, ""));
  }

  private void row(TableSchema schema, ChangeKind kind, int value) throws InterruptedException {
    builder.beginRow(schema, kind, BeforeImage.FULL).setInt(0, value);
    builder.endRow();
  }

  private void insert(TableSchema schema, int value) throws InterruptedException {
    row(schema, ChangeKind.INSERT, value);
  }

  private static List<Integer> values(Object event) {
    RowChanges changes = (RowChanges) event;
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < changes.rowCount(); i++) {
      values.add(((ColumnVector.OfInt) changes.rows().columns().get(0)).values()[i]);
    }
    return values;
  }

  @Test
  void manySmallCommitsShareABatch() throws Exception {
    for (int i = 1; i <= 5; i++) {
      builder.begin(at(i));
      insert(A, i);
      builder.end();
    }
    builder.flush();

    assertThat(batches).hasSize(2);
    assertThat(batches.get(0).commits()).hasSize(4);
    assertThat(values(batches.get(0).events().get(0))).containsExactly(1, 2, 3, 4);
    assertThat(((RowChanges) batches.get(0).events().get(0)).commitIndex(3)).isEqualTo(3);
    assertThat(batches.get(1).commits()).hasSize(1);
    assertThat(batches).allMatch(CommitBatch::lastCommitComplete);
  }

  @Test
  void largeCommitLeavesInPartsOfTheSamePosition() throws Exception {
    builder.begin(at(1));
    for (int i = 0; i < 17; i++) {
      insert(A, i);
    }
    builder.end();

    assertThat(batches)
        .extracting(CommitBatch::lastCommitComplete)
        .containsExactly(false, false, true);
    assertThat(batches).allMatch(batch -> batch.commits().equals(List.of(at(1))));
    assertThat(values(batches.get(2).events().get(0))).containsExactly(16);
  }

  @Test
  void oldAndNewRowOfAnUpdateStayTogether() throws Exception {
    builder.begin(at(1));
    for (int i = 0; i < 7; i++) {
      insert(A, i);
    }
    row(A, ChangeKind.UPDATE_BEFORE, 7);
    row(A, ChangeKind.UPDATE_AFTER, 8);
    builder.end();

    assertThat(values(batches.get(0).events().get(0))).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void changeOfShapeAndTruncateKeepTheOrderOfATable() throws Exception {
    builder.begin(at(1));
    insert(A, 1);
    insert(A2, 2);
    builder.truncated(A.table());
    insert(A2, 3);
    builder.end();
    builder.flush();

    assertThat(batches.get(0).events()).hasSize(4);
    assertThat(values(batches.get(0).events().get(0))).containsExactly(1);
    assertThat(values(batches.get(0).events().get(1))).containsExactly(2);
    assertThat(batches.get(0).events().get(2)).isEqualTo(new TableTruncated(A.table(), 0));
    assertThat(values(batches.get(0).events().get(3))).containsExactly(3);
  }

  @Test
  void rollBackForgetsTheCommitAndNothingElse() throws Exception {
    builder.begin(at(1));
    insert(A, 1);
    builder.end();
    builder.begin(at(2));
    insert(A, 2);
    builder.truncated(A.table());
    insert(B, 3);
    builder.beginRow(B, ChangeKind.INSERT, BeforeImage.NONE).setInt(0, 4);
    builder.rollBack();
    builder.begin(at(3));
    insert(B, 5);
    builder.end();
    builder.flush();

    assertThat(batches).singleElement();
    assertThat(batches.get(0).commits()).containsExactly(at(1), at(3));
    assertThat(batches.get(0).events()).hasSize(2);
    assertThat(values(batches.get(0).events().get(0))).containsExactly(1);
    assertThat(values(batches.get(0).events().get(1))).containsExactly(5);
  }

  @Test
  void unreadableTableLosesItsRowsOfThisCommitOnly() throws Exception {
    TableStoppedException reason =
        new TableStoppedException(A.table(), ErrorCode.SOURCE_DATA, "no");
    builder.begin(at(1));
    insert(A, 1);
    builder.end();
    builder.begin(at(2));
    insert(A, 2);
    insert(B, 3);
    builder.beginRow(A, ChangeKind.INSERT, BeforeImage.NONE);
    builder.unreadable(reason);
    builder.end();
    builder.flush();

    assertThat(batches.get(0).events())
        .hasSize(3)
        .anyMatch(e -> e instanceof RowChanges && values(e).equals(List.of(1)))
        .anyMatch(e -> e instanceof RowChanges && values(e).equals(List.of(3)))
        .contains(new TableUnreadable(A.table(), 1, reason));
  }

  @Test
  void heldCommitLeavesWhole() throws Exception {
    builder.holdWhole(true);
    builder.begin(at(1));
    for (int i = 0; i < 9; i++) {
      insert(A, i);
    }
    assertThat(batches).isEmpty();
    builder.end();

    assertThat(batches).singleElement().matches(CommitBatch::lastCommitComplete);
  }

  @Test
  void partThatLeftCannotBeRolledBack() throws Exception {
    builder.begin(at(1));
    for (int i = 0; i < 8; i++) {
      insert(A, i);
    }

    assertThatIllegalStateException().isThrownBy(builder::rollBack);
  }
}
