package io.corehub.verify;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a table folder's {@code _metadata.json} declares. Immutable.
 *
 * @param keyColumns empty when the table has no key, absent when the file cannot be understood
 * @param upsertByDefault whether rows without a marker are upserts
 * @param byTime whether files come by time of change instead of by number
 * @param delimited whether the table is delimited text
 */
record TableMetadata(
    Optional<List<String>> keyColumns, boolean upsertByDefault, boolean byTime, boolean delimited) {

  static final TableMetadata NONE = new TableMetadata(Optional.of(List.of()), false, false, false);

  private static final TableMetadata UNKNOWN =
      new TableMetadata(Optional.empty(), false, false, false);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final int MAX_BYTES = 1 << 20;
  private static final Set<String> KNOWN =
      Set.of(
          "keyColumns",
          "KeyColumns",
          "fileDetectionStrategy",
          "isUpsertDefaultRowMarker",
          "SchemaDefinition",
          "FileFormat",
          "fileFormat",
          "FileExtension",
          "FileFormatTypeProperties");

  /** Reads and judges the file. */
  static TableMetadata read(TargetFiles files, TargetFile file, Findings findings)
      throws IOException, InterruptedException {
    byte[] content = files.read(file.path(), 0, MAX_BYTES);
    JsonNode json;
    try {
      json = JSON.readTree(content);
    } catch (IOException e) {
      return unreadable(file, findings, "it is not JSON: " + JsonTrouble.of(e));
    }
    if (!json.isObject()) {
      return unreadable(file, findings, "it must hold one JSON object");
    }
    return new Reading(json, file.path(), findings).metadata();
  }

  private static TableMetadata unreadable(TargetFile file, Findings findings, String why) {
    findings.add(
        Rule.METADATA_UNREADABLE,
        file.path(),
        "It cannot be used: " + why + ". Repair it; the table's key is not known until then.");
    return UNKNOWN;
  }

  private record Reading(JsonNode json, String path, Findings findings) {

    TableMetadata metadata() {
      for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!KNOWN.contains(name)) {
          findings.add(
              Rule.METADATA_PROPERTY,
              path,
              "The contract knows no property '" + name + "'. Remove it or correct its name.");
        }
      }
      Optional<List<String>> keys = keys();
      String format = json.path("FileFormat").asText(json.path("fileFormat").asText("parquet"));
      boolean delimited = !format.equalsIgnoreCase("parquet") || json.has("SchemaDefinition");
      if (delimited) {
        findings.add(
            Rule.DELIMITED_TEXT,
            path,
            "The table is declared as delimited text. Its files are not judged.");
      }
      return new TableMetadata(keys, upsertByDefault(keys), byTime(), delimited);
    }

    private Optional<List<String>> keys() {
      if (json.has("keyColumns") && json.has("KeyColumns")) {
        boolean same = json.get("keyColumns").equals(json.get("KeyColumns"));
        findings.add(
            same ? Rule.KEYS_SAID_TWICE : Rule.KEYS_TWO_SPELLINGS,
            path,
            "keyColumns is "
                + json.get("keyColumns")
                + ", KeyColumns is "
                + json.get("KeyColumns")
                + ". Keep keyColumns alone.");
      }
      JsonNode declared = json.has("keyColumns") ? json.get("keyColumns") : json.get("KeyColumns");
      if (declared == null) {
        return Optional.of(List.of());
      }
      List<String> names = new ArrayList<>();
      boolean good = declared.isArray();
      for (JsonNode name : declared) {
        good &= name.isTextual() && !name.asText().isEmpty();
        names.add(name.asText());
      }
      if (!good) {
        findings.add(
            Rule.KEYS_MALFORMED,
            path,
            "keyColumns is " + declared + ", must be a list of column names such as [\"id\"].");
        return Optional.empty();
      }
      if (names.isEmpty()) {
        findings.add(
            Rule.KEYS_EMPTY,
            path,
            "keyColumns is empty. Name the key, or leave keyColumns out for a table without one.");
      }
      Set<String> seen = new HashSet<>();
      for (String name : names) {
        if (!seen.add(TableName.fold(name))) {
          findings.add(Rule.KEYS_DUPLICATE, path, "keyColumns names '" + name + "' twice.");
        }
      }
      return Optional.of(names);
    }

    private boolean upsertByDefault(Optional<List<String>> keys) {
      JsonNode declared = json.path("isUpsertDefaultRowMarker");
      if (declared.isMissingNode()) {
        return false;
      }
      String text = declared.asText();
      if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
        findings.add(
            Rule.UPSERT_DEFAULT,
            path,
            "isUpsertDefaultRowMarker is " + declared + ", must be true or false.");
        return false;
      }
      boolean set = text.equalsIgnoreCase("true");
      if (set && keys.isPresent() && keys.get().isEmpty()) {
        findings.add(
            Rule.UPSERT_DEFAULT,
            path,
            "isUpsertDefaultRowMarker is true, but keyColumns names no key to find rows by.");
      }
      return set;
    }

    private boolean byTime() {
      String strategy = json.path("fileDetectionStrategy").asText("SequentialFileName");
      if (strategy.equals("LastUpdateTimeFileDetection")) {
        findings.add(
            Rule.DETECTION_BY_TIME,
            path,
            "fileDetectionStrategy is LastUpdateTimeFileDetection: names and gaps are not judged,"
                + " and nothing tells whether a file is lost or late.");
        return true;
      }
      if (!strategy.equals("SequentialFileName")) {
        findings.add(
            Rule.DETECTION_UNKNOWN,
            path,
            "fileDetectionStrategy '"
                + strategy
                + "' is unknown. Use SequentialFileName or LastUpdateTimeFileDetection.");
      }
      return false;
    }
  }
}
