package io.corehub.cycles;

import io.corehub.runtime.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When the open cycle must end, by its rows, its age and what the source does. Guarded by the turn,
 * which alarms take by themselves.
 */
final class CycleEnds {

  /** Names have seconds: a cycle that ends by its rows stays open for one at least. */
  private static final Duration LEAST_AGE = Duration.ofSeconds(1);

  /**
   * An end that is due.
   *
   * @param reason why
   * @param at when the cycle ended: the deadline, or now
   */
  record Due(EndReason reason, Instant at) {}

  /** Whom an alarm tells that a cycle may have to end. Takes the turn. */
  interface Alarms {
    /** A time that the cycle was waiting for has come. */
    void timeIsUp(Cycle cycle);

    /** The source was quiet for as long as a cycle may stay open then. */
    void quiet(long commits);
  }

  private final CycleConfig.Limits limits;
  private final Timer timer;
  private final InstantSource clock;
  private final Alarms alarms;
  private Timer.@Nullable Alarm interval;
  private Timer.@Nullable Alarm quiet;
  private long commits;

  CycleEnds(CycleShared shared, Alarms alarms) {
    this.limits = shared.config().limits();
    this.timer = shared.workers().timer();
    this.clock = shared.clock();
    this.alarms = alarms;
  }

  /** A cycle that opens now. */
  Cycle opened(CycleName name, Instant now) {
    Cycle fresh = new Cycle(name, now, timer.nanos());
    interval = timer.in(limits.interval(), () -> alarms.timeIsUp(fresh));
    return fresh;
  }

  /** No cycle is open any more. */
  void cancel() {
    for (Timer.@Nullable Alarm set : new Timer.@Nullable Alarm[] {interval, quiet}) {
      if (set != null) {
        set.cancel();
      }
    }
  }

  /** A commit was taken, whatever it held; from now on the source may be quiet. */
  void committed(boolean open) {
    commits++;
    Duration low = limits.lowActivity();
    if (!low.isZero() && open) {
      if (quiet != null) {
        quiet.cancel();
      }
      long commit = commits;
      quiet = timer.in(low, () -> alarms.quiet(commit));
    }
  }

  /** Whether no commit came since so many. */
  boolean isQuietSince(long commit) {
    return commits == commit;
  }

  /** How long a cycle has been open. */
  Duration age(Cycle cycle) {
    return Duration.ofNanos(timer.nanos() - cycle.openedNanos());
  }

  boolean oldEnough(Cycle cycle) {
    return age(cycle).compareTo(LEAST_AGE) >= 0;
  }

  private boolean isOver(Cycle cycle) {
    return age(cycle).compareTo(limits.interval()) >= 0;
  }

  /** What time alone ends, before anything more is taken. */
  Optional<Due> byTime(Cycle cycle) {
    if (cycle.limitReached && oldEnough(cycle)) {
      return now(EndReason.NORMAL_COMMIT);
    }
    return isOver(cycle)
        ? Optional.of(new Due(reason(cycle), cycle.openedAt().plus(limits.interval())))
        : Optional.empty();
  }

  /** What a commit, or the page of a load, ends. */
  Optional<Due> atBoundary(Cycle cycle) {
    boolean full = cycle.rows >= limits.changes();
    if (isOver(cycle) || (full && oldEnough(cycle))) {
      return now(EndReason.NORMAL_COMMIT);
    }
    if (full && !cycle.limitReached) {
      cycle.limitReached = true;
      timer.in(LEAST_AGE.minus(age(cycle)), () -> alarms.timeIsUp(cycle));
    }
    return Optional.empty();
  }

  /** The end that somebody asks for. */
  Due byRequest(Cycle cycle) {
    return new Due(reason(cycle), clock.instant());
  }

  private static EndReason reason(Cycle cycle) {
    return cycle.limitReached ? EndReason.NORMAL_COMMIT : EndReason.NORMAL_EXPIRY;
  }

  private Optional<Due> now(EndReason reason) {
    return Optional.of(new Due(reason, clock.instant()));
  }
}
