package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentException;
import io.corehub.agent.ResumePoint;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceCommit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One story: a storage, a hub that stores what it is told and starts again, and points of trouble.
 * What a consumer reads is looked at after every request that can change it. Each source row is
 * there once in the end, whole transactions only, and nothing is confirmed that is not visible.
 */
final class CrashStory {

  private static final int MOST_RUNS = 8;

  /** What happens at a request. */
  enum Fault {
    DIES_BEFORE,
    DIES_AFTER,
    ANSWER_LOST
  }

  record Point(int request, Fault fault) {}

  private final Job job;
  private final Function<Faults, DfsClient> storage;
  private final AtomicInteger requests = new AtomicInteger();
  private final List<Point> points;
  private volatile boolean dead;
  private volatile String broken = "";

  /**
   * A story.
   *
   * @param job a job over a storage
   * @param storage opens a client of that storage to which these things happen
   * @param points where trouble strikes
   */
  CrashStory(Job job, Function<Faults, DfsClient> storage, List<Point> points) {
    this.job = job;
    this.storage = storage;
    this.points = points;
    job.settings.put("maxConcurrentUploads", "1");
    job.settings.put("cycleIntervalSeconds", "3600");
  }

  /**
   * Runs until all is there.
   *
   * @return how many requests that took
   */
  int run() throws InterruptedException {
    ResumePoint resume = ResumePoint.NONE;
    for (int run = 0; run < MOST_RUNS; run++) {
      dead = false;
      boolean whole = oneRun(resume);
      resume = job.listener.resumePoint();
      assertThat(broken).isEmpty();
      lookAt(resume);
      if (whole) {
        end();
        return requests.get();
      }
    }
    throw new AssertionError("The story did not end: " + points);
  }

  private boolean oneRun(ResumePoint resume) throws InterruptedException {
    try {
      job.start(resume, () -> storage.apply(new Trouble()), ORDERS, CUSTOMERS);
      for (SourceCommit commit : WorkedExampleTest.commits()) {
        boolean confirmed =
            resume.confirmed().isPresent()
                && resume.confirmed().get().order() >= commit.position().order();
        if (!confirmed) {
          job.time.turnTo(job.time.now().plusSeconds(1));
          job.apply(commit);
        }
      }
      flush();
      return !dead && job.listener.agentStops().isEmpty();
    } catch (AgentException | IllegalStateException died) {
      if (!dead) {
        throw died;
      }
      return false;
    } finally {
      job.agent.close();
    }
  }

  /** Time goes on while the agent waits for what it repeats. */
  private void flush() throws InterruptedException {
    Thread flushing =
        new Thread(
            () -> {
              try {
                job.agent.flush();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    flushing.start();
    while (flushing.isAlive()) {
      job.time.turnTo(job.time.now().plusMillis(500));
      flushing.join(1);
    }
  }

  private void lookAt(ResumePoint resume) {
    long visible =
        job.consumed().completedLines().values().stream()
            .map(line -> Long.parseLong(line.get(3).substring(0, 20)))
            .max(Long::compare)
            .orElse(0L);
    long confirmed = resume.confirmed().map(p -> p.order()).orElse(0L);
    // Commit 105 has no captured row: it is confirmed without a cycle.
    assertThat(confirmed).isLessThanOrEqualTo(visible == 104 ? 105 : Math.max(visible, 0));
  }

  private void end() {
    assertThat(job.consumed().rows(table("orders")))
        .contains(
            Rows.ofSource(
                List.of(
                    WorkedExampleTest.order(1, "PAID", "10.00"),
                    WorkedExampleTest.order(3, null, "1.00"))));
    assertThat(job.consumed().rows(table("customers")))
        .contains(Rows.ofSource(List.of(WorkedExampleTest.customer(7, ""))));
    assertThat(job.consumed().tables().get("orders").lines().stream().map(l -> l.op()).toList())
        .containsExactly("I", "U", "I", "D", "I");
    assertThat(job.consumed().tables().get("customers").lines().stream().map(l -> l.op()).toList())
        .containsExactly("I", "U");
  }

  private static io.corehub.agent.table.TableId table(String name) {
    return io.corehub.agent.table.TableId.of(name);
  }

  private final class Trouble implements Faults {
    private final ThreadLocal<Optional<Fault>> now = ThreadLocal.withInitial(Optional::empty);

    @Override
    public void before(Request request) {
      requireAlive();
      int number = requests.incrementAndGet();
      Optional<Fault> fault =
          points.stream().filter(p -> p.request == number).map(Point::fault).findFirst();
      now.set(fault);
      if (fault.isPresent() && fault.get() == Fault.DIES_BEFORE) {
        dead = true;
        requireAlive();
      }
    }

    @Override
    public void after(Request request) {
      if (request.operation() == Operation.RENAME || request.operation() == Operation.DELETE) {
        try {
          job.consumed().tables();
        } catch (AssertionError e) {
          broken = "after " + request + ": " + e.getMessage();
        }
      }
      Optional<Fault> fault = now.get();
      now.remove();
      if (fault.isPresent() && fault.get() == Fault.DIES_AFTER) {
        dead = true;
        requireAlive();
      }
      if (fault.isPresent() && fault.get() == Fault.ANSWER_LOST) {
        throw DfsException.of(DfsException.Kind.CONNECTION_LOST, "test")
            .outcomeUnknown(true)
            .build("the answer is lost");
      }
    }

    private void requireAlive() {
      if (dead) {
        throw DfsException.of(DfsException.Kind.CLOSED, "test").build("the process is dead");
      }
    }
  }
}
