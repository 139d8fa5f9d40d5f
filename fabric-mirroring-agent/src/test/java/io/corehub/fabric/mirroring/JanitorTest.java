package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.memory.InMemoryFileSystem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which uploads of other runs are removed when a table is opened. */
class JanitorTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final String FOLDER = AgentRun.ROOT + "/shop.schema/log/";

  private final AtomicReference<Instant> server = new AtomicReference<>(START);
  private final InstantSource serverClock = server::get;
  private final InMemoryFileSystem fileSystem =
      new InMemoryFileSystem(serverClock.withZone(ZoneOffset.UTC));
  private final DfsClient other = fileSystem.client();
  private final String upload = FileName.temporary(7, UUID.randomUUID());

  @BeforeEach
  void prepare() throws InterruptedException {
    other.createDirectory(AgentRun.ROOT);
    other.create(FOLDER + upload, true);
  }

  /** Opens the table at a time of the server and one of this machine, and publishes a file. */
  private List<String> openedAt(Duration serverAge, Duration machineAge)
      throws InterruptedException {
    server.set(START.plus(serverAge));
    try (AgentRun run = new AgentRun(fileSystem)) {
      run.now.set(START.plus(machineAge));
      run.open(LOG).publish(insert(LOG, 1));
      run.epoch++;
      try (AgentRun next = run.successor().open(LOG)) {
        return next.tables.entries(LOG.table());
      }
    }
  }

  @Test
  void anUploadOfAnotherRunIsLeftAloneForADay() throws InterruptedException {
    assertThat(openedAt(Duration.ofHours(23), Duration.ofHours(23))).contains(upload);
  }

  @Test
  void afterADayItIsTheLeftoverOfARunThatDied() throws InterruptedException {
    assertThat(openedAt(Duration.ofHours(25), Duration.ofHours(25))).doesNotContain(upload);
  }

  @Test
  void aClockThatIsFarAheadDoesNotMakeAYoungUploadOld() throws InterruptedException {
    assertThat(openedAt(Duration.ofMinutes(5), Duration.ofDays(400))).contains(upload);
  }

  @Test
  void aClockThatIsBehindDoesNotEither() throws InterruptedException {
    assertThat(openedAt(Duration.ofHours(25), Duration.ZERO)).contains(upload);
  }
}
