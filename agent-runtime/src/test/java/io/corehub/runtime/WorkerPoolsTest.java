package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WorkerPoolsTest {

  @Test
  void leavesNoThreadBehindThoughTasksHang() throws InterruptedException {
    WorkerPools pools = new WorkerPools("leak-check", 2);
    CountDownLatch running = new CountDownLatch(70);
    CountDownLatch started = new CountDownLatch(WorkerPools.MAX_UPLOAD_THREADS);
    for (int i = 0; i < 70; i++) {
      pools
          .uploads()
          .execute(
              () -> {
                started.countDown();
                try {
                  running.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }
    assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(threads()).hasSize(WorkerPools.MAX_UPLOAD_THREADS);

    pools.close();
    pools.close();
    pools.uploads().execute(() -> {});
    pools.timer().in(Duration.ZERO, () -> {}).cancel();

    assertThat(threads()).isEmpty();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("leak-check"))
        .toList();
  }

  @Test
  void aTaskThatThrowsHarmsNoOther() throws InterruptedException {
    try (WorkerPools pools = new WorkerPools("throwing", 1)) {
      CountDownLatch ran = new CountDownLatch(2);
      pools
          .encoders()
          .execute(
              () -> {
                ran.countDown();
                throw new IllegalStateException("expected by the test");
              });
      pools.encoders().execute(ran::countDown);
      assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void tasksOfOneOwnerRunOneAtATimeInOrder() throws InterruptedException {
    try (WorkerPools pools = new WorkerPools("serial", 4)) {
      SerialTasks serial = new SerialTasks(pools.encoders());
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      AtomicBoolean busy = new AtomicBoolean();
      AtomicBoolean overlapped = new AtomicBoolean();
      CountDownLatch done = new CountDownLatch(1000);
      for (int i = 0; i < 1000; i++) {
        int number = i;
        serial.execute(
            () -> {
              if (!busy.compareAndSet(false, true)) {
                overlapped.set(true);
              }
              order.add(number);
              busy.set(false);
              done.countDown();
            });
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(order).isSorted().hasSize(1000);
      assertThat(overlapped).isFalse();
    }
  }
}
