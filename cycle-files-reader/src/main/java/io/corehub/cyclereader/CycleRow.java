package io.corehub.cyclereader;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import java.util.Optional;

/**
 * A row of a data file. Values are in the form of change-stream files where the schema of the file
 * is known, otherwise text.
 *
 * @param cycle name of the cycle, without {@code dt=}
 * @param table name of the table, as the contents file has it
 * @param operation I, U, D, T, X or Y
 * @param sequence 32 or 52 digits
 * @param schemaVersion version of the row
 * @param row the table's columns; empty for T
 * @param before the old values, for U only
 */
public record CycleRow(
    String cycle,
    String table,
    String operation,
    String sequence,
    int schemaVersion,
    Optional<ObjectNode> row,
    Optional<ObjectNode> before) {

  /** Checks the parts. */
  public CycleRow {
    Objects.requireNonNull(cycle, "cycle");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(before, "before");
  }

  /**
   * The row as {@code hub read-cycles} prints it.
   *
   * @return an object with {@code cycle}, {@code table}, {@code op}, {@code sequence}, {@code
   *     schemaVersion}, {@code row} and {@code before}, the last two null where there is none
   */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cycle", cycle);
    json.put("table", table);
    json.put("op", operation);
    json.put("sequence", sequence);
    json.put("schemaVersion", schemaVersion);
    json.set("row", row.orElse(null));
    json.set("before", before.orElse(null));
    return json;
  }
}
