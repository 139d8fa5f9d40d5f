package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ManyFailuresTest {

  private static final int FAILURES = 1_000;
  private static final int COMMITS = 200;

  @Test
  void afterAThousandFailuresNothingIsHeldAndEachRowStandsThereOnce() throws InterruptedException {
    AtomicInteger failed = new AtomicInteger();
    try (AgentRun run = new AgentRun()) {
      for (Operation operation : List.of(Operation.CREATE, Operation.APPEND, Operation.RENAME)) {
        AtomicInteger calls = new AtomicInteger();
        run.script.always(operation, "/0", () -> fail(run, operation, calls, failed));
        run.script.always(operation, "/_0", () -> fail(run, operation, calls, failed));
      }
      run.open(LOG, ORDERS);

      for (int order = 1; order <= COMMITS; order++) {
        run.apply(insert(order % 2 == 0 ? LOG : ORDERS, order));
      }
      run.agent().flush();

      assertThat(failed.get()).isGreaterThanOrEqualTo(FAILURES);
      assertThat(run.listener.stoppedTables()).isEmpty();
      assertThat(run.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(COMMITS / 2);
      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(COMMITS / 2);
      for (String gauge :
          List.of(
              "uploads.active", "uploads.queued", "memory.reserved.bytes", "commits.unconfirmed")) {
        assertThat(run.gauges.get(gauge).getAsDouble()).as(gauge).isZero();
      }
    }
  }

  /** Two requests of three fail, slowly enough not to be held back as a storm. */
  private static void fail(
      AgentRun run, Operation operation, AtomicInteger calls, AtomicInteger failed) {
    if (calls.incrementAndGet() % 3 != 0) {
      failed.incrementAndGet();
      run.advance(Duration.ofMillis(250));
      throw DfsException.of(Kind.TRANSIENT, operation.name()).build("failed as the test wants");
    }
  }
}
