package io.corehub.storage;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import io.corehub.runtime.Publication.Step;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings one file's bytes to a temporary name. A file of one block takes a create and one append
 * that flushes; a larger one a create, its blocks in parallel, and one flush. Each step is harmless
 * when it is repeated, or looks first at what the attempt before it did. Called by one thread at a
 * time, but for blocks that stream.
 */
public final class BlockUpload {

  private final UploadRoom room;
  private final UploadPlace place;
  private final FileBytes bytes;
  private final Patience patience;
  private final boolean streamed;
  private volatile String temporary;
  private boolean made;
  private boolean done;
  private boolean doubtful;
  private boolean separateFlush;
  private @Nullable BlockAppends appends;

  private BlockUpload(
      UploadRoom room,
      UploadPlace place,
      String firstPath,
      @Nullable FileBytes bytes,
      StreamedBytes streamedBytes,
      Patience patience) {
    this.room = room;
    this.place = place;
    this.patience = patience;
    this.streamed = bytes == null;
    this.bytes =
        bytes != null
            ? bytes
            : new FileBytes(
                room.blockBytes(),
                (position, block, length) -> stream(position, block, length, streamedBytes));
    this.temporary = firstPath;
  }

  /** Told of bytes that stream. */
  public interface StreamedBytes {
    /**
     * Bytes left for the server: they are held until they are acknowledged.
     *
     * @param length how many
     */
    void sent(int length);

    /**
     * The server has them.
     *
     * @param length how many
     */
    void acknowledged(int length);
  }

  /**
   * The upload of a file whose bytes are kept until its outcome is known.
   *
   * @param room where to
   * @param place what is particular to the file
   * @param firstPath temporary path of the first attempt
   * @param bytes the complete file
   * @param patience counts failed attempts
   * @return the upload
   */
  public static BlockUpload kept(
      UploadRoom room, UploadPlace place, String firstPath, FileBytes bytes, Patience patience) {
    return new BlockUpload(room, place, firstPath, bytes, NOBODY, patience);
  }

  /**
   * The upload of a file whose blocks leave as they fill.
   *
   * @param room where to
   * @param place what is particular to the file
   * @param firstPath temporary path of the first attempt
   * @param listener told of the bytes on their way
   * @param patience counts failed attempts
   * @return the upload, whose {@link #bytes()} take the file
   */
  public static BlockUpload streamed(
      UploadRoom room,
      UploadPlace place,
      String firstPath,
      StreamedBytes listener,
      Patience patience) {
    return new BlockUpload(room, place, firstPath, null, listener, patience);
  }

  private static final StreamedBytes NOBODY =
      new StreamedBytes() {
        @Override
        public void sent(int length) {}

        @Override
        public void acknowledged(int length) {}
      };

  /**
   * The file's bytes.
   *
   * @return those kept, or where those that stream are written to
   */
  public FileBytes bytes() {
    return bytes;
  }

  /**
   * The temporary path of the attempt under way.
   *
   * @return a path
   */
  public String temporary() {
    return temporary;
  }

  private void stream(long position, byte[] block, int length, StreamedBytes listener) {
    listener.sent(length);
    appends().append(position, block, length, () -> listener.acknowledged(length));
  }

  private BlockAppends appends() {
    if (appends == null) {
      appends = new BlockAppends(room, place.file(), () -> temporary, this::make, patience);
    }
    return appends;
  }

  /** Everything that comes before the first byte. */
  private void make() throws InterruptedException {
    if (made) {
      return;
    }
    place.beforeCreate();
    try {
      room.client().create(temporary, true);
    } catch (DfsException e) {
      if (e.outcomeUnknown() || e.kind() == Kind.ALREADY_EXISTS) {
        // Carried out late, it would bring an empty file back under a name that a late rename may
        // still publish. A name of which that is possible is never written to.
        temporary = place.unusedPath();
      }
      throw e.kind() == Kind.ALREADY_EXISTS ? passing(e) : e;
    }
    made = true;
  }

  private static DfsException passing(DfsException e) {
    return DfsException.of(Kind.TRANSIENT, e.operation()).build(String.valueOf(e.getMessage()), e);
  }

