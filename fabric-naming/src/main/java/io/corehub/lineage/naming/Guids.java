package io.corehub.lineage.naming;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads GUIDs strictly: the JDK also takes shortened ones, which nobody means. */
final class Guids {

  private static final Pattern GUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private Guids() {}

  static Optional<UUID> read(String text) {
    String id = text.strip();
    return GUID.matcher(id).matches() ? Optional.of(UUID.fromString(id)) : Optional.empty();
  }
}
