package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.SourcePosition;
import io.corehub.runtime.text.Text;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What a file says of itself in its footer: which one it is, which came before it, who wrote it,
 * and which part of the source's history it holds. The files of a folder thus form a chain that
 * tells what is published, whatever else is lost. Immutable.
 *
 * @param pipeline pipeline that wrote it
 * @param next who alone may continue the folder; empty while it is not handed over
 * @param table table, as text
 * @param incarnation id of the folder, chosen with its first file
 * @param seq its number
 * @param fileId id of this file and no other
 * @param prev file id of the number before; empty for the first file
 * @param epoch grows with each start of a writer of the folder
 * @param writer id of the run that wrote it
 * @param content what it holds
 * @param rows rows in it
 * @param schema differs when the columns differ
 * @param keys key columns in order
 */
record ChainEntry(
    String pipeline,
    Optional<Next> next,
    String table,
    UUID incarnation,
    long seq,
    UUID fileId,
    Optional<UUID> prev,
    long epoch,
    UUID writer,
    Content content,
    long rows,
    String schema,
    List<String> keys) {

  /** Key of the footer's entry. */
  static final String KEY = "cdc.chain";

  private static final int VERSION = 1;
  private static final Pattern ORDER = Pattern.compile("0|[1-9][0-9]{0,19}");

  ChainEntry {
    keys = List.copyOf(keys);
  }

  /**
   * The pipeline a folder was handed to.
   *
   * @param pipeline its id
   * @param timeline its timeline; empty if its source promises no order
   * @param from first position it writes, from 1 on
   */
  record Next(String pipeline, String timeline, long from) {

    Next {
      if (from == 0 && !timeline.isEmpty()) {
        throw new IllegalArgumentException("its successor is to begin at position 0");
      }
    }

    SourcePosition begin() {
      return new SourcePosition(timeline, from, "");
    }

    /** The position up to which everything is in the folder. */
    SourcePosition before() {
      return new SourcePosition(timeline, timeline.isEmpty() ? 0 : from - 1, "");
    }
  }

  /** What a file holds. */
  sealed interface Content {}

  /**
   * Rows of a snapshot.
   *
   * @param id the snapshot
   * @param chunk index of the file within it, from 0
   * @param last whether the snapshot ends with it
   * @param low position it is consistent at; its token is empty
   */
  record Snapshot(String id, int chunk, boolean last, SourcePosition low) implements Content {}

  /**
   * Changes.
   *
   * @param timeline identity of the source's history; empty if it promises no order
   * @param from order of the first commit
   * @param to order of the last commit
   * @param toRows changes of this table of the last commit that this file and those before it hold
   * @param toHash checksum of those changes; empty when the commit is complete
   * @param commits commits with rows in it
   */
  record Changes(
      String timeline, long from, long to, long toRows, Optional<String> toHash, long commits)
      implements Content {

    /** Whether the last commit is complete. */
    boolean complete() {
      return toHash.isEmpty();
    }

    /** The same with nothing missing of the last commit. */
    Changes completed() {
      return new Changes(timeline, from, to, toRows, Optional.empty(), commits);
    }
  }

  /** Thrown for text that is no chain entry of a version this code knows. */
  static final class MalformedChainException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedChainException(String message, Throwable cause) {
      super(message, cause);
    }

    MalformedChainException(String message) {
      super(message);
    }
  }

  /** The pipeline that may go on behind this file. */
  String owner() {
    return next.map(Next::pipeline).orElse(pipeline);
  }

  /** The same entry of other content. */
  ChainEntry with(Content other) {
    return new ChainEntry(
        pipeline,
        next,
        table,
        incarnation,
        seq,
        fileId,
        prev,
        epoch,
        writer,
        other,
        rows,
        schema,
        keys);
  }

  String toJson() {
    ObjectNode json = Json.object();
    json.put("v", VERSION);
    json.put("pipeline", pipeline);
    next.ifPresent(
        n ->
            json.putObject("next")
                .put("pipeline", n.pipeline)
                .put("timeline", n.timeline)
                .put("from", Long.toUnsignedString(n.from)));
    json.put("table", table);
    json.put("incarnation", incarnation.toString());
    json.put("seq", seq);
    json.put("fileId", fileId.toString());
    prev.ifPresent(p -> json.put("prev", p.toString()));
    json.put("epoch", epoch);
    json.put("writer", writer.toString());
    if (content instanceof Snapshot snapshot) {
      json.put("kind", "snapshot");
      ObjectNode snap = json.putObject("snap");
      snap.put("id", snapshot.id).put("chunk", snapshot.chunk).put("last", snapshot.last);
      putOrder(json, snap, "low", snapshot.low.timeline(), snapshot.low.order());
      json.put("rows", rows);
    } else if (content instanceof Changes changes) {
      json.put("kind", "changes");
      putOrder(json, json, "from", changes.timeline, changes.from);
      putOrder(json, json, "to", changes.timeline, changes.to);
      json.put("toIdx", changes.toRows);
      json.put("toDone", changes.complete());
      changes.toHash.ifPresent(hash -> json.put("toHash", hash));
      json.put("rows", rows);
      json.put("commits", changes.commits);
    }
    json.put("schema", schema);
    json.put("keys", Json.array(keys).toString());
    return json.toString();
  }

  /** An order means nothing without its timeline: neither is written then. */
  private static void putOrder(
      ObjectNode json, ObjectNode target, String field, String timeline, long order) {
    if (!timeline.isEmpty()) {
      json.put("timeline", timeline);
      target.put(field, Long.toUnsignedString(order));
    }
  }

  /** Reads an entry: a field is what it should be, or the entry is refused. Unknown fields pass. */
  static ChainEntry parse(String text) throws MalformedChainException {
    try {
      JsonNode json = Json.parse(text);
      long version = whole(json, "v");
      if (version != VERSION) {
        throw new MalformedChainException(
            "it is of version " + version + ", and this release knows version " + VERSION);
      }
      return new ChainEntry(
          string(json, "pipeline"),
          Optional.ofNullable(json.get("next")).map(ChainEntry::next),
          string(json, "table"),
          uuid(string(json, "incarnation")),
          whole(json, "seq"),
          uuid(string(json, "fileId")),
          text(json, "prev").map(ChainEntry::uuid),
          whole(json, "epoch"),
          uuid(string(json, "writer")),
          content(json),
          whole(json, "rows"),
          string(json, "schema"),
          strings(string(json, "keys")));
    } catch (IllegalArgumentException e) {
      throw new MalformedChainException(Text.shown(String.valueOf(e.getMessage())), e);
    }
  }

  private static Next next(JsonNode json) {
    String timeline = text(json, "timeline").orElse("");
    return new Next(string(json, "pipeline"), timeline, order(json, "from", timeline));
  }

  private static Content content(JsonNode json) {
    String timeline = text(json, "timeline").orElse("");
    String kind = string(json, "kind");
    if (kind.equals("snapshot")) {
      JsonNode snap = Json.required(json, "snap");
      return new Snapshot(
          string(snap, "id"),
          chunk(snap),
          flag(snap, "last"),
          new SourcePosition(timeline, order(snap, "low", timeline), ""));
    }
    if (!kind.equals("changes")) {
      throw new IllegalArgumentException("its kind is '" + Text.shown(kind) + "'");
    }
    return new Changes(
        timeline,
        order(json, "from", timeline),
        order(json, "to", timeline),
        whole(json, "toIdx"),
        flag(json, "toDone") ? Optional.empty() : Optional.of(string(json, "toHash")),
        whole(json, "commits"));
  }

  private static int chunk(JsonNode snap) {
    long chunk = whole(snap, "chunk");
    if (chunk > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("its chunk is " + chunk);
    }
    return (int) chunk;
  }

  /** An order stands there exactly when a timeline does; without one it means nothing. */
  private static long order(JsonNode json, String field, String timeline) {
    if (timeline.isEmpty()) {
      return 0;
    }
    String text = string(json, field);
    if (!ORDER.matcher(text).matches()) {
      throw new IllegalArgumentException("its " + field + " is '" + Text.shown(text) + "'");
    }
    return Long.parseUnsignedLong(text);
  }

  private static long whole(JsonNode json, String field) {
    JsonNode value = Json.required(json, field);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new IllegalArgumentException("its " + field + " is no whole number from 0 on");
    }
    return value.longValue();
  }

  private static boolean flag(JsonNode json, String field) {
    JsonNode value = Json.required(json, field);
    if (!value.isBoolean()) {
      throw new IllegalArgumentException("its " + field + " is neither true nor false");
    }
    return value.booleanValue();
  }

  private static UUID uuid(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equals(text)) {
      throw new IllegalArgumentException("an id in it is '" + Text.shown(text) + "'");
    }
    return uuid;
  }

  private static Optional<String> text(JsonNode json, String field) {
    JsonNode value = json.get(field);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw new IllegalArgumentException("its " + field + " is no text");
    }
    return Optional.of(value.textValue());
  }

  private static String string(JsonNode json, String field) {
    return text(json, field).orElseThrow(() -> new IllegalArgumentException("it has no " + field));
  }

  private static List<String> strings(String array) {
    return Json.texts(Json.parse(array), "its list of keys");
  }
}
