package io.corehub.lineage;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads lists such as {@code key=value,key=value}, whose entries may also come as lines. */
final class NamedValues {

  private NamedValues() {}

  /** Value by name, in their order; empty text for a name alone. */
  static Map<String, String> of(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String entry : text.split("[,\n]", -1)) {
      if (!entry.isBlank()) {
        int equals = entry.indexOf('=');
        String name = equals < 0 ? entry : entry.substring(0, equals);
        values.put(name.strip(), equals < 0 ? "" : entry.substring(equals + 1).strip());
      }
    }
    return values;
  }

  /** What is wrong with a list whose entries all need a name, and a value if asked for. */
  static Optional<String> problem(String setting, String text, boolean valueNeeded) {
    for (Map.Entry<String, String> entry : of(text).entrySet()) {
      if (entry.getKey().isEmpty() || (valueNeeded && entry.getValue().isEmpty())) {
        return Optional.of(
            "Setting '"
                + setting
                + "' has the entry '"
                + entry.getKey()
                + (entry.getValue().isEmpty() ? "" : "=" + entry.getValue())
                + "', but must be "
                + (valueNeeded ? "key=value,key=value." : "name=kind,name=kind or name,name."));
      }
    }
    return Optional.empty();
  }
}
