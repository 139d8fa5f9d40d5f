package io.corehub.testkit;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row as a reader sees it: the text of each cell by column name. Immutable.
 *
 * <p>A NULL cell is left out, so a row written before a column was added equals the row with NULL
 * in it.
 *
 * @param cells text of the cells that hold a value, in the forms of {@link CellText}
 */
public record Row(Map<String, String> cells) {

  /** Copies the cells. */
  public Row {
    cells = Collections.unmodifiableMap(new TreeMap<>(cells));
  }

  /**
   * The cells of some columns.
   *
   * @param columns column names
   * @return their texts in the same order, {@code "NULL"} with a leading NUL character for NULL
   */
  public List<String> key(List<String> columns) {
    return columns.stream().map(name -> cells.getOrDefault(name, "\0NULL")).toList();
  }

  @Override
  public String toString() {
    return cells.toString();
  }
}
