package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import java.util.Optional;

/**
 * Gives an uploaded file its number, unless there is a file already. Whatever a rename answers but
 * success, the number is looked at: the file there is ours if it says so itself, somebody else's if
 * not. Confined to one caller at a time.
 */
final class FileRename {

  private final LandingZone zone;
  private final TableFolder folder;
  private final FileFacts facts;
  private boolean doubtful;
  private String etag = "";
  private LandingZone.Moment asked;

  FileRename(LandingZone zone, TableFolder folder, FileFacts facts) {
    this.zone = zone;
    this.folder = folder;
    this.facts = facts;
    this.asked = zone.moment();
  }

  /** What came of an attempt. */
  sealed interface Outcome {
    /** The file stands at its number, and the folder knows it. */
    record Standing() implements Outcome {}

    /**
     * Not done yet: to be tried again. Should the service do it late, it publishes these very
     * bytes.
     *
     * @param answer what the service said
     */
    record NotYet(DfsException answer) implements Outcome {}

    /**
     * Neither the number nor the uploaded file is there.
     *
     * @param answer what the service said
     */
    record UploadGone(DfsException answer) implements Outcome {}
  }

  /**
   * One attempt.
   *
   * @param temporary the uploaded file
   * @throws DfsException if nothing was done
   * @throws io.corehub.agent.TableStoppedException if the number is taken, or the folder is not
   *     ours any more
   */
  Outcome attempt(String temporary) throws InterruptedException {
    String number = folder.pathOf(facts.name());
    asked = zone.moment();
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
    asked = zone.moment();
    try {
      etag = zone.client().renameIfAbsent(temporary, number);
    } catch (DfsException e) {
      if (!e.outcomeUnknown()) {
        throw e;
      }
      doubtful = true;
      return resolve(temporary, number, e);
    }
    return standing();
  }

  /**
   * Our file stands at its number. If that took long, another run may have gone on behind it and
   * Fabric cleaned its number up: then it stands where nobody reads it.
   */
  private Outcome standing() throws InterruptedException {
    if (folder.proofIsOld()) {
      doubtful = true;
      folder.prove();
    }
    folder.published(new TableFolder.LastFile(facts.seq(), facts.fileId(), etag), asked);
    return new Outcome.Standing();
  }

  /** Finds out what a rename did that did not say so. */
  private Outcome resolve(String temporary, String number, DfsException answer)
      throws InterruptedException {
    Optional<PathProperties> there = zone.client().head(number);
    if (there.isPresent()) {
      return settled(number, there.get());
    }
    if (answer.kind() == Kind.FORBIDDEN || answer.kind() == Kind.UNAUTHORIZED) {
      throw answer;
    }
    if (zone.client().head(temporary).isPresent()) {
      return new Outcome.NotYet(answer);
    }
    Optional<PathProperties> late = zone.client().head(number);
    if (late.isPresent()) {
      return settled(number, late.get());
    }
    folder.prove();
    doubtful = false;
    return new Outcome.UploadGone(answer);
  }

  /** There is a file at our number: ours by its own word, or the end of this table. */
  private Outcome settled(String number, PathProperties there) throws InterruptedException {
    if (there.directory()) {
      throw folder.conflict(number, "it is a folder");
    }
    ChainEntry chain = folder.chainOf(number, there.length());
    if (chain.fileId().equals(facts.fileId())) {
      etag = there.etag();
      return standing();
    }
    RuntimeException lost = folder.otherWriter(number, chain);
    Logs.LOG.info("Lost {} to writer {}", number, chain.writer());
    throw lost;
  }
}
