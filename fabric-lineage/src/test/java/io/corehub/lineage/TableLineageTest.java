package io.corehub.lineage;

import static io.corehub.lineage.LineageBench.ORDERS;
import static io.corehub.lineage.LineageBench.START;
import static io.corehub.lineage.LineageBench.changes;
import static io.corehub.lineage.LineageBench.shape;
import static io.corehub.lineage.LineageBench.snapshot;
import static io.corehub.lineage.LineageBench.snapshotStart;
import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a table tells what, on a clock that the test turns. The interval is a minute. */
class TableLineageTest {

  private final List<Emission> told = new ArrayList<>();
  private final TableLineage table =
      new TableLineage(
          ORDERS,
          kind -> JobKey.of("shop", ORDERS, "dbo", kind),
          UUID::randomUUID,
          Duration.ofMinutes(1),
          told::add);

  private static Instant at(double seconds) {
    return START.plusMillis(Math.round(seconds * 1000));
  }

  private List<String> lines() {
    return told.stream().map(LineageBench::line).toList();
  }

  @Test
  void aSnapshotIsARunOfItsOwnWithTotals() {
    table.shaped(shape(ORDERS, "id"), at(0));
    table.snapshotStarted(snapshotStart(), at(0));
    table.filePublished(snapshot(ORDERS, 10), at(1));
    table.filePublished(snapshot(ORDERS, 20), at(61));
    table.filePublished(snapshot(ORDERS, 5), at(62));
    table.snapshotEnded(true, at(63));

    assertThat(lines())
        .containsExactly(
            "START shop.sales.orders.snapshot",
            "RUNNING shop.sales.orders.snapshot 30 rows in 2",
            "COMPLETE shop.sales.orders.snapshot 35 rows in 3");
    assertThat(told.get(0).run().job().kind().processing).isEqualTo("BATCH");
  }

  @Test
  void anEmptySnapshotCompletesWithItsOneEmptyFile() {
    table.snapshotStarted(snapshotStart(), at(0));
    table.filePublished(snapshot(ORDERS, 0), at(1));
    table.snapshotEnded(true, at(1));

    assertThat(lines())
        .containsExactly(
            "START shop.sales.orders.snapshot", "COMPLETE shop.sales.orders.snapshot 0 rows in 1");
  }

  @Test
  void aSnapshotThatIsGivenUpIsAborted() {
    table.snapshotStarted(snapshotStart(), at(0));
    table.filePublished(snapshot(ORDERS, 10), at(1));
    table.snapshotEnded(false, at(2));

    assertThat(told.get(1).type()).isEqualTo(EventType.ABORT);
    assertThat(told).hasSize(2);
  }

  @Test
  void manyFilesInASecondAreOneEvent() {
    table.shaped(shape(ORDERS, "id"), at(0));
    for (int i = 0; i < 500; i++) {
      table.filePublished(changes(ORDERS, 1), at(i / 500.0));
    }
    table.tellWhatIsDue(at(59));
    assertThat(lines()).containsExactly("START shop.sales.orders");

    table.tellWhatIsDue(at(60));

    assertThat(lines())
        .containsExactly("START shop.sales.orders", "RUNNING shop.sales.orders 500 rows in 500");
  }

  @Test
  void anIdleTableTellsNothing() {
    table.filePublished(changes(ORDERS, 1), at(0));
    for (int minute = 1; minute < 100; minute++) {
      table.tellWhatIsDue(at(60 * minute));
    }

    assertThat(lines())
        .containsExactly("START shop.sales.orders", "RUNNING shop.sales.orders 1 rows in 1");
    assertThat(table.nextDue()).isEmpty();
  }

  @Test
  void theFirstFileAfterAnIdleTimeWaitsForTheOthers() {
    table.filePublished(changes(ORDERS, 1), at(0));
    table.tellWhatIsDue(at(60));
    table.filePublished(changes(ORDERS, 2), at(1000));
    table.filePublished(changes(ORDERS, 3), at(1001));
    assertThat(table.nextDue()).contains(at(1060));
    table.tellWhatIsDue(at(1060));

    assertThat(lines().subList(1, 3))
        .containsExactly(
            "RUNNING shop.sales.orders 1 rows in 1", "RUNNING shop.sales.orders 5 rows in 2");
  }

  @Test
  void twoEventsOfATableAreAnIntervalApart() {
    for (int i = 0; i < 6_000; i++) {
      table.filePublished(changes(ORDERS, 1), at(i / 10.0));
    }

    List<Instant> running =
        told.stream().filter(e -> e.type() == EventType.RUNNING).map(Emission::at).toList();
    assertThat(running).hasSize(9);
    for (int i = 1; i < running.size(); i++) {
      assertThat(Duration.between(running.get(i - 1), running.get(i)))
          .isGreaterThanOrEqualTo(Duration.ofMinutes(1));
    }
  }

  @Test
  void aNewShapeIsToldAtOnceWithWhatWasPublishedBefore() {
    table.shaped(shape(ORDERS, "id"), at(0));
    table.filePublished(changes(ORDERS, 1), at(0));
    table.shaped(shape(ORDERS, "id", "note"), at(10));

    assertThat(lines())
        .containsExactly("START shop.sales.orders", "RUNNING shop.sales.orders 1 rows in 1");
    assertThat(told.get(1).facts().orElseThrow().shape().orElseThrow().columns()).hasSize(2);
  }

  @Test
  void theSameShapeAgainIsNoNews() {
    table.shaped(shape(ORDERS, "id"), at(0));
    table.filePublished(changes(ORDERS, 1), at(0));
    table.shaped(shape(ORDERS, "id"), at(10));

    assertThat(lines()).containsExactly("START shop.sales.orders");
  }

