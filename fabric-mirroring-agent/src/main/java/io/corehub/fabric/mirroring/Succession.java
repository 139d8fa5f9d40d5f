package io.corehub.fabric.mirroring;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.HandedOver;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;
import io.corehub.storage.DfsErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Hands the tables of a pipeline over: each folder gets a file without rows whose footer names the
 * pipeline that alone may go on behind it, and from which position. All tables are looked at before
 * the first one is handed over. Blocks its caller.
 */
final class Succession {

  private final MirrorShared shared;
  private final LandingZone zone;
  private final String pipeline;
  private final Optional<SourcePosition> confirmed;
  private final Successor to;
  private final Predicate<TableId> selected;
  private final List<Ready> ready = new ArrayList<>();
  private final List<HandedOver> handedOver = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Of one pipeline, once.
   *
   * @param pipeline the pipeline that gives the tables away
   * @param confirmed up to where everything of its tables is published
   * @param to who gets them
   * @param selected whether a table is of the pipeline now; one that was left out and lacks rows
   *     stays as it is
   */
  Succession(
      MirrorShared shared,
      String pipeline,
      Optional<SourcePosition> confirmed,
      Successor to,
      Predicate<TableId> selected) {
    this.shared = shared;
    this.zone = shared.zone();
    this.pipeline = pipeline;
    this.confirmed = confirmed;
    this.to = to;
    this.selected = selected;
  }

  private record Ready(TableId table, TableOpening.Standing standing, ChainEntry.Next next) {}

  /**
   * Hands them over.
   *
   * @throws ActionRequiredException if one of them cannot be; none was
   * @throws TableStoppedException if one folder cannot be written
   */
  List<HandedOver> run() throws InterruptedException {
    if (to.pipeline().equals(pipeline)) {
      throw new ActionRequiredException(
          ErrorCode.SETTINGS,
          "Pipeline '" + Text.shown(pipeline) + "' writes these tables already.");
    }
    try {
      lookAtAll();
    } catch (DfsException e) {
      if (e.transientFault()) {
        throw new RetryLaterException(ErrorCode.TARGET_UNAVAILABLE, zone.advice(e), e);
      }
      throw new ActionRequiredException(DfsErrors.codeOf(e), zone.advice(e), e);
    }
    if (!problems.isEmpty()) {
      throw new ActionRequiredException(
          ErrorCode.CONFLICT,
          "Nothing is handed over, because not every table can be:\n- "
              + String.join("\n- ", problems));
    }
    for (Ready one : ready) {
      new EmptyFile(shared).publish(one.table, one.standing, Optional.of(one.next));
      handedOver.add(new HandedOver(one.table, one.next.begin(), false));
    }
    handedOver.sort(Comparator.comparing(one -> one.table().toString()));
    return List.copyOf(handedOver);
  }

  /** Where the other pipeline began, as the last file tells. */
  private static SourcePosition begun(ChainEntry chain) {
    if (chain.next().isPresent()) {
      return chain.next().get().begin();
    }
    return chain.content() instanceof ChainEntry.Changes changes
        ? new SourcePosition(changes.timeline(), changes.from(), "")
        : ((ChainEntry.Snapshot) chain.content()).low();
  }

  private void lookAtAll() throws InterruptedException {
    List<TableId> tables =
        zone
            .atSetUp(
                () ->
                    TableFolders.find(
                        zone.client(), zone.tablesRoot(), shared.remembered().publishedTables()))
            .keySet()
            .stream()
            .sorted(Comparator.comparing(TableId::toString))
            .toList();
    for (TableId table : tables) {
      try {
        zone.atSetUp(
            () -> {
              look(table);
              return table;
            });
      } catch (TableStoppedException stop) {
        problems.add(String.valueOf(stop.getMessage()));
      }
    }
  }

