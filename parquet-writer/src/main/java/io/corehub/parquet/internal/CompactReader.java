package io.corehub.parquet.internal;

import io.corehub.parquet.MalformedFooterException;
import java.nio.charset.StandardCharsets;

/**
 * Reads Thrift's compact protocol from bytes that may be hostile: nothing is allocated by a size
 * that the bytes only claim, and every step consumes bytes. Confined to one caller at a time.
 *
 * <p>A struct is read as: {@link #field} until it returns {@link #STOP}; for each field one of the
 * value methods, or {@link #skip}.
 */
final class CompactReader {

  static final int STOP = -1;

  private static final int MAX_DEPTH = 32;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int UUID = 13;

  private final byte[] bytes;
  private final int end;
  private int position;
  private int type;

  CompactReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  /** The id of the next field of a struct after the field {@code last}, 0 at first. */
  int field(int last) throws MalformedFooterException {
    int header = next();
    type = header & 0x0F;
    if (type == 0) {
      return STOP;
    }
    int delta = header >>> 4;
    return delta == 0 ? (int) zigzag() : last + delta;
  }

  boolean bool() throws MalformedFooterException {
    if (type != TRUE && type != FALSE) {
      throw unexpected("a boolean");
    }
    return type == TRUE;
  }

  /** A number of at most 64 bits. */
  long number() throws MalformedFooterException {
    return switch (type) {
      case BYTE -> (byte) next();
      case I16, I32, I64 -> zigzag();
      default -> throw unexpected("a number");
    };
  }

  /** A number that fits in 32 bits. */
  int smallNumber() throws MalformedFooterException {
    long number = number();
    if (number != (int) number) {
      throw malformed("the number " + number + " needs more than 32 bits");
    }
    return (int) number;
  }

  String text() throws MalformedFooterException {
    if (type != BINARY) {
      throw unexpected("a string");
    }
    int length = size(1);
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  void struct() throws MalformedFooterException {
    if (type != STRUCT) {
      throw unexpected("a struct");
    }
  }

  /** Enters a list of structs and returns how many follow. */
  int structs(int limit, String what) throws MalformedFooterException {
    if (type != LIST) {
      throw unexpected("a list");
    }
    int header = next();
    int size = header >>> 4 == 15 ? size(1) : checked(header >>> 4, 1);
    if (size > limit) {
      throw malformed(size + " " + what + " are more than the " + limit + " that are read");
    }
    if (size > 0 && (header & 0x0F) != STRUCT) {
      throw malformed("a list of " + what + " does not hold structs");
    }
    return size;
  }

  /** Passes over the value of a field. */
  void skip() throws MalformedFooterException {
    skip(type, false, 0);
  }

  private void skip(int valueType, boolean element, int depth) throws MalformedFooterException {
    if (depth > MAX_DEPTH) {
      throw malformed("structs nest more than " + MAX_DEPTH + " deep");
    }
    switch (valueType) {
      case TRUE, FALSE -> {
        // As a field the type is the value; as an element it takes a byte.
        if (element) {
          next();
        }
      }
      case BYTE -> next();
      case I16, I32, I64 -> varint();
      case DOUBLE -> advance(Long.BYTES);
      case BINARY -> advance(size(1));
      case UUID -> advance(2 * Long.BYTES);
      case LIST, SET -> skipElements(depth);
      case MAP -> skipEntries(depth);
      case STRUCT -> skipFields(depth);
      default -> throw malformed("there is no field type " + valueType);
    }
  }

  private void skipElements(int depth) throws MalformedFooterException {
    int header = next();
    int size = header >>> 4 == 15 ? size(1) : header >>> 4;
    for (int i = 0; i < size; i++) {
      skip(header & 0x0F, true, depth + 1);
    }
  }

  private void skipEntries(int depth) throws MalformedFooterException {
    int size = size(2);
    if (size > 0) {
      int types = next();
      for (int i = 0; i < size; i++) {
        skip(types >>> 4, true, depth + 1);
        skip(types & 0x0F, true, depth + 1);
      }
    }
  }

  private void skipFields(int depth) throws MalformedFooterException {
    int last = 0;
    while ((last = field(last)) != STOP) {
      skip(type, false, depth + 1);
    }
  }

  private int next() throws MalformedFooterException {
    if (position >= end) {
      throw malformed("it ends too early");
    }
    return bytes[position++] & 0xFF;
  }

  private long varint() throws MalformedFooterException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw malformed("a number has more than 64 bits");
  }

  private long zigzag() throws MalformedFooterException {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  /** A count of things of at least {@code least} bytes each. */
  private int size(int least) throws MalformedFooterException {
    return checked(varint(), least);
  }

  private int checked(long size, int least) throws MalformedFooterException {
    if (size < 0 || size > (end - position) / least) {
      throw malformed("a size of " + size + " reaches beyond its end");
    }
    return (int) size;
  }

  private void advance(int count) throws MalformedFooterException {
    checked(count, 1);
    position += count;
  }

  private MalformedFooterException unexpected(String wanted) {
    return malformed("a field of type " + type + " stands where " + wanted + " is due");
  }

  private MalformedFooterException malformed(String why) {
    return new MalformedFooterException(
        "The footer is not a Parquet footer: " + why + ", at byte " + position + " of " + end);
  }
}
