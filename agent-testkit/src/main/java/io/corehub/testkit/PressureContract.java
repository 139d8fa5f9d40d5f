package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.SourceCommit.positionAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.SnapshotWriter;
import io.corehub.testkit.SourceChange.Insert;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** While the agent's memory is spent it blocks its caller, and an interrupted call took nothing. */
interface PressureContract {

  /** Rows of about 1 MB that do not compress well: 48 of them are many times the memory given. */
  int ROWS = 48;

  int ROW_BYTES = 1 << 20;

  AgentBench bench();

  @Test
  default void applyBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT.withMemoryMegabytes(8), LOG);
    List<SourceCommit> commits = new ArrayList<>();
    for (int i = 1; i <= ROWS; i++) {
      commits.add(SourceCommit.at(i, new Insert(bigRow(i))));
    }
    bench().target().hold(LOG.table());

    int taken =
        feedUntilBlocked(
            index -> session.agent().apply(session.batch(List.of(commits.get(index)))));
    assertThat(taken).as("commits taken while nothing could be published").isLessThan(ROWS);

    bench().target().release();
    for (SourceCommit commit : commits.subList(taken, ROWS)) {
      CommitBatch batch = session.batch(List.of(commit));
      session.agent().apply(batch);
    }
    session.flush();
    assertAllRowsOnce();
    assertThat(session.listener().lastConfirmed()).contains(positionAt(ROWS));
  }

  @Test
  default void writeBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withMemoryMegabytes(8), LOG);
    SnapshotWriter writer = session.beginSnapshot(LOG, "s1", 10);
    bench().target().hold(LOG.table());

    int taken = feedUntilBlocked(index -> writer.write(ColumnBatches.of(bigRow(index + 1))));
    assertThat(taken).as("pages taken while nothing could be published").isLessThan(ROWS);

    bench().target().release();
    for (int i = taken; i < ROWS; i++) {
      writer.write(ColumnBatches.of(bigRow(i + 1)));
    }
    writer.finish();
    assertAllRowsOnce();
  }

  /** One call that hands over what stands at an index. */
  @FunctionalInterface
  interface Call {
    void at(int index) throws InterruptedException;
  }

  /**
   * Hands over one thing after the other from a thread of its own until a call blocks, and then
   * interrupts it.
   *
   * @return how many calls returned
   */
  private int feedUntilBlocked(Call call) throws InterruptedException {
    AtomicInteger taken = new AtomicInteger();
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread feeder =
        new Thread(
            () -> {
              try {
                while (taken.get() < ROWS) {
                  call.at(taken.get());
                  taken.incrementAndGet();
                }
              } catch (InterruptedException | RuntimeException | Error e) {
                end.set(e);
              }
            },
            "contract-test-feeder");
    feeder.start();
    awaitBlocked(feeder, taken);
    feeder.interrupt();
    feeder.join(bench().patience().toMillis());
    assertThat(feeder.isAlive()).as("the interrupted call went on").isFalse();
    if (taken.get() < ROWS) {
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }
    return taken.get();
  }

  /** Blocked means: the thread has stood still in the same call for a while. */
  private void awaitBlocked(Thread feeder, AtomicInteger taken) throws InterruptedException {
    int[] seen = {-1, 0};
    Await.until(
        () -> {
          boolean still = feeder.getState() != Thread.State.RUNNABLE && taken.get() == seen[0];
          seen[1] = still ? seen[1] + 1 : 0;
          seen[0] = taken.get();
          return seen[1] >= 50 || !feeder.isAlive();
        },
        "a blocked call",
        bench().patience());
  }

  private void assertAllRowsOnce() {
    List<String> ids =
        bench().rows(LOG).rows().stream().map(row -> row.cells().getOrDefault("id", "")).toList();
    assertThat(ids).hasSize(ROWS).doesNotHaveDuplicates();
  }

  private static SourceRow bigRow(int id) {
    byte[] bytes = new byte[ROW_BYTES / 2];
    new Random(id).nextBytes(bytes);
    return SourceRow.of(LOG, id, HexFormat.of().formatHex(bytes));
  }
}
