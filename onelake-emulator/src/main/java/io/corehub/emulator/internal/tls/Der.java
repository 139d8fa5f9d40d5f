package io.corehub.emulator.internal.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few DER values an X.509 certificate is made of. */
final class Der {
  private static final DateTimeFormatter GENERALIZED_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, parts);
  }

  static byte[] explicit(int number, byte[]... parts) {
    return tagged(0xa0 | number, parts);
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] bool(boolean value) {
    return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
  }

  static byte[] octets(byte[]... parts) {
    return tagged(0x04, parts);
  }

  static byte[] bits(int unusedBits, byte[] value) {
    return tagged(0x03, new byte[] {(byte) unusedBits}, value);
  }

  static byte[] text(String value) {
    return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant value) {
    return tagged(0x18, GENERALIZED_TIME.format(value).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier in dotted form, such as {@code 2.5.29.17}. */
  static byte[] oid(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      int arc = Integer.parseInt(arcs[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >>> shift != 0) {
          out.write(0x80 | ((arc >>> shift) & 0x7f));
        }
      }
      out.write(arc & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }

  static byte[] tagged(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      int bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
      out.write(0x80 | bytes);
      for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
        out.write(length >>> shift);
      }
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
