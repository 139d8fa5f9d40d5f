package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableTruncated;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceChange.Update;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommitBatchesTest {

  @Test
  void changesOfOneTableFormOneRunOverSeveralCommits() {
    CommitBatch batch =
        CommitBatches.of(
            List.of(insertAt(1, ORDERS), insertAt(2, LOG), insertAt(3, ORDERS)), BeforeImage.FULL);

    assertThat(batch.events()).hasSize(2);
    RowChanges orders = (RowChanges) batch.events().get(0);
    assertThat(orders.table()).isEqualTo(ORDERS.table());
    assertThat(orders.commitIndex(0)).isZero();
    assertThat(orders.commitIndex(1)).isEqualTo(2);
  }

  @Test
  void oldRowsComeAsCompleteAsAskedFor() {
    SourceCommit commit =
        SourceCommit.at(
            1,
            new Update(row(ORDERS, 1), row(ORDERS, 1, "changed")),
            new Update(row(ORDERS, 2), row(ORDERS, 3)),
            new Delete(row(ORDERS, 4)));

    assertThat(kinds(commit, BeforeImage.FULL))
        .containsExactly(
            ChangeKind.UPDATE_BEFORE,
            ChangeKind.UPDATE_AFTER,
            ChangeKind.UPDATE_BEFORE,
            ChangeKind.UPDATE_AFTER,
            ChangeKind.DELETE);
    assertThat(kinds(commit, BeforeImage.KEY))
        .containsExactly(
            ChangeKind.UPDATE_AFTER,
            ChangeKind.UPDATE_BEFORE,
            ChangeKind.UPDATE_AFTER,
            ChangeKind.DELETE);
    assertThat(kinds(commit, BeforeImage.NONE))
        .containsExactly(
            ChangeKind.UPDATE_AFTER, ChangeKind.DELETE, ChangeKind.INSERT, ChangeKind.DELETE);
    assertThat(SourceRow.views(changes(commit, BeforeImage.KEY).rows()).get(3).cells())
        .containsOnlyKeys("id");
    assertThat(SourceRow.views(changes(commit, BeforeImage.FULL).rows()).get(4).cells())
        .containsOnlyKeys("id", "text");
  }

  private static List<ChangeKind> kinds(SourceCommit commit, BeforeImage beforeImage) {
    RowChanges changes = changes(commit, beforeImage);
    return IntStream.range(0, changes.rowCount()).mapToObj(changes::kind).toList();
  }

  private static RowChanges changes(SourceCommit commit, BeforeImage beforeImage) {
    return (RowChanges) CommitBatches.of(List.of(commit), beforeImage).events().get(0);
  }

  @Test
  void aTruncateDividesTheRun() {
    CommitBatch batch =
        CommitBatches.of(
            List.of(
                SourceCommit.at(
                    1,
                    new Insert(row(ORDERS, 1)),
                    new Truncate(ORDERS),
                    new Insert(row(ORDERS, 2)))),
            BeforeImage.FULL);

    assertThat(batch.events()).hasSize(3);
    assertThat(batch.events().get(1)).isEqualTo(new TableTruncated(ORDERS.table(), 0));
  }

  @Test
  void onlyTheLastPartEndsTheCommit() {
    SourceCommit commit =
        SourceCommit.at(
            1, new Insert(row(LOG, 1)), new Insert(row(LOG, 2)), new Insert(row(LOG, 3)));

    List<CommitBatch> parts = CommitBatches.parts(commit, 2, BeforeImage.FULL);

    assertThat(parts).extracting(CommitBatch::lastCommitComplete).containsExactly(false, true);
    assertThat(CommitBatches.parts(SourceCommit.at(1), 2, BeforeImage.FULL)).hasSize(1);
  }

  @Test
  void cellsThatWereNotDeliveredAreMarked() {
    SourceCommit commit =
        SourceCommit.at(
            1, new Update(row(ORDERS, 1), row(ORDERS, 1).with(1, SourceRow.UNDELIVERED)));

    RowChanges changes = changes(commit, BeforeImage.FULL);

    assertThat(changes.undelivered().is(1, 1)).isTrue();
    assertThat(changes.undelivered().is(1, 0)).isFalse();
  }
}
