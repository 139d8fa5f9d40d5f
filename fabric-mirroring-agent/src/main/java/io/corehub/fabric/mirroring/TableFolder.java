package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.fabric.mirroring.LandingZone.Moment;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The folder of one table while this run writes it: what is published, whether it is still ours,
 * and its metadata file. Requests are single attempts. Thread-safe.
 */
final class TableFolder {

  /** As long as this after the last proof, the folder counts as ours without a look. */
  static final Duration PROOF_LASTS = Duration.ofSeconds(10);

  /** Fabric keeps files that it moved to a clean-up folder for a week. */
  private static final Duration CLEANED_UP_KEPT = Duration.ofDays(6);

  private final LandingZone zone;
  private final TableId table;
  private final String path;
  private final String pipeline;
  private final UUID writer;
  private final long epoch;
  private final Object metadataTurn = new Object();
  private Optional<LastFile> last;
  private boolean metadataThere;
  private long anchor;
  private Instant anchoredAt;
  private Moment proved;

  /**
   * A folder that was just looked at.
   *
   * @param zone where it lies
   * @param table its table
   * @param path its path
   * @param identity who writes it
   * @param last its last file
   * @param metadataThere whether it holds a metadata file, of this table's key
   * @param looked when the look began
   */
  TableFolder(
      LandingZone zone,
      TableId table,
      String path,
      Identity identity,
      Optional<LastFile> last,
      boolean metadataThere,
      Moment looked) {
    this.zone = zone;
    this.table = table;
    this.path = path;
    this.pipeline = identity.pipeline;
    this.writer = identity.writer;
    this.epoch = identity.epoch;
    this.last = last;
    this.metadataThere = metadataThere;
    this.proved = looked;
    this.anchor = published();
    this.anchoredAt = looked.instant();
  }

  /**
   * Who writes a folder.
   *
   * @param pipeline the pipeline
   * @param writer this run
   * @param epoch greater than that of every run before
   */
  record Identity(String pipeline, UUID writer, long epoch) {}

  /**
   * The last file of a folder, as this run knows it.
   *
   * @param seq its number
   * @param fileId its id
   * @param etag tells at a look that it still is that file; empty if unknown
   */
  record LastFile(long seq, UUID fileId, String etag) {}

  String path() {
    return path;
  }

  String pathOf(String name) {
    return path + "/" + name;
  }

  TableId table() {
    return table;
  }

  /** The highest number; 0 for none. */
  synchronized long published() {
    return last.map(LastFile::seq).orElse(0L);
  }

  /** The last file; empty for none. */
  synchronized Optional<LastFile> last() {
    return last;
  }

  /**
   * Says that a file is published by this run, which also proves that the folder is ours.
   *
   * @param asked when the request was sent whose answer says so
   */
  synchronized void published(LastFile file, Moment asked) {
    last = Optional.of(file);
    if (asked.nanos() - proved.nanos() > 0) {
      proved = asked;
    }
    if (anchor == 0) {
      anchorAt(file.seq());
    }
  }

  private void anchorAt(long seq) {
    anchor = seq;
    anchoredAt = proved.instant();
  }

  /**
   * Whether a file that was seen here is neither here nor cleaned up: the folder was deleted, and
   * files published since stand in a new one, where Fabric waits for the first number.
   */
  private synchronized boolean startedAnew(Listing listing) {
    Duration age = Duration.between(anchoredAt, zone.clock().instant());
    return anchor > 0
        && age.compareTo(CLEANED_UP_KEPT) < 0
        && listing.cleanUp().isEmpty()
        && !listing.numbered().containsKey(String.format("%020d", anchor));
  }

  /** Whether too much time has passed, by either clock, to take the folder for ours unseen. */
  synchronized boolean proofIsOld() {
    return proved.olderThan(PROOF_LASTS, zone.moment());
  }

