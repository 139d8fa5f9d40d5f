package io.corehub.testkit;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Keeps the news of an agent, and watches whether the agent keeps the listener's contract.
 * Thread-safe.
 */
public final class RecordingListener implements AgentListener {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private volatile Optional<Runnable> refusal = Optional.empty();
  private final AtomicInteger callers = new AtomicInteger();
  private final List<SourcePosition> confirmed = new ArrayList<>();
  private final List<ResumePoint> stored = new ArrayList<>();
  private final List<TableStoppedException> stops = new ArrayList<>();
  private final List<AgentException> agentStops = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<TableShape> shapes = new ArrayList<>();
  private final List<PublishedFile> files = new ArrayList<>();
  private final List<String> snapshots = new ArrayList<>();
  private final Set<TableId> inSnapshot = new HashSet<>();
  private final Consumer<SourcePosition> onConfirmed;
  private AgentState state = AgentState.NONE;
  private boolean silenceExpected;

  /** A listener that only keeps what it is told. */
  public RecordingListener() {
    this(position -> {});
  }

  /**
   * A listener that also looks around at each confirmation, while the agent waits.
   *
   * @param onConfirmed is given the position; must not call the agent
   */
  public RecordingListener(Consumer<SourcePosition> onConfirmed) {
    this.onConfirmed = onConfirmed;
  }

  @Override
  public void confirmed(SourcePosition upTo, AgentState newState) {
    note(
        "confirmed(" + upTo + ")",
        () -> {
          lastConfirmed()
              .filter(last -> last.timeline().equals(upTo.timeline()) && last.isAfter(upTo))
              .ifPresent(
                  last -> violations.add("confirmed " + upTo + " after " + last + ": backwards"));
          confirmed.add(upTo);
          state = newState;
          stored.add(new ResumePoint(Optional.of(upTo), newState));
        },
        () -> onConfirmed.accept(upTo));
  }

  @Override
  public CompletionStage<Void> stateChanged(AgentState newState) {
    Optional<Runnable> instead = refusal;
    note(
        "stateChanged",
        () -> {
          if (instead.isEmpty()) {
            state = newState;
            stored.add(new ResumePoint(lastConfirmed(), newState));
          }
        },
        instead.orElse(() -> {}));
    return instead.isPresent()
        ? CompletableFuture.failedStage(new IllegalStateException("The host stores nothing more"))
        : CompletableFuture.completedStage(null);
  }

  /**
   * From now on the host fails to store what it is told without a position.
   *
   * @param instead what it does instead
   */
  public void refuseStates(Runnable instead) {
    refusal = Optional.of(instead);
  }

  @Override
  public void tableStopped(TableStoppedException reason) {
    note(
        "tableStopped(" + reason.table() + ")",
        () -> {
          stops.add(reason);
          requireOneLine(String.valueOf(reason.getMessage()));
        },
        () -> {});
  }

  @Override
  public void agentStopped(AgentException reason) {
    note(
        "agentStopped",
        () -> {
          agentStops.add(reason);
          requireOneLine(String.valueOf(reason.getMessage()));
        },
        () -> {});
  }

  @Override
  public void warning(Optional<TableId> table, String message) {
    note(
        "warning",
        () -> {
          warnings.add(message);
          requireOneLine(message);
        },
        () -> {});
  }

