package io.corehub.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Follows the entries {@code cdc.chain} in the footers of a table's files, in their order. Files
 * without such entries are none of its business, unless they stand among files that have one.
 * Confined to one caller at a time.
 */
final class Chain {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final BigInteger AFTER_LAST_ORDER = BigInteger.ONE.shiftLeft(Long.SIZE);

  private final Findings findings;
  private final Map<UUID, String> paths = new HashMap<>();
  private Optional<Link> before = Optional.empty();
  private Optional<Link> lastChanges = Optional.empty();
  private String timeline = "";
  private boolean broken;
  private boolean begun;

  /** What an entry says, as far as it is judged. */
  private record Link(
      BigInteger number,
      UUID fileId,
      Optional<UUID> previous,
      UUID incarnation,
      String table,
      String pipeline,
      Optional<String> successor,
      long epoch,
      boolean changes,
      String timeline,
      Optional<BigInteger> from,
      Optional<BigInteger> to,
      boolean complete,
      long rows) {}

  private static final class MalformedEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedEntryException(String message) {
      super(message);
    }
  }

  Chain(Findings findings) {
    this.findings = findings;
  }

  /** The next file cannot be read, or a number is missing: what it names as previous is unknown. */
  void interrupted() {
    broken = true;
  }

  /**
   * Judges the entry of the next file.
   *
   * @param entry text of the entry, if there is one
   * @param number number in the file's name; empty when files have no numbers
   * @param marked whether the file has a row marker
   */
  void next(
      Optional<String> entry, Optional<String> number, String path, long rows, boolean marked) {
    if (entry.isEmpty()) {
      stranger(path);
      return;
    }
    Link link;
    try {
      link = parse(entry.get());
    } catch (MalformedEntryException e) {
      findings.add(
          Rule.CHAIN_UNREADABLE,
          path,
          "Its entry cdc.chain cannot be used: " + e.getMessage() + ".");
      broken = true;
      return;
    }
    begun = true;
    if (number.isPresent() && !new BigInteger(number.get()).equals(link.number)) {
      findings.add(
          Rule.CHAIN_NUMBER,
          path,
          "It says of itself that it is number "
              + link.number
              + ". It was copied or renamed; restore what stood here.");
      broken = true;
      return;
    }
    judge(link, path, rows, marked);
    before = Optional.of(link);
    lastChanges = link.changes ? before : lastChanges;
    timeline = link.timeline.isEmpty() ? timeline : link.timeline;
    broken = false;
  }

  private void stranger(String path) {
    if (begun) {
      findings.add(
          Rule.CHAIN_STRANGER,
          path,
          "It has no entry cdc.chain, and files before it have one: somebody else writes to this"
              + " folder. Two writers lose or double rows.");
    }
    broken = true;
  }

  private void judge(Link link, String path, long rows, boolean marked) {
    if (link.rows != rows) {
      findings.add(
          Rule.CHAIN_ROWS,
          path,
          "It says that it has " + link.rows + " rows, and has " + rows + ".");
    }
    if (link.changes && !marked && rows > 0) {
      findings.add(
          Rule.MARKER_ABSENT,
          path,
          "It says that it holds changes, but without "
              + FileFacts.MARKER
              + " all rows count as inserts.");
    }
    String same = paths.putIfAbsent(link.fileId, path);
    if (same != null) {
      findings.add(
          Rule.CHAIN_FILE_TWICE,
          path,
          "Its file id " + link.fileId + " is that of " + same + ": the same rows twice.");
    }
    before.ifPresent(known -> compare(known, link, path));
    lastChanges.ifPresent(known -> comparePositions(known, link, path));
    ownPositions(link, path);
  }

  private void compare(Link known, Link link, String path) {
    boolean next = link.number.equals(known.number.add(BigInteger.ONE));
    if (!broken && next && !link.previous.equals(Optional.of(known.fileId))) {
      findings.add(
          Rule.CHAIN_PREVIOUS,
          path,
          "It follows file "
              + link.previous.map(UUID::toString).orElse("none")
              + ", but the one before it is "
              + known.fileId
              + ". A file was replaced.");
    }
    if (!known.incarnation.equals(link.incarnation)) {
      findings.add(
          Rule.CHAIN_INCARNATION,
          path,
          "It belongs to a folder "
              + link.incarnation
              + ", the files before to "
              + known.incarnation
              + ". Files of two loads of the table are mixed.");
    }
    if (link.epoch < known.epoch) {
      findings.add(
          Rule.CHAIN_EPOCH,
          path,
          "It was written in epoch "
              + link.epoch
              + ", after a file of epoch "
              + known.epoch
              + ": an older run went on writing.");
    }
    if (!known.table.equals(link.table)) {
      findings.add(
          Rule.CHAIN_OWNER,
          path,
          "It belongs to table '" + link.table + "', the files before to '" + known.table + "'.");
    }
    boolean handedOver = known.successor.equals(Optional.of(link.pipeline));
    if (known.successor.isPresent() && !handedOver) {
      findings.add(
          Rule.CHAIN_OWNER,
          path,
          "It was written by pipeline '"
              + link.pipeline
              + "', but the table was handed over to '"
              + known.successor.get()
              + "' before.");
    } else if (!known.pipeline.equals(link.pipeline) && !handedOver) {
      findings.add(
          Rule.CHAIN_OWNER,
          path,
          "It was written by pipeline '"
              + link.pipeline
              + "', the files before by '"
              + known.pipeline
              + "', which did not hand the table over.");
    }
    if (!timeline.isEmpty()
        && !link.timeline.isEmpty()
        && !timeline.equals(link.timeline)
        && !handedOver) {
      findings.add(
          Rule.CHAIN_OWNER,
          path,
          "Its positions are of timeline '"
              + link.timeline
              + "', those before of '"
              + timeline
              + "': the source was replaced. Load the table anew.");
    }
  }

  private void comparePositions(Link known, Link link, String path) {
    // A file without rows repeats where the files before it end.
    if (!link.changes
        || link.rows == 0
        || !known.timeline.equals(link.timeline)
        || known.to.isEmpty()
        || link.from.isEmpty()) {
      return;
    }
    int order = link.from.get().compareTo(known.to.get());
    if (order < 0 || (order == 0 && known.complete)) {
      findings.add(
          Rule.CHAIN_POSITIONS,
          path,
          "It begins at position "
              + link.from.get()
              + ", but files before it reach "
              + known.to.get()
              + ": commits are there twice.");
    }
  }

  private void ownPositions(Link link, String path) {
    if (link.from.isPresent()
        && link.to.isPresent()
        && link.from.get().compareTo(link.to.get()) > 0) {
      findings.add(
          Rule.CHAIN_POSITIONS,
          path,
          "It begins at position "
              + link.from.get()
              + " and ends before, at "
              + link.to.get()
              + ".");
    }
  }

  private static Link parse(String text) throws MalformedEntryException {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new MalformedEntryException("it is not JSON: " + JsonTrouble.of(e));
    }
    if (json.path("v").asInt() != 1) {
      throw new MalformedEntryException("it is of version " + json.path("v") + " instead of 1");
    }
    String kind = text(json, "kind");
    if (!kind.equals("snapshot") && !kind.equals("changes")) {
      throw new MalformedEntryException("its kind is '" + kind + "'");
    }
    return new Link(
        number(json, "seq"),
        id(text(json, "fileId")),
        json.hasNonNull("prev") ? Optional.of(id(text(json, "prev"))) : Optional.empty(),
        id(text(json, "incarnation")),
        text(json, "table"),
        text(json, "pipeline"),
        Optional.ofNullable(json.path("next").get("pipeline")).map(JsonNode::asText),
        number(json, "epoch").longValue(),
        kind.equals("changes"),
        json.path("timeline").asText(""),
        order(json, "from"),
        order(json, "to"),
        json.path("toDone").asBoolean(true),
        number(json, "rows").longValue());
  }

  private static String text(JsonNode json, String field) throws MalformedEntryException {
    if (!json.path(field).isTextual()) {
      throw new MalformedEntryException("it has no text '" + field + "'");
    }
    return json.get(field).asText();
  }

  private static BigInteger number(JsonNode json, String field) throws MalformedEntryException {
    if (!json.path(field).isIntegralNumber()) {
      throw new MalformedEntryException("it has no number '" + field + "'");
    }
    return json.get(field).bigIntegerValue();
  }

  private static UUID id(String text) throws MalformedEntryException {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedEntryException("'" + text + "' is no id");
    }
  }

  private static Optional<BigInteger> order(JsonNode json, String field)
      throws MalformedEntryException {
    if (!json.has(field)) {
      return Optional.empty();
    }
    String text = json.get(field).asText();
    if (!text.matches("[0-9]{1,20}") || new BigInteger(text).compareTo(AFTER_LAST_ORDER) >= 0) {
      throw new MalformedEntryException(field + " is '" + text + "', no 64-bit position");
    }
    return Optional.of(new BigInteger(text));
  }
}
