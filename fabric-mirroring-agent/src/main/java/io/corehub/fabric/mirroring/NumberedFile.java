package io.corehub.fabric.mirroring;

import io.corehub.onelake.PathProperties;
import io.corehub.storage.ExclusiveRename;

/**
 * A file of a table folder that is to get its number: the file that stands there is ours if it says
 * so itself, somebody else's if not. Confined to one caller at a time.
 */
final class NumberedFile implements ExclusiveRename.Owner {

  private final LandingZone zone;
  private final TableFolder folder;
  private final FileFacts facts;
  private LandingZone.Moment asked;

  private NumberedFile(LandingZone zone, TableFolder folder, FileFacts facts) {
    this.zone = zone;
    this.folder = folder;
    this.facts = facts;
    this.asked = zone.moment();
  }

  /** How an uploaded file gets its number. */
  static ExclusiveRename rename(LandingZone zone, TableFolder folder, FileFacts facts) {
    return new ExclusiveRename(
        zone.client(), folder.pathOf(facts.name()), new NumberedFile(zone, folder, facts));
  }

  @Override
  public void begins() {
    asked = zone.moment();
  }

  @Override
  public void asks() throws InterruptedException {
    if (folder.proofIsOld()) {
      folder.prove();
    }
    asked = zone.moment();
  }

  /**
   * Our file stands at its number. If that took long, another run may have gone on behind it and
   * Fabric cleaned its number up: then it stands where nobody reads it.
   */
  @Override
  public void renamed(String etag) throws InterruptedException {
    if (folder.proofIsOld()) {
      folder.prove();
    }
    folder.published(new TableFolder.LastFile(facts.seq(), facts.fileId(), etag), asked);
  }

  /** There is a file at our number: ours by its own word, or the end of this table. */
  @Override
  public void found(PathProperties there) throws InterruptedException {
    String number = folder.pathOf(facts.name());
    if (there.directory()) {
      throw folder.conflict(number, "it is a folder");
    }
    ChainEntry chain = folder.chainOf(number, there.length());
    if (chain.fileId().equals(facts.fileId())) {
      renamed(there.etag());
      return;
    }
    RuntimeException lost = folder.otherWriter(number, chain);
    Logs.LOG.info("Lost {} to writer {}", number, chain.writer());
    throw lost;
  }

  @Override
  public void gone() throws InterruptedException {
    folder.prove();
  }
}
