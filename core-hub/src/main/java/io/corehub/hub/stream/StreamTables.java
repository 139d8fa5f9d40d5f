package io.corehub.hub.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceSink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables declared so far. Confined to one caller. */
final class StreamTables {

  private static final Set<String> COLUMN_FIELDS =
      Set.of("name", "type", "nullable", "precision", "scale", "targetType");

  private final Map<String, StreamTable> byText = new HashMap<>();
  private final SourceSink sink;

  StreamTables(SourceSink sink) {
    this.sink = sink;
  }

  Collection<StreamTable> all() {
    return byText.values();
  }

  /** A declared table, by the text that names it. */
  StreamTable named(String text) throws MalformedException {
    StreamTable table = byText.get(text);
    if (table == null) {
      throw new MalformedException(
          "table '"
              + Shown.of(text)
              + "' was not declared before"
              + Nearest.of(text, byText.keySet())
                  .map(n -> "; did you mean '" + Shown.of(n) + "'?")
                  .orElse(""));
    }
    return table;
  }

  /** Takes a {@code table} line. */
  void declare(JsonNode line) throws MalformedException, InterruptedException {
    TableSchema shape = schema(line);
    String text = shape.table().toString();
    DeclaredTable answer = sink.declare(shape);
    StreamTable known = byText.get(text);
    if (known == null) {
      byText.put(text, new StreamTable(shape, answer));
    } else {
      known.redeclare(shape, answer);
    }
  }

  private static TableSchema schema(JsonNode line) throws MalformedException {
    try {
      TableId id = TableId.parse(LineFields.string(line, "table"));
      JsonNode columnNodes = line.get("columns");
      if (columnNodes == null || !columnNodes.isArray() || columnNodes.isEmpty()) {
        throw new MalformedException("'columns' must be a list of at least one column");
      }
      List<Column> columns = new ArrayList<>();
      for (JsonNode column : columnNodes) {
        columns.add(column(column));
      }
      return new TableSchema(id, columns, primaryKey(line), 1);
    } catch (IllegalArgumentException e) {
      throw new MalformedException(Shown.message(String.valueOf(e.getMessage())));
    }
  }

  private static List<String> primaryKey(JsonNode line) throws MalformedException {
    List<String> key = new ArrayList<>();
    JsonNode names = line.get("primaryKey");
    if (names != null && !names.isNull()) {
      if (!names.isArray()) {
        throw new MalformedException("'primaryKey' must be a list of column names");
      }
      for (JsonNode name : names) {
        if (!name.isTextual()) {
          throw new MalformedException("'primaryKey' must be a list of column names");
        }
        key.add(name.textValue());
      }
    }
    return key;
  }

  private static Column column(JsonNode node) throws MalformedException {
    if (!node.isObject()) {
      throw new MalformedException("each of 'columns' must be an object");
    }
    LineFields.allowOnly(node, COLUMN_FIELDS);
    String name = LineFields.string(node, "name");
    int precision = LineFields.whole(node, "precision", 0);
    int scale = LineFields.whole(node, "scale", 0);
    ColumnType type =
        new ColumnType(ColumnType.kindNamed(LineFields.string(node, "type")), precision, scale);
    JsonNode target = node.get("targetType");
    Optional<TargetType> targetType =
        target == null || target.isNull()
            ? Optional.empty()
            : Optional.of(TargetType.parse(LineFields.string(node, "targetType")));
    return new Column(name, type, LineFields.flag(node, "nullable", true), targetType);
  }
}
