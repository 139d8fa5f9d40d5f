package io.corehub.agent;

import java.util.Objects;

/**
 * The beginning of a snapshot of one table. Immutable.
 *
 * @param id name of this snapshot, unique for the table
 * @param consistentAt position the rows are consistent at: the snapshot holds every commit up to it
 *     and none after it
 */
public record SnapshotStart(String id, SourcePosition consistentAt) {

  /** Checks the parts. */
  public SnapshotStart {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(consistentAt, "consistentAt");
  }
}
