package io.corehub.hub.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reads a state directory that another hub may be using; writes and locks nothing for longer than a
 * moment. Thread-safe.
 */
public final class StateLook {

  private final Path directory;

  /**
   * For a directory, which need not exist.
   *
   * @param directory absolute path
   */
  public StateLook(Path directory) {
    this.directory = directory;
  }

  /**
   * Whether a hub uses the directory now.
   *
   * @return true if one does
   */
  public boolean inUse() {
    Path lock = directory.resolve(StateDirectory.LOCK);
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.READ);
        FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return shared == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      throw new StateException(
          "The state directory "
              + directory
              + " cannot be read ("
              + e
              + "). Run this as the user who runs the hub.",
          e);
    }
  }

  /**
   * Where the hub that uses the directory answers.
   *
   * @return URL of its status page; empty if it has none
   */
  public Optional<String> webUrl() {
    try {
      return Optional.of(Files.readString(directory.resolve(StateDirectory.WEB)).strip());
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /**
   * The state of a pipeline.
   *
   * @param pipelineId id of the pipeline
   * @return what is remembered of it
   * @throws StateException if the file is damaged
   */
  public PipelineState stateOf(String pipelineId) {
    return StateDirectory.stateIn(directory, pipelineId).read();
  }

  /**
   * The notes of a pipeline's last run.
   *
   * @param pipelineId id of the pipeline
   * @return the notes
   */
  public RunNotes notesOf(String pipelineId) {
    return StateDirectory.notesIn(directory, pipelineId).read();
  }
}
