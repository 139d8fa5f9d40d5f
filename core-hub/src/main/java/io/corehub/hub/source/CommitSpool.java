package io.corehub.hub.source;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableEvent;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Puts commit batches aside, in order: in memory up to a bound, beyond it in a private file (mode
 * 0600) that lives until the spool is empty or closed. Schemas come back as the same instances.
 * Confined to one caller at a time.
 */
public final class CommitSpool implements AutoCloseable {

  private final Path directory;
  private final long memoryBytes;
  private final Deque<CommitBatch> inMemory = new ArrayDeque<>();
  private long bytes;
  private BatchCodec codec = new BatchCodec();
  private @Nullable Path file;
  private @Nullable DataOutputStream out;
  private int inFile;

  /**
   * An empty spool.
   *
   * @param directory existing private directory
   * @param memoryBytes bytes kept in memory before a file is used
   */
  public CommitSpool(Path directory, long memoryBytes) {
    this.directory = directory;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Puts a batch behind the others.
   *
   * @param batch the batch, given away
   * @throws SourceException if the file cannot be written
   */
  public void add(CommitBatch batch) {
    long more = bytesOf(batch);
    if (inFile == 0 && bytes + more <= memoryBytes) {
      inMemory.add(batch);
      bytes += more;
      return;
    }
    try {
      codec.write(batch, output());
      inFile++;
    } catch (IOException e) {
      throw PrivateFiles.unwritten(directory, e);
    }
  }

  /**
   * Whether nothing is put aside.
   *
   * @return true if there is no batch
   */
  public boolean isEmpty() {
    return inMemory.isEmpty() && inFile == 0;
  }

  /**
   * Hands over everything, oldest first, and empties the spool. After an exception the spool must
   * be closed.
   *
   * @param output takes the batches
   * @throws InterruptedException if interrupted
   * @throws SourceException if the file cannot be read
   */
  public void drainTo(CommitBatchBuilder.Output output) throws InterruptedException {
    while (!inMemory.isEmpty()) {
      output.accept(inMemory.remove());
    }
    bytes = 0;
    Path spooled = file;
    if (spooled == null) {
      return;
    }
    try {
      output().flush();
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(spooled), 1 << 16))) {
        for (; inFile > 0; inFile--) {
          output.accept(codec.read(in));
        }
      }
    } catch (IOException e) {
      throw failed("read back", "Check the disk that holds 'hub.stateDirectory'", e);
    }
    close();
  }

  private DataOutputStream output() throws IOException {
    DataOutputStream open = out;
    if (open == null) {
      Path created = PrivateFiles.newFile(directory, "commits-");
      file = created;
      open =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(created), 1 << 16));
      out = open;
    }
    return open;
  }

  private SourceException failed(String what, String advice, IOException e) {
    return new SourceException(
        "Spool file "
            + file
            + " cannot be "
            + what
            + " ("
            + e
            + "). "
            + advice
            + " and start again.",
        e);
  }

  private static long bytesOf(CommitBatch batch) {
    long sum = 200L * batch.commits().size();
    for (TableEvent event : batch.events()) {
      sum +=
          event instanceof RowChanges changes
              ? changes.rows().bytes() + 5L * changes.rowCount()
              : 100;
    }
    return sum;
  }

  /** Forgets everything and deletes the file. Idempotent. */
  @Override
  public void close() {
    inMemory.clear();
    bytes = 0;
    inFile = 0;
    codec = new BatchCodec();
    DataOutputStream open = out;
    Path spooled = file;
    out = null;
    file = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      // The file is deleted next; what was not written to it is not wanted any more.
      if (spooled == null) {
        throw failed("closed", "Check the disk that holds 'hub.stateDirectory'", e);
      }
    }
    try {
      if (spooled != null) {
        Files.deleteIfExists(spooled);
      }
    } catch (IOException e) {
      throw new SourceException("Spool file " + spooled + " cannot be deleted (" + e + ").", e);
    }
  }
}
