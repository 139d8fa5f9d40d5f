package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.TableStatus;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A stopped table tells since when it has held the confirmed position. */
class HeldTableTest {

  private static final Instant STOP = Instant.parse("2026-03-01T00:00:00Z");

  private static Optional<Instant> ageAfterStop(String policy) throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.with("stoppedTablePolicy", policy).open(ORDERS);
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(ORDERS, 1, "a"))));
      run.now.set(STOP);
      run.publish(SourceCommit.at(2, new Insert(SourceRow.of(ORDERS, null, "no key"))));
      run.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE);
      run.now.set(STOP.plus(Duration.ofHours(1)));
      assertThat(run.status(ORDERS).state()).isEqualTo(TableStatus.State.STOPPED);
      return run.status(ORDERS).oldestUnconfirmed();
    }
  }

  @Test
  void sinceTheCommitThatStoppedIt() throws InterruptedException {
    assertThat(ageAfterStop("hold")).contains(STOP);
  }

  @Test
  void notAtAllWhenItLetTheOthersMoveOn() throws InterruptedException {
    assertThat(ageAfterStop("release")).isEmpty();
  }

  @Test
  void sinceItWasRefused() throws InterruptedException {
    TableSchema hidden =
        new TableSchema(
            TableId.of("_hidden"),
            List.of(Column.of("id", ColumnType.of(ColumnType.Kind.INT))),
            List.of("id"),
            1);
    try (AgentRun run = new AgentRun()) {
      run.now.set(STOP);
      run.open(hidden);
      run.now.set(STOP.plus(Duration.ofHours(1)));
      assertThat(run.status(hidden).oldestUnconfirmed()).contains(STOP);
    }
  }
}
