package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialTasksTest {

  private final ArrayDeque<Runnable> pool = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private int threads = Integer.MAX_VALUE;
  private final SerialTasks tasks =
      new SerialTasks(
          task -> {
            if (threads-- <= 0) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            pool.add(task);
          });

  private void runAll() {
    while (!pool.isEmpty()) {
      pool.remove().run();
    }
  }

  @Test
  void tasksRunOneAfterTheOtherAndGoToTheBackOfTheQueueBetween() {
    tasks.execute(() -> ran.add("a"));
    tasks.execute(() -> ran.add("b"));
    pool.add(() -> ran.add("other"));
    runAll();
    assertThat(ran).containsExactly("a", "other", "b");
  }

  @Test
  void whereThereIsNoThreadForTheNextTheOneAtHandGoesOn() {
    threads = 1;
    tasks.execute(() -> ran.add("a"));
    tasks.execute(() -> ran.add("b"));
    tasks.execute(() -> ran.add("c"));
    runAll();
    assertThat(ran).containsExactly("a", "b", "c");

    threads = 1;
    tasks.execute(() -> ran.add("d"));
    runAll();
    assertThat(ran).endsWith("d");
  }

  @Test
  void aTaskForWhichThereIsNoThreadIsRefusedAndLaterOnesRun() {
    threads = 0;
    assertThatThrownBy(() -> tasks.execute(() -> ran.add("a")))
        .isInstanceOf(OutOfMemoryError.class);
    threads = 1;
    tasks.execute(() -> ran.add("b"));
    runAll();
    assertThat(ran).containsExactly("b");
  }

  @Test
  void aTaskThatThrowsHoldsNobodyUp() {
    tasks.execute(
        () -> {
          throw new AssertionError("a defect");
        });
    tasks.execute(() -> ran.add("b"));
    runAll();
    assertThat(ran).containsExactly("b");
  }
}
