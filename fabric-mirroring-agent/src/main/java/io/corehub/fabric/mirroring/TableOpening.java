package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Looks at a table's folder before it is written: one list, the metadata, the end of the last file.
 * A staged snapshot that is complete there is published first. Everything that does not fit stops
 * the table with the reason. Immutable.
 */
final class TableOpening {

  private static final Duration TEMPORARY_KEPT = Duration.ofHours(24);
  private static final int MOST_DELETED = 100;

  private final LandingZone zone;
  private final String pipeline;
  private final UUID writer;
  private final long epoch;

  /**
   * Opens tables for one run.
   *
   * @param zone where they lie
   * @param pipeline the pipeline
   * @param writer id of this run
   * @param epoch number the host promises to grow with each start; 0 for none
   */
  TableOpening(LandingZone zone, String pipeline, UUID writer, long epoch) {
    this.zone = zone;
    this.pipeline = pipeline;
    this.writer = writer;
    this.epoch = epoch;
  }

  /**
   * A folder that can be written.
   *
   * @param folder the folder
   * @param log its chain
   * @param leftovers uploads that no run goes on with
   */
  record Opened(TableFolder folder, TableLog log, List<PathEntry> leftovers) {}

  /**
   * Looks at a folder. Requests are single attempts.
   *
   * @param table the table
   * @param remembered what the host remembers of it
   * @throws TableStoppedException if the folder cannot be continued
   */
  Opened open(TableSchema table, Remembered remembered) throws InterruptedException {
    TableId id = table.table();
    String path = zone.folder(FileSchema.folderOf(id));
    LandingZone.Moment asked = zone.moment();
    Listing listing = Listing.of(zone.client(), path);
    refuseDamage(id, path, listing, listing.gap(zone.client(), path));
    Optional<PathEntry> highest = listing.highestAnywhere(zone.client(), path);
    Optional<FooterChain> last =
        highest.isPresent()
            ? Optional.of(remembered.known(lastFileThatStays(id, highest.get())))
            : Optional.empty();
    if (!listing.manifests().isEmpty()) {
      new SnapshotRollForward(zone, pipeline, id, path, asked)
          .settle(listing.manifests().get(0), listing, last);
      return open(table, remembered);
    }
    if (last.isEmpty() && remembered.published(id)) {
      throw new TableFolder(
              zone, id, path, identity(Optional.empty()), Optional.empty(), false, asked)
          .lostItsFiles();
    }
    if (last.isPresent() && remembered.last(id).isPresent()) {
      new ContinuedFolder(id, path, remembered.last(id).get(), remembered.confirmed())
          .require(last.get().chain());
    }
    if (last.isPresent()
        && !last.get().chain().keys().isEmpty()
        && !listing.metadata()
        && listing.beginsLate()) {
      throw new TableFolder(zone, id, path, identity(last), Optional.empty(), false, asked)
          .lostItsFiles();
    }
    List<String> filesKey = last.map(found -> found.chain().keys()).orElse(List.of());
    // A source that is read again from its start shows the table as it was then.
    boolean asItWas = remembered.repeats() && !filesKey.isEmpty();
    if (!asItWas) {
      FileSchema.requireKey(filesKey, table);
    }
    if (listing.metadata() && (last.isEmpty() || table.keyed() || asItWas)) {
      TableFolder.compareMetadata(zone, id, path, asItWas ? filesKey : table.keyColumns());
    }
    deleteOldTemporaries(listing);
    TableFolder.Identity identity = identity(last);
    return new Opened(
        new TableFolder(
            zone,
            id,
            path,
            identity,
            last.map(found -> lastFile(found.chain(), highest.orElseThrow())),
            listing.metadata(),
            asked),
        new TableLog(id.toString(), identity, zone.ids(), last),
        listing.temporary());
  }

  /**
   * A folder that holds a file of this pipeline, whatever else may be wrong with it.
   *
   * @param opened the folder
   * @param last its last file
   */
  record Standing(Opened opened, FooterChain last) {}

