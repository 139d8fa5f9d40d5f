package io.corehub.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A storage in which files appear whole, under names that are given once, and are never replaced.
 * Thread-safe.
 *
 * <p>A path is written with {@code /} between its segments, without one at its ends, and is
 * relative to the store's root. Folders come with their first file. Requests that fail for a
 * passing reason are repeated inside, as the store's policy says; every other failure is a {@link
 * StoreException}.
 */
public interface ObjectStore extends AutoCloseable {

  /**
   * A file or folder.
   *
   * @param path its path
   * @param folder whether it is a folder
   * @param length bytes; 0 for a folder
   * @param lastModified about when it was written
   */
  record Entry(String path, boolean folder, long length, Instant lastModified) {

    /**
     * The last segment of the path.
     *
     * @return a name
     */
    public String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }

  /**
   * Begins a file whose bytes leave while it is written. Sends nothing yet.
   *
   * @param path where it is to appear
   * @param bytes told of the bytes on their way
   * @return takes the bytes, and publishes them through an {@link io.corehub.runtime.UploadLane}
   */
  StoreUpload upload(String path, BlockUpload.StreamedBytes bytes);

  /**
   * Writes a whole file, unless there is one already. A file of the same bytes at the path counts
   * as this one: an earlier attempt may have left it.
   *
   * @param path where it is to appear
   * @param content its bytes, at least one
   * @throws StoreException with {@link io.corehub.agent.ErrorCode#CONFLICT} if there is another one
   * @throws InterruptedException if interrupted; the file may appear all the same
   */
  void publish(String path, byte[] content) throws InterruptedException;

  /**
   * Reads a whole file.
   *
   * @param path its path
   * @param most bytes it may have
   * @return its bytes; empty if there is none
   * @throws StoreException if it is longer, or cannot be read
   * @throws InterruptedException if interrupted
   */
  Optional<byte[]> read(String path, int most) throws InterruptedException;

  /**
   * What a folder holds, temporary files included.
   *
   * @param folder its path; empty for the root
   * @param recursive whether to tell what folders below it hold, too
   * @return files and folders in no particular order; none if there is no such folder
   * @throws StoreException if it cannot be listed
   * @throws InterruptedException if interrupted
   */
  default List<Entry> list(String folder, boolean recursive) throws InterruptedException {
    return list(folder, recursive, entry -> true);
  }

  /**
   * Some of what a folder holds. Only these are kept in memory, however much the folder holds.
   *
   * @param folder its path; empty for the root
   * @param recursive whether to tell what folders below it hold, too
   * @param wanted which entries to keep; asked again about entries when a request is repeated
   * @return files and folders in no particular order; none if there is no such folder
   * @throws StoreException if it cannot be listed
   * @throws InterruptedException if interrupted
   */
  List<Entry> list(String folder, boolean recursive, Predicate<Entry> wanted)
      throws InterruptedException;

  /**
   * Deletes a file, or a folder with all it holds. Does nothing if there is none.
   *
   * @param path its path
   * @throws StoreException if it cannot be deleted
   * @throws InterruptedException if interrupted
   */
  void delete(String path) throws InterruptedException;

  /**
   * The address of a path, for people and for consumers of the files.
   *
   * @param path its path; empty for the root
   * @return such as {@code abfss://…}
   */
  String address(String path);

  /** Lets go of connections. Idempotent. */
  @Override
  void close();
}
