package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;
import io.corehub.storage.ExclusiveRename;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Brings a staged snapshot whose run died to its end: its manifest says that all files are there
 * and which numbers they get. A manifest that the folder has moved on from is removed. Immutable;
 * blocks its caller.
 */
final class SnapshotRollForward {

  private final LandingZone zone;
  private final String pipeline;
  private final TableId table;
  private final String path;
  private final LandingZone.Moment asked;

  SnapshotRollForward(
      LandingZone zone, String pipeline, TableId table, String path, LandingZone.Moment asked) {
    this.zone = zone;
    this.pipeline = pipeline;
    this.table = table;
    this.path = path;
    this.asked = asked;
  }

  /**
   * Settles one manifest: it is gone when this returns, and the folder must be looked at again.
   *
   * @param entry the manifest
   * @param listing what lies in the folder
   * @param last the file with the highest number
   * @throws TableStoppedException if what lies there contradicts the manifest
   */
  void settle(PathEntry entry, Listing listing, Optional<FooterChain> last)
      throws InterruptedException {
    SnapshotManifest manifest = read(entry);
    long tail = last.map(file -> file.chain().seq()).orElse(0L);
    Optional<UUID> tailId = last.map(file -> file.chain().fileId());
    if (tail > manifest.last()) {
      discard(entry, manifest, listing, "files behind it are there");
    } else if (tail >= manifest.first()) {
      int at = (int) (tail - manifest.first());
      if (tailId.equals(Optional.of(manifest.files().get(at).fileId()))) {
        complete(entry, manifest, at + 1, listing, last);
      } else if (anotherBegan(manifest, listing)) {
        discard(entry, manifest, listing, "its first number holds another file");
      } else {
        throw conflict(entry, FileName.numbered(tail) + " is not the file it names");
      }
    } else if (tail == manifest.first() - 1 && tailId.equals(manifest.prev())) {
      complete(entry, manifest, 0, listing, last);
    } else {
      discard(entry, manifest, listing, "the files before it are others now");
    }
  }

  private SnapshotManifest read(PathEntry entry) throws InterruptedException {
    SnapshotManifest manifest;
    try {
      if (entry.length() < 1 || entry.length() > SnapshotManifest.MAX_BYTES) {
        throw new IllegalArgumentException(
            "it has " + entry.length() + " bytes, not 1 to " + SnapshotManifest.MAX_BYTES);
      }
      byte[] content = zone.client().read(entry.path(), 0, (int) entry.length());
      manifest = SnapshotManifest.parse(new String(content, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw conflict(entry, String.valueOf(e.getMessage()));
    }
    if (!manifest.pipeline().equals(pipeline)) {
      throw conflict(
          entry,
          "it is of pipeline '"
              + Text.shown(manifest.pipeline())
              + "', and this is '"
              + Text.shown(pipeline)
              + "'");
    }
    if (!manifest.table().equals(table.toString()) || !manifest.name().equals(entry.name())) {
      throw conflict(entry, "it is of table " + Text.shown(manifest.table()) + ", or was renamed");
    }
    return manifest;
  }

  private TableStoppedException conflict(PathEntry entry, String why) {
    return new TableStoppedException(
        table,
        ErrorCode.CONFLICT,
        "Table "
            + table
            + ": the manifest "
            + entry.path()
            + " of a staged snapshot cannot be carried out: "
            + why
            + ". It is left as it is. Find out who writes this folder; then delete the table's folder"
            + " and load the table anew.");
  }

  /** Whether the first number is somebody else's: then nothing of the snapshot ever got one. */
  private boolean anotherBegan(SnapshotManifest manifest, Listing listing)
      throws InterruptedException {
    PathEntry first = listing.numbered().get(String.format("%020d", manifest.first()));
    if (first == null) {
      return false;
    }
    TableFolder folder = folder(manifest, Optional.empty());
    ChainEntry chain = folder.chainOf(first.path(), first.length());
    return !chain.fileId().equals(manifest.files().get(0).fileId());
  }

  /** The folder as the run that wrote the manifest saw it. */
  private TableFolder folder(SnapshotManifest manifest, Optional<FooterChain> last) {
    return new TableFolder(
        zone,
        table,
        path,
        new TableFolder.Identity(pipeline, manifest.writer(), manifest.epoch()),
        last.map(f -> new TableFolder.LastFile(f.chain().seq(), f.chain().fileId(), "")),
        true,
        asked);
  }

  private void complete(
      PathEntry entry,
      SnapshotManifest manifest,
      int from,
      Listing listing,
      Optional<FooterChain> last)
      throws InterruptedException {
    List<SnapshotManifest.Entry> left = manifest.files().subList(from, manifest.files().size());
    Map<String, Long> uploads = new HashMap<>();
    listing.temporary().forEach(upload -> uploads.put(upload.name(), upload.length()));
    for (SnapshotManifest.Entry file : left) {
      Long length = uploads.get(file.temporary());
      if (length == null || length != file.length()) {
        discard(entry, manifest, listing, "upload " + file.temporary() + " is gone");
        return;
      }
    }
    Logs.LOG.warn(
        "Table {}: snapshot {} was complete but not all published; {} of {} files get their numbers"
            + " now",
        table,
        Text.shown(manifest.snapshot()),
        left.size(),
        manifest.files().size());
    TableFolder folder = folder(manifest, last);
    for (SnapshotManifest.Entry file : left) {
      rename(folder, file);
    }
    SnapshotManifest.delete(zone, entry.path());
  }

  private void rename(TableFolder folder, SnapshotManifest.Entry file) throws InterruptedException {
    ExclusiveRename rename = NumberedFile.rename(zone, folder, file.facts());
    ExclusiveRename.Outcome outcome =
        zone.atSetUp(
            () -> {
              ExclusiveRename.Outcome now = rename.attempt(folder.pathOf(file.temporary()));
              if (now instanceof ExclusiveRename.Outcome.NotYet notYet) {
                throw TableOpening.lookAgain(notYet.answer());
              }
              return now;
            });
    if (outcome instanceof ExclusiveRename.Outcome.UploadGone gone) {
      throw TableOpening.lookAgain(gone.answer());
    }
  }

  private void discard(PathEntry entry, SnapshotManifest manifest, Listing listing, String why)
      throws InterruptedException {
    Logs.LOG.warn("Table {}: manifest {} is removed: {}", table, entry.path(), why);
    Map<String, PathEntry> uploads = new HashMap<>();
    listing.temporary().forEach(upload -> uploads.put(upload.name(), upload));
    for (SnapshotManifest.Entry file : manifest.files()) {
      PathEntry upload = uploads.get(file.temporary());
      if (upload != null) {
        TableFolder.deleteQuietly(zone, upload.path());
      }
    }
    SnapshotManifest.delete(zone, entry.path());
  }
}
