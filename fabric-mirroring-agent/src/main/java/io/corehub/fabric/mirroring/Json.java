package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the small JSON texts of the landing zone. The texts may be hostile. */
final class Json {

  /** Longest text that is read, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private static final int MAX_DEPTH = 64;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(100)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array(List<String> texts) {
    ArrayNode array = MAPPER.createArrayNode();
    texts.forEach(array::add);
    return array;
  }

  static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the content of a file.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MAX_BYTES}, not UTF-8 or no JSON,
   *     with the place of the fault
   */
  static JsonNode parse(byte[] content) {
    if (content.length > MAX_BYTES) {
      throw new IllegalArgumentException("it is larger than " + MAX_BYTES + " bytes");
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("it is not UTF-8", e);
    }
    return parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is no JSON, with the place of the fault
   */
  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** A field that must be there. */
  static JsonNode required(JsonNode json, String field) {
    JsonNode value = json.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return value;
  }

  /** A field that holds text, or empty. */
  static Optional<String> text(JsonNode json, String field) {
    JsonNode value = json.get(field);
    return value == null || !value.isTextual() ? Optional.empty() : Optional.of(value.textValue());
  }

  /**
   * The elements of an array of texts.
   *
   * @param what what it is, for the message
   * @throws IllegalArgumentException if it is anything else
   */
  static List<String> texts(JsonNode json, String what) {
    List<String> texts = new ArrayList<>();
    if (!json.isArray()) {
      throw new IllegalArgumentException(what + " is no list");
    }
    for (JsonNode element : json) {
      if (!element.isTextual()) {
        throw new IllegalArgumentException(what + " holds something else than texts");
      }
      texts.add(element.textValue());
    }
    return texts;
  }
}
