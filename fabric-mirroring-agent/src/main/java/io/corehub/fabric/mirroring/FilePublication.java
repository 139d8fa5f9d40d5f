package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import io.corehub.runtime.Publication;
import java.time.Duration;
import java.util.Optional;

/**
 * The way of one file into the landing zone: uploaded under a temporary name, then renamed to its
 * number unless there is a file already. Whatever a rename answers but success, the number is
 * looked at: the file there is ours if it says so itself, somebody else's if not, and if there is
 * none the rename is tried again. Confined to its lane.
 */
final class FilePublication implements Publication {

  private final LandingZone zone;
  private final TableFolder folder;
  private final FileFacts facts;
  private final FileUpload upload;
  private final Patience patience;
  private final Runnable freed;
  private boolean doubtful;

  /**
   * A publication.
   *
   * @param freed called once when the file's bytes are no longer needed
   */
  FilePublication(
      LandingZone zone,
      TableFolder folder,
      FileFacts facts,
      FileUpload upload,
      Patience patience,
      Runnable freed) {
    this.zone = zone;
    this.folder = folder;
    this.facts = facts;
    this.upload = upload;
    this.patience = patience;
    this.freed = freed;
  }

  private interface Phase {
    Step run() throws InterruptedException;
  }

  @Override
  public long bytes() {
    return upload.bytes().held();
  }

  @Override
  public Step upload() throws InterruptedException {
    return attempt(upload::advance);
  }

  @Override
  public Step publish() throws InterruptedException {
    Step step = attempt(this::uploadedThenRenamed);
    if (step instanceof Step.Done) {
      folder.published(facts.seq());
      upload.bytes().free();
      freed.run();
    }
    return step;
  }

  /** One attempt; a passing fault asks for another one later. */
  private Step attempt(Phase phase) throws InterruptedException {
    Optional<Duration> asked = patience.askedToWait();
    if (asked.isPresent()) {
      return new Step.Again(asked.get());
    }
    try {
      return phase.run();
    } catch (DfsException e) {
      if (!e.transientFault()) {
        throw e;
      }
      return new Step.Again(patience.pauseAfter(e));
    }
  }

  /** The upload is complete by now, unless it was lost and begun anew. */
  private Step uploadedThenRenamed() throws InterruptedException {
    Step uploaded = upload.advance();
    return uploaded instanceof Step.Done ? rename() : uploaded;
  }

  private Step rename() throws InterruptedException {
    String number = folder.pathOf(facts.name());
    if (doubtful) {
      Optional<PathProperties> there = zone.client().head(number);
      if (there.isPresent()) {
        return settled(number, there.get());
      }
      doubtful = false;
    }
    if (folder.proofIsOld()) {
      folder.prove();
    }
    try {
      zone.client().renameIfAbsent(upload.temporary(), number);
    } catch (DfsException e) {
      if (!e.outcomeUnknown()) {
        throw e;
      }
      doubtful = true;
      return resolve(number, e);
    }
    return standing();
  }

  /**
   * Our file stands at its number. If that took long, another run may have gone on behind it and
   * Fabric cleaned its number up: then it stands where nobody reads it.
   */
  private Step standing() throws InterruptedException {
    if (folder.proofIsOld()) {
      doubtful = true;
      folder.prove();
    }
    patience.recovered();
    return new Step.Done();
  }

  /** Finds out what a rename did that did not say so. */
  private Step resolve(String number, DfsException answer) throws InterruptedException {
    Optional<PathProperties> there = zone.client().head(number);
    if (there.isPresent()) {
      return settled(number, there.get());
    }
    if (answer.kind() == Kind.FORBIDDEN || answer.kind() == Kind.UNAUTHORIZED) {
      throw answer;
    }
    if (zone.client().head(upload.temporary()).isPresent()) {
      // Not done yet. Should the service do it late, it publishes these very bytes.
      return new Step.Again(patience.pauseAfter(answer));
    }
    Optional<PathProperties> late = zone.client().head(number);
    if (late.isPresent()) {
      return settled(number, late.get());
    }
    folder.prove();
    doubtful = false;
    return new Step.Again(patience.pauseAfter(upload.startOver(answer)));
  }

  /** There is a file at our number: ours by its own word, or the end of this table. */
  private Step settled(String number, PathProperties there) throws InterruptedException {
    if (there.directory()) {
      throw folder.conflict(number, "it is a folder");
    }
    ChainEntry chain = folder.chainOf(number, there.length());
    if (chain.fileId().equals(facts.fileId())) {
      return standing();
    }
    TableStoppedException lost = folder.otherWriter(number, chain);
    Logs.LOG.info("Lost {} to writer {}: {}", number, chain.writer(), lost.code());
    throw lost;
  }

  @Override
  public void abandon() {
    upload.abandon();
    freed.run();
  }

  FileFacts facts() {
    return facts;
  }

  /** What stopped a file, in terms of its table. */
  static TableStoppedException stopped(LandingZone zone, TableFolder folder, Throwable reason) {
    if (reason instanceof TableStoppedException stop) {
      return stop;
    }
    if (reason instanceof DfsException failure) {
      return zone.stopped(folder.table(), failure);
    }
    if (reason instanceof FileUpload.StreamLostException lost) {
      return new TableStoppedException(
          folder.table(),
          ErrorCode.NEEDS_SNAPSHOT,
          "Table "
              + folder.table()
              + ": "
              + lost.getMessage()
              + ". The snapshot must be taken again; start the pipeline again.",
          lost);
    }
    return new TableStoppedException(
        folder.table(),
        ErrorCode.INTERNAL,
        "Table "
            + folder.table()
            + ": unexpected "
            + reason
            + ". This is a defect; report it with the log.",
        reason);
  }
}
