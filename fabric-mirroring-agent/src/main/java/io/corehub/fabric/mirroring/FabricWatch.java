package io.corehub.fabric.mirroring;

import io.corehub.agent.TargetReport;
import io.corehub.agent.TargetReport.Condition;
import io.corehub.agent.table.TableId;
import io.corehub.fabric.mirroring.Monitoring.Reading;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.News;
import io.corehub.runtime.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again at what Fabric says of the tables and at what lies in their folders, and
 * tells the host when Fabric stops taking files and when it takes them again. Nothing here delays
 * or stops publishing: a look that fails is made again. Thread-safe.
 *
 * <p>A look costs two requests, and one list for each table whose files Fabric has not all applied
 * as far as one can tell from its times, for at most {@value #MOST_LISTS} tables; those where
 * nothing moves come first.
 */
final class FabricWatch {

  static final int MOST_LISTS = 20;

  private static final Duration FIRST_LOOK = Duration.ofSeconds(5);
  private static final int TOLERATED_FAILURES = 10;
  private static final int NAMED = 5;

  /** A folder with so many files waiting is listed at every second look, then every third. */
  private static final int LARGE_BACKLOG = 1_000;

  private final LandingZone zone;
  private final Monitoring monitoring;
  private final News news;
  private final Supplier<List<PublishedFiles>> published;
  private final Duration period;
  private final Duration patience;
  private final FileOrigin origins;
  private final Map<TableId, TargetReport> reports = new ConcurrentHashMap<>();

  /** Confined to the look under way; looks never overlap. */
  private final Map<TableId, Followed> followed = new HashMap<>();

  private Optional<ReplicatorReport> database = Optional.empty();
  private List<TableReport> tables = List.of();
  private int failures;
  private boolean failureTold;
  private String databaseTold = "";

  private final Object life = new Object();
  private Timer.@Nullable Alarm alarm;
  private boolean ended;

  private static final class Followed {
    final Consumption consumption;
    long listedNanos;
    long nextListNanos;

    Followed(Consumption consumption, long now) {
      this.consumption = consumption;
      this.listedNanos = now;
      this.nextListNanos = now;
    }
  }

  /**
   * A watch that has not begun.
   *
   * @param zone where the tables lie
   * @param news tells the host
   * @param published what was published of each table
   * @param watching how often to look, and how long files may wait
   */
  FabricWatch(
      LandingZone zone,
      News news,
      Supplier<List<PublishedFiles>> published,
      AgentConfig.Watching watching) {
    this.zone = zone;
    this.monitoring = zone.monitoring();
    this.news = news;
    this.published = published;
    this.period = watching.period();
    this.patience = watching.patience();
    this.origins = new FileOrigin(zone.client());
  }

  /** Begins to look, unless that is switched off. */
  void begin() {
    if (!period.isZero()) {
      next(period.compareTo(FIRST_LOOK) < 0 ? period : FIRST_LOOK);
    }
  }

  /** No look begins from now on. */
  void end() {
    synchronized (life) {
      ended = true;
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /** What Fabric says of a table, as of the last look. */
  Optional<TargetReport> report(TableId table) {
    return Optional.ofNullable(reports.get(table));
  }

  private void next(Duration delay) {
    synchronized (life) {
      if (!ended) {
        alarm =
            zone.workers()
                .timer()
                .in(delay, () -> zone.workers().uploads().execute(this::lookAndGoOn));
      }
    }
  }

  private void lookAndGoOn() {
    Duration asked = zone.retries().askedToWait();
    if (!asked.isZero()) {
      next(asked);
      return;
    }
    Duration pause = period;
    try {
      look();
      failures = 0;
      recovered();
    } catch (DfsException e) {
      if (e.kind() == DfsException.Kind.CLOSED) {
        return;
      }
      Duration wanted = zone.retries().pauseAfterFailure(RetryPolicy.RUNNING, 1, e);
      pause = wanted.compareTo(period) > 0 ? wanted : period;
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } catch (RuntimeException | Error e) {
      Logs.LOG.error("Looking at Fabric's status failed; it is tried again", e);
    }
    next(pause);
  }

  private void failed(DfsException e) {
    failures++;
    Logs.LOG.debug("Fabric's status could not be read", e);
    if (!failureTold && (!e.transientFault() || failures >= TOLERATED_FAILURES)) {
      failureTold = true;
      news.warning(
          Optional.empty(),
          "What Fabric says of the tables cannot be read; publishing goes on without it, and it is"
              + " tried again every "
              + period.toSeconds()
              + " s. "
              + zone.advice(e));
    }
  }

  private void recovered() {
    if (failureTold) {
      failureTold = false;
      Logs.LOG.info("What Fabric says of the tables can be read again");
    }
  }

  private void look() throws InterruptedException {
    Reading<ReplicatorReport> ofDatabase = monitoring.replicator();
    Reading<List<TableReport>> ofTables = monitoring.tables();
    // A file that Fabric is writing says next time what it says; until then the old one counts.
    if (!(ofDatabase instanceof Reading.Unreadable<ReplicatorReport>)) {
      database = ofDatabase.known();
    }
    if (!(ofTables instanceof Reading.Unreadable<List<TableReport>>)) {
      tables = ofTables.known().orElse(List.of());
    }
    unreadable(ofDatabase);
    unreadable(ofTables);
    tellDatabase();
    List<Consumption.Look> looks = new ArrayList<>();
    for (PublishedFiles files : published.get()) {
      looks.add(
          new Consumption.Look(
              zone.time().nanos(),
              zone.clock().instant(),
              database,
              monitoring.find(files.table(), tables),
              files));
    }
    forget(looks.stream().map(look -> look.files().table()).collect(Collectors.toSet()));
    list(looks);
    conclude(looks);
  }

  private static void unreadable(Reading<?> reading) {
    if (reading instanceof Reading.Unreadable<?> now) {
      Logs.LOG.debug("{}", now.why());
    }
  }

  private void forget(Set<TableId> known) {
    followed.keySet().retainAll(known);
    reports.keySet().retainAll(known);
  }

  private void tellDatabase() {
    FabricStatus status = database.map(ReplicatorReport::status).orElse(FabricStatus.SILENT);
    boolean stands = status.failed() || status.halted() || status.notStarted();
    String now = stands ? status.word() + status.error() : "";
    if (!now.equals(databaseTold)) {
      if (stands) {
        news.warning(Optional.empty(), MirroringWords.database(status));
      } else {
        Logs.LOG.info("The mirrored database is {} again", status.word());
      }
      databaseTold = now;
    }
  }

  private Followed of(Consumption.Look look) {
    return followed.computeIfAbsent(
        look.files().table(),
        table -> new Followed(new Consumption(table, patience), look.nanos() - 1));
  }

  private void list(List<Consumption.Look> looks) throws InterruptedException {
    List<Consumption.Look> wanting =
        looks.stream()
            .filter(look -> of(look).consumption.wantsListing(look))
            .filter(look -> of(look).nextListNanos - look.nanos() <= 0)
            .sorted(
                Comparator.<Consumption.Look, Boolean>comparing(
                        look -> !of(look).consumption.stands(look))
                    .thenComparing(look -> of(look).listedNanos - look.nanos()))
            .limit(MOST_LISTS)
            .toList();
    for (Consumption.Look look : wanting) {
      Followed table = of(look);
      table.consumption.listed(look, Listing.of(zone.client(), look.files().folder()));
      table.listedNanos = look.nanos();
      table.nextListNanos =
          look.nanos() + period.multipliedBy(table.consumption.waiting() / LARGE_BACKLOG).toNanos();
    }
  }

  private void conclude(List<Consumption.Look> looks) throws InterruptedException {
    List<TargetReport> idle = new ArrayList<>();
    List<TableId> idleTables = new ArrayList<>();
    for (Consumption.Look look : looks) {
      TableId table = look.files().table();
      Consumption.Verdict verdict = of(look).consumption.conclude(look, origins::of);
      reports.put(table, verdict.report());
      boolean ofDatabase = !databaseTold.isEmpty();
      if (verdict.over()) {
        Logs.LOG.info("Table {}: Fabric takes its files again", table);
      } else if (verdict.begun() && verdict.report().condition() == Condition.NOT_CONSUMING) {
        idle.add(verdict.report());
        idleTables.add(table);
      } else if (verdict.begun() && !ofDatabase) {
        verdict.report().problem().ifPresent(text -> news.warning(Optional.of(table), text));
      }
    }
    tellIdle(idleTables, idle);
  }

  /** One warning, however many tables began to wait too long at the same time. */
  private void tellIdle(List<TableId> idleTables, List<TargetReport> idle) {
    if (idle.size() == 1) {
      idle.get(0).problem().ifPresent(text -> news.warning(Optional.of(idleTables.get(0)), text));
    } else if (!idle.isEmpty()) {
      int files = idle.stream().mapToInt(report -> report.filesWaiting().orElse(0)).sum();
      String names =
          idleTables.stream().limit(NAMED).map(TableId::toString).collect(Collectors.joining(", "));
      news.warning(
          Optional.empty(),
          "Fabric is not consuming: "
              + files
              + " files of "
              + idle.size()
              + " tables ("
              + names
              + (idle.size() > NAMED ? ", …" : "")
              + ") have waited for more than "
              + patience.toSeconds()
              + " s while nothing moved. "
              + MirroringWords.LOOK_AT_FABRIC);
    }
  }
}
