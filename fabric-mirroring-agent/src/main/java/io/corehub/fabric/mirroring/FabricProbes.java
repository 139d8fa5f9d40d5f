package io.corehub.fabric.mirroring;

import io.corehub.fabric.mirroring.Monitoring.Reading;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.storage.probe.Verdict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Probes of what Fabric does with files: publishes some, and watches their folder and what Fabric
 * says of the table. Each file has a number of rows that no sum of others has, so that the count of
 * applied rows tells which files were read. Confined to one caller at a time.
 */
final class FabricProbes {

  static final Set<FabricProbe> ALL =
      EnumSet.range(FabricProbe.TAKES_CHAIN_ENTRY, FabricProbe.TAKES_NULL_KEYS);

  private static final Duration LOOK = Duration.ofSeconds(1);

  /**
   * As long as a run relies on a file being left in place, and a while for what should not come.
   */
  private static final Duration IN_PLACE = TableFolder.PROOF_LASTS;

  private static final int FIRST_ROWS = 1;
  private static final int UPLOAD_ROWS = 2;
  private static final int THIRD_ROWS = 4;
  private static final int AGAIN_ROWS = 8;
  private static final int FOURTH_ROWS = 16;

  private final LandingZone zone;
  private final ScratchTable scratch;
  private final LimitProbes limits;
  private final Duration patience;
  private final BiConsumer<FabricProbe, Verdict> verdicts;
  private final Set<FabricProbe> open = EnumSet.copyOf(ALL);
  private final Map<Long, Long> published = new HashMap<>();
  private final Map<Long, Duration> goneAfter = new HashMap<>();
  private long begun;
  private FabricStatus status = FabricStatus.SILENT;
  private OptionalLong rows = OptionalLong.empty();
  private List<TableReport> reports = List.of();
  private boolean synced;
  private boolean emptied;

  /**
   * Probes.
   *
   * @param limits those of what tables Fabric takes
   * @param patience longest time to wait for Fabric in all
   * @param verdicts told of each verdict as it is reached
   */
  FabricProbes(
      LandingZone zone,
      ScratchTable scratch,
      LimitProbes limits,
      Duration patience,
      BiConsumer<FabricProbe, Verdict> verdicts) {
    this.zone = zone;
    this.scratch = scratch;
    this.limits = limits;
    this.patience = patience;
    this.verdicts = verdicts;
  }

  /**
   * Runs all of them.
   *
   * @throws DfsException if they could not go on; verdicts that were reached were told
   */
  void run() throws InterruptedException {
    Optional<FabricStatus> database =
        tried(() -> zone.monitoring().replicator()).known().map(ReplicatorReport::status);
    if (database.filter(d -> d.failed() || d.halted() || d.notStarted()).isPresent()) {
      rest(MirroringWords.database(database.get()));
      return;
    }
    limits.publish();
    Logs.LOG.info("Waiting up to {} s for Fabric to take the probe tables", patience.toSeconds());
    begun = zone.time().nanos();
    if (!firstFile()) {
      rest(
          status.failed()
              ? "Fabric did not take the first file."
              : notSeen("Fabric did not take the first file"));
      return;
    }
    if (moreFiles()) {
      cleanUp();
      numberAgain();
      uploadIgnored();
    }
    whatItTakes();
  }

  /** Probes without a verdict yet. */
  Set<FabricProbe> open() {
    return EnumSet.copyOf(open);
  }

  private boolean firstFile() throws InterruptedException {
    scratch.folder().written(scratch.parquet(1, UPLOAD_ROWS));
    publish(1, FIRST_ROWS);
    await(() -> applied(FIRST_ROWS) || synced || gone(1) || status.failed());
    if (status.failed()) {
      decide(FabricProbe.TAKES_CHAIN_ENTRY, new Verdict.Refuted(words()));
      return false;
    }
    if (!applied(FIRST_ROWS) && !synced && !gone(1)) {
      return false;
    }
    decide(FabricProbe.TAKES_CHAIN_ENTRY, new Verdict.Held());
    return true;
  }

  private boolean moreFiles() throws InterruptedException {
    publish(2, 0);
    publish(3, THIRD_ROWS);
    await(() -> applied(THIRD_ROWS) || gone(2) || status.failed());
    if (status.failed()) {
      decide(FabricProbe.TAKES_ZERO_ROWS, new Verdict.Refuted(words()));
      restOfFirst("Fabric did not take the file without rows.");
      return false;
    }
    if (!applied(THIRD_ROWS) && !gone(2)) {
      restOfFirst(notSeen("Fabric did not take the files after the first"));
      return false;
    }
    decide(FabricProbe.TAKES_ZERO_ROWS, new Verdict.Held());
    return true;
  }

  private void cleanUp() throws InterruptedException {
    linger(IN_PLACE.plus(LOOK));
    await(() -> (gone(1) && gone(2)) || emptied);
    linger(LOOK.multipliedBy(3));
    Optional<Map.Entry<Long, Duration>> early =
        goneAfter.entrySet().stream()
            .filter(entry -> entry.getValue().compareTo(IN_PLACE) < 0)
            .findFirst();
    decide(
        FabricProbe.WAITS_WITH_CLEAN_UP,
        early.isPresent()
            ? new Verdict.Refuted(
                "file number "
                    + early.get().getKey()
                    + " was moved away "
                    + early.get().getValue().toMillis()
                    + " ms after it was published")
            : new Verdict.Held());
    if (emptied || gone(3)) {
      decide(
          FabricProbe.KEEPS_LAST_FILE,
          new Verdict.Refuted("the last file was moved away like those before it"));
    } else if (gone(1)) {
      decide(FabricProbe.KEEPS_LAST_FILE, new Verdict.Held());
    } else {
      decide(
          FabricProbe.KEEPS_LAST_FILE, new Verdict.Undecided(notSeen("Fabric moved no file away")));
    }
  }