  /**
   * Goes on with the upload.
   *
   * @return whether it is complete, or when to call again
   * @throws DfsException if a request failed
   * @throws StreamLostException if bytes that streamed are gone
   * @throws InterruptedException if interrupted
   */
  public Step advance() throws InterruptedException {
    if (done) {
      return new Step.Done();
    }
    try {
      if (appends == null && bytes.blocks().size() == 1 && !separateFlush) {
        make();
        appendWhole(bytes.blocks().get(0));
        return finished();
      }
      return inBlocks();
    } catch (DfsException e) {
      return lostOrThrow(e);
    }
  }

  private Step finished() {
    done = true;
    patience.recovered();
    return new Step.Done();
  }

  private void appendWhole(FileBytes.Block block) throws InterruptedException {
    if (doubtful && lengthThere() == block.length()) {
      return;
    }
    try {
      room.client()
          .append(
              temporary,
              0,
              ByteBuffer.wrap(block.bytes(), 0, block.length()),
              room.close() ? AppendMode.APPEND_FLUSH_CLOSE : AppendMode.APPEND_FLUSH);
    } catch (DfsException e) {
      doubtful |= e.outcomeUnknown();
      if (e.kind() == Kind.BAD_REQUEST && e.errorCode().equals("InvalidQueryParameterValue")) {
        separateFlush = true;
        throw DfsException.of(Kind.TRANSIENT, e.operation())
            .build("The server does not take an append that flushes: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  private long lengthThere() throws InterruptedException {
    return room.client().head(temporary).map(PathProperties::length).orElse(-1L);
  }

  private Step inBlocks() throws InterruptedException {
    BlockAppends running = appends();
    List<FileBytes.Block> left = bytes.blocks();
    if (!left.isEmpty() && !handedOver) {
      handedOver = true;
      for (FileBytes.Block block : left) {
        running.append(block.position(), block.bytes(), block.length(), () -> {});
      }
    }
    if (!running.drained().isDone()) {
      return new Step.After(running.drained());
    }
    Throwable failure = running.failure();
    if (failure instanceof DfsException e) {
      throw e;
    }
    if (failure instanceof InterruptedException) {
      throw new InterruptedException("Interrupted while blocks were appended");
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    flush();
    return finished();
  }

  private boolean handedOver;

  private void flush() throws InterruptedException {
    long length = bytes.length();
    if (doubtful && lengthThere() == length) {
      return;
    }
    try {
      room.client().flush(temporary, length, room.close());
    } catch (DfsException e) {
      doubtful |= e.outcomeUnknown();
      throw e;
    }
  }

  /** A file that vanished, or holds other bytes than were sent, is begun anew. */
  private Step lostOrThrow(DfsException e) throws InterruptedException {
    if (e.kind() != Kind.NOT_FOUND && e.kind() != Kind.INVALID_FLUSH_POSITION) {
      throw e;
    }
    if (doubtful && lengthThere() == bytes.length()) {
      return finished();
    }
    place.beforeStartingOver();
    return new Step.Again(patience.pauseAfter(startOver(e)));
  }

  /**
   * Begins the upload anew under another temporary name.
   *
   * @param why what the server said
   * @return the same
   * @throws StreamLostException if the bytes are no longer there
   */
  public DfsException startOver(DfsException why) {
    if (streamed && appends != null) {
      throw new StreamLostException(temporary, why);
    }
    if (appends != null) {
      appends.stop();
    }
    temporary = place.unusedPath();
    made = false;
    done = false;
    doubtful = false;
    handedOver = false;
    appends = null;
    return why;
  }

  /** An uploaded file whose bytes streamed is gone, and its bytes with it. */
  public static final class StreamLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A loss.
     *
     * @param file path of the file
     * @param why what the server said
     */
    public StreamLostException(String file, DfsException why) {
      super("The uploaded file " + file + " is gone: " + why.getMessage(), why);
    }
  }

  /** Sends nothing more, and removes the temporary file if it can be. */
  public void abandon() {
    if (appends != null) {
      appends.stop();
    }
    bytes.free();
    if (made) {
      room.discard(temporary);
    }
  }
}
