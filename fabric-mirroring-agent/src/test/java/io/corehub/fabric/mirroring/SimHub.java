package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.fabric.mirroring.SimWorld.Process;
import io.corehub.onelake.Retries;
import io.corehub.runtime.Signal;
import io.corehub.runtime.Timer;
import io.corehub.runtime.Workers;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** One process of a hub: the real agent, and a host that loads its tables and hands it commits. */
final class SimHub {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  private final SimWorld world;
  private final SimSource source;
  private final SimStore store;
  private final Durable durable;
  private final Process process;
  private final SplittableRandom choices;
  private final Map<String, String> settings;
  private final long epoch;
  private final AtomicLong ids = new AtomicLong();
  private final Map<TableId, TableStoppedException> stopped = new HashMap<>();
  private volatile boolean opening;
  private volatile boolean ended;
  private volatile String outcome = "is running";

  /** What a hub keeps over its processes' deaths. Used by one thread at a time. */
  static final class Durable {
    private Optional<SourcePosition> confirmed = Optional.empty();
    private AgentState state = AgentState.NONE;

    synchronized ResumePoint resume() {
      return new ResumePoint(confirmed, state);
    }

    /** What another host finds that takes over. */
    synchronized Durable copy() {
      Durable copy = new Durable();
      copy.store(confirmed, state);
      return copy;
    }

    synchronized void lose() {
      confirmed = Optional.empty();
      state = AgentState.NONE;
    }

    synchronized long confirmedOrder() {
      return confirmed.map(SourcePosition::order).orElse(0L);
    }

    private synchronized void store(Optional<SourcePosition> upTo, AgentState now) {
      confirmed = upTo.or(() -> confirmed);
      state = now;
    }
  }

  SimHub(
      SimWorld world,
      SimSource source,
      SimStore store,
      Durable durable,
      String name,
      long epoch,
      Map<String, String> settings) {
    this.world = world;
    this.source = source;
    this.store = store;
    this.durable = durable;
    this.process = new Process(name);
    this.choices = world.random().split();
    this.epoch = epoch;
    this.settings = settings;
  }

  Process process() {
    return process;
  }

  boolean ended() {
    return ended;
  }

  String outcome() {
    return outcome;
  }

  void start() {
    world.tell(process.name + " starts with epoch " + epoch + ", " + durable.resume());
    world.execute(process, "host", this::run);
  }

  private void run() {
    TargetAgent agent =
        new MirroringAgent(
            AgentConfig.of(MirroringSettings.AGENT.parse(settings)),
            new AgentContext("shop", epoch, "test", "", new Listener(), world::now, Meters.NONE),
            new MirroringAgent.Outside(
                connection -> store.client(process),
                SimWorkers::new,
                new SimTime(),
                new Random(choices.nextLong()),
                () -> new UUID(process.name.hashCode(), ids.incrementAndGet()),
                1L << 28));
    try {
      host(agent);
      outcome = "is done";
    } catch (AgentException e) {
      outcome = "gave up: " + e.getMessage();
    } catch (InterruptedException e) {
      outcome = "was interrupted";
    } catch (RuntimeException | Error e) {
      outcome = "failed: " + e;
      if (!process.dead()) {
        world.fail(process.name + " failed: " + e);
      }
    }
    world.tell(process.name + " " + outcome);
    ended = true;
  }

  private void host(TargetAgent agent) throws InterruptedException {
    ResumePoint resume = durable.resume();
    List<TableSpec> specs = new ArrayList<>();
    for (TableSchema table : SimSource.TABLES) {
      specs.add(
          new TableSpec(
              table,
              MirroringSettings.TABLE.parse(
                  Map.of("parquetMaxRowCount", Integer.toString(1 + choices.nextInt(4))))));
    }
    opening = true;
    Map<TableId, TableProgress> progress = agent.open(specs, resume);
    opening = false;
    long from = resume.confirmed().map(SourcePosition::order).orElse(0L);
    for (TableSchema table : SimSource.TABLES) {
      TableProgress found = progress.get(table.table());
      world.tell(process.name + " finds " + table.table() + " " + found);
      if (found instanceof TableProgress.NothingPublished
          || found instanceof TableProgress.SnapshotUnfinished) {
        load(agent, table, from);
      }
    }
    deliver(agent, from);
    agent.flush();
    pause(LONGEST_PAUSE);
    agent.close();
  }