  private void numberAgain() throws InterruptedException {
    if (!gone(1) || emptied || gone(3)) {
      decide(
          FabricProbe.READS_NUMBER_ONCE,
          new Verdict.Undecided(notSeen("Fabric did not move away the first file alone")));
      return;
    }
    scratch.publish(1, AGAIN_ROWS);
    publish(4, FOURTH_ROWS);
    await(() -> applied(FOURTH_ROWS) || gone(3) || status.failed());
    linger(IN_PLACE);
    FabricProbe probe = FabricProbe.READS_NUMBER_ONCE;
    if (status.failed()) {
      decide(probe, new Verdict.Refuted(words()));
    } else if (!applied(FOURTH_ROWS) && !gone(3)) {
      decide(probe, new Verdict.Undecided(notSeen("Fabric did not take the file after it")));
    } else if (!countsAgree()) {
      decide(probe, new Verdict.Undecided(noCount()));
    } else if (applied(AGAIN_ROWS)) {
      decide(probe, new Verdict.Refuted("Fabric applied " + count() + " rows, those among them"));
    } else {
      decide(probe, new Verdict.Held());
    }
  }

  private void uploadIgnored() {
    if (!countsAgree()) {
      decide(FabricProbe.SKIPS_UPLOADS, new Verdict.Undecided(noCount()));
    } else if (applied(UPLOAD_ROWS)) {
      decide(
          FabricProbe.SKIPS_UPLOADS,
          new Verdict.Refuted("Fabric applied " + count() + " rows, those among them"));
    } else {
      decide(FabricProbe.SKIPS_UPLOADS, new Verdict.Held());
    }
  }

  /** Its tables were published with the first file, so Fabric had all the time until now. */
  private void whatItTakes() throws InterruptedException {
    for (FabricProbe probe : LimitProbes.ALL) {
      await(() -> limits.verdict(probe, zone.monitoring(), reports).isPresent());
      decide(
          probe,
          limits
              .verdict(probe, zone.monitoring(), reports)
              .orElse(new Verdict.Undecided(notSeen("Fabric did not take the file"))));
    }
  }

  /** Whether Fabric's count is that of rows applied so far: all files it must have read are in. */
  private boolean countsAgree() {
    int must = FIRST_ROWS + THIRD_ROWS + (published.containsKey(4L) ? FOURTH_ROWS : 0);
    int may = must + UPLOAD_ROWS + AGAIN_ROWS;
    return (count() & must) == must && (count() & ~may) == 0;
  }

  private boolean applied(int rowsOfFile) {
    return rows.isPresent() && (count() & rowsOfFile) != 0;
  }

  private long count() {
    return rows.orElse(0);
  }

  private String noCount() {
    return rows.isEmpty()
        ? "Fabric does not say how many rows it applied."
        : "Fabric says that it applied " + count() + " rows, which is no sum of the files.";
  }

  private void publish(long seq, int rowsOfFile) throws InterruptedException {
    published.put(seq, zone.time().nanos());
    scratch.publish(seq, rowsOfFile);
  }

  private boolean gone(long seq) {
    return goneAfter.containsKey(seq);
  }

  private String words() {
    return "Fabric stopped the table: " + status.word() + " " + status.error();
  }

  private String notSeen(String what) {
    return what + " within " + patience.toSeconds() + " s (--live-seconds).";
  }

  private interface Condition {
    boolean holds();
  }

  /** Looks until a condition holds or the time is over. */
  private void await(Condition condition) throws InterruptedException {
    look();
    while (!condition.holds() && zone.time().nanos() - begun < patience.toNanos()) {
      zone.time().sleep(LOOK);
      look();
    }
  }

  /** Goes on looking for some time. */
  private void linger(Duration duration) throws InterruptedException {
    long since = zone.time().nanos();
    while (zone.time().nanos() - since < duration.toNanos()) {
      zone.time().sleep(LOOK);
      look();
    }
  }

  private void look() throws InterruptedException {
    Listing listing = tried(() -> Listing.of(zone.client(), scratch.folder().path()));
    long now = zone.time().nanos();
    published.forEach(
        (seq, at) -> {
          if (!listing.numbered().containsKey(FileName.digits(FileName.numbered(seq)))) {
            goneAfter.putIfAbsent(seq, Duration.ofNanos(now - at));
          }
        });
    emptied |= listing.numbered().isEmpty() && !listing.cleanUp().isEmpty();
    Reading<List<TableReport>> told = tried(() -> zone.monitoring().tables());
    reports = told.known().orElse(reports);
    Optional<TableReport> report = zone.monitoring().find(scratch.table(), reports);
    report.ifPresent(
        found -> {
          status = found.status();
          rows = found.operations();
          synced |= found.lastSync().isPresent();
        });
  }

  private <T> T tried(io.corehub.onelake.Retries.Attempt<T> attempt) throws InterruptedException {
    return zone.retries().call(RetryPolicy.SET_UP, FailureListener.NONE, attempt);
  }

  private void rest(String why) {
    open().forEach(probe -> decide(probe, new Verdict.Undecided(why)));
  }

  /** What was to come of the first table; the others have nothing to do with it. */
  private void restOfFirst(String why) {
    Set<FabricProbe> rest = open();
    rest.removeAll(LimitProbes.ALL);
    rest.forEach(probe -> decide(probe, new Verdict.Undecided(why)));
  }

  private void decide(FabricProbe probe, Verdict verdict) {
    open.remove(probe);
    verdicts.accept(probe, verdict);
  }
}
