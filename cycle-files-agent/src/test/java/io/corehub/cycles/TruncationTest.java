package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import org.junit.jupiter.api.Test;

class TruncationTest {

  /** Rows bring the shape of a table along; a truncation has to do without them. */
  @Test
  void oneThatComesFirstAfterARestartIsWritten() throws InterruptedException {
    Job job = new Job();
    job.settings.put("truncateInIncremental", "write");
    job.start(ORDERS);
    job.apply(SourceCommit.at(101, new Insert(SourceRow.of(ORDERS, 1, "NEW", "10.00"))));
    job.agent.flush();
    job.awaitConfirmed(101);

    job.restart(ORDERS);
    job.apply(SourceCommit.at(102, new Truncate(ORDERS)));
    job.agent.flush();
    job.awaitConfirmed(102);
    job.agent.close();

    assertThat(
            job.consumed().tables().get("orders").lines().stream().map(line -> line.op()).toList())
        .containsExactly("I", "T");
  }
}
