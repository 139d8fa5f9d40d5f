package io.corehub.lineage.naming;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * A GUID as one part of a Fabric address: its 16 bytes in the order .NET stores them (the first
 * three fields little-endian, the last eight bytes as written), in lower-case base32 without
 * padding.
 */
final class GuidBase32 {

  /** 128 bits in characters of five: two bits of the last one are not used. */
  static final int LENGTH = 26;

  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int SPARE_BITS = LENGTH * 5 - 128;

  private GuidBase32() {}

  static String encode(UUID id) {
    byte[] bytes = dotNetBytes(id);
    StringBuilder text = new StringBuilder(LENGTH);
    int buffer = 0;
    int bits = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8) | (b & 0xFF);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text.append(ALPHABET.charAt((buffer >> bits) & 31));
      }
      buffer &= (1 << bits) - 1;
    }
    return text.append(ALPHABET.charAt((buffer << SPARE_BITS) & 31)).toString();
  }

  /** The GUID of a lower-case part; empty if it is not what {@link #encode} gives for any. */
  static Optional<UUID> decode(String part) {
    if (part.length() != LENGTH) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(16);
    int buffer = 0;
    int bits = 0;
    for (int i = 0; i < LENGTH; i++) {
      int value = ALPHABET.indexOf(part.charAt(i));
      if (value < 0) {
        return Optional.empty();
      }
      buffer = (buffer << 5) | value;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.put((byte) (buffer >> bits));
        buffer &= (1 << bits) - 1;
      }
    }
    return buffer == 0 ? Optional.of(ofDotNetBytes(bytes.array())) : Optional.empty();
  }

  private static byte[] dotNetBytes(UUID id) {
    long high = id.getMostSignificantBits();
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) (high >> 32))
        .putShort((short) (high >> 16))
        .putShort((short) high)
        .order(ByteOrder.BIG_ENDIAN)
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private static UUID ofDotNetBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long high = in.getInt() & 0xFFFF_FFFFL;
    high = (high << 16) | (in.getShort() & 0xFFFFL);
    high = (high << 16) | (in.getShort() & 0xFFFFL);
    return new UUID(high, in.order(ByteOrder.BIG_ENDIAN).getLong());
  }
}
