package io.corehub.fabric.mirroring;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TargetReport;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.Workers;
import io.corehub.runtime.text.Text;
import io.corehub.storage.DfsErrors;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Looks once, from outside, how the tables of a pipeline stand in the landing zone and in Fabric.
 * Reads only. For each table that costs a list of its folder and the end of its last file. Confined
 * to one caller.
 */
final class TargetLook {

  private static final int PARALLEL = 16;

  private final AgentConfig config;
  private final DfsClient client;
  private final Retries retries;
  private final Workers workers;
  private final InstantSource clock;
  private final String pipeline;
  private final Remembered remembered;
  private final Monitoring monitoring;

  TargetLook(
      AgentConfig config,
      DfsClient client,
      Retries retries,
      Workers workers,
      InstantSource clock,
      String pipeline,
      Remembered remembered) {
    this.config = config;
    this.client = client;
    this.retries = retries;
    this.workers = workers;
    this.clock = clock;
    this.pipeline = pipeline;
    this.remembered = remembered;
    this.monitoring = new Monitoring(client, config.connection(), config.prefix());
  }

  /** The tables of this pipeline that stand in the landing zone, or should. */
  List<TableStatus> tables() throws InterruptedException {
    try {
      return looked();
    } catch (DfsException e) {
      String advice = io.corehub.onelake.Advice.of(config.connection()).of(e);
      if (e.transientFault()) {
        throw new RetryLaterException(ErrorCode.TARGET_UNAVAILABLE, advice, e);
      }
      throw new ActionRequiredException(DfsErrors.codeOf(e), advice, e);
    }
  }

  private List<TableStatus> looked() throws InterruptedException {
    Optional<ReplicatorReport> database = trying(monitoring::replicator).known();
    List<TableReport> reports = trying(monitoring::tables).known().orElse(List.of());
    Map<TableId, String> folders =
        trying(() -> TableFolders.find(client, root(), remembered.publishedTables()));
    Semaphore turns = new Semaphore(PARALLEL);
    List<CompletableFuture<Optional<TableStatus>>> looks = new ArrayList<>();
    for (Map.Entry<TableId, String> folder : folders.entrySet()) {
      CompletableFuture<Optional<TableStatus>> look = new CompletableFuture<>();
      looks.add(look);
      turns.acquire();
      workers
          .uploads()
          .execute(
              () -> {
                try {
                  look.complete(
                      table(
                          folder.getKey(),
                          folder.getValue(),
                          database,
                          monitoring.find(folder.getKey(), reports)));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                  look.completeExceptionally(e);
                } catch (RuntimeException | Error e) {
                  look.completeExceptionally(e);
                } finally {
                  turns.release();
                }
              });
    }
    List<TableStatus> tables = new ArrayList<>();
    for (CompletableFuture<Optional<TableStatus>> look : looks) {
      result(look).ifPresent(tables::add);
    }
    return tables;
  }

