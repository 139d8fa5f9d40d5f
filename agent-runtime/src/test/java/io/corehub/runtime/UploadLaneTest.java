package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.runtime.Publication.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UploadLaneTest {

  private final ManualTimer timer = new ManualTimer();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<String> events = new ArrayList<>();
  private int emptied;
  private final UploadSlots slots = new UploadSlots(tasks::add, 4, 1000);

  private UploadLane lane() {
    return new UploadLane(
        slots,
        timer,
        new UploadLane.Listener() {
          @Override
          public void published(Publication file) {
            events.add("published " + file);
          }

          @Override
          public void failed(Publication file, Throwable reason) {
            events.add("failed " + file + " " + reason.getMessage());
          }

          @Override
          public void emptied() {
            emptied++;
          }
        });
  }

  private void runAll() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void aStoppedLaneIsEmptyOnlyWhenWhatIsUnderWayEnded() {
    UploadLane lane = lane();
    lane.submit(new File("under way"));
    lane.submit(new File("waiting"));

    lane.stop();

    assertThat(lane.queued()).isEqualTo(1);
    assertThat(emptied).isZero();

    runAll();

    assertThat(lane.queued()).isZero();
    assertThat(emptied).isEqualTo(1);
  }

  @Test
  void aFileThatWaitsForItsNextAttemptIsDroppedAtOnceWhenTheLaneStops() {
    UploadLane lane = lane();
    File failing = new File("failing");
    failing.uploads.add(new Step.Again(Duration.ofMinutes(5)));
    lane.submit(failing);
    runAll();

    lane.stop();

    assertThat(lane.queued()).isZero();
    assertThat(emptied).isEqualTo(1);
    assertThat(events).containsExactly("upload failing", "abandon failing");

    timer.pass(Duration.ofMinutes(5));
    runAll();

    assertThat(events).containsExactly("upload failing", "abandon failing");
  }

  /** A file whose steps are given. */
  private final class File implements Publication {
    final String name;
    final ArrayDeque<Step> uploads = new ArrayDeque<>();
    final ArrayDeque<Step> publishes = new ArrayDeque<>();
    RuntimeException failure;

    File(String name) {
      this.name = name;
    }

    @Override
    public long bytes() {
      return 10;
    }

    @Override
    public Step upload() {
      events.add("upload " + name);
      return uploads.isEmpty() ? new Step.Done() : uploads.remove();
    }

    @Override
    public Step publish() {
      if (failure != null) {
        throw failure;
      }
      events.add("publish " + name);
      return publishes.isEmpty() ? new Step.Done() : publishes.remove();
    }

    @Override
    public void abandon() {
      events.add("abandon " + name);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @Test
  void publishesInOrderAndUploadsTheNextOnlyAfterTheFirstIsVisible() {
    UploadLane lane = lane();
    lane.submit(new File("1"));
    lane.submit(new File("2"));
    runAll();

    assertThat(events)
        .containsExactly(
            "upload 1", "publish 1", "published 1", "upload 2", "publish 2", "published 2");
    assertThat(lane.queued()).isZero();
  }

  @Test
  void laterUploadsMayOvertakeButNeverTheirRenames() {
    UploadLane lane = lane();
    lane.submit(new File("0"));
    runAll();
    events.clear();
    File slow = new File("1");
    slow.uploads.add(new Step.Again(Duration.ofSeconds(1)));
    lane.submit(slow);
    lane.submit(new File("2"));
    runAll();
    assertThat(events).containsExactly("upload 1", "upload 2");

    timer.pass(Duration.ofSeconds(1));
    runAll();
    assertThat(events.subList(2, events.size()))
        .containsExactly("upload 1", "publish 1", "published 1", "publish 2", "published 2");
  }

  @Test
  void aFileThatPausesHoldsNoSlot() {
    File waiting = new File("waiting");
    waiting.publishes.add(new Step.Again(Duration.ofMinutes(5)));
    lane().submit(waiting);
    runAll();

    assertThat(slots.active()).isZero();
    assertThat(slots.queued()).isZero();
  }

  @Test
  void goesOnWhenWhatItWaitsForIsComplete() {
    CompletableFuture<Void> blocks = new CompletableFuture<>();
    File file = new File("1");
    file.uploads.add(new Step.After(blocks));
    lane().submit(file);
    runAll();
    assertThat(events).containsExactly("upload 1");

    blocks.complete(null);
    runAll();
    assertThat(events).containsExactly("upload 1", "upload 1", "publish 1", "published 1");
  }

  @Test
  void aFailureAbandonsTheFileAndAllBehindIt() {
    UploadLane lane = lane();
    File bad = new File("1");
    bad.failure = new IllegalStateException("conflict");
    lane.submit(bad);
    lane.submit(new File("2"));
    runAll();
    lane.submit(new File("3"));

    assertThat(events)
        .containsExactly("upload 1", "abandon 2", "abandon 1", "failed 1 conflict", "abandon 3");
  }

  @Test
  void aStoppedLaneLetsNothingOfItselfBecomeVisible() {
    UploadLane lane = lane();
    File pausing = new File("1");
    pausing.publishes.add(new Step.Again(Duration.ofSeconds(1)));
    lane.submit(pausing);
    runAll();
    lane.stop();
    timer.pass(Duration.ofSeconds(2));
    runAll();

    assertThat(events).containsExactly("upload 1", "publish 1", "abandon 1");
    assertThat(lane.queued()).isZero();
  }

  @Test
  void everyFileIsPublishedOnceInOrderWhateverHappensOnTheWay() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      events.clear();
      List<UploadLane> lanes = List.of(lane(), lane(), lane());
      for (int i = 0; i < 30; i++) {
        File file = new File(i % 3 + "/" + i);
        for (int pauses = random.nextInt(3); pauses > 0; pauses--) {
          Step pause = new Step.Again(Duration.ofMillis(random.nextInt(50)));
          (random.nextBoolean() ? file.uploads : file.publishes).add(pause);
        }
        lanes.get(i % 3).submit(file);
      }
      for (int steps = 0; steps < 2000; steps++) {
        if (!tasks.isEmpty() && random.nextInt(4) > 0) {
          tasks.remove().run();
        } else {
          timer.pass(Duration.ofMillis(5));
        }
      }
      runAll();
      for (int lane = 0; lane < 3; lane++) {
        String prefix = "published " + lane + "/";
        List<Integer> order =
            events.stream()
                .filter(event -> event.startsWith(prefix))
                .map(event -> Integer.valueOf(event.substring(prefix.length())))
                .toList();
        assertThat(order).as("seed %d", seed).hasSize(10).isSorted();
      }
    }
  }
}
