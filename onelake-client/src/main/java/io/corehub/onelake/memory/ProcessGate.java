package io.corehub.onelake.memory;

import io.corehub.onelake.DfsException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Stands between processes and their storage: holds some of their requests up, and ends all of them
 * as the death of the processes would. Thread-safe.
 */
public final class ProcessGate {

  private final List<Gated> processes = new CopyOnWriteArrayList<>();
  private final Object turn = new Object();
  private Optional<Predicate<String>> held = Optional.empty();

  /** A gate that is open. */
  public ProcessGate() {}

  /**
   * One more process.
   *
   * @return for its clients
   */
  public Faults process() {
    Gated process = new Gated();
    processes.add(process);
    return process;
  }

  /**
   * Holds requests up, of all processes, until {@link #release}.
   *
   * @param paths which, by the path they are about
   */
  public void hold(Predicate<String> paths) {
    synchronized (turn) {
      held = Optional.of(paths);
    }
  }

  /** Lets all requests pass. */
  public void release() {
    synchronized (turn) {
      held = Optional.empty();
      turn.notifyAll();
    }
  }

  /** Ends the processes so far: no request of theirs is carried out any more. */
  public void cutOff() {
    synchronized (turn) {
      processes.forEach(process -> process.dead = true);
      turn.notifyAll();
    }
  }

  private final class Gated implements Faults {
    private volatile boolean dead;

    @Override
    public void before(Request request) throws InterruptedException {
      synchronized (turn) {
        while (!dead && held.isPresent() && held.get().test(request.path())) {
          turn.wait();
        }
      }
      if (dead) {
        throw DfsException.of(DfsException.Kind.CLOSED, "test").build("the process is dead");
      }
    }
  }
}