  /**
   * Looks at a folder that is to be deleted. Requests are single attempts.
   *
   * @return the folder; empty if its last file is not one that this pipeline can go on behind
   * @throws TableStoppedException if it is another pipeline's
   */
  Optional<Standing> standing(TableId id) throws InterruptedException {
    String path = zone.folder(FileSchema.folderOf(id));
    LandingZone.Moment asked = zone.moment();
    Listing listing = Listing.of(zone.client(), path);
    Optional<PathEntry> highest = listing.highestAnywhere(zone.client(), path);
    if (highest.isEmpty()) {
      return Optional.empty();
    }
    FooterChain last;
    try {
      last = chained(id, highest.get());
    } catch (TableStoppedException foreign) {
      return nobodyShutOut(path, foreign);
    }
    requireOwner(id, last.chain());
    try {
      requireItsPlace(id, highest.get(), last.chain());
    } catch (TableStoppedException foreign) {
      return nobodyShutOut(path, foreign);
    }
    Optional<FooterChain> found = Optional.of(last);
    TableFolder.Identity identity = identity(found);
    TableFolder folder =
        new TableFolder(
            zone,
            id,
            path,
            identity,
            Optional.of(lastFile(last.chain(), highest.get())),
            listing.metadata(),
            asked);
    return Optional.of(
        new Standing(
            new Opened(
                folder,
                new TableLog(id.toString(), identity, zone.ids(), found),
                listing.temporary()),
            last));
  }

  private static Optional<Standing> nobodyShutOut(String path, TableStoppedException foreign) {
    Logs.LOG.info("Nobody is shut out of {}: {}", path, foreign.getMessage());
    return Optional.empty();
  }

  /**
   * Refuses a last file that this pipeline cannot go on behind.
   *
   * @throws TableStoppedException with the reason
   */
  void requireOwn(TableId id, PathEntry last) throws InterruptedException {
    lastFile(id, last);
  }

  /** An empty folder after the old one was deleted. */
  Opened fresh(TableSchema table) {
    TableFolder.Identity identity = identity(Optional.empty());
    String path = zone.folder(FileSchema.folderOf(table.table()));
    return new Opened(
        new TableFolder(
            zone, table.table(), path, identity, Optional.empty(), false, zone.moment()),
        new TableLog(table.table().toString(), identity, zone.ids(), Optional.empty()),
        List.of());
  }

  private static TableFolder.LastFile lastFile(ChainEntry chain, PathEntry entry) {
    return new TableFolder.LastFile(chain.seq(), chain.fileId(), entry.etag());
  }

  private TableFolder.Identity identity(Optional<FooterChain> last) {
    long before =
        last.map(
                found ->
                    found.chain().writer().equals(writer)
                        ? found.chain().epoch()
                        : found.chain().epoch() + 1)
            .orElse(1L);
    return new TableFolder.Identity(pipeline, writer, Math.max(epoch, before));
  }

  /** Refuses files that Fabric cannot get past. */
  static void refuseDamage(TableId id, String path, Listing listing, Optional<String> gap) {
    Optional<PathEntry> empty = listing.zeroByte();
    if (empty.isPresent()) {
      throw new TableStoppedException(
          id,
          ErrorCode.CONFLICT,
          "Table "
              + id
              + ": "
              + empty.get().path()
              + " has no bytes, and Fabric stops at it. Delete that file; if it is the last one, its"
              + " number is written again. Otherwise put its content back, "
              + Advice.OR_RECREATE);
    }
    if (gap.isPresent()) {
      throw new TableStoppedException(
          id,
          ErrorCode.CONFLICT,
          "Table "
              + id
              + ": number "
              + gap.get()
              + " is missing between the files of "
              + path
              + ", and Fabric waits for it for ever. Put the file back, "
              + Advice.OR_RECREATE);
    }
  }

  /** A folder may go while it is looked at: a delete that was sent long ago is carried out late. */
  private FooterChain lastFileThatStays(TableId id, PathEntry file) throws InterruptedException {
    try {
      return lastFile(id, file);
    } catch (DfsException e) {
      throw e.fileVanished() ? lookAgain(e) : e;
    }
  }

