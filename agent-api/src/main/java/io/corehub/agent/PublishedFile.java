package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.util.Objects;

/**
 * A file that stands in the target. Immutable.
 *
 * @param table its table
 * @param kind what it holds
 * @param name its name in the table's folder
 * @param rows rows in it, those of deletes included
 * @param bytes its length
 * @param position where its snapshot is consistent; for changes, a commit that it holds rows of
 */
public record PublishedFile(
    TableId table, Kind kind, String name, long rows, long bytes, SourcePosition position) {

  /** What a file holds. */
  public enum Kind {
    /** Rows of a snapshot. */
    SNAPSHOT,
    /** Rows of changes. */
    CHANGES
  }

  /** Checks the parts. */
  public PublishedFile {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(position, "position");
    if (rows < 0 || bytes < 0) {
      throw new IllegalArgumentException(name + ": rows and bytes are not negative");
    }
  }
}
