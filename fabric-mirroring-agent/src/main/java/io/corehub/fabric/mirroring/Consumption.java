package io.corehub.fabric.mirroring;

import io.corehub.agent.TargetReport;
import io.corehub.agent.TargetReport.Condition;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.PathEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Follows over several looks how far Fabric got with the files of one table, and concludes.
 * Confined to one caller at a time.
 */
final class Consumption {

  private static final Pattern FILE = Pattern.compile("(?<![0-9])[0-9]{20}\\.parquet");

  private final TableId table;
  private final Duration patience;
  private @Nullable UUID incarnation;
  private @Nullable Progress progress;
  private long movedNanos;
  private boolean waited;
  private long consumed;
  private Optional<Backlog> backlog = Optional.empty();
  private OptionalInt waiting = OptionalInt.empty();
  private Optional<Origin> origin = Optional.empty();
  private Condition told = Condition.UNKNOWN;
  private String toldError = "";

  /** Everything whose change shows that Fabric works on the table. */
  private record Progress(
      Optional<Instant> lastSync, OptionalLong operations, Optional<String> lowest) {}

  /** Whose file Fabric stands at. */
  private record Origin(String file, String note) {}

  /**
   * What one look found.
   *
   * @param nanos when, on a clock that only goes forward
   * @param at when
   * @param database what Fabric says of the mirrored database
   * @param report what it says of the table
   * @param files what was published of it
   */
  record Look(
      long nanos,
      Instant at,
      Optional<ReplicatorReport> database,
      Optional<TableReport> report,
      PublishedFiles files) {}

  /**
   * What follows from a look.
   *
   * @param report for the host
   * @param begun whether its condition, or the error behind it, is news
   * @param over whether files are taken again after they were not
   */
  record Verdict(TargetReport report, boolean begun, boolean over) {}

  /** Reads who wrote a file. */
  interface Examiner {

    /** A clause about the file that follows its name. */
    String origin(PathEntry file) throws InterruptedException;
  }

  /**
   * For one table.
   *
   * @param patience how long files may wait without anything moving
   */
  Consumption(TableId table, Duration patience) {
    this.table = table;
    this.patience = patience;
  }

  /**
   * Whether the folder must be listed to know what waits: not while everything is known to be
   * applied.
   */
  boolean wantsListing(Look look) {
    beginAnewIfRecreated(look);
    if (look.files.last() == 0) {
      return false;
    }
    return consumed < look.files.last() || (failed(look) && backlog.isEmpty());
  }

  private void beginAnewIfRecreated(Look look) {
    if (!look.files.incarnation().equals(incarnation)) {
      incarnation = look.files.incarnation();
      progress = null;
      consumed = 0;
      backlog = Optional.empty();
      waiting = OptionalInt.empty();
      origin = Optional.empty();
    }
  }

  private static boolean failed(Look look) {
    return look.report.map(report -> report.status().failed()).orElse(false);
  }

