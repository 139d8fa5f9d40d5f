package io.corehub.emulator.internal.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Percent-decoding as the storage service does it: exactly once, and {@code +} stays a plus. */
final class PercentDecoding {
  private PercentDecoding() {}

  /** The decoded text. */
  static String decode(String encoded) throws RefusedException {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    byte[] source = encoded.getBytes(StandardCharsets.UTF_8);
    byte[] decoded = new byte[source.length];
    int length = 0;
    for (int i = 0; i < source.length; i++) {
      if (source[i] != '%') {
        decoded[length++] = source[i];
        continue;
      }
      int high = i + 2 <= source.length - 1 ? Character.digit(source[i + 1], 16) : -1;
      int low = i + 2 <= source.length - 1 ? Character.digit(source[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw invalid(encoded);
      }
      decoded[length++] = (byte) (high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw invalid(encoded);
    }
  }

  /** The parameters of a raw query, in order; of a repeated name the last counts. */
  static Map<String, String> query(@Nullable String raw) throws RefusedException {
    Map<String, String> parameters = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return parameters;
    }
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      parameters.put(decode(name), equals < 0 ? "" : decode(part.substring(equals + 1)));
    }
    return parameters;
  }

  private static RefusedException invalid(String encoded) {
    return new RefusedException(
        400, "InvalidUri", "The request URI is invalid: bad percent-encoding in " + encoded);
  }
}
