package io.corehub.emulator.internal.replica;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads encoded rows of one schema. Confined to one caller at a time. */
final class RowCursor {
  private final ReplicaSchema schema;
  private final int[] starts;
  private final int[] ends;
  private byte[] bytes = new byte[0];

  RowCursor(ReplicaSchema schema) {
    this.schema = schema;
    this.starts = new int[schema.columns().size()];
    this.ends = new int[schema.columns().size()];
  }

  /** Finds the values of a row up to and including {@code lastColumn}. */
  void moveTo(RowArena arena, long address, int lastColumn) {
    bytes = arena.chunkOf(address);
    int at = arena.startOf(address);
    int columns = (int) Varints.read(bytes, at);
    int bitmap = at + Varints.skip(bytes, at);
    at = bitmap + (columns + 7) / 8;
    for (int column = 0; column <= lastColumn; column++) {
      boolean present = column < columns && (bytes[bitmap + column / 8] & (1 << (column % 8))) != 0;
      starts[column] = at;
      if (present) {
        at += valueSize(schema.columns().get(column), at);
        ends[column] = at;
      } else {
        ends[column] = -1;
      }
    }
  }

  private int valueSize(ReplicaColumn column, int at) {
    return switch (column.kind()) {
      case BOOLEAN -> 1;
      case FLOAT -> Float.BYTES;
      case DOUBLE -> Double.BYTES;
      case BYTE, SHORT, INT, LONG, DATE, LOCAL_TIME, UTC_TIME, LOCAL_TIMESTAMP, UTC_TIMESTAMP ->
          Varints.skip(bytes, at);
      case DECIMAL ->
          column.precision() <= CellKind.MAX_LONG_DIGITS ? Varints.skip(bytes, at) : blobSize(at);
      case STRING, BINARY -> blobSize(at);
    };
  }

  private int blobSize(int at) {
    return Varints.skip(bytes, at) + (int) Varints.read(bytes, at);
  }

  /** Mixes the encoded values of these columns. */
  int hash(int[] columns) {
    long hash = 0xcbf29ce484222325L;
    for (int column : columns) {
      hash = (hash ^ (ends[column] < 0 ? -1 : 1)) * 0x100000001b3L;
      for (int i = starts[column]; i < ends[column]; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3L;
      }
    }
    hash ^= hash >>> 29;
    hash *= 0xbf58476d1ce4e5b9L;
    return (int) (hash >>> 32);
  }

  /** Whether two rows have equal encoded values in these columns. */
  boolean equalIn(int[] columns, RowCursor other) {
    for (int column : columns) {
      boolean absent = ends[column] < 0;
      if (absent != (other.ends[column] < 0)) {
        return false;
      }
      if (!absent
          && !Arrays.equals(
              bytes,
              starts[column],
              ends[column],
              other.bytes,
              other.starts[column],
              other.ends[column])) {
        return false;
      }
    }
    return true;
  }

  /** The value of a column as a Java object; null for NULL. */
  @Nullable Object value(int index) {
    if (ends[index] < 0) {
      return null;
    }
    ReplicaColumn column = schema.columns().get(index);
    int at = starts[index];
    return switch (column.kind()) {
      case BOOLEAN -> bytes[at] != 0;
      case BYTE, SHORT, INT, LONG -> number(at);
      case FLOAT -> Float.intBitsToFloat((int) bigEndian(at, Float.BYTES));
      case DOUBLE -> Double.longBitsToDouble(bigEndian(at, Double.BYTES));
      case DECIMAL -> decimal(column, at);
      case STRING -> {
        int from = at + Varints.skip(bytes, at);
        yield new String(bytes, from, ends[index] - from, StandardCharsets.UTF_8);
      }
      case BINARY -> Arrays.copyOfRange(bytes, at + Varints.skip(bytes, at), ends[index]);
      case DATE -> LocalDate.ofEpochDay(number(at));
      case LOCAL_TIME -> time(at);
      case UTC_TIME -> time(at).atOffset(ZoneOffset.UTC);
      case LOCAL_TIMESTAMP -> LocalDateTime.ofInstant(instant(at), ZoneOffset.UTC);
      case UTC_TIMESTAMP -> instant(at).atOffset(ZoneOffset.UTC);
    };
  }

  private long number(int at) {
    return Varints.unzigzag(Varints.read(bytes, at));
  }

  private LocalTime time(int at) {
    return LocalTime.ofNanoOfDay(Math.multiplyExact(number(at), 1000));
  }

  private Instant instant(int at) {
    long micros = number(at);
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }

  private BigDecimal decimal(ReplicaColumn column, int at) {
    if (column.precision() <= CellKind.MAX_LONG_DIGITS) {
      return BigDecimal.valueOf(number(at), column.scale());
    }
    int length = (int) Varints.read(bytes, at);
    return new BigDecimal(
        new BigInteger(bytes, at + Varints.skip(bytes, at), length), column.scale());
  }

  private long bigEndian(int at, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | (bytes[at + i] & 0xff);
    }
    return value;
  }
}
