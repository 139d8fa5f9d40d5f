package io.corehub.fabric.mirroring;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.parquet.ParquetType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The chain of a folder's files, from the last one found to the next one written: numbers, ids, and
 * how far the source's history is in it. Confined to the owner of its table.
 */
final class TableLog {

  /**
   * How far changes are in the folder. Immutable.
   *
   * @param timeline identity of the source's history; empty if it promises no order
   * @param order order of the last commit
   * @param toRows changes of that commit that are in
   * @param toHash checksum of them; empty when the commit is complete
   */
  record Reached(String timeline, long order, long toRows, Optional<String> toHash) {}

  private final String table;
  private final TableFolder.Identity identity;
  private final Supplier<UUID> ids;
  private final UUID incarnation;
  private final @Nullable FooterChain last;
  private Optional<UUID> lastFileId;
  private long lastSeq;

  /**
   * The log of a folder.
   *
   * @param table the table, as text
   * @param identity who writes it
   * @param ids makes unique ids
   * @param last the last file found, if there is one
   */
  TableLog(
      String table, TableFolder.Identity identity, Supplier<UUID> ids, Optional<FooterChain> last) {
    this.table = table;
    this.identity = identity;
    this.ids = ids;
    this.last = last.orElse(null);
    this.lastFileId = last.map(found -> found.chain().fileId());
    this.lastSeq = last.map(found -> found.chain().seq()).orElse(0L);
    this.incarnation = last.map(found -> found.chain().incarnation()).orElseGet(ids);
  }

  /** The next number, with an id for its file. */
  FileFacts next(List<String> keys) {
    lastSeq++;
    return new FileFacts(lastSeq, ids.get(), keys);
  }

  /** What a file says of itself; called once for each number, in their order. */
  ChainEntry entry(FileFacts facts, FileSchema schema, ChainEntry.Content content, long rows) {
    return entry(
        facts, Optional.empty(), schema.fingerprint(), schema.table().keyColumns(), content, rows);
  }

  /**
   * The same for a file of the last file's columns, without rows.
   *
   * @param next who alone may go on behind it; empty for this pipeline
   */
  ChainEntry emptyEntry(
      FileFacts facts, Optional<ChainEntry.Next> next, ChainEntry.Content content) {
    return entry(facts, next, FileSchema.fingerprint(columns()), facts.keys(), content, 0);
  }

  private ChainEntry entry(
      FileFacts facts,
      Optional<ChainEntry.Next> next,
      String schema,
      List<String> keys,
      ChainEntry.Content content,
      long rows) {
    Optional<UUID> previous = lastFileId;
    lastFileId = Optional.of(facts.fileId());
    return new ChainEntry(
        identity.pipeline(),
        next,
        table,
        incarnation,
        facts.seq(),
        facts.fileId(),
        previous,
        identity.epoch(),
        identity.writer(),
        content,
        rows,
        schema,
        keys);
  }

  /** The manifest of a staged snapshot that goes on behind the last file, without files yet. */
  SnapshotManifest manifest(String snapshot) {
    return new SnapshotManifest(
        ids.get(),
        identity.pipeline(),
        table,
        snapshot,
        lastFileId,
        identity.epoch(),
        identity.writer(),
        List.of());
  }

  UUID incarnation() {
    return incarnation;
  }

  /** Columns of the last file found; empty for an empty folder. */
  Map<String, ParquetType> columns() {
    return last == null ? Map.of() : last.columns();
  }

  /** Key columns of the last file found; empty for an empty folder and a table without key. */
  List<String> keys() {
    return last == null ? List.of() : last.chain().keys();
  }

  /** How far the source's history was in the folder when it was looked at. */
  Optional<Reached> reached() {
    return last == null ? Optional.empty() : reachedBy(last.chain());
  }

  /** How far the source's history is in a folder with this last file. */
  static Optional<Reached> reachedBy(ChainEntry last) {
    if (last.next().isPresent()) {
      return last.next().map(next -> reachedBy(next.before()));
    }
    if (last.content() instanceof ChainEntry.Changes changes) {
      return Optional.of(
          new Reached(changes.timeline(), changes.to(), changes.toRows(), changes.toHash()));
    }
    ChainEntry.Snapshot snapshot = (ChainEntry.Snapshot) last.content();
    return snapshot.last() ? Optional.of(reachedBy(snapshot.low())) : Optional.empty();
  }

  static Reached reachedBy(SourcePosition low) {
    return new Reached(low.timeline(), low.order(), 0, Optional.empty());
  }

  /** The same for the host. */
  TableProgress progress() {
    if (last == null) {
      return new TableProgress.NothingPublished();
    }
    Optional<ChainEntry.Next> handedOver = last.chain().next();
    if (handedOver.isPresent()) {
      return new TableProgress.ChangesPublished(handedOver.get().before(), true);
    }
    if (last.chain().content() instanceof ChainEntry.Snapshot snapshot) {
      return snapshot.last()
          ? new TableProgress.SnapshotFinished(snapshot.id(), snapshot.low())
          : new TableProgress.SnapshotUnfinished(snapshot.id());
    }
    ChainEntry.Changes changes = (ChainEntry.Changes) last.chain().content();
    return new TableProgress.ChangesPublished(
        new SourcePosition(changes.timeline(), changes.to(), ""), changes.complete());
  }

  /** Whether the folder holds nothing but files of one snapshot that was not finished. */
  boolean onlyUnfinishedSnapshot() {
    return last != null
        && last.chain().content() instanceof ChainEntry.Snapshot snapshot
        && !snapshot.last()
        && snapshot.chunk() + 1 == last.chain().seq();
  }
}
