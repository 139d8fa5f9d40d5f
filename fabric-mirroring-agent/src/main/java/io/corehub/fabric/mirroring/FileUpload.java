package io.corehub.fabric.mirroring;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import io.corehub.runtime.Publication.Step;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings one file's bytes to a temporary name. A file of one block takes a create and one append
 * that flushes; a larger one a create, its blocks in parallel, and one flush. Each step is harmless
 * when it is repeated, or looks first at what the attempt before it did. Called by one thread at a
 * time, but for blocks that stream.
 */
final class FileUpload {

  private final LandingZone zone;
  private final TableFolder folder;
  private final FileFacts facts;
  private final FileBytes bytes;
  private final Patience patience;
  private final boolean streamed;
  private volatile String temporary;
  private boolean made;
  private boolean done;
  private boolean doubtful;
  private boolean separateFlush;
  private @Nullable BlockAppends appends;

  private FileUpload(
      LandingZone zone,
      TableFolder folder,
      FileFacts facts,
      @Nullable FileBytes bytes,
      StreamedBytes streamedBytes,
      Patience patience) {
    this.zone = zone;
    this.folder = folder;
    this.facts = facts;
    this.patience = patience;
    this.streamed = bytes == null;
    this.bytes =
        bytes != null
            ? bytes
            : new FileBytes(
                zone.blockBytes(),
                (position, block, length) -> stream(position, block, length, streamedBytes));
    this.temporary = folder.pathOf(FileName.temporary(facts.seq(), facts.fileId()));
  }

  /** Told of bytes that stream. */
  interface StreamedBytes {
    /** Bytes left for the server: they are held until they are acknowledged. */
    void sent(int length);

    /** The server has them. */
    void acknowledged(int length);
  }

  /** The upload of a file whose bytes are kept until its outcome is known. */
  static FileUpload kept(
      LandingZone zone, TableFolder folder, FileFacts facts, FileBytes bytes, Patience patience) {
    return new FileUpload(zone, folder, facts, bytes, NOBODY, patience);
  }

  /** The upload of a file whose blocks leave as they fill. */
  static FileUpload streamed(
      LandingZone zone,
      TableFolder folder,
      FileFacts facts,
      StreamedBytes listener,
      Patience patience) {
    return new FileUpload(zone, folder, facts, null, listener, patience);
  }

  private static final StreamedBytes NOBODY =
      new StreamedBytes() {
        @Override
        public void sent(int length) {}

        @Override
        public void acknowledged(int length) {}
      };

  FileBytes bytes() {
    return bytes;
  }

  String temporary() {
    return temporary;
  }

  private void stream(long position, byte[] block, int length, StreamedBytes listener) {
    listener.sent(length);
    appends().append(position, block, length, () -> listener.acknowledged(length));
  }

  private BlockAppends appends() {
    if (appends == null) {
      appends = new BlockAppends(zone, facts, () -> temporary, this::make, patience);
    }
    return appends;
  }

  /** Everything that comes before the first byte. */
  private void make() throws InterruptedException {
    if (made) {
      return;
    }
    boolean first = folder.published() + 1 == facts.seq();
    if (first && folder.proofIsOld()) {
      folder.prove();
    }
    folder.ensureMetadata(facts.keys());
    try {
      zone.client().create(temporary, true);
    } catch (DfsException e) {
      if (e.outcomeUnknown() || e.kind() == Kind.ALREADY_EXISTS) {
        // Carried out late, it would bring an empty file back under a name that a late rename may
        // still publish. A name of which that is possible is never written to.
        temporary = unusedName();
      }
      throw e.kind() == Kind.ALREADY_EXISTS ? passing(e) : e;
    }
    made = true;
  }

  private String unusedName() {
    return folder.pathOf(FileName.temporary(facts.seq(), zone.ids().get()));
  }

  private static DfsException passing(DfsException e) {
    return DfsException.of(Kind.TRANSIENT, e.operation()).build(String.valueOf(e.getMessage()), e);
  }

  /** Goes on with the upload. */
  Step advance() throws InterruptedException {
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
      zone.client()
          .append(
              temporary,
              0,
              ByteBuffer.wrap(block.bytes(), 0, block.length()),
              zone.close() ? AppendMode.APPEND_FLUSH_CLOSE : AppendMode.APPEND_FLUSH);
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
    return zone.client().head(temporary).map(PathProperties::length).orElse(-1L);
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
      zone.client().flush(temporary, length, zone.close());
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
    folder.prove();
    return new Step.Again(patience.pauseAfter(startOver(e)));
  }

  /**
   * Begins the upload anew under another temporary name.
   *
   * @throws StreamLostException if the bytes are no longer there
   */
  DfsException startOver(DfsException why) {
    if (streamed && appends != null) {
      throw new StreamLostException(temporary, why);
    }
    if (appends != null) {
      appends.stop();
    }
    temporary = unusedName();
    made = false;
    done = false;
    doubtful = false;
    handedOver = false;
    appends = null;
    return why;
  }

  /** The uploaded file of a streamed snapshot is gone, and its bytes with it. */
  static final class StreamLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StreamLostException(String file, DfsException why) {
      super("The uploaded part of a snapshot, " + file + ", is gone: " + why.getMessage(), why);
    }
  }

  /** Sends nothing more, and removes the temporary file if it can be. */
  void abandon() {
    if (appends != null) {
      appends.stop();
    }
    bytes.free();
    Optional<String> leftover = made ? Optional.of(temporary) : Optional.empty();
    leftover.ifPresent(
        file ->
            zone.workers()
                .uploads()
                .execute(
                    () -> {
                      try {
                        TableFolder.deleteQuietly(zone, file);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
  }

  UUID fileId() {
    return facts.fileId();
  }
}
