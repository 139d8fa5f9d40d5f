package io.corehub.emulator;

import io.corehub.emulator.internal.replica.ReplicaTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table as the mirrored database shows it. Thread-safe; a table of a running emulator goes on
 * changing between two calls.
 */
public final class MirroredTable {
  private final ReplicaTable table;

  MirroredTable(ReplicaTable table) {
    this.table = table;
  }

  /** Takes the rows of a table. */
  public interface RowVisitor {
    /**
     * A row.
     *
     * @param values in the order of {@link MirroredTable#columns}, of the types that {@link
     *     CanonicalValue} lists; the array is reused for the next row
     */
    void row(@Nullable Object[] values) throws IOException;
  }

  /** The name as change-stream files write it: {@code schema.name}, dots inside names escaped. */
  public String name() {
    return table.name().text();
  }

  /** Column names in order of their first appearance. */
  public List<String> columns() {
    return table.columns();
  }

  /** Names of the key columns; empty when none is declared. */
  public List<String> keyColumns() {
    return table.keyColumns();
  }

  public long rowCount() {
    return table.rowCount();
  }

  /** Why no further file is applied, if so: code, file and reason. */
  public Optional<String> problem() {
    return table.problem().map(problem -> problem.code() + ": " + problem.message());
  }

  /** The {@link RowChecksum} of all rows. */
  public RowChecksum checksum() {
    RowChecksum checksum = new RowChecksum();
    try {
      List<String> columns = table.columns();
      table.forEachRow(values -> checksum.add(columns, values));
    } catch (IOException e) {
      throw new IllegalStateException("rows in memory need no I/O", e);
    }
    return checksum;
  }

  /** Visits every row, in the order in which the rows were last written. */
  public void forEachRow(RowVisitor visitor) throws IOException {
    table.forEachRow(visitor::row);
  }

  /** Appends every row as one JSON object per line: {@code {"column":value,…}}. */
  public void writeJsonRows(Appendable out) throws IOException {
    writeJson("", "", out);
  }

  /** Appends every row as one line {@code {"table":NAME,"row":{…}}}. */
  public void writeJsonRowsWithTable(Appendable out) throws IOException {
    StringBuilder prefix = new StringBuilder("{\"table\":");
    CanonicalValue.appendQuoted(prefix, name());
    writeJson(prefix.append(",\"row\":").toString(), "}", out);
  }

  /**
   * Appends a line of column names and one line per row, as RFC 4180 says but with bare line feeds:
   * NULL is an empty field, an empty text is {@code ""}.
   */
  public void writeCsv(Appendable out) throws IOException {
    List<String> columns = table.columns();
    StringBuilder line = new StringBuilder();
    for (String column : columns) {
      line.append(line.length() == 0 ? "" : ",");
      appendCsv(line, column);
    }
    out.append(line.append('\n'));
    table.forEachRow(
        values -> {
          line.setLength(0);
          for (int i = 0; i < values.length; i++) {
            line.append(i == 0 ? "" : ",");
            @Nullable Object value = CanonicalValue.of(values[i]);
            if (value != null) {
              appendCsv(line, value.toString());
            }
          }
          out.append(line.append('\n'));
        });
  }

  private void writeJson(String prefix, String suffix, Appendable out) throws IOException {
    List<String> columns = table.columns();
    StringBuilder line = new StringBuilder();
    table.forEachRow(
        values -> {
          line.setLength(0);
          line.append(prefix).append('{');
          for (int i = 0; i < values.length; i++) {
            line.append(i == 0 ? "" : ",");
            CanonicalValue.appendQuoted(line, columns.get(i));
            line.append(':');
            CanonicalValue.appendJson(line, CanonicalValue.of(values[i]));
          }
          out.append(line.append('}').append(suffix).append('\n'));
        });
  }

  private static void appendCsv(StringBuilder line, String text) {
    boolean quote = text.isEmpty();
    for (int i = 0; i < text.length() && !quote; i++) {
      char c = text.charAt(i);
      quote = c == ',' || c == '"' || c == '\n' || c == '\r';
    }
    if (quote) {
      line.append('"').append(text.replace("\"", "\"\"")).append('"');
    } else {
      line.append(text);
    }
  }
}