  @Test
  void aTableThatStopsFailsWithWhatItPublishedAndWhy() {
    table.filePublished(changes(ORDERS, 7), at(0));
    table.stopped("a value does not fit", at(5));
    table.stopped("a value does not fit", at(6));
    table.ended(true, at(7));

    assertThat(lines())
        .containsExactly("START shop.sales.orders", "FAIL shop.sales.orders 7 rows in 1");
    assertThat(told.get(1).error()).contains("a value does not fit");
  }

  @Test
  void aTableThatStopsBeforeItPublishedAnythingFailsToo() {
    table.stopped("its name is refused", at(0));

    assertThat(lines()).containsExactly("START shop.sales.orders", "FAIL shop.sales.orders");
  }

  @Test
  void aTableThatStopsInItsSnapshotFailsThatRunAlone() {
    table.snapshotStarted(snapshotStart(), at(0));
    table.stopped("no", at(1));
    table.snapshotEnded(false, at(2));
    table.ended(true, at(3));

    assertThat(lines())
        .containsExactly("START shop.sales.orders.snapshot", "FAIL shop.sales.orders.snapshot");
  }

  @Test
  void whatATableTookBeforeItStoppedIsToldByARunThatFailsToo() {
    table.filePublished(changes(ORDERS, 1), at(0));
    table.stopped("no", at(1));
    table.filePublished(changes(ORDERS, 2), at(2));
    table.filePublished(changes(ORDERS, 3), at(3));
    table.ended(true, at(4));

    assertThat(lines())
        .containsExactly(
            "START shop.sales.orders",
            "FAIL shop.sales.orders 1 rows in 1",
            "START shop.sales.orders",
            "FAIL shop.sales.orders 5 rows in 2");
    assertThat(told.get(3).error()).contains("no");
    assertThat(told.get(2).run()).isNotEqualTo(told.get(0).run());
  }

  @Test
  void aTableThatGoesOnAfterAStopGetsANewRun() {
    table.shaped(shape(ORDERS, "id"), at(0));
    table.filePublished(changes(ORDERS, 1), at(0));
    table.stopped("no", at(1));
    table.shaped(shape(ORDERS, "id"), at(10));
    table.filePublished(changes(ORDERS, 2), at(11));
    table.ended(true, at(12));

    assertThat(lines())
        .containsExactly(
            "START shop.sales.orders",
            "FAIL shop.sales.orders 1 rows in 1",
            "START shop.sales.orders",
            "RUNNING shop.sales.orders 2 rows in 1",
            "COMPLETE shop.sales.orders");
    assertThat(told.get(2).run()).isNotEqualTo(told.get(0).run());
  }

  @Test
  void aCleanEndTellsTheLastWindowThenCompletes() {
    table.filePublished(changes(ORDERS, 4), at(0));
    table.ended(true, at(1));

    assertThat(lines())
        .containsExactly(
            "START shop.sales.orders",
            "RUNNING shop.sales.orders 4 rows in 1",
            "COMPLETE shop.sales.orders");
    assertThat(told.get(1).droppable()).isFalse();
  }

  @Test
  void aPipelineThatFailsAbortsItsTables() {
    table.filePublished(changes(ORDERS, 4), at(0));
    table.snapshotStarted(snapshotStart(), at(0));
    table.ended(false, at(1));

    assertThat(told)
        .filteredOn(Emission::terminal)
        .extracting(Emission::type)
        .containsExactly(EventType.ABORT, EventType.ABORT);
  }

  /** Whatever happens in whatever order, rows add up and runs keep their order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void rowsAddUpAndNothingComesAfterTheEndOfARun(long seed) {
    Random random = new Random(seed);
    long published = 0;
    long loaded = 0;
    boolean inSnapshot = false;
    double now = 0;
    for (int i = 0; i < 2_000; i++) {
      now += random.nextInt(30);
      int rows = 1 + random.nextInt(9);
      switch (random.nextInt(12)) {
        case 0 -> {
          table.stopped("no", at(now));
          inSnapshot = false;
        }
        case 1 -> table.shaped(shape(ORDERS, "id", "c" + random.nextInt(3)), at(now));
        case 2 -> {
          table.snapshotStarted(snapshotStart(), at(now));
          inSnapshot = true;
        }
        case 3 -> {
          table.snapshotEnded(random.nextBoolean(), at(now));
          inSnapshot = false;
        }
        case 4 -> table.tellWhatIsDue(at(now));
        case 5 -> {
          if (inSnapshot) {
            table.filePublished(snapshot(ORDERS, rows), at(now));
            loaded += rows;
          }
        }
        default -> {
          table.filePublished(changes(ORDERS, rows), at(now));
          published += rows;
        }
      }
    }
    table.ended(true, at(now));

    assertThat(
            told.stream()
                .filter(Emission::tellsWindow)
                .mapToLong(emission -> emission.statistics().rows())
                .sum())
        .isEqualTo(published);
    assertThat(
            told.stream()
                .filter(e -> e.run().job().kind() == JobKey.Kind.SNAPSHOT && e.terminal())
                .mapToLong(emission -> emission.statistics().rows())
                .sum())
        .isEqualTo(loaded);
    Map<UUID, Boolean> open = new HashMap<>();
    Set<JobKey> running = new HashSet<>();
    for (Emission emission : told) {
      UUID run = emission.run().id();
      if (emission.type() == EventType.START) {
        assertThat(open.put(run, true)).as("run %s starts once", run).isNull();
        assertThat(running.add(emission.run().job())).as("one run of a job at a time").isTrue();
      } else {
        assertThat(open.get(run)).as("%s of a run that goes on", emission.type()).isTrue();
      }
      if (emission.terminal()) {
        open.put(run, false);
        running.remove(emission.run().job());
      }
    }
    assertThat(open.values()).containsOnly(false);
  }
}
