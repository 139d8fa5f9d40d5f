package io.corehub.onelake;

import java.time.Instant;

/**
 * One entry of a directory listing. Immutable.
 *
 * @param path as the methods of {@link DfsClient} take it
 * @param directory whether it is a directory
 * @param length in bytes; 0 for a directory
 * @param lastModified to the second
 * @param etag changes with every write; empty when the server did not tell one
 */
public record PathEntry(
    String path, boolean directory, long length, Instant lastModified, String etag) {

  /** The last segment of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
