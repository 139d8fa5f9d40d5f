package io.corehub.lineage;

import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.TableShape;
import io.corehub.agent.table.TableId;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one table's two jobs, from the news of its agent. A run begins with START, ends with
 * one terminal event, and nothing comes after that. Confined to one caller at a time.
 */
final class TableLineage {

  private final TableId table;
  private final Function<JobKey.Kind, JobKey> jobs;
  private final Supplier<UUID> ids;
  private final Duration interval;
  private final Consumer<Emission> out;

  private Optional<TableShape> shape = Optional.empty();
  private String timeline = "";

  private @Nullable Run changes;
  private Statistics window = Statistics.NONE;
  private Instant windowSince = Instant.EPOCH;
  private boolean shapeDue;

  private @Nullable Run snapshot;
  private Statistics loaded = Statistics.NONE;
  private Instant loadTold = Instant.EPOCH;
  private boolean loadDue;

  /** Why the table stopped; null while it goes on. */
  private @Nullable String stopped;

  TableLineage(
      TableId table,
      Function<JobKey.Kind, JobKey> jobs,
      Supplier<UUID> ids,
      Duration interval,
      Consumer<Emission> out) {
    this.table = table;
    this.jobs = jobs;
    this.ids = ids;
    this.interval = interval;
    this.out = out;
  }

  private Optional<TableFacts> facts() {
    return Optional.of(new TableFacts(table, shape, timeline));
  }

  /** The table has another shape, or is taken up again. */
  void shaped(TableShape now, Instant at) {
    boolean differs = shape.isPresent() && !shape.get().equals(now);
    if (stopped != null) {
      tellLate(at);
      stopped = null;
    }
    shape = Optional.of(now);
    if (differs && changes != null) {
      tellWindow(at, true);
    }
    if (differs && snapshot != null) {
      tellLoad(at);
    }
  }

  void snapshotStarted(SnapshotStart start, Instant at) {
    if (snapshot != null) {
      endSnapshot(EventType.ABORT, at, Optional.empty());
    }
    timeline = start.consistentAt().timeline();
    loaded = Statistics.NONE;
    loadTold = at;
    loadDue = false;
    snapshot = begin(JobKey.Kind.SNAPSHOT, at);
  }

  void filePublished(PublishedFile file, Instant at) {
    timeline = file.position().timeline();
    Statistics one = new Statistics(file.rows(), file.bytes(), 1);
    if (file.kind() == PublishedFile.Kind.SNAPSHOT) {
      loaded = loaded.plus(one);
      loadDue = true;
    } else {
      if (window.isNone() && (changes == null || isDue(windowSince, at))) {
        windowSince = at;
      }
      window = window.plus(one);
      if (changes == null && stopped == null) {
        changes = begin(JobKey.Kind.CHANGES, at);
      }
    }
    tellWhatIsDue(at);
  }

  void snapshotEnded(boolean complete, Instant at) {
    if (snapshot != null) {
      endSnapshot(complete ? EventType.COMPLETE : EventType.ABORT, at, Optional.empty());
    }
  }

  /** The table stopped: its runs fail. A table without a run gets one that does. */
  void stopped(String reason, Instant at) {
    if (stopped != null) {
      return;
    }
    if (snapshot != null) {
      endSnapshot(EventType.FAIL, at, Optional.of(reason));
    } else if (changes == null) {
      changes = begin(JobKey.Kind.CHANGES, at);
    }
    if (changes != null) {
      fail(changes, reason, at);
      changes = null;
    }
    stopped = reason;
  }

  /**
   * The pipeline ends.
   *
   * @param clean whether nothing failed
   */
  void ended(boolean clean, Instant at) {
    if (snapshot != null) {
      endSnapshot(EventType.ABORT, at, Optional.empty());
    }
    tellLate(at);
    Run run = changes;
    if (run != null) {
      if (!window.isNone() || shapeDue) {
        tellWindow(at, false);
      }
      out.accept(Emission.of(clean ? EventType.COMPLETE : EventType.ABORT, run, at, facts()));
      changes = null;
    }
  }

  /** Tells what an interval has gone by for. */
  void tellWhatIsDue(Instant at) {
    if (isDue(windowSince, at)) {
      if (changes != null && (!window.isNone() || shapeDue)) {
        tellWindow(at, true);
      }
      tellLate(at);
    }
    if (snapshot != null && loadDue && isDue(loadTold, at)) {
      tellLoad(at);
    }
  }

  /** When something will be due; empty if nothing waits. */
  Optional<Instant> nextDue() {
    Instant due = null;
    if (!window.isNone() || (shapeDue && changes != null)) {
      due = windowSince.plus(interval);
    }
    if (snapshot != null && loadDue) {
      Instant load = loadTold.plus(interval);
      due = due == null || load.isBefore(due) ? load : due;
    }
    return Optional.ofNullable(due);
  }

  private boolean isDue(Instant since, Instant now) {
    return !now.isBefore(since.plus(interval));
  }

  /** Takes back what an event told that is not sent; it is told an interval later. */
  void takeBack(Emission unsent, Instant at) {
    if (unsent.run().equals(snapshot)) {
      loadDue = true;
      loadTold = at;
    } else if (unsent.run().equals(changes)) {
      window = window.plus(unsent.statistics());
      windowSince = at;
      shapeDue = true;
    }
  }

  private Run begin(JobKey.Kind kind, Instant at) {
    Run run = new Run(ids.get(), jobs.apply(kind));
    out.accept(Emission.of(EventType.START, run, at, facts()));
    return run;
  }

  private void tellWindow(Instant at, boolean droppable) {
    Run run = changes;
    if (run == null) {
      return;
    }
    Emission running = Emission.of(EventType.RUNNING, run, at, facts()).with(window);
    window = Statistics.NONE;
    windowSince = at;
    shapeDue = false;
    out.accept(droppable ? running.mayBeDropped() : running);
  }

  private void tellLoad(Instant at) {
    Run run = snapshot;
    if (run != null) {
      loadTold = at;
      loadDue = false;
      out.accept(Emission.of(EventType.RUNNING, run, at, facts()).with(loaded).mayBeDropped());
    }
  }

  private void endSnapshot(EventType end, Instant at, Optional<String> reason) {
    Run run = snapshot;
    if (run != null) {
      Emission last = Emission.of(end, run, at, facts()).with(loaded);
      out.accept(reason.map(last::because).orElse(last));
      snapshot = null;
      loadDue = false;
    }
  }

  private void fail(Run run, String reason, Instant at) {
    out.accept(Emission.of(EventType.FAIL, run, at, facts()).with(window).because(reason));
    window = Statistics.NONE;
  }

  /**
   * What a table took before it stopped is still published: a run of its own tells that, which
   * fails as the one before it did.
   */
  private void tellLate(Instant at) {
    String reason = stopped;
    if (reason != null && !window.isNone()) {
      fail(begin(JobKey.Kind.CHANGES, at), reason, at);
    }
  }
}
