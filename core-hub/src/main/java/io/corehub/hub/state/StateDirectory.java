package io.corehub.hub.state;

import io.corehub.hub.source.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The directory a hub keeps its state in, locked while the hub runs. Thread-safe.
 *
 * <p>It holds a file for each pipeline, {@code <id>.json}, its notes, and below {@code spool} what
 * pipelines put aside for a while.
 */
public final class StateDirectory implements AutoCloseable {

  static final String LOCK = "hub.lock";

  /** Holds the URL of the status page while a hub has one. */
  static final String WEB = "hub.web";

  /** {@link StateLook} holds a shared lock for a moment; a hub that starts then tries again. */
  private static final int LOCK_ATTEMPTS = 5;

  private static final long LOCK_PAUSE_NANOS = 20_000_000;

  /** Characters of {@link #fileName} that leave room for every ending within what disks take. */
  public static final int LONGEST_FILE_NAME = 200;

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;

  private StateDirectory(Path directory, FileChannel channel, FileLock lock) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Creates the directory if it is missing, and locks it.
   *
   * @param directory absolute path
   * @return the locked directory
   * @throws StateException if it cannot be used, or another hub uses it
   */
  public static StateDirectory lock(Path directory) {
    try {
      PrivateFiles.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new StateException(
            "Another hub uses the state directory "
                + directory
                + ". Stop it, or give this one a 'hub.stateDirectory' of its own.");
      }
      return new StateDirectory(directory, channel, lock);
    } catch (IOException e) {
      throw new StateException(
          "The state directory "
              + directory
              + " cannot be used ("
              + e
              + "). Change 'hub.stateDirectory' or the directory's permissions.",
          e);
    }
  }

  private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel)
      throws IOException {
    try {
      FileLock lock = channel.tryLock();
      for (int attempt = 1; lock == null && attempt < LOCK_ATTEMPTS; attempt++) {
        LockSupport.parkNanos(LOCK_PAUSE_NANOS);
        lock = channel.tryLock();
      }
      return lock;
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /**
   * The file of a pipeline's state.
   *
   * @param pipelineId id of the pipeline
   * @return its file; it need not exist yet
   */
  public StateFile stateOf(String pipelineId) {
    return stateIn(directory, pipelineId);
  }

  static StateFile stateIn(Path directory, String pipelineId) {
    return new StateFile(directory.resolve(fileName(pipelineId) + ".json"), pipelineId);
  }

  /**
   * Where a pipeline leaves notes for {@code hub status}.
   *
   * @param pipelineId id of the pipeline
   * @return the file; it need not exist yet
   */
  public NotesFile notesOf(String pipelineId) {
    return notesIn(directory, pipelineId);
  }

  static NotesFile notesIn(Path directory, String pipelineId) {
    return new NotesFile(directory.resolve(fileName(pipelineId) + ".notes"));
  }

  /**
   * Where an observer of a pipeline may keep what it must remember.
   *
   * @param pipelineId id of the pipeline
   * @param observer key of the observer
   * @return the file; it need not exist yet
   */
  public Path memoryOf(String pipelineId, String observer) {
    return directory.resolve(fileName(pipelineId) + "." + fileName(observer));
  }

  /**
   * Says where this hub answers, so that {@code hub status} finds it.
   *
   * @param url URL of the status page; empty if there is none
   * @throws StateException if it cannot be written
   */
  public void webUrl(Optional<String> url) {
    Path file = directory.resolve(WEB);
    try {
      if (url.isPresent()) {
        Files.writeString(file, url.get());
      } else {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new StateException("The file " + file + " cannot be written (" + e + ").", e);
    }
  }

  /**
   * An empty directory for a pipeline's private files; what an earlier run left there is deleted.
   *
   * @param pipelineId id of the pipeline
   * @return the directory
   * @throws StateException if it cannot be emptied or created
   */
  public Path emptySpoolOf(String pipelineId) {
    Path spool = directory.resolve("spool").resolve(fileName(pipelineId));
    try {
      PrivateFiles.emptyDirectory(spool);
      return spool;
    } catch (IOException e) {
      throw new StateException(
          "The directory " + spool + " cannot be emptied (" + e + "). Delete it.", e);
    }
  }

  /**
   * A file name for any id: letters, digits, dash and underscore stay, the rest is escaped.
   *
   * @param id an id
   * @return the name without its ending
   */
  public static String fileName(String id) {
    StringBuilder name = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if ((c >= '0' && c <= '9')
          || (c >= 'a' && c <= 'z')
          || c == '-'
          || c == '_'
          || (c >= 'A' && c <= 'Z')) {
        name.append(c);
      } else {
        name.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return name.toString();
  }

  /** Lets another hub use the directory. Idempotent. */
  @Override
  public void close() {
    try (channel) {
      if (channel.isOpen()) {
        lock.release();
      }
    } catch (IOException e) {
      throw new StateException("The lock of " + directory + " cannot be released (" + e + ").", e);
    }
  }
}
