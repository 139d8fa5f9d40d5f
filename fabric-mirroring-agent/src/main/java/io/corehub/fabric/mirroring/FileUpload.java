package io.corehub.fabric.mirroring;

import io.corehub.storage.BlockUpload;
import io.corehub.storage.FileBytes;
import io.corehub.storage.Patience;
import io.corehub.storage.UploadPlace;

/** Uploads to a table folder, under temporary names that Fabric ignores. Pure. */
final class FileUpload {

  private FileUpload() {}

  /** The upload of a file whose bytes are kept until its outcome is known. */
  static BlockUpload kept(
      LandingZone zone, TableFolder folder, FileFacts facts, FileBytes bytes, Patience patience) {
    return BlockUpload.kept(
        zone.uploads(),
        new Place(zone, folder, facts),
        folder.pathOf(FileName.temporary(facts.seq(), facts.fileId())),
        bytes,
        patience);
  }

  /** The upload of a file whose blocks leave as they fill. */
  static BlockUpload streamed(
      LandingZone zone,
      TableFolder folder,
      FileFacts facts,
      BlockUpload.StreamedBytes listener,
      Patience patience) {
    return BlockUpload.streamed(
        zone.uploads(),
        new Place(zone, folder, facts),
        folder.pathOf(FileName.temporary(facts.seq(), facts.fileId())),
        listener,
        patience);
  }

  private record Place(LandingZone zone, TableFolder folder, FileFacts facts)
      implements UploadPlace {

    @Override
    public Object file() {
      return facts;
    }

    @Override
    public String unusedPath() {
      return folder.pathOf(FileName.temporary(facts.seq(), zone.ids().get()));
    }

    /** The folder is looked at before the first file behind what was published in it. */
    @Override
    public void beforeCreate() throws InterruptedException {
      boolean first = folder.published() + 1 == facts.seq();
      if (first && folder.proofIsOld()) {
        folder.prove();
      }
      folder.ensureMetadata(facts.keys());
    }

    @Override
    public void beforeStartingOver() throws InterruptedException {
      folder.prove();
    }
  }
}