  /** What was listed is no longer so, or not yet: the folder is looked at again. */
  static DfsException lookAgain(DfsException answer) {
    return DfsException.of(DfsException.Kind.TRANSIENT, answer.operation())
        .outcomeUnknown(true)
        .build(String.valueOf(answer.getMessage()), answer);
  }

  private FooterChain lastFile(TableId id, PathEntry file) throws InterruptedException {
    FooterChain last = chained(id, file);
    requireOwner(id, last.chain());
    requireItsPlace(id, file, last.chain());
    return last;
  }

  private FooterChain chained(TableId id, PathEntry file) throws InterruptedException {
    if (FileName.digits(file.name()).compareTo(String.format("%020d", Long.MAX_VALUE)) >= 0) {
      throw conflict(id, file, "its number leaves none for another file");
    }
    try {
      return FooterChain.read(zone.client(), file.path(), file.length());
    } catch (FooterChain.ForeignFileException e) {
      throw conflict(id, file, String.valueOf(e.getMessage()));
    }
  }

  /** What another pipeline goes on with is neither continued nor deleted. */
  private void requireOwner(TableId id, ChainEntry chain) {
    if (!chain.owner().equals(pipeline)) {
      throw ofAnother(id, zone.folder(FileSchema.folderOf(id)), chain, pipeline);
    }
  }

  /** The stop of a table whose folder another pipeline goes on with. */
  static TableStoppedException ofAnother(
      TableId id, String folder, ChainEntry chain, String pipeline) {
    String other = "'" + Text.shown(chain.owner()) + "'";
    return new TableStoppedException(
        id,
        ErrorCode.CONFLICT,
        "Table "
            + id
            + (chain.next().isPresent()
                ? ": the folder was handed over to pipeline "
                    + other
                    + ", which alone may go on with it. Take the table out of this pipeline's"
                    + " configuration, or the pipeline; or have "
                    + other
                    + " hand the table back"
                : ": the folder belongs to pipeline "
                    + other
                    + ", and this is '"
                    + Text.shown(pipeline)
                    + "'. It is left as it is. Use another landing zone or prefix; or, if this is the same"
                    + " pipeline under another name, give it its old 'id'")
            + ". Only if "
            + other
            + " is gone for good, delete the folder "
            + folder
            + " yourself, to have the table loaded anew.");
  }

  private static void requireItsPlace(TableId id, PathEntry file, ChainEntry chain) {
    if (!chain.table().equals(id.toString())) {
      throw conflict(id, file, "it holds table " + Text.shown(chain.table()));
    }
    if (chain.seq() != Long.parseLong(FileName.digits(file.name()))) {
      throw conflict(
          id, file, "it was published as number " + chain.seq() + " and renamed or copied");
    }
  }

  private static TableStoppedException conflict(TableId id, PathEntry file, String why) {
    return new TableStoppedException(
        id,
        ErrorCode.CONFLICT,
        "Table "
            + id
            + ": the last file "
            + file.path()
            + " is not one that this pipeline can go on behind: "
            + why
            + ". It is left as it is. Use another landing zone or prefix, "
            + Advice.OR_RECREATE);
  }

  /**
   * Uploads of runs that died; another run's young uploads are left alone. Old is what is so by
   * this machine's clock and by the times of the folder's own files: a clock that is far ahead must
   * not take the upload of a living run.
   */
  private void deleteOldTemporaries(Listing listing) throws InterruptedException {
    Instant now = zone.clock().instant();
    Instant newest =
        Stream.concat(listing.numbered().values().stream(), listing.temporary().stream())
            .map(PathEntry::lastModified)
            .max(Comparator.naturalOrder())
            .orElse(now);
    Instant old = (newest.isBefore(now) ? newest : now).minus(TEMPORARY_KEPT);
    List<PathEntry> leftovers =
        listing.temporary().stream()
            .filter(entry -> entry.lastModified().isBefore(old))
            .limit(MOST_DELETED)
            .toList();
    for (PathEntry leftover : leftovers) {
      try {
        zone.client().delete(leftover.path(), false);
      } catch (DfsException e) {
        Logs.LOG.debug("Leftover {} was not deleted", leftover.path(), e);
        return;
      }
    }
  }
}