  private void look(TableId table) throws InterruptedException {
    if (shared.remembered().passedOver(table) != PassedOver.NO && !selected.test(table)) {
      return;
    }
    boolean ours = shared.remembered().published(table);
    if (shared.remembered().ending(table).isPresent()) {
      throw unready(table, ErrorCode.NEEDS_SNAPSHOT, "it is being re-created");
    }
    String path = zone.folder(FileSchema.folderOf(table));
    Listing listing = Listing.of(zone.client(), path);
    Optional<PathEntry> highest = listing.highestAnywhere(zone.client(), path);
    if (!listing.manifests().isEmpty()) {
      throw unready(table, ErrorCode.NEEDS_SNAPSHOT, "its staged snapshot is not published yet");
    }
    if (highest.isEmpty()) {
      if (ours) {
        throw new TableStoppedException(
            table,
            ErrorCode.NEEDS_SNAPSHOT,
            "Table " + table + ": folder " + path + " lost its files. " + Advice.RECREATE);
      }
      return;
    }
    ChainEntry chain;
    try {
      chain = FooterChain.read(zone.client(), highest.get().path(), highest.get().length()).chain();
    } catch (FooterChain.ForeignFileException e) {
      if (ours) {
        shared.opening().requireOwn(table, highest.get());
      }
      return;
    }
    if (chain.owner().equals(to.pipeline())) {
      handedOver.add(new HandedOver(table, begun(chain), true));
      return;
    }
    if (ours || chain.owner().equals(pipeline)) {
      shared.opening().requireOwn(table, highest.get());
      TableOpening.refuseDamage(table, path, listing, listing.gap(zone.client(), path));
      Optional<Remembered.Mark> last = shared.remembered().last(table);
      if (last.isPresent()) {
        new ContinuedFolder(table, path, last.get(), confirmed).require(chain);
      }
      PassedOver passed = shared.remembered().passedOver(table);
      if (passed != PassedOver.NO) {
        throw passed.stop(table, confirmed);
      }
      TableOpening.Standing standing = shared.opening().standing(table).orElseThrow();
      ready.add(new Ready(table, standing, next(table, standing)));
    }
  }

  private ChainEntry.Next next(TableId table, TableOpening.Standing standing) {
    FooterChain last = shared.remembered().known(standing.last());
    ChainEntry.Content content = last.chain().content();
    if (content instanceof ChainEntry.Snapshot snapshot && !snapshot.last()) {
      throw unready(table, ErrorCode.NEEDS_SNAPSHOT, "its snapshot is not finished");
    }
    if (content instanceof ChainEntry.Changes changes && !changes.complete()) {
      throw unready(
          table,
          ErrorCode.CONFLICT,
          "commit " + Long.toUnsignedString(changes.to()) + " stands there in part");
    }
    TableLog.Reached reached = standing.opened().log().reached().orElseThrow();
    if (confirmed.isPresent() && !confirmed.get().timeline().equals(reached.timeline())) {
      throw ReplayGuard.sourceReplaced(table, reached.timeline(), confirmed.get().timeline());
    }
    if (to.begin().isPresent()) {
      SourcePosition begin = to.begin().get();
      return new ChainEntry.Next(to.pipeline(), begin.timeline(), begin.order());
    }
    if (reached.timeline().isEmpty()) {
      throw new TableStoppedException(
          table,
          ErrorCode.SETTINGS,
          "Table "
              + table
              + ": its source promises no order of commits, so nobody can go on behind its last"
              + " one by itself. Say at which position of which timeline the other pipeline"
              + " begins.");
    }
    long order = reached.order();
    if (confirmed.isPresent() && Long.compareUnsigned(confirmed.get().order(), order) > 0) {
      order = confirmed.get().order();
    }
    return new ChainEntry.Next(to.pipeline(), reached.timeline(), order + 1);
  }

  private static TableStoppedException unready(TableId table, ErrorCode code, String why) {
    return new TableStoppedException(
        table,
        code,
        "Table "
            + table
            + ": "
            + why
            + ". Run the pipeline until that is done, or take the table out of the target with"
            + " recreate-table.");
  }
}
