package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UploadSlotsTest {

  private final ArrayDeque<Runnable> started = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();

  private void submit(UploadSlots slots, Object file, long bytes) {
    slots.run(file, bytes, () -> ran.add(file.toString()), refused -> ran.add("no thread"));
  }

  @Test
  void aTaskWithoutThreadGivesItsSlotBackAndIsToldSo() {
    boolean[] spent = {true};
    UploadSlots slots =
        new UploadSlots(
            task -> {
              if (spent[0]) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              started.add(task);
            },
            1,
            1000);
    submit(slots, "a", 1000);
    assertThat(ran).containsExactly("no thread");
    assertThat(slots.active()).isZero();

    spent[0] = false;
    submit(slots, "b", 1000);
    started.remove().run();
    assertThat(ran).containsExactly("no thread", "b");
  }

  @Test
  void boundsTheFilesInFlight() {
    UploadSlots slots = new UploadSlots(started::add, 2, 1000);
    submit(slots, "a", 1);
    submit(slots, "b", 1);
    submit(slots, "c", 1);

    assertThat(started).hasSize(2);
    assertThat(slots.active()).isEqualTo(2);
    assertThat(slots.queued()).isEqualTo(1);
    started.remove().run();
    assertThat(started).hasSize(2);
  }

  @Test
  void tasksOfOneFileShareItsSlot() {
    UploadSlots slots = new UploadSlots(started::add, 1, 1000);
    Object file = "a";
    submit(slots, file, 1);
    submit(slots, file, 1);
    submit(slots, "b", 1);

    assertThat(started).hasSize(2);
    started.remove().run();
    assertThat(started).hasSize(1);
    started.remove().run();
    assertThat(started).hasSize(1);
  }

  @Test
  void boundsTheirBytesButLetsALargeOneGoAlone() {
    UploadSlots slots = new UploadSlots(started::add, 10, 100);
    submit(slots, "a", 80);
    submit(slots, "large", 500);
    submit(slots, "b", 80);

    assertThat(started).hasSize(1);
    started.remove().run();
    assertThat(started).hasSize(1);
    started.remove().run();
    started.remove().run();
    assertThat(ran).containsExactly("a", "large", "b");
  }

  @Test
  void moreFilesMayBeAllowedLater() {
    UploadSlots slots = new UploadSlots(started::add, 1, 100);
    submit(slots, "a", 1);
    submit(slots, "b", 1);

    slots.allow(2);

    assertThat(started).hasSize(2);
  }

  @Test
  void startsNothingMoreOnceItWaitsForQuiet() throws InterruptedException {
    UploadSlots slots = new UploadSlots(started::add, 1, 100);
    submit(slots, "a", 1);
    submit(slots, "b", 1);
    assertThat(slots.awaitQuiet(Duration.ZERO)).isFalse();

    started.remove().run();

    assertThat(started).isEmpty();
    assertThat(slots.awaitQuiet(Duration.ofSeconds(1))).isTrue();
  }
}
