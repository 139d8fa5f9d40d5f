package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A completed cycle is told in the log and in figures. */
class CycleNewsTest {

  @Test
  void aCompletedCycleIsOneLineOfTheLogAndSomeFigures() throws InterruptedException {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger logger = (Logger) LoggerFactory.getLogger(Logs.LOG.getName());
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    CountingMeters meters = new CountingMeters();
    try (Job job = new Job()) {
      job.meters = meters;
      job.start(ORDERS, CUSTOMERS);
      job.apply(
          SourceCommit.at(
              101,
              new Insert(WorkedExampleTest.order(1, "NEW", "10.00")),
              new Insert(WorkedExampleTest.customer(7, "Ann"))),
          SourceCommit.at(102, new Insert(WorkedExampleTest.order(2, "NEW", "10.00"))));
      job.time.turnTo(at("10:00:20"));
      assertThat(meters.gauge("cycle.open.age.seconds")).isEqualTo(20);
      job.time.turnTo(at("10:01:00"));
      job.awaitConfirmed(102);
      assertThat(meters.gauge("cycle.open.age.seconds")).isZero();
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("is complete"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith("sales: cycle 2026-11-29-10-00-00 is complete (NORMAL_EXPIRY)")
                    .contains("rows {sales.customers=1, sales.orders=2}")
                    .containsPattern("2 files of \\d{3,} bytes")
                    .contains("open for 60.0 s")
                    .containsPattern("visible \\d+\\.\\d s after its end"));
    assertThat(meters.sum("cycles.completed reason=NORMAL_EXPIRY")).isEqualTo(1);
    assertThat(meters.sum("rows.published table=sales.orders")).isEqualTo(2);
    assertThat(meters.sum("rows.published table=sales.customers")).isEqualTo(1);
    assertThat(meters.sum("bytes.published table=sales.orders")).isGreaterThan(100);
    assertThat(meters.sum("cycle.open")).isEqualTo(60);
  }
}
