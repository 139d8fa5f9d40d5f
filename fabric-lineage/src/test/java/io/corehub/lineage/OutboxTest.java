package io.corehub.lineage;

import static io.corehub.lineage.LineageBench.ORDERS;
import static io.corehub.lineage.LineageBench.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When too many events wait, counts move and nothing is lost. */
class OutboxTest {

  private final List<Emission> givenBack = new ArrayList<>();
  private final Outbox outbox = new Outbox(3, givenBack::add);
  private final Run a = run("a");
  private final Run b = run("b");

  private static Run run(String name) {
    return new Run(UUID.randomUUID(), new JobKey(name, JobKey.Kind.CHANGES));
  }

  private static Emission running(Run run, long rows) {
    return event(EventType.RUNNING, run).with(new Statistics(rows, rows, 1)).mayBeDropped();
  }

  private static Emission event(EventType type, Run run) {
    return Emission.of(type, run, START, Optional.of(new TableFacts(ORDERS, Optional.empty(), "")));
  }

  private List<String> taken() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    while (outbox.size() > 0) {
      lines.add(LineageBench.line(outbox.take(0)));
    }
    return lines;
  }

  @Test
  void theOldestGoesIntoTheNextOfItsRun() throws InterruptedException {
    outbox.add(event(EventType.START, a));
    outbox.add(running(a, 1));
    outbox.add(running(b, 10));
    outbox.add(running(a, 2));

    assertThat(taken())
        .containsExactly("START a", "RUNNING b 10 rows in 1", "RUNNING a 3 rows in 2");
    assertThat(givenBack).isEmpty();
  }

  @Test
  void withoutANextOneItGoesBackToWhoMadeIt() throws InterruptedException {
    outbox.add(event(EventType.START, a));
    outbox.add(running(a, 1));
    outbox.add(running(b, 10));
    outbox.add(running(b, 20));

    assertThat(taken())
        .containsExactly("START a", "RUNNING b 10 rows in 1", "RUNNING b 20 rows in 1");
    assertThat(givenBack).extracting(LineageBench::line).containsExactly("RUNNING a 1 rows in 1");
  }

  @Test
  void aFailureTakesUpWhatWasLeftOut() throws InterruptedException {
    outbox.add(running(a, 1));
    outbox.add(running(b, 1));
    outbox.add(event(EventType.START, b));
    outbox.add(event(EventType.FAIL, a).with(new Statistics(5, 5, 1)));

    assertThat(taken()).containsExactly("RUNNING b 1 rows in 1", "START b", "FAIL a 6 rows in 2");
  }

  @Test
  void startsAndEndsAreKeptBeyondTheLimit() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      outbox.add(event(EventType.START, a));
      outbox.add(event(EventType.COMPLETE, a));
    }

    assertThat(taken()).hasSize(10);
  }

  @Test
  void whatMayBeLeftOutStaysWithinTheLimit() {
    for (int i = 0; i < 1_000_000; i++) {
      outbox.add(running(i % 2 == 0 ? a : b, 1));
    }

    assertThat(outbox.size()).isEqualTo(3);
  }

  @Test
  void aClosedOutboxTakesNothingMoreAndGivesWhatItHas() throws InterruptedException {
    outbox.add(event(EventType.START, a));
    outbox.close();
    outbox.add(event(EventType.START, b));

    assertThat(taken()).containsExactly("START a");
    assertThat(outbox.take(Long.MAX_VALUE / 2)).isNull();
  }
}