  private void load(TargetAgent agent, TableSchema table, long from) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      long at = source.between(choices, from, source.end());
      try {
        String id = process.name + "-" + attempt;
        world.tell(process.name + " loads " + table.table() + " as of " + at + " as " + id);
        SnapshotWriter writer =
            agent.beginSnapshot(table.table(), new SnapshotStart(id, SourceCommit.positionAt(at)));
        List<SourceRow> rows = source.rowsAt(table, at);
        boolean givenUp = choices.nextInt(12) == 0;
        for (int next = 0; next < rows.size(); ) {
          int end = Math.min(rows.size(), next + 1 + choices.nextInt(3));
          writer.write(ColumnBatches.of(table, rows.subList(next, end)));
          next = end;
          pause(Duration.ofMillis(choices.nextInt(200)));
        }
        if (givenUp) {
          writer.abort();
          pause(Duration.ofMillis(choices.nextInt(500)));
        } else {
          writer.finish();
          world.tell(process.name + " has loaded " + table.table());
          return;
        }
      } catch (RetryLaterException e) {
        world.tell(process.name + ": " + e.getMessage());
      } catch (TableStoppedException e) {
        world.tell(process.name + ": " + e.getMessage());
        return;
      }
    }
  }

  private void deliver(TargetAgent agent, long from) throws InterruptedException {
    List<SourceCommit> left = source.after(from);
    int next = 0;
    while (next < left.size()) {
      int end = Math.min(left.size(), next + 1 + choices.nextInt(3));
      if (choices.nextInt(4) == 0 && !left.get(next).changes().isEmpty()) {
        end = next + 1;
        for (CommitBatch part :
            CommitBatches.parts(left.get(next), 1 + choices.nextInt(3), BeforeImage.FULL)) {
          agent.apply(part);
          pause(Duration.ofMillis(choices.nextInt(100)));
        }
      } else {
        agent.apply(CommitBatches.of(left.subList(next, end), BeforeImage.FULL));
      }
      next = end;
      pause(
          choices.nextInt(8) == 0
              ? Duration.ofSeconds(12)
              : Duration.ofMillis(choices.nextInt(800)));
      if (choices.nextInt(10) == 0) {
        agent.flush();
      }
    }
  }

  private void pause(Duration length) throws InterruptedException {
    world.gate(process, "pause", length, () -> {});
    if (process.dead()) {
      throw new InterruptedException("the process is dead");
    }
  }

  private final class Listener implements AgentListener {
    @Override
    public void confirmed(SourcePosition upTo, AgentState state) {
      if (process.dead()) {
        return;
      }
      world.tell(process.name + " is told that " + upTo + " is confirmed");
      for (TableSchema table : SimSource.TABLES) {
        long must = source.lastWritten(table, upTo.order());
        if (!stopped.containsKey(table.table()) && store.covered(table) < must) {
          world.fail(
              upTo + " was confirmed, but " + table.table() + " stands at " + store.covered(table));
        }
      }
      durable.store(Optional.of(upTo), state);
    }

    @Override
    public CompletionStage<Void> stateChanged(AgentState state) {
      if (!process.dead()) {
        durable.store(Optional.empty(), state);
      }
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void tableStopped(TableStoppedException reason) {
      if (process.dead()) {
        return;
      }
      String message = String.valueOf(reason.getMessage());
      world.tell(process.name + ": " + message);
      if (!message.contains(reason.table().toString())) {
        world.fail("A stop does not name its table: " + message);
      }
      if (message.contains("unexpected")) {
        world.fail(message);
      }
    }

    @Override
    public void agentStopped(AgentException reason) {
      world.fail("The agent stopped: " + reason);
    }

    @Override
    public void warning(Optional<TableId> table, String message) {
      world.tell(process.name + " warns: " + message);
    }
  }

  private final class SimTime implements Retries.Time {
    @Override
    public long nanos() {
      return world.nanos(process);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      pause(duration);
    }
  }

  private final class SimWorkers implements Workers {
    @Override
    public Executor encoders() {
      return task -> world.execute(process, "encode", task);
    }

    /** Folders are looked at one after the other: opening waits for no thread of ours. */
    @Override
    public Executor uploads() {
      return task -> {
        if (opening) {
          task.run();
        } else {
          world.execute(process, "upload", task);
        }
      };
    }

    @Override
    public Timer timer() {
      return new Timer() {
        @Override
        public long nanos() {
          return world.nanos(process);
        }

        @Override
        public Alarm in(Duration delay, Runnable task) {
          return world.in(process, delay, task)::cancel;
        }
      };
    }

    @Override
    public Signal signal() {
      return world.signal(process);
    }

    @Override
    public void close() {
      // The host's process ends with its agent.
    }
  }
}
