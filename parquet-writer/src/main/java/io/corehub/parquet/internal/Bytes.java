package io.corehub.parquet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in byte arrays. */
final class Bytes {

  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_BE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** 2^64 divided by the golden ratio, which spreads what differs little (Knuth, 6.4). */
  static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  /**
   * So many slots for an entry of a dictionary: most values are found where they are looked for.
   */
  static final int SLOTS_PER_ENTRY = 4;

  private Bytes() {}

  static void putIntLittle(byte[] target, int at, int value) {
    INT_LE.set(target, at, value);
  }

  static void putLongLittle(byte[] target, int at, long value) {
    LONG_LE.set(target, at, value);
  }

  static void putLongBig(byte[] target, int at, long value) {
    LONG_BE.set(target, at, value);
  }

  static int intLittle(byte[] source, int at) {
    return (int) INT_LE.get(source, at);
  }

  static long longLittle(byte[] source, int at) {
    return (long) LONG_LE.get(source, at);
  }

  /** The first eight bytes of a value as an unsigned number that sorts like them, zero-padded. */
  static long prefix(byte[] source, int from, int length) {
    if (length >= 8) {
      return (long) LONG_BE.get(source, from);
    }
    if (length > 0 && from <= source.length - 8) {
      return (long) LONG_BE.get(source, from) & (-1L << (64 - 8 * length));
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (source[from + i] & 0xFFL) << (56 - 8 * i);
    }
    return prefix;
  }

  /**
   * Whether two runs of bytes are the same; quicker than the JDK's for the short values of rows.
   */
  static boolean equal(byte[] left, int leftFrom, byte[] right, int rightFrom, int length) {
    if (length < 8) {
      return prefix(left, leftFrom, length) == prefix(right, rightFrom, length);
    }
    int last = length - 8;
    for (int at = 0; at < last; at += 8) {
      if (longLittle(left, leftFrom + at) != longLittle(right, rightFrom + at)) {
        return false;
      }
    }
    return longLittle(left, leftFrom + last) == longLittle(right, rightFrom + last);
  }

  /** Writes an unsigned LEB128 number of at most five bytes. */
  static int putVarint(byte[] target, int at, int value) {
    int position = at;
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      target[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[position++] = (byte) rest;
    return position;
  }

  /** A capacity of at least {@code needed}, about half as large again as {@code current}. */
  static int grown(int current, int needed) {
    long wanted = Math.max(needed, current + (long) (current >>> 1));
    return (int) Math.min(wanted, Integer.MAX_VALUE - 8L);
  }

  /** Spreads a number over 32 bits: any of its bits changes about half of the low ones. */
  static int hash(long value) {
    return (int) (((value ^ value >>> 32) * MULTIPLIER) >>> 32);
  }
}
