package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the storage refuses ends the job with one message; what it cannot do now is repeated. */
class StorageFailuresTest {

  private static final String CONTENTS =
      "Files/cdc/sales_cdc/cycle/contents/2026-11-29-10-00-00/Cycle-contents-20261129100000.csv";

  private final Job job = new Job();
  private final AtomicInteger met = new AtomicInteger();

  @AfterEach
  void close() {
    job.close();
  }

  private static SourceCommit insert() {
    return SourceCommit.at(101, new Insert(WorkedExampleTest.order(1, "NEW", "1.00")));
  }

  /** Renames to the contents file fail so many times. */
  private Faults failing(Kind kind, int times) {
    return new Faults() {
      @Override
      public void before(Request request) {
        if (request.operation() == Operation.RENAME
            && request.path().equals(CONTENTS)
            && met.incrementAndGet() <= times) {
          throw DfsException.of(kind, "rename")
              .transientFault(kind == Kind.THROTTLED || kind == Kind.TRANSIENT)
              .build("the test says " + kind);
        }
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"UNAUTHORIZED", "FORBIDDEN", "CONTAINER_NOT_FOUND"})
  void aRefusalIsNotRepeatedAndItsMessageNamesTheFile(Kind kind) throws InterruptedException {
    job.start(ResumePoint.NONE, failing(kind, Integer.MAX_VALUE), ORDERS);
    job.apply(insert());
    job.agent.flush();

    AgentException stop = job.listener.awaitAgentStop(Duration.ofSeconds(30));
    assertThat(stop)
        .hasMessageContaining("Cycle-contents-20261129100000.csv")
        .message()
        .as("says what to do")
        .containsPattern("(?i)(give|check|grant|correct|set|add|look)");
    assertThat(met).hasValue(1);
    assertThat(job.consumed().cycles()).isEmpty();
    assertThat(job.listener.lastConfirmed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THROTTLED", "TRANSIENT"})
  void whatPassesIsRepeated(Kind kind) throws InterruptedException {
    job.start(ResumePoint.NONE, failing(kind, 2), ORDERS);
    job.apply(insert());
    job.agent.flush();
    job.awaitConfirmed(101);

    assertThat(met).hasValueGreaterThanOrEqualTo(3);
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
  }

  /** Somebody else's file under a name of ours is never replaced. */
  @ParameterizedTest
  @CsvSource({
    "Files/cdc/sales_cdc/data/orders/data/2026-11-29-10-00-00/orders_20261129100000.csv",
    "Files/cdc/sales_cdc/data/orders/schema/V1/orders.schema",
    "Files/cdc/sales_cdc/cycle/contents/2026-11-29-10-00-00/_manifest-20261129100000.json",
    "Files/cdc/sales_cdc/cycle/contents/2026-11-29-10-00-00/Cycle-contents-20261129100000.csv",
    "Files/cdc/sales_cdc/cycle/completed/2026-11-29-10-00-00/Cycle-20261129100000.csv"
  })
  void aFileThatIsThereAlreadyIsAConflict(String path) throws InterruptedException {
    byte[] foreign = "somebody else's".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    Faults plants =
        new Faults() {
          @Override
          public void before(Request request) throws InterruptedException {
            if (request.operation() == Operation.RENAME
                && request.path().equals(path)
                && met.incrementAndGet() == 1) {
              DfsClient other = job.client();
              other.create(path, true);
              other.append(path, 0, ByteBuffer.wrap(foreign), AppendMode.APPEND);
              other.flush(path, foreign.length, true);
            }
          }
        };
    job.start(ResumePoint.NONE, plants, ORDERS);
    job.apply(insert());
    job.agent.flush();

    AgentException stop = job.listener.awaitAgentStop(Duration.ofSeconds(30));
    assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(stop).hasMessageContaining(path.substring(path.lastIndexOf('/') + 1));
    assertThat(job.consumed().read(path.substring("Files/cdc/".length()))).isEqualTo(foreign);
    assertThat(job.listener.lastConfirmed()).isEmpty();
  }

  @Test
  void aFileOfTheSameBytesCountsAsThisOne() throws InterruptedException {
    Faults lost =
        new Faults() {
          @Override
          public void after(Request request) {
            if (request.operation() == Operation.RENAME && met.incrementAndGet() <= 6) {
              throw DfsException.of(Kind.CONNECTION_LOST, "rename")
                  .outcomeUnknown(true)
                  .transientFault(true)
                  .build("the answer is lost");
            }
          }
        };
    job.start(ResumePoint.NONE, lost, ORDERS);
    job.apply(insert());
    job.agent.flush();
    job.awaitConfirmed(101);

    assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
  }
}
