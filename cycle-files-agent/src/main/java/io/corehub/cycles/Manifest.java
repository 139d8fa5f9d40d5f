package io.corehub.cycles;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a cycle leaves for the next start and for a verifier: where the job stands with every table
 * after it, and its files. Immutable.
 *
 * @param job the job's identity, born with its first manifest
 * @param pipeline the pipeline that wrote it
 * @param cycle the cycle
 * @param previousCycle the completed cycle before it; empty for a job's first
 * @param position the last commit taken in; its timeline and token are the hub's
 * @param reason why the cycle ended
 * @param startTime when it opened, milliseconds
 * @param endTime when it ended, milliseconds
 * @param tables every table of the job, those without rows in the cycle included
 * @param files the data files of the cycle, in the order of tables and parts
 * @param rollback whether it is the first after a rollback of the target was accepted
 */
record Manifest(
    String job,
    String pipeline,
    CycleName cycle,
    Optional<CycleName> previousCycle,
    SourcePosition position,
    EndReason reason,
    Instant startTime,
    Instant endTime,
    Map<TableId, TableState> tables,
    List<FileEntry> files,
    boolean rollback) {

  /** Version of the form. */
  static final int VERSION = 1;

  /** Longest manifest that is read, in bytes. */
  static final int MAX_BYTES = 256 << 20;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /**
   * Where a table stands.
   *
   * @param incarnation which load, from 1
   * @param schemaVersion its latest, from 1
   * @param phase where it stands between load and changes
   * @param schemaHash fingerprint of that version
   * @param appliedOrder order of the last commit whose rows of this table are in a cycle, unsigned
   * @param load the load it goes back to; empty if it has none
   */
  record TableState(
      int incarnation,
      int schemaVersion,
      Phase phase,
      String schemaHash,
      long appliedOrder,
      Optional<Load> load) {

    /** Of a table that was never loaded. */
    TableState(
        int incarnation, int schemaVersion, Phase phase, String schemaHash, long appliedOrder) {
      this(incarnation, schemaVersion, phase, schemaHash, appliedOrder, Optional.empty());
    }
  }

  /**
   * A load of a table. Beside what a reader needs: it says what must not be loaded again.
   *
   * @param id the host's name of it; empty for one that is to come
   * @param order order of the position it is consistent at, unsigned
   * @param capturedUpTo order of the last commit captured while it ran, if there was one
   * @param backlog whether changes captured since are backlog
   */
  record Load(String id, long order, Optional<Long> capturedUpTo, boolean backlog) {}

  /**
   * A data file.
   *
   * @param path relative to the connection folder
   * @param table its table
   * @param schemaVersion version of its rows
   * @param rows how many
   * @param bytes its length
   * @param sha256 its hash in hexadecimal digits
   * @param firstSequence sequence of its first row
   * @param lastSequence sequence of its last row
   */
  record FileEntry(
      String path,
      TableId table,
      int schemaVersion,
      long rows,
      long bytes,
      String sha256,
      String firstSequence,
      String lastSequence) {

    /** The entry of a finished file. */
    static FileEntry of(DataFileFacts file) {
      return new FileEntry(
          file.path(),
          file.table(),
          file.schemaVersion(),
          file.counts().total(),
          file.bytes(),
          file.sha256(),
          file.firstSequence(),
          file.lastSequence());
    }
  }

  /** Takes copies; tables are kept in the order of their names. */
  Manifest {
    tables = java.util.Collections.unmodifiableMap(new TreeMap<>(tables));
    files = List.copyOf(files);
  }

  /** The JSON text, UTF-8, with a final LF. */
  byte[] bytes() {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("v", VERSION);
    json.put("job", job);
    json.put("pipeline", pipeline);
    json.put("cycle", cycle.toString());
    previousCycle.ifPresent(previous -> json.put("previousCycle", previous.toString()));
    json.put("timeline", position.timeline());
    json.put("order", Long.toUnsignedString(position.order()));
    json.put("token", position.token());
    json.put("reason", reason.name());
    json.put("startTime", CompletedFile.time(startTime));
    json.put("endTime", CompletedFile.time(endTime));
    ObjectNode states = json.putObject("tables");
    tables.forEach((table, state) -> put(states.putObject(table.toString()), state));
    ArrayNode entries = json.putArray("files");
    files.forEach(file -> put(entries.addObject(), file));
    if (rollback) {
      json.put("rollback", true);
    }
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ObjectNode json, TableState state) {
    json.put("incarnation", state.incarnation);
    json.put("schemaVersion", state.schemaVersion);
    json.put("phase", state.phase.code());
    json.put("schemaHash", state.schemaHash);
    json.put("appliedOrder", Long.toUnsignedString(state.appliedOrder));
    state.load.ifPresent(load -> put(json.putObject("load"), load));
  }

  private static void put(ObjectNode json, Load load) {
    json.put("id", load.id);
    json.put("order", Long.toUnsignedString(load.order));
    load.capturedUpTo.ifPresent(at -> json.put("capturedUpTo", Long.toUnsignedString(at)));
    json.put("backlog", load.backlog);
  }

  private static void put(ObjectNode json, FileEntry file) {
    json.put("path", file.path);
    json.put("table", file.table.toString());
    json.put("schemaVersion", file.schemaVersion);
    json.put("rows", file.rows);
    json.put("bytes", file.bytes);
    json.put("sha256", file.sha256);
    json.put("firstSequence", file.firstSequence);
    json.put("lastSequence", file.lastSequence);
  }

  /**
   * Reads a manifest.
   *
   * @param bytes its JSON text; may be anything
   * @throws IllegalArgumentException saying what is wrong with it, as the rest of a sentence that
   *     begins with its name
   */
  static Manifest parse(byte[] bytes) {
    JsonNode json;
    try {
      json = MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is not JSON: " + e.getOriginalMessage(), e);
    }
    if (!json.isObject()) {
      throw new IllegalArgumentException("is not a JSON object");
    }
    int version = number(json, "v").intValue();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "has the form v " + version + ", which this release does not know; use a newer one");
    }
    try {
      return new Manifest(
          text(json, "job"),
          text(json, "pipeline"),
          cycle(text(json, "cycle")),
          json.has("previousCycle")
              ? Optional.of(cycle(text(json, "previousCycle")))
              : Optional.empty(),
          new SourcePosition(text(json, "timeline"), order(json, "order"), text(json, "token")),
          EndReason.valueOf(text(json, "reason")),
          Instant.parse(text(json, "startTime")),
          Instant.parse(text(json, "endTime")),
          tables(field(json, "tables")),
          files(field(json, "files")),
          json.path("rollback").asBoolean(false));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("has a time that is none: " + e.getMessage(), e);
    }
  }

  private static Map<TableId, TableState> tables(JsonNode json) {
    Map<TableId, TableState> tables = new TreeMap<>();
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      JsonNode state = json.get(name);
      tables.put(
          TableId.parse(name),
          new TableState(
              number(state, "incarnation").intValue(),
              number(state, "schemaVersion").intValue(),
              Phase.ofCode(number(state, "phase").intValue()),
              text(state, "schemaHash"),
              order(state, "appliedOrder"),
              state.has("load") ? Optional.of(load(state.get("load"))) : Optional.empty()));
    }
    return tables;
  }

  private static Load load(JsonNode json) {
    return new Load(
        text(json, "id"),
        order(json, "order"),
        json.has("capturedUpTo") ? Optional.of(order(json, "capturedUpTo")) : Optional.empty(),
        json.path("backlog").asBoolean(false));
  }

  private static List<FileEntry> files(JsonNode json) {
    List<FileEntry> files = new ArrayList<>();
    for (JsonNode file : json) {
      files.add(
          new FileEntry(
              text(file, "path"),
              TableId.parse(text(file, "table")),
              number(file, "schemaVersion").intValue(),
              number(file, "rows").longValue(),
              number(file, "bytes").longValue(),
              text(file, "sha256"),
              text(file, "firstSequence"),
              text(file, "lastSequence")));
    }
    return files;
  }

  private static CycleName cycle(String text) {
    return CycleName.ofFolder(text)
        .orElseThrow(() -> new IllegalArgumentException("names no cycle by '" + text + "'"));
  }

  private static long order(JsonNode json, String name) {
    String text = text(json, name);
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "has '" + text + "' as its " + name + ", which is no unsigned 64-bit number", e);
    }
  }

  private static JsonNode field(JsonNode json, String name) {
    JsonNode value = json.get(name);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("has no " + name);
    }
    return value;
  }

  private static String text(JsonNode json, String name) {
    JsonNode value = field(json, name);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("has a " + name + " that is no text");
    }
    return value.textValue();
  }

  private static Number number(JsonNode json, String name) {
    JsonNode value = field(json, name);
    if (!value.canConvertToLong() || !value.isIntegralNumber()) {
      throw new IllegalArgumentException("has a " + name + " that is no whole number");
    }
    return value.longValue();
  }
}