  /**
   * Looks whether the folder still holds our files and nobody else's: one list.
   *
   * @throws TableStoppedException if it does not
   */
  void prove() throws InterruptedException {
    Moment asked = zone.moment();
    Listing listing = Listing.of(zone.client(), path);
    long expected = published();
    Optional<PathEntry> highest = listing.highestAnywhere(zone.client(), path);
    if (highest.isEmpty()) {
      if (expected > 0) {
        throw lostItsFiles();
      }
    } else {
      int order = FileName.digits(highest.get().name()).compareTo(String.format("%020d", expected));
      if (order > 0) {
        refuseUnlessOurs(highest.get());
      } else if (order < 0) {
        throw lostItsFiles();
      } else {
        refuseUnlessTheSame(highest.get());
      }
    }
    if (startedAnew(listing)) {
      throw lostItsFiles();
    }
    seen(listing.metadata(), expected, asked);
  }

  private synchronized void seen(boolean metadata, long highest, Moment asked) {
    metadataThere = metadata;
    proved = asked;
    anchorAt(highest);
  }

  /** The folder may have been deleted and filled anew up to the very same number. */
  private void refuseUnlessTheSame(PathEntry found) throws InterruptedException {
    LastFile known;
    synchronized (this) {
      known = last.orElseThrow();
    }
    if (!found.etag().isEmpty() && found.etag().equals(known.etag)) {
      return;
    }
    ChainEntry chain = chainOf(found.path(), found.length());
    if (!chain.fileId().equals(known.fileId)) {
      throw otherWriter(found.path(), chain);
    }
    synchronized (this) {
      last = Optional.of(new LastFile(known.seq, known.fileId, found.etag()));
    }
  }

  private void refuseUnlessOurs(PathEntry found) throws InterruptedException {
    ChainEntry chain = chainOf(found.path(), found.length());
    if (!chain.writer().equals(writer)) {
      throw otherWriter(found.path(), chain);
    }
  }

  /**
   * What a file at one of our numbers says of itself.
   *
   * @throws TableStoppedException if it is not a file of this agent
   */
  ChainEntry chainOf(String file, long length) throws InterruptedException {
    if (length == 0) {
      throw conflict(file, "it has no bytes");
    }
    try {
      return FooterChain.read(zone.client(), file, length).chain();
    } catch (FooterChain.ForeignFileException e) {
      throw conflict(file, String.valueOf(e.getMessage()));
    }
  }

  /** The table stops because another run wrote a number that this one wanted. */
  TableStoppedException otherWriter(String file, ChainEntry chain) {
    if (!chain.pipeline().equals(pipeline)) {
      return conflict(file, "it was written by pipeline '" + Text.shown(chain.pipeline()) + "'");
    }
    if (chain.epoch() > epoch) {
      return new TableStoppedException(
          table,
          ErrorCode.FENCED,
          "Table "
              + table
              + ": a newer run of pipeline '"
              + Text.shown(pipeline)
              + "' writes "
              + path
              + " (epoch "
              + chain.epoch()
              + ", this run has "
              + epoch
              + "). This run stops writing it. Keep only one run of the pipeline.");
    }
    return rival(
        file,
        "another run of pipeline '" + Text.shown(pipeline) + "' published it at the same time");
  }

  /** Another run of this pipeline did something to the folder; what it published is to stay. */
  TableStoppedException rival(String file, String what) {
    return new TableStoppedException(
        table,
        ErrorCode.CONFLICT,
        "Table "
            + table
            + ": "
            + file
            + " is not this run's: "
            + what
            + ". Leave the file as it is. Keep only one run; started again, it goes on behind that"
            + " file.");
  }

  TableStoppedException conflict(String file, String why) {
    return new TableStoppedException(
        table,
        ErrorCode.CONFLICT,
        "Table "
            + table
            + ": "
            + file
            + " is not the file this pipeline would have published there: "
            + why
            + ". It is left as it is. Find out who wrote it; then remove it, "
            + Advice.OR_RECREATE);
  }

  TableStoppedException lostItsFiles() {
    return new TableStoppedException(
        table,
        ErrorCode.NEEDS_SNAPSHOT,
        "Table "
            + table
            + ": folder "
            + path
            + " lost the files that were published in it; nothing more is written there. "
            + Advice.RECREATE);
  }

