package io.corehub.onelake;

import java.time.Instant;

/**
 * What the server tells about one file or directory. Immutable.
 *
 * @param directory whether it is a directory
 * @param length committed length in bytes; 0 for a directory
 * @param lastModified to the second
 * @param etag changes with every write; empty when the server did not tell one
 */
public record PathProperties(boolean directory, long length, Instant lastModified, String etag) {}
