package io.corehub.hub.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.settings.Nearest;
import io.corehub.hub.source.Shown;
import java.util.Collection;
import java.util.Iterator;

/** Reads fields of small JSON objects strictly. */
final class LineFields {

  private LineFields() {}

  static void allowOnly(JsonNode object, Collection<String> known) throws MalformedException {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw unknown(name, known);
      }
    }
  }

  static MalformedException unknown(String name, Collection<String> known) {
    return new MalformedException(
        "unknown field '"
            + Shown.of(name)
            + "'; "
            + Nearest.of(name, known)
                .map(n -> "did you mean '" + n + "'?")
                .orElse("known here: " + String.join(", ", known.stream().sorted().toList())));
  }

  static String string(JsonNode object, String name) throws MalformedException {
    JsonNode value = object.get(name);
    if (value == null) {
      throw new MalformedException("'" + name + "' is missing");
    }
    if (!value.isTextual()) {
      throw wrong(name, value, "a string");
    }
    return value.textValue();
  }

  static boolean flag(JsonNode object, String name, boolean fallback) throws MalformedException {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return fallback;
    }
    if (!value.isBoolean()) {
      throw wrong(name, value, "true or false");
    }
    return value.booleanValue();
  }

  /** A number from 0 up. */
  static int whole(JsonNode object, String name, int fallback) throws MalformedException {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return fallback;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
      throw wrong(name, value, "a whole number from 0 up");
    }
    return value.intValue();
  }

  private static MalformedException wrong(String name, JsonNode value, String expected) {
    return new MalformedException(
        "'" + name + "' is " + Shown.of(value.toString()) + ", but must be " + expected);
  }
}