  /** Names and values of the source must not forge or hide anything where messages are shown. */
  private void requireOneLine(String message) {
    if (!isOneLine(message)) {
      violations.add(
          "a message holds a control or direction character: "
              + message.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "\ufffd"));
    }
  }

  /** Whether a message holds no character that breaks, hides or turns round a line. */
  static boolean isOneLine(String message) {
    return message
        .codePoints()
        .mapToObj(Character::getType)
        .noneMatch(
            type ->
                type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.SURROGATE
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR);
  }

  @Override
  public void tableShaped(TableShape shape) {
    note("tableShaped(" + shape.table() + ")", () -> shapes.add(shape), () -> {});
  }

  @Override
  public void snapshotStarted(TableId table, SnapshotStart start) {
    note(
        "snapshotStarted(" + table + ")",
        () -> {
          if (!inSnapshot.add(table)) {
            violations.add("a snapshot of " + table + " began within another one");
          }
          if (shapes.stream().noneMatch(shape -> shape.table().equals(table))) {
            violations.add("a snapshot of " + table + " was told before the table's shape");
          }
          snapshots.add(table + " " + start.id() + " begun");
        },
        () -> {});
  }

  @Override
  public void filePublished(PublishedFile file) {
    note(
        "filePublished(" + file.name() + ")",
        () -> {
          if (shapes.stream().noneMatch(shape -> shape.table().equals(file.table()))) {
            violations.add(file + " was told before the shape of its table");
          }
          if (file.kind() == PublishedFile.Kind.SNAPSHOT && !inSnapshot.contains(file.table())) {
            violations.add(file + " was told outside of a snapshot");
          }
          files.add(file);
        },
        () -> {});
  }

  @Override
  public void snapshotEnded(TableId table, String snapshotId, boolean complete) {
    note(
        "snapshotEnded(" + table + ")",
        () -> {
          if (!inSnapshot.remove(table)) {
            violations.add("a snapshot of " + table + " ended that had not begun");
          }
          snapshots.add(table + " " + snapshotId + (complete ? " done" : " given up"));
        },
        () -> {});
  }

  private void note(String call, Runnable keep, Runnable look) {
    boolean alone = callers.incrementAndGet() == 1;
    try {
      look.run();
    } finally {
      lock.lock();
      try {
        if (!alone) {
          violations.add(call + " came while another call was under way");
        }
        if (silenceExpected && call.startsWith("confirmed")) {
          violations.add(call + " came after the agent was closed");
        }
        keep.run();
        news.signalAll();
      } finally {
        lock.unlock();
        callers.decrementAndGet();
      }
    }
  }

  /** From now on a confirmation is a violation. */
  public void expectSilence() {
    locked(() -> silenceExpected = true);
  }

  /**
   * Positions confirmed so far.
   *
   * @return all of them, in order
   */
  public List<SourcePosition> confirmations() {
    return copy(confirmed);
  }

  /**
   * The position confirmed last.
   *
   * @return it, or empty
   */
  public Optional<SourcePosition> lastConfirmed() {
    List<SourcePosition> all = copy(confirmed);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /**
   * What a hub would have stored.
   *
   * @return position and state told last
   */
  public ResumePoint resumePoint() {
    lock.lock();
    try {
      return new ResumePoint(lastConfirmed(), state);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a hub would have stored, each time it was told something.
   *
   * @return positions and states, in order: a crash leaves one of them
   */
  public List<ResumePoint> stored() {
    return copy(stored);
  }

  /**
   * What a hub would have stored that began with what it remembered of earlier runs.
   *
   * @param before what it began with
   * @return position and state told last, in this run or before
   */
  public ResumePoint resumePointAfter(ResumePoint before) {
    List<ResumePoint> all = copy(stored);
    return all.isEmpty()
        ? before
        : new ResumePoint(lastConfirmed().or(before::confirmed), all.get(all.size() - 1).state());
  }

  /**
   * Tables that stopped.
   *
   * @return the reasons, in order
   */
  public List<TableStoppedException> stoppedTables() {
    return copy(stops);
  }

  /**
   * Whether a table stopped.
   *
   * @param table the table
   * @return the first reason, or empty
   */
  public Optional<TableStoppedException> stopOf(TableId table) {
    return copy(stops).stream().filter(stop -> stop.table().equals(table)).findFirst();
  }

  /**
   * Reasons why the agent as a whole stopped.
   *
   * @return the reasons, in order
   */
  public List<AgentException> agentStops() {
    return copy(agentStops);
  }

  /**
   * Warnings.
   *
   * @return their texts, in order
   */
  public List<String> warnings() {
    return copy(warnings);
  }

  /**
   * Shapes of tables.
   *
   * @return all that were told, in order
   */
  public List<TableShape> shapes() {
    return copy(shapes);
  }

  /**
   * Files that were published.
   *
   * @return all that were told, in order
   */
  public List<PublishedFile> files() {
    return copy(files);
  }

  /**
   * What became of snapshots.
   *
   * @return table, id and {@code begun}, {@code done} or {@code given up}, in order
   */
  public List<String> snapshots() {
    return copy(snapshots);
  }

  /**
   * Breaches of the listener's contract: calls at the same time, positions going back, news after
   * the end.
   *
   * @return one sentence for each; empty if the agent behaved
   */
  public List<String> violations() {
    return copy(violations);
  }

  /**
   * Waits until everything up to a position is confirmed.
   *
   * @param position the position
   * @param atMost how long to wait
   * @throws AssertionError if it does not happen in time, or the agent stops before
   */
  public void awaitConfirmed(SourcePosition position, Duration atMost) {
    await(
        () ->
            confirmed.stream().anyMatch(p -> p.order() == position.order() || p.isAfter(position)),
        "confirmation of " + position,
        atMost);
  }

  /**
   * Waits until a table stops.
   *
   * @param table the table
   * @param atMost how long to wait
   * @return the reason
   * @throws AssertionError if it does not happen in time, or the agent stops before
   */
  public TableStoppedException awaitStop(TableId table, Duration atMost) {
    await(
        () -> stops.stream().anyMatch(stop -> stop.table().equals(table)),
        "stop of table " + table,
        atMost);
    return stopOf(table).orElseThrow();
  }

  /**
   * Waits for a warning.
   *
   * @param part text it must contain
   * @param atMost how long to wait
   * @throws AssertionError if it does not come in time, or the agent stops before
   */
  public void awaitWarning(String part, Duration atMost) {
    await(
        () -> warnings.stream().anyMatch(text -> text.contains(part)),
        "a warning that says '" + part + "'",
        atMost);
  }

  /**
   * Waits until the agent as a whole stops.
   *
   * @param atMost how long to wait
   * @return the reason
   * @throws AssertionError if it does not happen in time
   */
  public AgentException awaitAgentStop(Duration atMost) {
    await(() -> !agentStops.isEmpty(), "the agent's stop", atMost);
    return agentStops().get(0);
  }

  private void await(BooleanSupplier reached, String what, Duration atMost) {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!reached.getAsBoolean()) {
        if (!agentStops.isEmpty()) {
          throw new AssertionError(
              "Waited for " + what + ", but the agent stopped", agentStops.get(0));
        }
        if (left <= 0) {
          throw new AssertionError(
              String.format(
                  "%s did not come within %d s. Confirmed: %s, stopped: %s, warnings: %s",
                  what,
                  TimeUnit.NANOSECONDS.toSeconds(atMost.toNanos()),
                  confirmed,
                  stops,
                  warnings));
        }
        left = news.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting for " + what, e);
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private <T> List<T> copy(List<T> list) {
    lock.lock();
    try {
      return List.copyOf(list);
    } finally {
      lock.unlock();
    }
  }
}
