package io.corehub.fabric.mirroring;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Real threads of which one runs at a time. Each runs until it stands at a gate, waits for a
 * monitor or has ended; then the caller chooses which goes on. So blocking code is simulated as it
 * is, and the same choices give the same run. Used by one caller.
 */
final class SimThreads implements AutoCloseable {

  private static final int SPINS = 50;
  private static final int LOOKS = 20;
  private static final long GLANCE_NANOS = 20_000;
  private static final ThreadMXBean MONITORS = ManagementFactory.getThreadMXBean();

  private final List<Strand> strands = new ArrayList<>();
  private volatile @Nullable Thread chooser;

  private enum Phase {
    IDLE,
    RELEASED,
    RUNNING,
    GATED
  }

  /** One of the threads. */
  final class Strand extends Thread {
    final int number;
    private volatile Phase phase = Phase.IDLE;
    private volatile @Nullable Runnable job;
    private int parkedLooks;

    Strand(int number) {
      super("strand-" + number);
      this.number = number;
      setDaemon(true);
      start();
    }

    @Override
    public void run() {
      while (true) {
        awaitRelease(Phase.IDLE);
        Runnable now = job;
        if (now == null) {
          return;
        }
        now.run();
        job = null;
        Thread.interrupted();
        rest(Phase.IDLE);
      }
    }

    private void awaitRelease(Phase waiting) {
      for (int i = 0; phase == waiting; i++) {
        if (i < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
        }
        if (waiting == Phase.IDLE) {
          Thread.interrupted();
        }
      }
      phase = Phase.RUNNING;
    }

    /** Called by the thread itself: waits until it is released. */
    void gate() {
      rest(Phase.GATED);
      awaitRelease(Phase.GATED);
    }

    private void rest(Phase at) {
      phase = at;
      LockSupport.unpark(chooser);
    }

    boolean gated() {
      return phase == Phase.GATED;
    }

    boolean busy() {
      return phase != Phase.IDLE;
    }

    void release() {
      phase = Phase.RELEASED;
      LockSupport.unpark(this);
    }

    private boolean quiet() {
      if (phase == Phase.IDLE || phase == Phase.GATED) {
        return true;
      }
      if (phase == Phase.RELEASED) {
        return false;
      }
      return switch (getState()) {
        case WAITING, TIMED_WAITING -> phase == Phase.RUNNING && waitsForGood();
        case BLOCKED -> blockedByOneAtItsGate();
        default -> {
          parkedLooks = 0;
          yield false;
        }
      };
    }

    /** Who waits for a monitor's notification waits; who is parked may just have been woken. */
    private boolean waitsForGood() {
      return LockSupport.getBlocker(this) == null || ++parkedLooks > LOOKS;
    }

    private boolean blockedByOneAtItsGate() {
      ThreadInfo info = MONITORS.getThreadInfo(getId());
      if (info == null) {
        return false;
      }
      long owner = info.getLockOwnerId();
      return strands.stream().anyMatch(other -> other.getId() == owner && other.gated());
    }
  }

  /** Whether the calling thread is one of these. */
  static boolean here() {
    return Thread.currentThread() instanceof Strand;
  }

  static Strand current() {
    return (Strand) Thread.currentThread();
  }

  /** Runs something on the first idle thread. */
  Strand start(Runnable job) {
    for (Strand strand : strands) {
      if (!strand.busy()) {
        strand.job = job;
        strand.release();
        return strand;
      }
    }
    Strand strand = new Strand(strands.size());
    strands.add(strand);
    strand.job = job;
    strand.release();
    return strand;
  }

  /** The threads that have something to do, in their order. */
  List<Strand> busy() {
    List<Strand> busy = new ArrayList<>();
    for (Strand strand : strands) {
      if (strand.busy()) {
        busy.add(strand);
      }
    }
    return busy;
  }

  /** Waits until no thread runs. */
  void settle() {
    chooser = Thread.currentThread();
    boolean restless = true;
    while (restless) {
      restless = false;
      for (Strand strand : strands) {
        strand.parkedLooks = 0;
        for (int i = 0; !strand.quiet(); i++) {
          restless = true;
          if (i < SPINS) {
            Thread.onSpinWait();
          } else {
            LockSupport.parkNanos(GLANCE_NANOS);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    for (Strand strand : strands) {
      strand.job = null;
      strand.release();
    }
  }
}
