package io.corehub.emulator.internal.replica;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The columns of a mirrored table, in order of their first appearance. Immutable. */
record ReplicaSchema(List<ReplicaColumn> columns) {
  static final ReplicaSchema EMPTY = new ReplicaSchema(List.of());

  ReplicaSchema {
    columns = List.copyOf(columns);
  }

  /** The position of a column, or -1. */
  int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * This schema after a file with these columns: new ones are added at the end, known ones must be
   * what they were, missing ones must be nullable.
   *
   * @throws TableFailedException with Fabric's word for it, SchemaMergeFailure
   */
  ReplicaSchema merge(List<ReplicaColumn> file) throws TableFailedException {
    List<ReplicaColumn> merged = new ArrayList<>(columns);
    for (ReplicaColumn incoming : file) {
      int index = indexOf(incoming.name());
      if (index < 0) {
        if (!columns.isEmpty() && !incoming.nullable()) {
          throw failure("new column '" + incoming.name() + "' must be nullable");
        }
        merged.add(incoming);
        continue;
      }
      ReplicaColumn existing = columns.get(index);
      if (!existing.sameType(incoming) || existing.nullable() != incoming.nullable()) {
        throw failure(
            "column '"
                + incoming.name()
                + "': incoming "
                + incoming.describeType()
                + ", existing "
                + existing.describeType());
      }
    }
    Set<String> present = new HashSet<>();
    for (ReplicaColumn incoming : file) {
      present.add(incoming.name());
    }
    for (ReplicaColumn existing : columns) {
      if (!existing.nullable() && !present.contains(existing.name())) {
        throw failure("column '" + existing.name() + "' is not nullable and missing in the file");
      }
    }
    Set<String> folded = new HashSet<>();
    for (ReplicaColumn column : merged) {
      if (!folded.add(column.name().toLowerCase(Locale.ROOT))) {
        throw failure("column '" + column.name() + "' differs from another one only by case");
      }
    }
    return new ReplicaSchema(merged);
  }

  private static TableFailedException failure(String what) {
    return new TableFailedException("SchemaMergeFailure", "Schemas do not merge: " + what + ".");
  }
}
