package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ResumePoint;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of cycles only grow, whatever the clock does and whoever died. */
class NamesOverRestartsTest {

  private final Job job = new Job();

  @AfterEach
  void close() {
    job.close();
  }

  private void cycleWith(long order) throws InterruptedException {
    job.apply(
        SourceCommit.at(order, new Insert(WorkedExampleTest.order((int) order, "NEW", "1.00"))));
    job.agent.flush();
    job.awaitConfirmed(order);
  }

  @Test
  void aRestartWithinTheSameSecondTakesTheNextName() throws InterruptedException {
    job.start(ORDERS);
    cycleWith(101);
    job.restart(ORDERS);
    cycleWith(102);

    assertThat(job.consumed().cycles())
        .containsExactly("2026-11-29-10-00-00", "2026-11-29-10-00-01");
  }

  @Test
  void aClockThatIsSetBackMakesNoNameSmaller() throws InterruptedException {
    job.start(ORDERS);
    cycleWith(101);
    job.time.turnTo(at("09:00:00"));
    cycleWith(102);
    job.restart(ORDERS);
    cycleWith(103);

    assertThat(job.consumed().cycles())
        .containsExactly("2026-11-29-10-00-00", "2026-11-29-10-00-01", "2026-11-29-10-00-02");
  }

  @Test
  void tagsOfFoldersDoNotCount() throws InterruptedException {
    for (int run = 0; run < 4; run++) {
      job.settings.put("addDirectoryTags", Boolean.toString(run % 2 == 0));
      if (run == 0) {
        job.start(ORDERS);
      } else {
        job.restart(ORDERS);
      }
      cycleWith(101 + run);
    }

    assertThat(job.consumed().cycles())
        .containsExactly(
            "2026-11-29-10-00-00",
            "2026-11-29-10-00-01",
            "2026-11-29-10-00-02",
            "2026-11-29-10-00-03");
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "delete, true, {TaskTargetDirectory}/data/{TableName}/data",
    "keep, true, {TaskTargetDirectory}/data/{TableName}/data",
    "delete, false, {TaskTargetDirectory}/data/{TableName}/data",
    "keep, false, {TaskTargetDirectory}/data/{TableName}/data",
    "delete, true, lake/{TableName}",
    "delete, false, lake/{TableName}",
    "delete, true, {TableName}/data",
    "delete, false, sales_cdc_data/{TableName}/{YYYY}"
  })
  void theNameOfACycleThatWasGivenUpIsNeverTakenAgain(
      String orphans, boolean folders, String dataDirectory) throws InterruptedException {
    CountDownLatch uploaded = new CountDownLatch(1);
    Faults watch =
        new Faults() {
          @Override
          public void after(Request request) {
            if (request.operation() == Operation.RENAME && request.path().contains("/orders_")) {
              uploaded.countDown();
            }
          }
        };
    job.settings.put("orphanPolicy", orphans);
    job.settings.put("maxFileRows", "1");
    job.settings.put("useCyclePartitioningForData", Boolean.toString(folders));
    job.settings.put("dataDirectory", dataDirectory);
    job.start(ResumePoint.NONE, watch, ORDERS);
    job.apply(SourceCommit.at(101, new Insert(WorkedExampleTest.order(1, "NEW", "1.00"))));
    assertThat(uploaded.await(30, TimeUnit.SECONDS)).isTrue();
    job.restart(ORDERS);
    cycleWith(101);

    assertThat(job.consumed().cycles()).containsExactly("2026-11-29-10-00-01");
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
    assertThat(job.listener.warnings())
        .as("what is kept is told")
        .hasSize(orphans.equals("keep") ? 1 : 0);
  }
}
