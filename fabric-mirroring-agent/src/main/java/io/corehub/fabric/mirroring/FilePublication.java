package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.runtime.Publication;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.FileUpload;
import io.corehub.storage.Patience;

/**
 * The way of one file into the landing zone: uploaded under a temporary name, then renamed to its
 * number unless there is a file already. Confined to its lane.
 */
final class FilePublication implements Publication {

  private final FileFacts facts;
  private final BlockUpload upload;
  private final Runnable freed;
  private final FileUpload way;

  /**
   * A publication.
   *
   * @param freed called once when the file's bytes are no longer needed
   */
  FilePublication(
      LandingZone zone,
      TableFolder folder,
      FileFacts facts,
      BlockUpload upload,
      Patience patience,
      Runnable freed) {
    this.facts = facts;
    this.upload = upload;
    this.freed = freed;
    this.way = new FileUpload(upload, NumberedFile.rename(zone, folder, facts), patience);
  }

  @Override
  public long bytes() {
    return upload.bytes().held();
  }

  @Override
  public Step upload() throws InterruptedException {
    return way.upload();
  }

  @Override
  public Step publish() throws InterruptedException {
    Step step = way.publish();
    if (step instanceof Step.Done) {
      upload.bytes().free();
      freed.run();
    }
    return step;
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
    if (reason instanceof BlockUpload.StreamLostException lost) {
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
    if (reason instanceof OutOfMemoryError) {
      return heapSpent(folder.table(), reason);
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

  /** Rows too large for the heap. */
  static TableStoppedException heapSpent(TableId table, Throwable reason) {
    return new TableStoppedException(
        table,
        ErrorCode.TOO_LARGE,
        "Table "
            + table
            + ": its rows are too large for a heap of "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB. Start again with a larger one (-Xmx): twelve times the largest row.",
        reason);
  }
}
