package io.corehub.cycles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TargetType;
import io.corehub.parquet.ParquetType;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The schema of a table's data files of one version, as an Avro record: a field for each column, in
 * their order. Properties beside Avro's own: {@code table}, {@code schemaVersion} and {@code
 * keyColumns} of the record; {@code role}, {@code sourceType}, {@code targetType}, {@code key},
 * {@code beforeImageOf} and, where an Avro name cannot be the column's, {@code columnName} of a
 * field. Pure.
 */
final class SchemaFile {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SchemaFile() {}

  /**
   * The text of a schema file: of {@link CycleLayout#schemaFile} and {@link CycleLayout#avroFile}
   * alike.
   *
   * @param shape the columns
   * @param version the schema version
   * @return JSON, UTF-8, with a final LF
   */
  static byte[] bytes(TableShape shape, int version) {
    TableId table = shape.table().table();
    ObjectNode record = MAPPER.createObjectNode();
    record.put("type", "record");
    record.put("name", avroName(table.name()));
    table.schema().ifPresent(schema -> record.put("namespace", avroName(schema)));
    record.put("table", table.toString());
    record.put("schemaVersion", version);
    ArrayNode keys = record.putArray("keyColumns");
    shape.table().keyColumns().forEach(keys::add);
    ArrayNode fields = record.putArray("fields");
    Set<String> taken = new HashSet<>();
    for (ShapeColumn column : shape.all()) {
      put(fields.addObject(), column, shape, taken);
    }
    return print(record);
  }

  private static byte[] print(ObjectNode record) {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentArraysWith(lines);
    printer.indentObjectsWith(lines);
    try {
      String json = MAPPER.writer(printer).writeValueAsString(record);
      return (json + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Texts and numbers can be written as JSON", e);
    }
  }

  private static void put(
      ObjectNode field, ShapeColumn column, TableShape shape, Set<String> taken) {
    String name = free(avroName(column.name()), taken);
    field.put("name", name);
    if (!name.equals(column.name())) {
      field.put("columnName", column.name());
    }
    switch (column.role()) {
      case OPERATION_TYPE, SORTABLE_SEQUENCE -> field.put("type", "string");
      case OPERATION_TIME, OPERATION_OWNER, TRANSACTION_ID, DATA, OLD_VALUE -> {
        ArrayNode union = field.putArray("type");
        union.add("null");
        addType(union, column);
        field.putNull("default");
      }
    }
    Column source = column.source().orElse(null);
    if (source == null) {
      field.put("role", role(column.role()));
      return;
    }
    field.put("sourceType", source.type().toString());
    source.targetType().map(TargetType::toString).ifPresent(t -> field.put("targetType", t));
    if (column.role() == ShapeColumn.Role.OLD_VALUE) {
      field.put("beforeImageOf", source.name());
    } else if (shape.table().keyColumns().contains(source.name())) {
      field.put("key", true);
    }
  }

  private static String role(ShapeColumn.Role role) {
    return switch (role) {
      case OPERATION_TYPE -> "operationType";
      case SORTABLE_SEQUENCE -> "sortableSequence";
      case OPERATION_TIME -> "operationTime";
      case OPERATION_OWNER -> "operationOwner";
      case TRANSACTION_ID -> "transactionId";
      case DATA, OLD_VALUE -> throw new IllegalArgumentException(role + " has a source");
    };
  }

  private static void addType(ArrayNode union, ShapeColumn column) {
    ParquetType type = column.type();
    switch (type.kind()) {
      case BOOLEAN -> union.add("boolean");
      case INT32 -> union.add("int");
      case INT64 -> union.add("long");
      case FLOAT -> union.add("float");
      case DOUBLE -> union.add("double");
      case STRING -> union.add("string");
      case BINARY -> union.add("bytes");
      case DATE -> logical(union, "int", "date");
      case TIME_MICROS, TIME_MICROS_UTC -> logical(union, "long", "time-micros");
      case TIMESTAMP_MICROS -> logical(union, "long", "local-timestamp-micros");
      case TIMESTAMP_MICROS_UTC -> logical(union, "long", "timestamp-micros");
      case DECIMAL ->
          logical(union, "bytes", "decimal")
              .put("precision", type.precision())
              .put("scale", type.scale());
    }
  }

  private static ObjectNode logical(ArrayNode union, String type, String logicalType) {
    return union.addObject().put("type", type).put("logicalType", logicalType);
  }

  /** A name of Avro's letters, digits and underscores. */
  private static String avroName(String name) {
    StringBuilder avro = new StringBuilder();
    name.chars()
        .forEach(
            c -> {
              boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
              boolean digit = c >= '0' && c <= '9';
              if (digit && avro.length() == 0) {
                avro.append('_');
              }
              avro.append(letter || digit ? (char) c : '_');
            });
    return avro.toString();
  }

  private static String free(String wanted, Set<String> taken) {
    String name = wanted;
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = wanted + "_" + i;
    }
    return name;
  }

  /**
   * The text of a {@code schema.ini}: of {@link CycleLayout#schemaIni}. Describes CSV files only.
   *
   * @param shape the columns
   * @param csvHeader whether the files begin with names
   * @return UTF-8, with CR LF behind each line as readers of such files expect
   */
  static byte[] ini(TableShape shape, boolean csvHeader) {
    StringBuilder text = new StringBuilder();
    String table = PathSegment.of(shape.table().table().name());
    text.append('[').append(table).append("]\r\n");
    text.append("ColNameHeader=").append(csvHeader ? "True" : "False").append("\r\n");
    text.append("Format=CSVDelimited\r\n");
    text.append("CharacterSet=UTF-8\r\n");
    int number = 1;
    for (ShapeColumn column : shape.all()) {
      text.append("Col").append(number++).append("=\"");
      text.append(column.name().replace("\"", "\"\"").replaceAll("\\R", " "));
      text.append("\" ").append(iniType(column)).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String iniType(ShapeColumn column) {
    ColumnType.Kind source =
        column.source().map(c -> c.type().kind()).orElse(ColumnType.Kind.STRING);
    return switch (column.type().kind()) {
      case BOOLEAN -> "Bit";
      case INT32 -> source == ColumnType.Kind.SHORT ? "Short" : "Long";
      case FLOAT -> "Single";
      case DOUBLE -> "Double";
      case DATE, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC -> "DateTime";
      case DECIMAL -> "Decimal";
      case INT64, STRING, BINARY, TIME_MICROS, TIME_MICROS_UTC -> "Text";
    };
  }
}
