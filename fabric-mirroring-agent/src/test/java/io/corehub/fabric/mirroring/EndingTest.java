package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TargetAgent;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How the agent ends, and how a table ends when a worker meets an error of the Java runtime. */
class EndingTest {

  private static final int FOR_EVER = 1_000_000;
  private static final long PATIENCE_SECONDS = 30;

  @Test
  void closeEndsTheWaitForASnapshotThatCannotBePublished() throws Exception {
    AgentRun run = new AgentRun();
    run.script.fail(Operation.CREATE, "/log/", false, FOR_EVER, Kind.TRANSIENT, false);
    run.open(LOG);
    SnapshotWriter snapshot = run.begin(LOG, "s1", 0);
    FutureTask<Boolean> finish =
        new FutureTask<>(
            () -> {
              snapshot.finish();
              return true;
            });
    Thread host = new Thread(finish, "host");
    host.start();
    awaitWaiting(host);

    run.close();

    assertThatThrownBy(() -> finish.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(RetryLaterException.class)
        .hasMessageContaining("Table shop.log: the agent was closed before its snapshot was")
        .hasMessageContaining("next start takes it again");
  }

  @Test
  void closeEndsAnApplyThatWaitsForMemory() throws Exception {
    AgentRun run = new AgentRun();
    run.script.fail(Operation.CREATE, "/log/", false, FOR_EVER, Kind.TRANSIENT, false);
    assertThatCloseEndsAnApplyThatWaits(run);
  }

  /** A pool that ends drops its queue: nobody is left to give the memory back. */
  @Test
  void closeEndsAnApplyThatWaitsForTheMemoryOfWhatIsNeverEncoded() throws Exception {
    AgentRun run = new AgentRun();
    run.encodersEnded = true;
    assertThatCloseEndsAnApplyThatWaits(run);
  }

  private static void assertThatCloseEndsAnApplyThatWaits(AgentRun run) throws Exception {
    run.with("uploadMemoryBudgetMb", "1").with("cdcBatchMaxMb", "1").open(LOG);
    FutureTask<Boolean> apply =
        new FutureTask<>(
            () -> {
              String text = "x".repeat(1 << 20);
              for (int order = 1; order < 2_000; order++) {
                run.apply(SourceCommit.at(order, new Insert(SourceRow.of(LOG, order, text))));
              }
              return true;
            });
    Thread host = new Thread(apply, "host");
    host.start();
    awaitWaiting(host);

    run.close();

    assertThatThrownBy(() -> apply.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not open");
  }

  /**
   * A commit that came too late to be taken is not confirmed, though everything before it is
   * published while the agent ends.
   */
  @Test
  void whatIsDroppedByCloseIsNotConfirmed() throws Exception {
    AgentRun run = new AgentRun().with("uploadMemoryBudgetMb", "1").with("cdcBatchMaxMb", "1");
    run.heapBytes = 40L << 20;
    CountDownLatch renames = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    run.script.always(
        Operation.RENAME,
        FileName.numbered(1),
        () -> {
          renames.countDown();
          ending.await();
        });
    run.open(ORDERS, LOG);
    run.apply(SourceCommit.at(1, new Insert(SourceRow.of(ORDERS, 1, incompressible(4_900_000)))));
    renames.await();
    FutureTask<Boolean> apply =
        new FutureTask<>(
            () -> {
              String text = incompressible(2_000_000);
              run.apply(SourceCommit.at(2, new Insert(SourceRow.of(LOG, 2, text))));
              return true;
            });
    Thread host = new Thread(apply, "host");
    host.start();
    awaitWaiting(host);

    Thread closer = new Thread(run::close, "closer");
    closer.start();
    while (closer.getState() != Thread.State.TIMED_WAITING) {
      assertThat(closer.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    ending.countDown();
    closer.join();

    host.join();
    assertThat(run.tables.names(ORDERS.table())).hasSize(1);
    assertThat(run.tables.names(LOG.table())).isEmpty();
    assertThat(run.listener.confirmations())
        .allSatisfy(position -> assertThat(position.order()).isLessThan(2));
    assertThatThrownBy(() -> apply.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not open");
  }

  private static String incompressible(int length) {
    return new Random(1)
        .ints(length, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** A pool that ends drops what it has not begun. */
  @Test
  void closeEndsAnOpenWhoseLooksAreDropped() throws Exception {
    AgentRun run = new AgentRun();
    run.uploadsEnded = true;
    TargetAgent agent = run.create();
    FutureTask<?> open =
        new FutureTask<>(() -> agent.open(List.of(run.spec(LOG)), ResumePoint.NONE));
    Thread host = new Thread(open, "host");
    host.start();
    awaitWaiting(host);

    agent.close();

    assertThatThrownBy(() -> open.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(InterruptedException.class)
        .hasMessageContaining("closed while it was opened");
  }

  @Test
  void flushReturnsNotBeforeTheStopOfATableIsTold() throws Exception {
    try (AgentRun run = new AgentRun()) {
      run.script.fail(Operation.CREATE, "/log/", false, 1, Kind.FORBIDDEN, false);
      run.open(LOG);
      CompletableFuture<Thread> flushing = new CompletableFuture<>();
      run.onCount =
          name -> {
            if (name.equals("tables.stopped")) {
              awaitWaitingOrEnd(flushing.join());
            }
          };

      run.apply(insert(LOG, 1));
      AtomicBoolean told = new AtomicBoolean();
      FutureTask<Boolean> flush =
          new FutureTask<>(
              () -> {
                run.agent().flush();
                told.set(run.listener.stopOf(LOG.table()).isPresent());
                return true;
              });
      Thread host = new Thread(flush, "host");
      host.start();
      flushing.complete(host);
      flush.get(PATIENCE_SECONDS, TimeUnit.SECONDS);

      assertThat(told).isTrue();
    }
  }

  private static void awaitWaitingOrEnd(Thread host) {
    while (host.getState() != Thread.State.WAITING && host.isAlive()) {
      Thread.onSpinWait();
    }
  }

  private static void awaitWaiting(Thread host) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (host.getState() != Thread.State.WAITING) {
      assertThat(host.isAlive()).isTrue();
      assertThat(System.nanoTime()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  static Stream<Arguments> requestsAndErrors() {
    return Stream.of(Operation.CREATE, Operation.APPEND, Operation.RENAME)
        .flatMap(
            operation ->
                Stream.of(
                        new StackOverflowError(),
                        new OutOfMemoryError("Java heap space"),
                        new AssertionError("a defect"))
                    .map(error -> Arguments.of(operation, error)));
  }

  @ParameterizedTest
  @MethodSource("requestsAndErrors")
  void anErrorOfTheRuntimeStopsItsTableLoudlyAndLetsTheOthersGoOn(Operation operation, Error error)
      throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.script.always(
          operation,
          "/log/",
          () -> {
            throw error;
          });
      run.open(LOG, ORDERS);

      run.apply(insert(LOG, 1), insert(ORDERS, 2));

      assertLogAloneStopped(run, error);
    }
  }

  /** The stop is told, shown, and costs nobody else anything. */
  private static void assertLogAloneStopped(AgentRun run, Error error) throws InterruptedException {
    TableStoppedException stop = run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
    boolean heap = error instanceof OutOfMemoryError;
    assertThat(stop.code()).isEqualTo(heap ? ErrorCode.TOO_LARGE : ErrorCode.INTERNAL);
    assertThat(stop)
        .hasCause(error)
        .hasMessageContaining("Table shop.log")
        .hasMessageContaining(heap ? "-Xmx" : "report it");
    run.agent().flush();
    assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(1);
    assertThat(run.listener.stoppedTables()).hasSize(1);
    assertThat(run.status(LOG).state()).isEqualTo(TableStatus.State.STOPPED);
    assertThat(run.listener.lastConfirmed()).isEmpty();
    for (String gauge : List.of("uploads.active", "uploads.queued", "memory.reserved.bytes")) {
      awaitZero(run, gauge);
    }
  }

  /** A slot is given back a moment after its task told what became of it. */
  private static void awaitZero(AgentRun run, String gauge) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (run.gauges.get(gauge).getAsDouble() != 0) {
      assertThat(System.nanoTime()).as(gauge).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  static Stream<Error> errors() {
    return Stream.of(
        new StackOverflowError(),
        new OutOfMemoryError("Java heap space"),
        new AssertionError("a defect"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void anErrorOnTheTimersThreadStopsItsTableToo(Error error) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchMaxSeconds", "1")) {
      run.open(LOG, ORDERS);
      run.apply(insert(LOG, 1));
      AtomicBoolean met = new AtomicBoolean();
      run.ids =
          () -> {
            if (Thread.currentThread().getName().contains("timer") && !met.getAndSet(true)) {
              throw error;
            }
            return UUID.randomUUID();
          };
      run.advance(Duration.ofSeconds(2));
      run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
      run.apply(insert(ORDERS, 2));

      assertLogAloneStopped(run, error);
    }
  }

  @Test
  void whereThereIsNoThreadForAnUploadItsTableStops() throws InterruptedException {
    OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
    try (AgentRun run = new AgentRun()) {
      run.open(LOG, ORDERS);
      AtomicBoolean met = new AtomicBoolean();
      run.beforeUploads =
          () -> {
            if (!met.getAndSet(true)) {
              throw error;
            }
          };
      run.apply(insert(LOG, 1));
      run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
      run.apply(insert(ORDERS, 2));

      assertLogAloneStopped(run, error);
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void anErrorWhileASnapshotIsEncodedStopsItsTableAndTheOthersGoOn(Error error)
      throws InterruptedException {
    try (AgentRun run = new AgentRun().with("unrepresentableValues", "replace")) {
      run.open(LOG, ORDERS);
      run.onCount =
          name -> {
            if (name.equals("values.replaced")) {
              throw error;
            }
          };
      SnapshotWriter snapshot = run.begin(LOG, "s", 0);
      snapshot.write(ColumnBatches.of(LOG, List.of(SourceRow.of(LOG, 1, "half a pair: \uD800"))));
      assertThatThrownBy(snapshot::finish).isInstanceOf(TableStoppedException.class);
      run.apply(insert(ORDERS, 2));

      TableStoppedException stop = run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
      assertThat(stop).hasCause(error).hasMessageContaining("Table shop.log");
      run.agent().flush();
      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(1);
      awaitZero(run, "memory.reserved.bytes");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"ALREADY_EXISTS", "NOT_FOUND", "INVALID_FLUSH_POSITION"})
  void metadataWhoseTemporaryNameFailsIsWrittenUnderAnother(Kind kind) throws InterruptedException {
    Operation operation = kind == Kind.ALREADY_EXISTS ? Operation.CREATE : Operation.APPEND;
    try (AgentRun run = new AgentRun()) {
      run.script.fail(operation, "_metadata.", false, 1, kind, false);
      run.open(ORDERS).publish(insert(ORDERS, 1));

      assertThat(run.listener.stoppedTables()).isEmpty();
      assertThat(run.tables.keys(ORDERS.table())).containsExactly("id");
    }
  }
}
