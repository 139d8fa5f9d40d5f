package io.corehub.hub.debezium;

import io.corehub.hub.debezium.internal.ResumeOffsetStore;
import io.corehub.hub.source.SourceException;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.ConnectorCallback;
import io.debezium.engine.DebeziumEngine.Offsets;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs Debezium's engine and feeds an assembler. What is confirmed is told to the engine on the
 * engine's own thread, as the end of a commit, so that a restart asks the server for exactly what
 * follows it. Thread-safe.
 */
final class DebeziumStream {

  private static final Logger LOG = LoggerFactory.getLogger(DebeziumStream.class);

  private static final Duration MOVE_ON = Duration.ofSeconds(5);
  private static final long START_SECONDS = 200;

  private final Properties properties;
  private final TransactionAssembler assembler;
  private final Supplier<LogWatch.@Nullable Sight> watch;
  private final AtomicLong confirmed;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;
  private volatile boolean stopping;

  // Used by the engine's thread only.
  private long marked;
  private long movedOnAtMillis;

  /**
   * A stream.
   *
   * @param properties properties of the engine
   * @param assembler takes the records
   * @param watch the last look at the slot
   * @param resumedBehind position the stream begins behind
   */
  DebeziumStream(
      Properties properties,
      TransactionAssembler assembler,
      Supplier<LogWatch.@Nullable Sight> watch,
      long resumedBehind) {
    this.properties = properties;
    this.assembler = assembler;
    this.watch = watch;
    this.confirmed = new AtomicLong(resumedBehind);
    this.marked = resumedBehind;
  }

  /** Everything up to a position stands in the target. Returns at once. */
  void confirmed(long order) {
    confirmed.accumulateAndGet(order, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
  }

  /**
   * Streams until stopped.
   *
   * @param stopAsked counted down when the stream is to end
   * @throws SourceException if the engine fails
   * @throws InterruptedException if interrupted, or if the taker of the changes was
   */
  void run(CountDownLatch stopAsked) throws InterruptedException {
    DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(properties)
            .using(callback())
            .using(this::completed)
            .notifying(consumer())
            .build();
    Thread thread = new Thread(engine, "postgresql-engine");
    thread.setDaemon(true);
    thread.start();
    try {
      while (ended.getCount() > 0 && !stopAsked.await(200, TimeUnit.MILLISECONDS)) {
        LOG.trace("Streaming");
      }
    } finally {
      stopping = true;
      close(engine);
    }
    Throwable cause = failure;
    if (cause != null && stopAsked.getCount() > 0) {
      throw failed(cause);
    }
  }

  private static RuntimeException failed(Throwable cause) throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof InterruptedException) {
        throw (InterruptedException) new InterruptedException("The pipeline stopped").initCause(t);
      }
      if (t instanceof SourceException told) {
        return told;
      }
      if (t.getMessage() != null && text.indexOf(t.getMessage()) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(t.getMessage());
      }
    }
    LOG.warn("The engine failed", cause);
    return new SourceException(
        "The changes of PostgreSQL cannot be read on: "
            + text
            + ". Correct that, or leave the table or column out, and start the pipeline again.",
        cause);
  }

  private ConnectorCallback callback() {
    return new ConnectorCallback() {
      @Override
      public void pollingStarted() {
        started.countDown();
      }
    };
  }

  private void completed(boolean success, String message, @Nullable Throwable error) {
    if (!success) {
      failure = error == null ? new SourceException(message) : error;
      if (stopping) {
        LOG.debug("The engine ended while it was stopped", error);
      }
    }
    started.countDown();
    ended.countDown();
  }

  /** The engine cannot be closed while it starts. */
  private void close(DebeziumEngine<?> engine) throws InterruptedException {
    boolean interrupted = Thread.interrupted();
    try {
      if (!started.await(START_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The engine neither starts nor fails");
      }
      if (ended.getCount() > 0) {
        engine.close();
      }
      if (!ended.await(30, TimeUnit.SECONDS)) {
        LOG.warn("The engine does not end");
      }
    } catch (IOException e) {
      throw new SourceException("The engine cannot be closed: " + e.getMessage(), e);
    } catch (IllegalStateException endedByItself) {
      LOG.debug("The engine was ending already", endedByItself);
      ended.await(30, TimeUnit.SECONDS);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private ChangeConsumer<RecordChangeEvent<SourceRecord>> consumer() {
    return new ChangeConsumer<>() {
      @Override
      public void handleBatch(
          List<RecordChangeEvent<SourceRecord>> records,
          RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
          throws InterruptedException {
        mark(records.get(0), committer);
        for (RecordChangeEvent<SourceRecord> record : records) {
          ChangeRecord change = new ChangeRecord(record.record());
          assembler.accept(change);
          if (change.kind() == ChangeRecord.Kind.HEARTBEAT) {
            moveOn(change.epochMillis());
          }
        }
        assembler.flush();
        mark(records.get(0), committer);
      }

      @Override
      public boolean supportsTombstoneEvents() {
        return false;
      }
    };
  }

  /** The record lends its partition only: the offset is that of the confirmed commit. */
  private <R> void mark(R record, RecordCommitter<R> committer) throws InterruptedException {
    long order = confirmed.get();
    if (order == marked) {
      return;
    }
    Offsets offsets = committer.buildOffsets();
    ResumeOffsetStore.offsetOf(order).forEach(offsets::set);
    committer.markProcessed(record, offsets);
    committer.markBatchFinished();
    marked = order;
  }

  /** A heartbeat made after a look at the slot stands behind all that had been received then. */
  private void moveOn(long heartbeatMillis) throws InterruptedException {
    if (heartbeatMillis - movedOnAtMillis < MOVE_ON.toMillis()) {
      return;
    }
    LogWatch.Sight sight = watch.get();
    boolean behindSight = sight != null && heartbeatMillis > sight.epochMillis();
    assembler.moveOn(behindSight ? sight.received() : 0);
    movedOnAtMillis = heartbeatMillis;
  }
}
