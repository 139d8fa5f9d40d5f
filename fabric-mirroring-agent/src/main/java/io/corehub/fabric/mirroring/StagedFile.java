package io.corehub.fabric.mirroring;

import io.corehub.runtime.Publication;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.Patience;
import java.util.function.Consumer;

/**
 * The upload of one file of a staged snapshot: it ends under the temporary name, where nobody sees
 * it. Confined to its lane.
 */
final class StagedFile implements Publication {

  private final FileFacts facts;
  private final long rows;
  private final BlockUpload upload;
  private final Patience patience;
  private final Runnable freed;
  private final Consumer<StagedFile> done;

  /**
   * An upload.
   *
   * @param freed called once when the file's bytes are no longer needed
   * @param done called once when the file is uploaded
   */
  StagedFile(
      FileFacts facts,
      long rows,
      BlockUpload upload,
      Patience patience,
      Runnable freed,
      Consumer<StagedFile> done) {
    this.facts = facts;
    this.rows = rows;
    this.upload = upload;
    this.patience = patience;
    this.freed = freed;
    this.done = done;
  }

  FileFacts facts() {
    return facts;
  }

  long rows() {
    return rows;
  }

  /** What the manifest says of it. */
  SnapshotManifest.Entry entry() {
    String temporary = upload.temporary();
    return new SnapshotManifest.Entry(
        facts.seq(),
        facts.fileId(),
        temporary.substring(temporary.lastIndexOf('/') + 1),
        upload.bytes().length());
  }

  @Override
  public long bytes() {
    return upload.bytes().held();
  }

  @Override
  public Step upload() throws InterruptedException {
    return patience.attempt(upload::advance);
  }

  @Override
  public Step publish() {
    upload.bytes().free();
    freed.run();
    done.accept(this);
    return new Step.Done();
  }

  @Override
  public void abandon() {
    upload.abandon();
    freed.run();
  }

  /** Removes what was uploaded: the snapshot was given up meanwhile. */
  void discard() {
    upload.abandon();
  }
}
