package io.corehub.emulator.internal.replica;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a table folder's {@code _metadata.json} declares. Immutable.
 *
 * @param keyColumns empty when the table has no key
 * @param upsertByDefault whether rows of files without a marker are upserts
 * @param byLastUpdate whether files come in the order of their last change instead of their numbers
 */
record TableMetadata(List<String> keyColumns, boolean upsertByDefault, boolean byLastUpdate) {
  static final TableMetadata NONE = new TableMetadata(List.of(), false, false);

  private static final ObjectMapper JSON = new ObjectMapper();

  TableMetadata {
    keyColumns = List.copyOf(keyColumns);
  }

  static TableMetadata parse(byte[] content) throws IOException {
    JsonNode json;
    try {
      json = JSON.readTree(content);
    } catch (JsonProcessingException e) {
      throw invalid("it is not JSON: " + e.getOriginalMessage());
    }
    if (!json.isObject()) {
      throw invalid("it must hold one JSON object");
    }
    String format = json.path("FileFormat").asText(json.path("fileFormat").asText("parquet"));
    if (!format.equalsIgnoreCase("parquet") || json.has("SchemaDefinition")) {
      throw invalid("this emulator applies Parquet files only, not " + format);
    }
    String strategy = json.path("fileDetectionStrategy").asText("SequentialFileName");
    if (!strategy.equals("SequentialFileName") && !strategy.equals("LastUpdateTimeFileDetection")) {
      throw invalid("fileDetectionStrategy '" + strategy + "' is unknown");
    }
    return new TableMetadata(
        keyColumns(json.has("keyColumns") ? json.get("keyColumns") : json.path("KeyColumns")),
        json.path("isUpsertDefaultRowMarker")
            .asText("false")
            .toLowerCase(Locale.ROOT)
            .equals("true"),
        strategy.equals("LastUpdateTimeFileDetection"));
  }

  private static List<String> keyColumns(JsonNode json) throws IOException {
    List<String> names = new ArrayList<>();
    if (json.isMissingNode() || json.isNull()) {
      return names;
    }
    if (!json.isArray()) {
      throw invalid("keyColumns must be an array of names");
    }
    for (JsonNode name : json) {
      if (!name.isTextual()) {
        throw invalid("keyColumns must be an array of names");
      }
      names.add(name.asText());
    }
    return names;
  }

  private static TableFailedException invalid(String why) {
    return new TableFailedException(
        "InvalidMetadata", "_metadata.json cannot be used: " + why + ".");
  }
}
