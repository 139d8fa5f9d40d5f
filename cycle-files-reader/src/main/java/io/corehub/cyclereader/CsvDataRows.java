package io.corehub.cyclereader;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Rows of a CSV file, packed or not, with or without header. */
final class CsvDataRows extends DataRows {

  private static final Set<String> OPERATIONS = Set.of("I", "U", "D", "T", "X", "Y");

  private final String path;
  private final CsvLines lines;
  private final List<String> columns;
  private final List<ValueForm> forms;
  private @Nullable List<@Nullable String> ahead;
  private List<@Nullable String> current = List.of();

  private CsvDataRows(
      String path,
      CsvLines lines,
      List<String> columns,
      List<ValueForm> forms,
      @Nullable List<@Nullable String> ahead) {
    this.path = path;
    this.lines = lines;
    this.columns = columns;
    this.forms = forms;
    this.ahead = ahead;
  }

  static CsvDataRows of(TargetFiles files, TargetFile file, Optional<SchemaDoc> schema)
      throws IOException {
    CsvLines lines = new CsvLines(stream(files, file), file.path());
    try {
      List<@Nullable String> first = readable(file.path(), lines);
      if (first == null) {
        throw new CycleFormatException(file.path(), "the file is empty");
      }
      boolean header = !isRow(first);
      List<String> columns = header ? names(file.path(), first) : names(first.size(), schema);
      List<ValueForm> forms = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        int column = i;
        forms.add(
            schema
                .filter(s -> s.names().equals(columns))
                .map(s -> s.fields().get(column).form())
                .orElse(ValueForm.TEXT));
      }
      return new CsvDataRows(file.path(), lines, columns, forms, header ? null : first);
    } catch (IOException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  private static InputStream stream(TargetFiles files, TargetFile file) throws IOException {
    TargetStream bytes = new TargetStream(files, file.path());
    try {
      return new BufferedInputStream(
          file.name().endsWith(".gz") ? new GZIPInputStream(bytes, 64 << 10) : bytes, 64 << 10);
    } catch (ZipException | EOFException e) {
      throw new CycleFormatException(file.path(), "it is not whole gzip: " + e.getMessage(), e);
    }
  }

  private static boolean isRow(List<@Nullable String> values) {
    String second = values.size() < 2 ? null : values.get(1);
    String first = values.get(0);
    return first != null
        && OPERATIONS.contains(first)
        && second != null
        && RowSequence.parse(second).isPresent();
  }

  private static List<String> names(String path, List<@Nullable String> header)
      throws CycleFormatException {
    List<String> names = new ArrayList<>();
    for (String name : header) {
      if (name == null) {
        throw new CycleFormatException(path, "its header has a column without name");
      }
      names.add(name);
    }
    return names;
  }

  /** Without header: the schema's names, or numbers. */
  private static List<String> names(int count, Optional<SchemaDoc> schema) {
    if (schema.isPresent() && schema.get().fields().size() == count) {
      return schema.get().names();
    }
    List<String> names = new ArrayList<>(List.of("OPERATION_TYPE", "SORTABLE_SEQUENCE"));
    for (int i = 3; i <= count; i++) {
      names.add("column" + i);
    }
    return names;
  }

  private static @Nullable List<@Nullable String> readable(String path, CsvLines lines)
      throws IOException {
    try {
      return lines.next();
    } catch (ZipException | EOFException e) {
      throw new CycleFormatException(path, "it is not whole gzip: " + e.getMessage(), e);
    }
  }

  @Override
  List<String> columns() {
    return columns;
  }

  @Override
  boolean next() throws IOException {
    List<@Nullable String> line = ahead == null ? readable(path, lines) : ahead;
    ahead = null;
    if (line == null) {
      return false;
    }
    if (line.size() != columns.size()) {
      throw new CycleFormatException(
          path,
          "line "
              + lines.line()
              + " has "
              + line.size()
              + " values and the file "
              + columns.size()
              + " columns");
    }
    current = line;
    return true;
  }

  @Override
  Optional<String> metadata(int column) {
    return Optional.ofNullable(current.get(column));
  }

  @Override
  Optional<JsonNode> value(int column) throws CycleFormatException {
    String text = current.get(column);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(forms.get(column).of(text));
    } catch (RuntimeException e) {
      throw new CycleFormatException(
          path,
          "line "
              + lines.line()
              + ", column '"
              + columns.get(column)
              + "': '"
              + (text.length() > 60 ? text.substring(0, 60) + "…" : text)
              + "' is no value of the column's type",
          e);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
