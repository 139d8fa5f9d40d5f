package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.runtime.MemoryBudget.Claim;
import io.corehub.runtime.MemoryBudget.Pressure;
import io.corehub.runtime.MemoryBudget.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

  private static final long PATIENCE = 30;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A reservation on another thread; the future of it, once its thread waits. */
  private Future<Reservation> waiting(MemoryBudget budget, CountDownLatch waits, long bytes) {
    Future<Reservation> future = threads.submit(() -> budget.reserve("waiter", bytes));
    await(waits);
    return future;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void waitsUntilThereIsRoom() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    MemoryBudget budget = new MemoryBudget(100, 100, full -> waits.countDown());
    Reservation first = budget.reserve("a", 60);
    Future<Reservation> second = waiting(budget, waits, 60);
    assertThat(second.isDone()).isFalse();

    first.release();

    assertThat(second.get(PATIENCE, TimeUnit.SECONDS).bytes()).isEqualTo(60);
    assertThat(budget.used()).isEqualTo(60);
  }

  @Test
  void whoeverWaitsAsksForMemoryToBeFreed() throws Exception {
    AtomicReference<Reservation> window = new AtomicReference<>();
    MemoryBudget budget = new MemoryBudget(100, 100, full -> window.get().release());
    window.set(budget.reserve("a", 80));

    assertThat(budget.reserve("b", 50).bytes()).isEqualTo(50);
  }

  @Test
  void anInterruptedWaitTookNothing() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    MemoryBudget budget = new MemoryBudget(100, 100, full -> waits.countDown());
    budget.reserve("a", 100);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                budget.reserve("b", 1);
                end.completeExceptionally(new AssertionError("granted"));
              } catch (InterruptedException e) {
                end.complete(e);
              }
            });
    waiter.start();
    await(waits);

    waiter.interrupt();

    assertThat(end.get(PATIENCE, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void nobodyWaitsBehindTheEnd() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    MemoryBudget budget = new MemoryBudget(100, 100, full -> waits.countDown());
    budget.reserve("a", 100);
    Future<Reservation> waiter = waiting(budget, waits, 50);
    assertThat(waiter.isDone()).isFalse();

    budget.end();

    assertThat(waiter.get(PATIENCE, TimeUnit.SECONDS).bytes()).isEqualTo(50);
    assertThat(budget.reserve("a", 300).bytes()).isEqualTo(300);
    assertThat(budget.used()).isEqualTo(450);
  }

  @Test
  void whatExceedsTheCapacityGoesAloneAmongItsKind() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    MemoryBudget budget = new MemoryBudget(100, 1000, full -> waits.countDown());
    budget.reserve("a", 50);
    Reservation large = budget.reserve("b", 300);
    Future<Reservation> second = waiting(budget, waits, 200);
    assertThat(second.isDone()).isFalse();

    large.resize(10);

    assertThat(second.get(PATIENCE, TimeUnit.SECONDS).bytes()).isEqualTo(200);
  }

  @Test
  void anOwnerAtItsShareLetsOthersPass() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    MemoryBudget budget =
        new MemoryBudget(
            100,
            50,
            full -> {
              assertThat(full).containsExactly("waiter");
              waits.countDown();
            });
    Reservation held = budget.reserve("waiter", 50);
    Future<Reservation> more = waiting(budget, waits, 1);

    assertThat(budget.reserve("other", 40).bytes()).isEqualTo(40);
    assertThat(more.isDone()).isFalse();
    held.release();
    assertThat(more.get(PATIENCE, TimeUnit.SECONDS).bytes()).isEqualTo(1);
  }

  @Test
  void claimsAreGrantedTogether() throws Exception {
    MemoryBudget budget = new MemoryBudget(100, 100, Pressure.NONE);

    List<Reservation> both = budget.reserve(List.of(new Claim("a", 30), new Claim("b", 40)));

    assertThat(both).extracting(Reservation::bytes).containsExactly(30L, 40L);
    both.forEach(Reservation::release);
    both.forEach(Reservation::release);
    assertThat(budget.used()).isZero();
  }

  @Test
  void splittingMovesAndGrowingNeverWaits() throws Exception {
    MemoryBudget budget = new MemoryBudget(100, 100, Pressure.NONE);
    Reservation whole = budget.reserve("a", 60);
    Reservation part = whole.split(20);

    part.grow(500);
    assertThat(budget.used()).isEqualTo(560);
    part.grow(-10_000);
    assertThat(budget.used()).isEqualTo(40);
    assertThat(whole.split(1000).bytes()).isEqualTo(40);
    assertThatThrownBy(() -> new MemoryBudget(0, 1, Pressure.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyOwnersOfABudgetOfOneFileAndAHalfAllFinish() throws Exception {
    MemoryBudget budget = new MemoryBudget(150, 150, Pressure.NONE);
    List<Future<?>> all = new ArrayList<>();
    for (int owner = 0; owner < 16; owner++) {
      int id = owner;
      all.add(
          threads.submit(
              () -> {
                Random random = new Random(id);
                for (int i = 0; i < 500; i++) {
                  Reservation file = budget.reserve(id, 1 + random.nextInt(200));
                  Thread.yield();
                  file.release();
                }
                return id;
              }));
    }
    for (Future<?> one : all) {
      one.get(PATIENCE, TimeUnit.SECONDS);
    }
    assertThat(budget.used()).isZero();
  }
}
