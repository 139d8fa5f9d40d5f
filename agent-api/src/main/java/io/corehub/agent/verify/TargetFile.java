package io.corehub.agent.verify;

import java.time.Instant;
import java.util.Objects;

/**
 * A file or directory of a target. Immutable.
 *
 * @param path segments below the target's root, joined by {@code /}; neither leading nor trailing
 *     slash
 * @param directory whether it is a directory
 * @param length in bytes; 0 for a directory
 * @param lastModified last change of its content
 * @param etag changes with every write; empty when the target tells none
 */
public record TargetFile(
    String path, boolean directory, long length, Instant lastModified, String etag) {

  /** Checks the parts. */
  public TargetFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(lastModified, "lastModified");
    Objects.requireNonNull(etag, "etag");
  }

  /**
   * The last segment of the path.
   *
   * @return the name
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
