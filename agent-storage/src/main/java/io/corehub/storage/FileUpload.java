package io.corehub.storage;

import io.corehub.runtime.Publication.Step;

/**
 * Takes an uploaded file to its name: the rest of its upload, then the rename, again from the start
 * when the uploaded file was lost. Confined to one caller at a time.
 */
public final class FileUpload {

  private final BlockUpload upload;
  private final ExclusiveRename rename;
  private final Patience patience;

  /**
   * A file on its way.
   *
   * @param upload its bytes
   * @param rename its name
   * @param patience how long to wait between attempts
   */
  public FileUpload(BlockUpload upload, ExclusiveRename rename, Patience patience) {
    this.upload = upload;
    this.rename = rename;
    this.patience = patience;
  }

  /**
   * Sends more of its bytes.
   *
   * @return what came of it
   * @throws InterruptedException if interrupted
   */
  public Step upload() throws InterruptedException {
    return patience.attempt(upload::advance);
  }

  /**
   * Makes it visible under its name.
   *
   * @return what came of it
   * @throws InterruptedException if interrupted
   */
  public Step publish() throws InterruptedException {
    return patience.attempt(this::uploadedThenRenamed);
  }

  /** The upload is complete by now, unless it was lost and begun anew. */
  private Step uploadedThenRenamed() throws InterruptedException {
    Step uploaded = upload.advance();
    if (!(uploaded instanceof Step.Done)) {
      return uploaded;
    }
    ExclusiveRename.Outcome outcome = rename.attempt(upload.temporary());
    if (outcome instanceof ExclusiveRename.Outcome.NotYet notYet) {
      return new Step.Again(patience.pauseAfter(notYet.answer()));
    }
    if (outcome instanceof ExclusiveRename.Outcome.UploadGone gone) {
      return new Step.Again(patience.pauseAfter(upload.startOver(gone.answer())));
    }
    patience.recovered();
    return new Step.Done();
  }
}
