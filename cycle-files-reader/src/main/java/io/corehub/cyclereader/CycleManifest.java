package io.corehub.cyclereader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a manifest says. Immutable.
 *
 * @param path of the file
 * @param job identity of the job
 * @param timeline identity of the history its orders belong to
 * @param cycle name of the cycle
 * @param previous the completed cycle before it
 * @param order order of the last commit, 20 digits
 * @param reason why the cycle ended
 * @param startTime when it opened, as written
 * @param endTime when it ended, as written
 * @param rollback whether it is the first after an accepted rollback
 * @param tables states by table
 * @param files data files by path
 */
record CycleManifest(
    String path,
    String job,
    String timeline,
    String cycle,
    Optional<String> previous,
    String order,
    String reason,
    String startTime,
    String endTime,
    boolean rollback,
    Map<String, State> tables,
    Map<String, Entry> files) {

  private static final int MOST_BYTES = 256 << 20;
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  /**
   * Where a table stands after the cycle.
   *
   * @param appliedOrder 20 digits
   */
  record State(int incarnation, int schemaVersion, int phase, String appliedOrder) {}

  /** A data file. */
  record Entry(
      String table,
      int schemaVersion,
      long rows,
      long bytes,
      String sha256,
      String firstSequence,
      String lastSequence) {}

  /**
   * Reads a manifest.
   *
   * @throws CycleFormatException if it is none
   */
  static CycleManifest read(TargetFiles files, String path) throws IOException {
    Fields json = new Fields(path, parse(path, TargetStream.whole(files, path, MOST_BYTES)));
    if (json.number("v") != 1) {
      throw new CycleFormatException(path, "its form v " + json.number("v") + " is not known");
    }
    Map<String, State> tables = new LinkedHashMap<>();
    JsonNode states = json.object("tables");
    for (Iterator<String> names = states.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      Fields state = new Fields(path, states.get(name));
      tables.put(
          name,
          new State(
              (int) state.number("incarnation"),
              (int) state.number("schemaVersion"),
              (int) state.number("phase"),
              state.order("appliedOrder")));
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (JsonNode file : json.array("files")) {
      Fields entry = new Fields(path, file);
      entries.put(
          entry.text("path"),
          new Entry(
              entry.text("table"),
              (int) entry.number("schemaVersion"),
              entry.number("rows"),
              entry.number("bytes"),
              entry.text("sha256"),
              entry.text("firstSequence"),
              entry.text("lastSequence")));
    }
    return new CycleManifest(
        path,
        json.text("job"),
        json.text("timeline"),
        json.text("cycle"),
        json.optional("previousCycle"),
        json.order("order"),
        json.text("reason"),
        json.text("startTime"),
        json.text("endTime"),
        json.node.path("rollback").asBoolean(false),
        tables,
        entries);
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

  /** Fields of an object that must be there. */
  private record Fields(String path, JsonNode node) {

    private JsonNode field(String name) throws CycleFormatException {
      JsonNode value = node.get(name);
      if (value == null || value.isNull()) {
        throw new CycleFormatException(path, "it lacks " + name);
      }
      return value;
    }

    String text(String name) throws CycleFormatException {
      JsonNode value = field(name);
      if (!value.isTextual()) {
        throw new CycleFormatException(path, "its " + name + " is no text");
      }
      return value.textValue();
    }

    Optional<String> optional(String name) throws CycleFormatException {
      return node.hasNonNull(name) ? Optional.of(text(name)) : Optional.empty();
    }

    long number(String name) throws CycleFormatException {
      JsonNode value = field(name);
      if (!value.isIntegralNumber() || !value.canConvertToLong()) {
        throw new CycleFormatException(path, "its " + name + " is no whole number");
      }
      return value.longValue();
    }

    String order(String name) throws CycleFormatException {
      String text = text(name);
      try {
        String digits = Long.toUnsignedString(Long.parseUnsignedLong(text));
        return "0".repeat(20 - digits.length()) + digits;
      } catch (NumberFormatException e) {
        throw new CycleFormatException(path, "its " + name + " '" + text + "' is no order", e);
      }
    }

    JsonNode object(String name) throws CycleFormatException {
      JsonNode value = field(name);
      if (!value.isObject()) {
        throw new CycleFormatException(path, "its " + name + " is no object");
      }
      return value;
    }

    JsonNode array(String name) throws CycleFormatException {
      JsonNode value = field(name);
      if (!value.isArray()) {
        throw new CycleFormatException(path, "its " + name + " is no list");
      }
      return value;
    }
  }
}