  /**
   * For a single look: what stands in the folder and in Fabric's report counts as standing since
   * the times they tell.
   */
  void takeTimesAsTold(Look look) {
    Optional<Instant> since =
        Stream.of(
                look.report.flatMap(TableReport::lastSync),
                backlog.flatMap(b -> b.waiting().stream().findFirst()).map(PathEntry::lastModified))
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder());
    progress = progress(look);
    waited = waits();
    movedNanos =
        look.nanos - since.map(at -> Duration.between(at, look.at)).orElse(Duration.ZERO).toNanos();
  }

  private boolean waits() {
    return waiting() > 0 && !backlog.map(Backlog::syncedSince).orElse(false);
  }

  private Progress progress(Look look) {
    return new Progress(
        look.report.flatMap(TableReport::lastSync),
        look.report.map(TableReport::operations).orElse(OptionalLong.empty()),
        backlog.flatMap(Backlog::kept).map(PathEntry::name));
  }

  /** Takes note of a listing of the folder. */
  void listed(Look look, Listing listing) {
    if (!listing.exists()) {
      return;
    }
    Backlog found =
        Backlog.of(listing, look.report.flatMap(TableReport::lastSync), look.files.lastAt());
    backlog = Optional.of(found);
    waiting = OptionalInt.of(found.waiting().size());
    if (found.waiting().isEmpty()) {
      consumed = look.files.last();
    }
  }

  int waiting() {
    return waiting.orElse(0);
  }

  /** Whether nothing has moved since the look before: a listing is worth more here. */
  boolean stands(Look look) {
    return progress != null && progress.lastSync.equals(look.report.flatMap(TableReport::lastSync));
  }

  /** Concludes from a look, after the listing it asked for, if there was one. */
  Verdict conclude(Look look, Examiner examiner) throws InterruptedException {
    beginAnewIfRecreated(look);
    Progress now = progress(look);
    boolean waits = waits();
    if (!now.equals(progress) || !waits || !waited) {
      movedNanos = look.nanos;
      progress = now;
    }
    waited = waits;
    Condition condition = condition(look);
    Optional<String> file = Optional.empty();
    boolean inferred = false;
    if (condition == Condition.FAILED && failed(look)) {
      Matcher named = FILE.matcher(errorOf(look));
      boolean isNamed = named.find();
      file =
          isNamed
              ? Optional.of(named.group())
              : backlog.flatMap(Backlog::next).map(PathEntry::name);
      inferred = !isNamed && file.isPresent();
      if (file.isPresent()) {
        examine(file.get(), examiner);
      }
    }
    Optional<String> problem = problem(look, condition, file, inferred);
    return verdict(look, condition, file, inferred, problem);
  }

  private Condition condition(Look look) {
    if (failed(look) || databaseStatus(look).failed()) {
      return Condition.FAILED;
    }
    if (databaseStatus(look).halted() || databaseStatus(look).notStarted() || tableHalted(look)) {
      return Condition.HALTED;
    }
    if (waited && look.nanos - movedNanos >= patience.toNanos()) {
      return Condition.NOT_CONSUMING;
    }
    return look.report.isPresent() ? Condition.CONSUMING : Condition.UNKNOWN;
  }

  private static boolean tableHalted(Look look) {
    return look.report.map(report -> report.status().halted()).orElse(false);
  }

  static FabricStatus databaseStatus(Look look) {
    return look.database.map(ReplicatorReport::status).orElse(FabricStatus.SILENT);
  }

  private static boolean databaseStands(Look look) {
    FabricStatus database = databaseStatus(look);
    return database.failed() || database.halted() || database.notStarted();
  }

  private static String errorOf(Look look) {
    if (databaseStands(look)) {
      return databaseStatus(look).error();
    }
    return look.report.map(report -> report.status().error()).orElse("");
  }

  private static String wordOf(Look look) {
    if (databaseStands(look)) {
      return databaseStatus(look).word();
    }
    return look.report.map(report -> report.status().word()).orElse("");
  }

  private void examine(String name, Examiner examiner) throws InterruptedException {
    if (origin.map(Origin::file).filter(name::equals).isPresent()) {
      return;
    }
    Optional<PathEntry> entry =
        backlog.stream()
            .flatMap(b -> Stream.concat(b.waiting().stream(), b.kept().stream()))
            .filter(candidate -> candidate.name().equals(name))
            .findFirst();
    origin =
        entry.isPresent()
            ? Optional.of(new Origin(name, examiner.origin(entry.get())))
            : Optional.empty();
  }

  private Optional<String> problem(
      Look look, Condition condition, Optional<String> file, boolean inferred) {
    return switch (condition) {
      case UNKNOWN, CONSUMING -> Optional.empty();
      case FAILED ->
          Optional.of(
              databaseStands(look)
                  ? MirroringWords.database(databaseStatus(look))
                  : failedTable(look, file, inferred));
      case HALTED ->
          Optional.of(
              databaseStands(look)
                  ? MirroringWords.database(databaseStatus(look))
                  : "Table "
                      + table
                      + ": its mirroring is "
                      + wordOf(look)
                      + ". Start it again on the page of the mirrored database in Fabric; files go"
                      + " on being published and are taken up then.");
      case NOT_CONSUMING -> Optional.of(notConsuming(look));
    };
  }

  private String failedTable(Look look, Optional<String> file, boolean inferred) {
    String error = errorOf(look);
    StringBuilder text =
        new StringBuilder(
            "Table " + table + ": Fabric stopped mirroring it (" + wordOf(look) + ")");
    text.append(error.isEmpty() ? "" : ": " + error.replaceFirst("[.\\s]+$", "")).append('.');
    file.ifPresent(
        name ->
            text.append(" It stands ")
                .append(inferred ? "probably at " : "at ")
                .append(name)
                .append(origin.map(o -> ", " + o.note).orElse(""))
                .append('.'));
    return text.append(" Files go on being published, but Fabric takes none of them. ")
        .append(Advice.RECREATE)
        .toString();
  }

  private String notConsuming(Look look) {
    return "Table "
        + table
        + ": Fabric is not consuming: "
        + waiting()
        + (waiting() == 1 ? " file has" : " files have")
        + " waited for more than "
        + patience.toSeconds()
        + " s, and neither the folder nor the last sync ("
        + look.report
            .flatMap(TableReport::lastSync)
            .map(Instant::toString)
            .orElse(look.report.isPresent() ? "never" : "table not listed by Fabric")
        + ") moved. "
        + MirroringWords.LOOK_AT_FABRIC;
  }

  private Verdict verdict(
      Look look,
      Condition condition,
      Optional<String> file,
      boolean inferred,
      Optional<String> problem) {
    String error = errorOf(look);
    boolean begun =
        condition.needsPerson() && (condition != told || !(wordOf(look) + error).equals(toldError));
    boolean over = !condition.needsPerson() && told.needsPerson();
    told = condition;
    toldError = wordOf(look) + error;
    TargetReport report =
        new TargetReport(
            condition,
            wordOf(look),
            error,
            file,
            inferred,
            look.report.map(TableReport::operations).orElse(OptionalLong.empty()),
            look.report.flatMap(TableReport::lastSync),
            waiting,
            backlog.filter(b -> !b.waiting().isEmpty()).map(b -> b.waiting().get(0).lastModified()),
            look.at,
            problem);
    return new Verdict(report, begun, over);
  }
}
