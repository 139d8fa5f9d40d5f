package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.TargetReport.Condition;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.PathEntry;
import io.corehub.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A Fabric made of numbers: it applies files in order, moves them away some time later, falls
 * asleep and wakes up. What is concluded from outside must fit what it did.
 */
class ConsumptionPropertyTest {

  private static final TableId TABLE = TableId.of("shop", "orders");
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** The model. Times are in seconds since the start. */
  private static final class Fabric {
    final Instant start = Instant.parse("2026-01-01T00:00:00Z");
    final NavigableMap<Integer, Long> publishedAt = new TreeMap<>();
    long now;
    int published;
    int applied;
    int moved;
    long lastSync = -1;
    long lastDeed;
    boolean asleep;

    Instant instant(long seconds) {
      return start.plusSeconds(seconds);
    }

    void publish() {
      published++;
      publishedAt.put(published, now);
    }

    void work(Random random) {
      if (!asleep && applied < published) {
        applied += 1 + random.nextInt(published - applied);
        lastSync = now;
        lastDeed = now;
      }
      // The last applied file stays; others go, sooner or later.
      if (moved < applied - 1 && random.nextInt(3) == 0) {
        moved += 1 + random.nextInt(applied - 1 - moved);
        lastDeed = now;
      }
    }

    Listing listing() {
      TreeMap<String, PathEntry> files = new TreeMap<>();
      for (int seq = moved + 1; seq <= published; seq++) {
        String name = FileName.numbered(seq);
        files.put(
            FileName.digits(name),
            new PathEntry(
                "t/" + name,
                false,
                9,
                instant(publishedAt.get(seq)).truncatedTo(ChronoUnit.SECONDS),
                ""));
      }
      return new Listing(true, true, files, List.of(), List.of(), Set.of());
    }

    Optional<TableReport> report() {
      return applied == 0
          ? Optional.empty()
          : Optional.of(
              new TableReport(
                  "shop",
                  "orders",
                  new FabricStatus("Replicating", "", ""),
                  OptionalLong.of(applied),
                  OptionalLong.empty(),
                  Optional.empty(),
                  Optional.of(instant(lastSync))));
    }
  }

  @Test
  void alarmsWhenAndOnlyWhenFabricSleepsOnWaitingFiles() {
    Seeds.forEach(150, 300, ConsumptionPropertyTest::follow);
  }

  private static void follow(long seed, int steps) throws InterruptedException {
    Random random = new Random(seed);
    Fabric fabric = new Fabric();
    Consumption consumption = new Consumption(TABLE, PATIENCE);
    UUID life = new UUID(1, seed);
    long waitingSince = -1;
    long limit = PATIENCE.plus(PERIOD.multipliedBy(2)).toSeconds();
    for (int step = 0; step < steps; step++) {
      fabric.now += PERIOD.toSeconds();
      if (random.nextInt(40) == 0) {
        fabric.asleep = !fabric.asleep;
      }
      for (int files = random.nextInt(6) - 2; files > 0; files--) {
        fabric.publish();
      }
      fabric.now += 2;
      fabric.work(random);
      boolean waits = fabric.applied < fabric.published;
      waitingSince = !waits ? -1 : waitingSince < 0 ? fabric.now : waitingSince;

      Consumption.Look look =
          new Consumption.Look(
              Duration.ofSeconds(fabric.now).toNanos(),
              fabric.instant(fabric.now),
              Optional.empty(),
              fabric.report(),
              new PublishedFiles(
                  TABLE,
                  "t",
                  life,
                  fabric.published,
                  fabric.published == 0
                      ? Optional.empty()
                      : Optional.of(fabric.instant(fabric.publishedAt.get(fabric.published)))));
      if (consumption.wantsListing(look)) {
        consumption.listed(look, fabric.listing());
      }
      Condition condition = consumption.conclude(look, file -> "").report().condition();

      boolean unseen = waits && fabric.lastSync < fabric.publishedAt.get(fabric.published);
      long idle = unseen ? fabric.now - Math.max(waitingSince, fabric.lastDeed) : 0;
      if (idle < PATIENCE.toSeconds()) {
        assertThat(condition).as("step %d", step).isNotEqualTo(Condition.NOT_CONSUMING);
      }
      if (unseen && fabric.now - fabric.publishedAt.get(fabric.published) > limit && idle > limit) {
        assertThat(condition).as("step %d", step).isEqualTo(Condition.NOT_CONSUMING);
      }
      assertThat(consumption.waiting())
          .as("step %d", step)
          .isBetween(fabric.published - fabric.applied, fabric.published - fabric.moved);
    }
  }
}
