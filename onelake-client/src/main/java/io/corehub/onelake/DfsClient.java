package io.corehub.onelake;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests this project sends to OneLake, each as a single attempt with a time limit.
 * Thread-safe.
 *
 * <p>A path is written with {@code /} between its decoded segments and is relative to the item of
 * the connection's URL ({@code Files/LandingZone/Orders}); for a file system without items it is
 * relative to the file system. It has neither a leading nor a trailing slash, no empty segment, no
 * {@code .} or {@code ..} and no control character; everything else, {@code %}, {@code +}, {@code
 * #}, {@code \}, spaces and non-ASCII included, is encoded on the wire.
 *
 * <p>Nothing is repeated here, but for one thing: a request answered by 401 is sent once more with
 * a fresh token. Every failure is a {@link DfsException}; after one with {@link
 * DfsException#outcomeUnknown()} the request may or may not have been carried out, or may still be.
 * The same holds when a method throws {@link InterruptedException}.
 */
public interface DfsClient extends AutoCloseable {

  /**
   * The properties of a file or directory, or empty when there is none at this path. A missing
   * workspace or item is a failure, not an empty answer.
   */
  Optional<PathProperties> head(String path) throws InterruptedException;

  /**
   * Tells every entry of a directory, in the server's order, following all pages. An empty path
   * lists the file system or item itself, which OneLake refuses.
   *
   * @param recursive whether entries of sub-directories are told as well
   * @throws DfsException of kind {@link DfsException.Kind#NOT_FOUND} when the directory does not
   *     exist; entries of earlier pages may have been told when a later page fails
   */
  void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException;

  /**
   * Creates an empty file; missing parent directories appear with it.
   *
   * @param ifAbsent when set, an existing path is left alone and reported as {@link
   *     DfsException.Kind#ALREADY_EXISTS}; otherwise an existing file is replaced by an empty one
   */
  void create(String path, boolean ifAbsent) throws InterruptedException;

  /** Creates a directory with its parents. An existing directory is left as it is. */
  void createDirectory(String path) throws InterruptedException;

  /**
   * Appends the remaining bytes of a buffer at a position of the file. The bytes become part of the
   * file only with a flush. Sending the same bytes at the same position again is harmless until
   * they are flushed.
   *
   * @param bytes read from position to limit through a view: the buffer's own position does not
   *     move. Its content must not change until the method returned
   */
  void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException;

  /**
   * Makes all appended bytes part of the file.
   *
   * @param length the length of the file after the flush, in bytes
   * @param close whether this is the last flush: the storage event then says that the file is
   *     complete
   * @throws DfsException of kind {@link DfsException.Kind#INVALID_FLUSH_POSITION} when the bytes
   *     there do not add up to {@code length}
   */
  void flush(String path, long length, boolean close) throws InterruptedException;

  /**
   * Moves a file to a path that must not exist yet, in one atomic step.
   *
   * <p>Of its failures only those with {@code outcomeUnknown() == false} mean that nothing was
   * moved; after all others, {@code ALREADY_EXISTS} and {@code SOURCE_NOT_FOUND} among them, look
   * at the destination.
   *
   * @return the file's etag at its new path; empty when the server did not tell one
   */
  String renameIfAbsent(String from, String to) throws InterruptedException;

  /**
   * Reads a range of a file.
   *
   * @param offset of the first byte
   * @param length the number of bytes wanted, at most {@link #MAX_READ_BYTES}
   * @return the bytes from {@code offset} on; fewer than {@code length} when the file ends before,
   *     none when it ends at or before {@code offset}
   * @throws DfsException of kind {@link DfsException.Kind#NOT_FOUND} when there is no such file
   */
  byte[] read(String path, long offset, int length) throws InterruptedException;

  /**
   * Deletes a file or directory.
   *
   * @param recursive whether a directory goes with all it holds; without it a directory that holds
   *     something is refused
   * @throws DfsException of kind {@link DfsException.Kind#NOT_FOUND} when there is nothing to
   *     delete
   */
  void delete(String path, boolean recursive) throws InterruptedException;

  /**
   * Deletes a file, or a directory with all it holds, provided that it still is the one that was
   * looked at: a request that the server performs late does no harm to one made anew.
   *
   * @param etag of it, as {@link #head} told it; empty deletes whatever stands there
   * @throws DfsException of kind {@link DfsException.Kind#NOT_FOUND} when there is nothing to
   *     delete, {@link DfsException.Kind#CONDITION_NOT_MET} when it is another one
   */
  void deleteTree(String path, String etag) throws InterruptedException;

  /**
   * Ends the client: those under way end within their time limit. Later calls fail. Closing twice
   * is harmless.
   */
  @Override
  void close();

  /** The most bytes one {@link #read} may ask for. */
  int MAX_READ_BYTES = 64 << 20;
}
