package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.parquet.ParquetWriter;
import io.corehub.runtime.Publication.Step;
import io.corehub.storage.FileBytes;
import io.corehub.storage.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A file without rows that takes the next number of a folder, so that whoever else writes there
 * finds something newer than what it knows. It says of the source's history what the file before it
 * says. Stateless; blocks its caller.
 */
final class EmptyFile {

  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(60);

  private final MirrorShared shared;
  private final LandingZone zone;

  EmptyFile(MirrorShared shared) {
    this.shared = shared;
    this.zone = shared.zone();
  }

  /**
   * Publishes the file.
   *
   * @param standing the folder
   * @param next who alone may go on behind it; empty for this pipeline
   * @throws TableStoppedException if another run went on with the folder, or it cannot be written
   */
  void publish(TableId table, TableOpening.Standing standing, Optional<ChainEntry.Next> next)
      throws InterruptedException {
    TableOpening.Opened opened = standing.opened();
    FileFacts facts = opened.log().next(standing.last().chain().keys());
    ChainEntry.Content content = content(standing.last().chain());
    ChainEntry chain = opened.log().emptyEntry(facts, next, content);
    FileBytes bytes = new FileBytes(zone.blockBytes());
    try (ParquetWriter writer =
        shared
            .encoder()
            .open(
                FileSchema.parquet(opened.log().columns(), content instanceof ChainEntry.Changes),
                bytes)) {
      writer.keyValue(ChainEntry.KEY, chain.toJson());
      writer.finish();
    } catch (IOException e) {
      throw FilePublication.stopped(zone, opened.folder(), e);
    }
    Patience patience =
        new Patience(
            zone.retries(),
            zone.time(),
            shared.config().uploads().retryBudget(),
            new FailureNews(shared, table));
    FilePublication file =
        new FilePublication(
            zone,
            opened.folder(),
            facts,
            FileUpload.kept(zone, opened.folder(), facts, bytes, patience),
            patience,
            () -> {});
    try {
      complete(table, file::upload);
      complete(table, file::publish);
    } catch (DfsException e) {
      file.abandon();
      throw zone.stopped(table, e);
    } catch (RuntimeException e) {
      file.abandon();
      throw e;
    }
  }

  private static ChainEntry.Content content(ChainEntry last) {
    if (last.content() instanceof ChainEntry.Changes changes) {
      return new ChainEntry.Changes(
          changes.timeline(), changes.to(), changes.to(), changes.toRows(), changes.toHash(), 0);
    }
    ChainEntry.Snapshot snapshot = (ChainEntry.Snapshot) last.content();
    return snapshot.last()
        ? new ChainEntry.Changes(
            snapshot.low().timeline(),
            snapshot.low().order(),
            snapshot.low().order(),
            0,
            Optional.empty(),
            0)
        : new ChainEntry.Snapshot(snapshot.id(), snapshot.chunk() + 1, false, snapshot.low());
  }

  private interface Phase {
    Step run() throws InterruptedException;
  }

  private void complete(TableId table, Phase phase) throws InterruptedException {
    Duration wait = shared.config().rules().recreateWait();
    Duration longest = wait.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : wait;
    long begun = zone.time().nanos();
    while (true) {
      Step step = phase.run();
      if (step instanceof Step.Done) {
        return;
      }
      if (zone.time().nanos() - begun > longest.toNanos()) {
        throw new TableStoppedException(
            table,
            ErrorCode.TARGET_UNAVAILABLE,
            "Table "
                + table
                + ": its folder cannot be written for "
                + longest.toSeconds()
                + " s, so nothing was done with it. Look at the warnings before, then start"
                + " again.");
      }
      if (step instanceof Step.Again again) {
        zone.time().sleep(again.pause());
      } else if (step instanceof Step.After after) {
        after.other().toCompletableFuture().join();
      }
    }
  }
}
