package io.corehub.cyclereader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a schema file says. Immutable.
 *
 * @param path of the file
 * @param table the table, if told
 * @param version the schema version, if told
 * @param fields columns of the data files, in order
 */
record SchemaDoc(
    String path, Optional<String> table, Optional<Integer> version, List<Field> fields) {

  private static final int MOST_BYTES = 64 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Takes a copy. */
  SchemaDoc {
    fields = List.copyOf(fields);
  }

  /**
   * A column.
   *
   * @param name its name in the files
   * @param metadata whether it is no column of the table
   * @param oldValueOf the column whose old value it holds
   * @param form how its values are read
   * @param json whether its text is JSON
   */
  record Field(
      String name, boolean metadata, Optional<String> oldValueOf, ValueForm form, boolean json) {}

  /**
   * Reads a file.
   *
   * @throws CycleFormatException if it is no schema file
   */
  static SchemaDoc read(TargetFiles files, String path) throws IOException {
    JsonNode record = parse(path, TargetStream.whole(files, path, MOST_BYTES));
    if (!record.path("type").asText().equals("record") || !record.path("fields").isArray()) {
      throw new CycleFormatException(path, "it is no Avro record");
    }
    List<Field> fields = new ArrayList<>();
    for (JsonNode field : record.get("fields")) {
      fields.add(field(path, field));
    }
    return new SchemaDoc(
        path,
        text(record, "table"),
        record.path("schemaVersion").isInt()
            ? Optional.of(record.get("schemaVersion").intValue())
            : Optional.empty(),
        fields);
  }

  private static JsonNode parse(String path, byte[] bytes) throws CycleFormatException {
    try {
      JsonNode json = MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
      if (json != null && json.isObject()) {
        return json;
      }
      throw new CycleFormatException(path, "it is no JSON object");
    } catch (JsonProcessingException e) {
      throw new CycleFormatException(path, "it is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static Field field(String path, JsonNode field) throws CycleFormatException {
    Optional<String> name = text(field, "columnName").or(() -> text(field, "name"));
    if (name.isEmpty()) {
      throw new CycleFormatException(path, "it has a field without name");
    }
    boolean metadata = field.has("role");
    Optional<String> source = text(field, "sourceType");
    Optional<String> target = text(field, "targetType");
    try {
      return new Field(
          name.get(),
          metadata,
          text(field, "beforeImageOf"),
          source.isPresent() ? ValueForm.of(source.get(), target) : ValueForm.TEXT,
          target.isEmpty() && source.filter(s -> s.equals("ARRAY") || s.equals("MAP")).isPresent());
    } catch (IllegalArgumentException e) {
      throw new CycleFormatException(
          path, "the type of field '" + name.get() + "' is not known", e);
    }
  }

  private static Optional<String> text(JsonNode json, String field) {
    return Optional.ofNullable(json.get(field))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue);
  }

  List<String> names() {
    return fields.stream().map(Field::name).toList();
  }
}