  private static Optional<TableStatus> result(CompletableFuture<Optional<TableStatus>> look)
      throws InterruptedException {
    try {
      return look.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DfsException failure) {
        throw failure;
      }
      throw new IllegalStateException("A table folder could not be looked at", e.getCause());
    }
  }

  private String root() {
    return String.join(
        "/",
        Stream.concat(Stream.of(config.connection().url().path()), config.prefix().stream())
            .toList());
  }

  private <T> T trying(Retries.Attempt<T> attempt) throws InterruptedException {
    return retries.call(RetryPolicy.SET_UP, FailureListener.NONE, attempt);
  }

  /** One table; empty if the folder is another's and never was this pipeline's. */
  private Optional<TableStatus> table(
      TableId table, String path, Optional<ReplicatorReport> database, Optional<TableReport> report)
      throws InterruptedException {
    Listing listing = trying(() -> Listing.of(client, path));
    Optional<PathEntry> last = trying(() -> listing.highestAnywhere(client, path));
    boolean ours = remembered.published(table);
    if (last.isEmpty()) {
      return ours ? Optional.of(broken(table, last, lost(table, path))) : Optional.empty();
    }
    ChainEntry chain;
    try {
      chain = footer(last.get());
    } catch (FooterChain.ForeignFileException e) {
      return ours
          ? Optional.of(broken(table, last, foreign(table, last.get(), e)))
          : Optional.empty();
    }
    if (!chain.owner().equals(pipeline)) {
      TableStoppedException other = TableOpening.ofAnother(table, path, chain, pipeline);
      return ours
          ? Optional.of(broken(table, last, String.valueOf(other.getMessage())))
          : Optional.empty();
    }
    if (!chain.table().equals(table.toString())
        || !last.get().name().equals(FileName.numbered(chain.seq()))) {
      return Optional.of(broken(table, last, copied(table, last.get(), chain)));
    }
    Optional<TargetReport> said = said(table, path, listing, last.get(), chain, database, report);
    return Optional.of(status(table, path, listing, last.get(), chain).withTarget(said));
  }

  /** The end of a file. */
  private ChainEntry footer(PathEntry file)
      throws InterruptedException, FooterChain.ForeignFileException {
    FooterChain.ForeignFileException[] foreign = {null};
    Optional<ChainEntry> chain =
        trying(
            () -> {
              try {
                return Optional.of(FooterChain.read(client, file.path(), file.length()).chain());
              } catch (FooterChain.ForeignFileException e) {
                foreign[0] = e;
                return Optional.empty();
              }
            });
    if (foreign[0] != null) {
      throw foreign[0];
    }
    return chain.orElseThrow();
  }

  private TableStatus status(
      TableId table, String path, Listing listing, PathEntry last, ChainEntry chain)
      throws InterruptedException {
    Optional<String> problem = Optional.empty();
    try {
      TableOpening.refuseDamage(table, path, listing, listing.gap(client, path));
      if (remembered.last(table).isPresent()) {
        new ContinuedFolder(table, path, remembered.last(table).get(), remembered.confirmed())
            .require(chain);
      }
      PassedOver passed = remembered.passedOver(table);
      if (passed == PassedOver.REMOVED
          || (passed != PassedOver.NO && state(chain) == TableStatus.State.CHANGES)) {
        throw passed.stop(table, remembered.confirmed());
      }
    } catch (TableStoppedException stop) {
      problem = Optional.of(String.valueOf(stop.getMessage()));
    }
    return new TableStatus(
        table,
        problem.isPresent() ? TableStatus.State.STOPPED : state(chain),
        remembered.diverged(table),
        Optional.of(last.name()),
        position(chain),
        Optional.empty(),
        0,
        0,
        0,
        0,
        problem,
        Optional.empty());
  }

  private static TableStatus.State state(ChainEntry chain) {
    return chain.content() instanceof ChainEntry.Snapshot snapshot && !snapshot.last()
        ? TableStatus.State.SNAPSHOT
        : TableStatus.State.CHANGES;
  }

  private static Optional<SourcePosition> position(ChainEntry chain) {
    if (chain.content() instanceof ChainEntry.Snapshot snapshot) {
      return snapshot.last() ? Optional.of(snapshot.low()) : Optional.empty();
    }
    ChainEntry.Changes changes = (ChainEntry.Changes) chain.content();
    return changes.complete()
        ? Optional.of(new SourcePosition(changes.timeline(), changes.to(), ""))
        : Optional.empty();
  }

  private TableStatus broken(TableId table, Optional<PathEntry> last, String problem) {
    return new TableStatus(
        table,
        TableStatus.State.STOPPED,
        remembered.diverged(table),
        last.map(PathEntry::name),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0,
        0,
        Optional.of(problem),
        Optional.empty());
  }

  private static String lost(TableId table, String path) {
    return "Table "
        + table
        + ": folder "
        + path
        + " lost the files that were published in it. "
        + Advice.RECREATE;
  }

  private static String foreign(
      TableId table, PathEntry file, FooterChain.ForeignFileException reason) {
    return "Table "
        + table
        + ": the last file "
        + file.path()
        + " is not one of this agent's: "
        + reason.getMessage()
        + ". Find out who wrote it; then remove it or load the table anew.";
  }

  private static String copied(TableId table, PathEntry file, ChainEntry chain) {
    return "Table "
        + table
        + ": the last file "
        + file.path()
        + " was published as number "
        + chain.seq()
        + " of table "
        + Text.shown(chain.table())
        + " and renamed or copied. Find out by whom; then remove it or load the table anew.";
  }

  private Optional<TargetReport> said(
      TableId table,
      String path,
      Listing listing,
      PathEntry last,
      ChainEntry chain,
      Optional<ReplicatorReport> database,
      Optional<TableReport> report)
      throws InterruptedException {
    PublishedFiles files =
        new PublishedFiles(
            table,
            path,
            chain.incarnation(),
            Math.max(1, chain.seq()),
            Optional.of(last.lastModified()));
    Consumption consumption = new Consumption(table, config.watching().patience());
    Consumption.Look look = new Consumption.Look(0, clock.instant(), database, report, files);
    if (consumption.wantsListing(look)) {
      consumption.listed(look, listing);
    }
    consumption.takeTimesAsTold(look);
    return Optional.of(consumption.conclude(look, new FileOrigin(client)::of).report());
  }
}