  /**
   * Sees to it that the metadata file names the key, before the first file of a keyed table. It
   * appears whole or not at all, and an existing one is never replaced.
   *
   * @param keys key columns; nothing is done for a table without
   * @throws TableStoppedException if the file names another key
   */
  void ensureMetadata(List<String> keys) throws InterruptedException {
    if (keys.isEmpty()) {
      return;
    }
    synchronized (metadataTurn) {
      if (metadataIsThere()) {
        return;
      }
      byte[] content = Json.bytes(Json.object().set("keyColumns", Json.array(keys)));
      publishWhole(zone, path, FileName.METADATA, content);
      compareMetadata(zone, table, path, keys);
      metadataWritten();
    }
  }

  private synchronized boolean metadataIsThere() {
    return metadataThere;
  }

  private synchronized void metadataWritten() {
    metadataThere = true;
  }

  /** What is wrong with a temporary file alone. */
  private static final Set<DfsException.Kind> NAME_UNUSABLE =
      EnumSet.of(
          DfsException.Kind.ALREADY_EXISTS,
          DfsException.Kind.NOT_FOUND,
          DfsException.Kind.INVALID_FLUSH_POSITION);

  /** Writes a small file under its final name in one step, unless there is one already. */
  static void publishWhole(LandingZone zone, String folder, String name, byte[] content)
      throws InterruptedException {
    String temporary = folder + "/" + name.replace(".json", "." + zone.ids().get() + ".json");
    try {
      zone.client().create(temporary, true);
      zone.client().append(temporary, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
    } catch (DfsException e) {
      throw NAME_UNUSABLE.contains(e.kind()) ? passing(e) : e;
    }
    try {
      zone.client().renameIfAbsent(temporary, folder + "/" + name);
    } catch (DfsException e) {
      if (!e.outcomeUnknown()) {
        throw e;
      }
      if (zone.client().head(folder + "/" + name).isEmpty()) {
        throw passing(e);
      }
      deleteQuietly(zone, temporary);
    }
  }

  /** A failure that another attempt, which takes a new temporary name, may not meet. */
  private static DfsException passing(DfsException e) {
    return e.transientFault()
        ? e
        : DfsException.of(DfsException.Kind.TRANSIENT, e.operation())
            .outcomeUnknown(true)
            .build(String.valueOf(e.getMessage()), e);
  }

  /** Deletes a leftover; what cannot be deleted stays, ignored by Fabric. */
  static void deleteQuietly(LandingZone zone, String file) throws InterruptedException {
    try {
      zone.client().delete(file, false);
    } catch (DfsException e) {
      Logs.LOG.debug("Leftover {} was not deleted", file, e);
    }
  }

  /**
   * Compares the metadata file with the key of the table.
   *
   * @throws TableStoppedException if it names another key, or cannot be read
   */
  static void compareMetadata(LandingZone zone, TableId table, String folder, List<String> keys)
      throws InterruptedException {
    String file = folder + "/" + FileName.METADATA;
    byte[] content = zone.client().read(file, 0, Json.MAX_BYTES + 1);
    List<String> declared = new ArrayList<>();
    try {
      JsonNode json = Json.parse(content);
      if (!json.isObject()) {
        throw new IllegalArgumentException("it is no JSON object");
      }
      JsonNode columns = json.has("keyColumns") ? json.get("keyColumns") : json.get("KeyColumns");
      if (columns != null && !columns.isNull()) {
        declared.addAll(Json.texts(columns, "its keyColumns"));
      }
    } catch (IllegalArgumentException e) {
      throw new TableStoppedException(
          table,
          ErrorCode.CONFLICT,
          "Table "
              + table
              + ": "
              + file
              + " cannot be read: "
              + Text.shown(String.valueOf(e.getMessage()))
              + ". It is left as it is. Repair or remove it.",
          e);
    }
    if (!new HashSet<>(declared).equals(new HashSet<>(keys))) {
      throw new TableStoppedException(
          table,
          ErrorCode.KEY_CHANGED,
          "Table "
              + table
              + " has the key "
              + keys
              + ", but "
              + file
              + " declares "
              + Text.shown(declared.toString(), 300)
              + ", which Fabric does not let change. "
              + Advice.RECREATE);
    }
  }
}
