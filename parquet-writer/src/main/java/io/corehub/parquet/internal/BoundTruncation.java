package io.corehub.parquet.internal;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Shortens values to bounds. Empty results mean that there is no short bound. */
final class BoundTruncation {

  private BoundTruncation() {}

  /** The whole characters in the first bytes of a longer UTF-8 text; empty if it is not UTF-8. */
  static Optional<byte[]> cutText(byte[] utf8, int bytes) {
    int end = bytes;
    while (end > 0 && (utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    byte[] cut = Arrays.copyOf(utf8, end);
    return end > 0 && isUtf8(cut) ? Optional.of(cut) : Optional.empty();
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** The least text of no more bytes that is greater than every text that begins with this one. */
  static Optional<byte[]> raiseText(byte[] utf8) {
    int[] characters = new String(utf8, StandardCharsets.UTF_8).codePoints().toArray();
    for (int last = characters.length - 1; last >= 0; last--) {
      if (characters[last] == Character.MAX_CODE_POINT) {
        continue;
      }
      int next = characters[last] + 1;
      characters[last] = next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
      byte[] raised = new String(characters, 0, last + 1).getBytes(StandardCharsets.UTF_8);
      if (raised.length <= BytesBounds.LONGEST_BOUND) {
        return Optional.of(raised);
      }
    }
    return Optional.empty();
  }

  /** The same of bytes. */
  static Optional<byte[]> raise(byte[] bytes) {
    for (int last = bytes.length - 1; last >= 0; last--) {
      if (bytes[last] != (byte) 0xFF) {
        byte[] raised = Arrays.copyOf(bytes, last + 1);
        raised[last]++;
        return Optional.of(raised);
      }
    }
    return Optional.empty();
  }
}
