package io.corehub.hub.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.HandedOver;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Requests and answers as they travel: one line of JSON each. Stateless. */
final class ControlMessages {

  /** Longest line taken, in bytes; the answer for ten thousand tables is smaller. */
  static final int LONGEST = 16 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ControlMessages() {}

  /** A request to hand the tables of a pipeline over. */
  record HandOver(String pipelineId, Successor to) {}

  static String request(HandOver request) {
    ObjectNode node = JSON.createObjectNode();
    node.put("do", "hand over").put("pipeline", request.pipelineId());
    node.put("to", request.to().pipeline());
    request.to().begin().ifPresent(begin -> put(node, begin));
    return node.toString();
  }

  static HandOver request(String line) {
    JsonNode node = parse(line);
    if (!node.path("do").asText().equals("hand over")) {
      throw new ControlException(
          "The running hub does not know this command; it is another version.");
    }
    try {
      return new HandOver(
          text(node, "pipeline"),
          new Successor(
              text(node, "to"),
              node.has("timeline") ? Optional.of(position(node)) : Optional.empty()));
    } catch (IllegalArgumentException e) {
      throw new ControlException(e.getMessage() + ".", e);
    }
  }

  static String answer(List<HandedOver> tables) {
    ArrayNode list = JSON.createArrayNode();
    for (HandedOver one : tables) {
      ObjectNode node = list.addObject();
      node.put("table", one.table().toString()).put("earlier", one.earlier());
      put(node, one.begin());
    }
    return JSON.createObjectNode().set("tables", list).toString();
  }

  static String refusal(String message) {
    return JSON.createObjectNode().put("refused", message).toString();
  }

  static List<HandedOver> answer(String line) {
    JsonNode node = parse(line);
    if (node.has("refused")) {
      throw new ControlException(node.path("refused").asText());
    }
    List<HandedOver> tables = new ArrayList<>();
    for (JsonNode one : node.path("tables")) {
      tables.add(
          new HandedOver(
              TableId.parse(text(one, "table")), position(one), one.path("earlier").asBoolean()));
    }
    return tables;
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new ControlException("What came through the hub's socket is not JSON.", e);
    }
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw new ControlException("What came through the hub's socket has no '" + field + "'.");
    }
    return value.asText();
  }

  private static void put(ObjectNode node, SourcePosition position) {
    node.put("timeline", position.timeline());
    node.put("from", Long.toUnsignedString(position.order()));
  }

  private static SourcePosition position(JsonNode node) {
    String from = text(node, "from");
    try {
      return new SourcePosition(text(node, "timeline"), Long.parseUnsignedLong(from), "");
    } catch (NumberFormatException e) {
      throw new ControlException("'" + from + "' is no position.", e);
    }
  }
}
