package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** One way in which a request goes wrong. Immutable. */
sealed interface Fault {
  /** The connection is closed and nothing is done. */
  record Before() implements Fault {}

  /** The operation is done and the connection closed without an answer. */
  record After() implements Fault {}

  /** The operation is done some time after the request arrived; there is no answer. */
  record Late(long millis) implements Fault {}

  /**
   * An error answer.
   *
   * @param errorCode empty for the usual one of the operation
   * @param codeInHeader whether {@code x-ms-error-code} names the code as well as the body
   * @param applied whether the operation is done first
   */
  record Status(
      int code,
      String errorCode,
      Map<String, String> headers,
      boolean codeInHeader,
      boolean applied)
      implements Fault {}

  /** The connection breaks after so many bytes of the body. */
  record Reset(long afterBytes) implements Fault {}

  /** The request is held, then carried out. */
  record Hang(long millis) implements Fault {}

  /** Bodies move at this rate in both directions. */
  record Slow(long bytesPerSecond) implements Fault {}

  /** Fewer bytes are stored than acknowledged. */
  record StoresShort() implements Fault {}

  /** A page as a captive portal or a proxy serves it, and nothing done. */
  record Html(int code) implements Fault {}

  /** A redirect, and nothing done. */
  record Redirect(String location) implements Fault {}

  /** A demand for a token for some other resource or tenant. */
  record Challenge(String resource, String tenant) implements Fault {}

  /** Somebody else's file appears just before the operation is done. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record ForeignFile(byte[] content) implements Fault {}

  /**
   * Reads a fault.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static Fault parse(JsonNode json) {
    String type = json.path("type").asText("");
    return switch (type) {
      case "before" -> new Before();
      case "after" -> new After();
      case "late" -> new Late(number(json, "millis", 0));
      case "status" -> status(json);
      case "reset" -> new Reset(number(json, "afterBytes", 0));
      case "hang" -> new Hang(number(json, "millis", 0));
      case "slow" -> new Slow(number(json, "bytesPerSecond", 1));
      case "short" -> new StoresShort();
      case "html200" -> new Html(200);
      case "html" -> new Html(code(json));
      case "redirect" -> new Redirect(text(json, "location"));
      case "challenge" -> new Challenge(text(json, "resource"), text(json, "tenant"));
      case "foreignFile" -> new ForeignFile(base64(json));
      default ->
          throw new IllegalArgumentException(
              "fault type is '"
                  + type
                  + "', must be before, after, late, status, reset, hang, slow, short, html200, html,"
                  + " redirect, challenge or foreignFile");
    };
  }

  private static int code(JsonNode json) {
    long code = number(json, "code", 200);
    if (code > 599) {
      throw new IllegalArgumentException("fault code is " + code + ", must be 200 to 599");
    }
    return (int) code;
  }

  private static Status status(JsonNode json) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> header : json.path("headers").properties()) {
      headers.put(header.getKey(), header.getValue().asText());
    }
    return new Status(
        code(json),
        json.path("errorCode").asText(""),
        headers,
        json.path("codeInHeader").asBoolean(true),
        json.path("applied").asBoolean(false));
  }

  private static long number(JsonNode json, String name, long min) {
    JsonNode value = json.path(name);
    if (!value.isIntegralNumber() || value.asLong() < min) {
      throw new IllegalArgumentException(
          "fault " + name + " is " + value + ", must be a whole number of at least " + min);
    }
    return value.asLong();
  }

  private static String text(JsonNode json, String name) {
    JsonNode value = json.path(name);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("fault " + name + " is " + value + ", must be a text");
    }
    return value.asText();
  }

  private static byte[] base64(JsonNode json) {
    try {
      return Base64.getDecoder().decode(text(json, "content"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("fault content must be base64: " + e.getMessage(), e);
    }
  }
}
