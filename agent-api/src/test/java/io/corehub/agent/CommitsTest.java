package io.corehub.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.Undelivered;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommitsTest {

  private static final TableSchema ORDERS =
      new TableSchema(
          TableId.of("shop", "orders"),
          List.of(Column.of("id", ColumnType.of(Kind.INT))),
          List.of("id"),
          1);
  private static final byte INSERT = ChangeKind.INSERT.code();
  private static final byte BEFORE = ChangeKind.UPDATE_BEFORE.code();
  private static final byte AFTER = ChangeKind.UPDATE_AFTER.code();

  private static SourcePosition at(long order) {
    return new SourcePosition("t", order, "");
  }

  @Test
  void positionsAreOrderedAsUnsignedNumbers() {
    long[] ascending = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1};
    for (int i = 0; i < ascending.length; i++) {
      for (int j = 0; j < ascending.length; j++) {
        assertThat(at(ascending[i]).isAfter(at(ascending[j])))
            .as("%s after %s", at(ascending[i]), at(ascending[j]))
            .isEqualTo(i > j);
      }
    }
    assertThat(at(-1)).hasToString("18446744073709551615");
  }

  @Test
  void aPositionWithoutTimelineHasNoOrder() {
    assertThat(new SourcePosition("", 7, "token").ordered()).isFalse();
    assertThat(at(7).ordered()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(ChangeKind.class)
  void kindsAreFoundByTheirCode(ChangeKind kind) {
    assertThat(ChangeKind.ofCode(kind.code())).isSameAs(kind);
  }

  private static RowChanges changes(byte[] kinds, int... commitIndexes) {
    return new RowChanges(
        batch(kinds.length), kinds, commitIndexes, Undelivered.NONE, BeforeImage.FULL);
  }

  private static ColumnBatch batch(int rows) {
    ColumnBatchBuilder builder = new ColumnBatchBuilder(ORDERS);
    for (int i = 0; i < rows; i++) {
      builder.setInt(0, i);
      builder.endRow();
    }
    return builder.build();
  }

  @Test
  void changesKnowKindAndCommitOfEachRow() {
    RowChanges changes = changes(new byte[] {INSERT, BEFORE, AFTER}, 0, 2, 2);

    assertThat(changes.table()).isEqualTo(ORDERS.table());
    assertThat(changes.rowCount()).isEqualTo(3);
    assertThat(changes.kind(1)).isEqualTo(ChangeKind.UPDATE_BEFORE);
    assertThat(changes.commitIndex(2)).isEqualTo(2);
    assertThat(changes.undelivered().any()).isFalse();
  }

  @Test
  void changesThatContradictThemselvesAreRefusedNamingTheTable() {
    assertRefused(() -> changes(new byte[] {INSERT, INSERT}, 1, 0), "go back at row 1");
    assertRefused(() -> changes(new byte[] {INSERT}, -1), "go back at row 0");
    assertRefused(() -> changes(new byte[] {4}, 0), "unknown kind 4");
    assertRefused(() -> changes(new byte[] {-1}, 0), "unknown kind -1");
    assertRefused(() -> changes(new byte[] {BEFORE}, 0), "lacks its UPDATE_AFTER");
    assertRefused(() -> changes(new byte[] {BEFORE, INSERT}, 0, 0), "lacks its UPDATE_AFTER");
    assertRefused(() -> changes(new byte[] {BEFORE, AFTER}, 0, 1), "lacks its UPDATE_AFTER");
    assertThatThrownBy(() -> changes(new byte[] {INSERT, INSERT}, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertRefused(Runnable step, String message) {
    assertThatThrownBy(step::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shop.orders")
        .hasMessageContaining(message);
  }

  @Test
  void aBatchKeepsItsOwnCopyOfItsLists() {
    List<Commit> commits = new ArrayList<>(List.of(Commit.at(at(1))));
    CommitBatch batch = new CommitBatch(commits, List.of(), true);
    commits.clear();

    assertThat(batch.commits()).hasSize(1);
  }

  @Test
  void aBatchNeedsACommit() {
    assertThatThrownBy(() -> new CommitBatch(List.of(), List.of(), true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void positionsOfABatchIncrease() {
    assertThatThrownBy(() -> batchOf(at(1), at(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 does not come after 1");
    assertThatThrownBy(() -> batchOf(at(-1), at(5))).isInstanceOf(IllegalArgumentException.class);
    assertThatCode(() -> batchOf(at(5), at(-1))).doesNotThrowAnyException();
  }

  @Test
  void positionsWithoutCommonTimelineAreNotCompared() {
    assertThatCode(
            () -> {
              batchOf(new SourcePosition("", 0, "a"), new SourcePosition("", 0, "b"));
              batchOf(at(9), new SourcePosition("other", 1, ""));
            })
        .doesNotThrowAnyException();
  }

  private static CommitBatch batchOf(SourcePosition first, SourcePosition second) {
    return new CommitBatch(List.of(Commit.at(first), Commit.at(second)), List.of(), true);
  }

  @Test
  void eventsNameCommitsOfTheirBatch() {
    List<Commit> one = List.of(Commit.at(at(1)));
    TableStoppedException reason =
        new TableStoppedException(ORDERS.table(), ErrorCode.SOURCE_DATA, "Unreadable.");

    for (TableEvent event :
        List.of(
            changes(new byte[] {INSERT}, 1),
            new TableTruncated(ORDERS.table(), 1),
            new TableTruncated(ORDERS.table(), -1),
            new TableUnreadable(ORDERS.table(), 1, reason))) {
      assertThatThrownBy(() -> new CommitBatch(one, List.of(event), true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("shop.orders");
    }
    assertThatCode(() -> new CommitBatch(one, List.of(changes(new byte[] {INSERT}, 0)), true))
        .doesNotThrowAnyException();
  }
}
