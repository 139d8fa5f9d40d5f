package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a {@code snapshot} or {@code commit} line beside its array, and a parser that
 * stands at the start of the array. The array may stand before other fields; it is then read from
 * the start again. Confined to one caller.
 */
final class Envelope implements AutoCloseable {

  /** A plain value. */
  record Scalar(JsonToken token, String text) {}

  private final Map<String, Scalar> fields;
  private final JsonParser parser;

  private Envelope(Map<String, Scalar> fields, JsonParser parser) {
    this.fields = fields;
    this.parser = parser;
  }

  /** Reads the line up to its array, and what stands behind the array where there may be any. */
  static Envelope open(JsonFactory json, Line line, Set<String> known, String array)
      throws IOException, MalformedException {
    Map<String, Scalar> fields = new HashMap<>();
    if (!line.endsWithArray()) {
      try (JsonParser all = line.parser(json)) {
        if (!readUntil(all, fields, known, array)) {
          throw new MalformedException("'" + array + "' is missing");
        }
        all.skipChildren();
        if (readUntil(all, fields, known, array)) {
          throw new MalformedException("field '" + array + "' occurs twice");
        }
        end(all);
      }
    }
    JsonParser parser = line.parser(json);
    try {
      Map<String, Scalar> before = new HashMap<>();
      if (!readUntil(parser, before, known, array)) {
        throw new MalformedException("'" + array + "' is missing");
      }
      before.forEach(fields::put);
      return new Envelope(fields, parser);
    } catch (IOException | MalformedException e) {
      parser.close();
      throw e;
    }
  }

  /** Returns true at the start of the array, false at the end of the object. */
  private static boolean readUntil(
      JsonParser parser, Map<String, Scalar> fields, Set<String> known, String array)
      throws IOException, MalformedException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (name.equals(array)) {
        if (token != JsonToken.START_ARRAY) {
          throw new MalformedException("'" + array + "' must be a list");
        }
        return true;
      }
      if (!known.contains(name)) {
        throw LineFields.unknown(name, known);
      }
      if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
        throw new MalformedException("'" + name + "' must be a plain value");
      }
      if (fields.put(name, new Scalar(token, parser.getText())) != null) {
        throw new MalformedException("field '" + name + "' occurs twice");
      }
    }
    return false;
  }

  JsonParser parser() {
    return parser;
  }

  /** The value of a field; null if it is missing or null. */
  @Nullable Scalar field(String name) {
    Scalar scalar = fields.get(name);
    return scalar == null || scalar.token() == JsonToken.VALUE_NULL ? null : scalar;
  }

  /** The text of a field that must be a string; null if it is missing or null. */
  @Nullable String string(String name) throws MalformedException {
    Scalar scalar = field(name);
    if (scalar == null) {
      return null;
    }
    if (scalar.token() != JsonToken.VALUE_STRING) {
      throw new MalformedException(
          "'"
              + name
              + "' is "
              + CellReader.shown(scalar.token(), scalar.text())
              + ", but must be a string");
    }
    return scalar.text();
  }

  /** Checks that the line ends after the array, from the array's end on. */
  void finish(Set<String> known, String array) throws IOException, MalformedException {
    if (readUntil(parser, new HashMap<>(), known, array)) {
      throw new MalformedException("field '" + array + "' occurs twice");
    }
    end(parser);
  }

  static void end(JsonParser parser) throws IOException, MalformedException {
    if (parser.nextToken() != null) {
      throw new MalformedException("the line goes on after its object");
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
