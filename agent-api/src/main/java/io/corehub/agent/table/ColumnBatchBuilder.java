package io.corehub.agent.table;

import io.corehub.agent.table.ColumnType.Storage;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns rows into column vectors without boxing. Confined to one caller at a time.
 *
 * <ol>
 *   <li>Set the cells of the row in any order; a cell that is not set is NULL.
 *   <li>{@link #endRow()}.
 *   <li>After the last row, {@link #build()}, which empties the builder for the next batch.
 * </ol>
 *
 * {@link #abandonRow()} forgets the cells of the row under way.
 */
public final class ColumnBatchBuilder {

  /** Characters of plain text above which a decimal without declared precision is refused. */
  public static final int MAX_PLAIN_DECIMAL_LENGTH = 150_000;

  private static final int INITIAL_ROWS = 16;
  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  private final TableSchema schema;
  private final Cells[] cells;
  private int rows;
  private long rowBytes;
  private int capacity;
  private long[][] undelivered;
  private boolean anyUndelivered;

  /**
   * A builder of batches of one schema.
   *
   * @param schema the schema
   */
  public ColumnBatchBuilder(TableSchema schema) {
    this.schema = schema;
    this.cells = new Cells[schema.columns().size()];
    this.undelivered = new long[cells.length][];
    reset();
  }

  private void reset() {
    rows = 0;
    rowBytes = 0;
    capacity = INITIAL_ROWS;
    anyUndelivered = false;
    undelivered = new long[cells.length][];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new Cells(schema.columns().get(i).type().storage(), capacity);
    }
  }

  /**
   * The schema of the batches.
   *
   * @return the schema
   */
  public TableSchema schema() {
    return schema;
  }

  /**
   * Rows ended so far.
   *
   * @return rows in the batch under construction
   */
  public int rowCount() {
    return rows;
  }

  /**
   * Memory held for the batch under construction.
   *
   * @return bytes, growth reserve included
   */
  public long bytes() {
    long bytes = 0;
    for (Cells column : cells) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /**
   * What the cells of the row under way hold in texts and byte strings: all that a row can become
   * large by.
   *
   * @return bytes; a cell that was set twice counts twice
   */
  public long rowBytes() {
    return rowBytes;
  }

  /**
   * Sets a boolean.
   *
   * @param column column index
   * @param value value
   */
  public void setBoolean(int column, boolean value) {
    Cells target = cell(column, Storage.BOOLEAN);
    target.booleans[rows] = value;
    target.markPresent(rows);
  }

  /**
   * Sets a value stored as int: SHORT, INT, LOCAL_DATE.
   *
   * @param column column index
   * @param value value
   */
  public void setInt(int column, int value) {
    Cells target = cell(column, Storage.INT);
    target.ints[rows] = value;
    target.markPresent(rows);
  }

  /**
   * Sets a value stored as long: LONG, times, timestamps, and the unscaled value of a decimal of up
   * to 18 digits.
   *
   * @param column column index
   * @param value value
   */
  public void setLong(int column, long value) {
    Cells target = cell(column, Storage.LONG);
    target.longs[rows] = value;
    target.markPresent(rows);
  }

  /**
   * Sets a float.
   *
   * @param column column index
   * @param value value
   */
  public void setFloat(int column, float value) {
    Cells target = cell(column, Storage.FLOAT);
    target.floats[rows] = value;
    target.markPresent(rows);
  }

  /**
   * Sets a double.
   *
   * @param column column index
   * @param value value
   */
  public void setDouble(int column, double value) {
    Cells target = cell(column, Storage.DOUBLE);
    target.doubles[rows] = value;
    target.markPresent(rows);
  }

  /**
   * Sets a value stored as bytes; the bytes are copied.
   *
   * @param column column index
   * @param value bytes
   */
  public void setBytes(int column, byte[] value) {
    setBytes(column, value, 0, value.length);
  }

  /**
   * Sets a value stored as bytes; the bytes are copied.
   *
   * @param column column index
   * @param value array that holds the bytes
   * @param from first byte
   * @param length number of bytes
   */
  public void setBytes(int column, byte[] value, int from, int length) {
    Cells target = cell(column, Storage.BYTES);
    target.appendBytes(rows, value, from, length);
    target.markPresent(rows);
    rowBytes += length;
  }

  /**
   * Sets text as UTF-8. A lone surrogate becomes its three-byte form, see {@link ColumnType}.
   *
   * @param column column index of a STRING, ARRAY or MAP
   * @param value text
   */
  public void setText(int column, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    if (hasLoneSurrogate(value)) {
      utf8 = withLoneSurrogates(value);
    }
    setBytes(column, utf8, 0, utf8.length);
  }

  /**
   * Sets a decimal, in the storage that the column's precision asks for. Never rounds.
   *
   * @param column column index of a BIG_DECIMAL
   * @param value value
   * @throws ArithmeticException if the value does not fit the declared precision and scale exactly,
   *     or, without declared precision, is longer than {@link #MAX_PLAIN_DECIMAL_LENGTH}
   */
  public void setDecimal(int column, BigDecimal value) {
    ColumnType type = schema.columns().get(column).type();
    if (type.decimalWithoutPrecision()) {
      setBytes(column, plainText(value).getBytes(StandardCharsets.US_ASCII));
      return;
    }
    BigDecimal scaled =
        value.signum() == 0 ? BigDecimal.ZERO.setScale(type.scale()) : fit(value, type);
    if (type.storage() == Storage.LONG) {
      setLong(column, scaled.unscaledValue().longValueExact());
    } else {
      setBytes(column, scaled.unscaledValue().toByteArray());
    }
  }

  private static String plainText(BigDecimal value) {
    long beforePoint = Math.max(1L, (long) value.precision() - value.scale());
    long afterPoint = Math.max(0, value.scale());
    if (beforePoint + afterPoint > MAX_PLAIN_DECIMAL_LENGTH) {
      throw new ArithmeticException("more than " + MAX_PLAIN_DECIMAL_LENGTH + " digits");
    }
    return value.toPlainString();
  }

  private static BigDecimal fit(BigDecimal value, ColumnType type) {
    // Digits before the point, in long: 1e999999999 must not be expanded before it is refused.
    if ((long) value.precision() - value.scale() > type.precision() - type.scale()) {
      throw new ArithmeticException("more digits before the point than " + type + " holds");
    }
    if ((long) value.scale() - value.precision() >= type.scale()) {
      throw new ArithmeticException("more digits after the point than " + type + " holds");
    }
    try {
      return value.setScale(type.scale());
    } catch (ArithmeticException e) {
      throw new ArithmeticException("more digits after the point than " + type + " holds");
    }
  }

  /**
   * Says that the source did not deliver this cell of an update: its value is the one before. The
   * mark goes to {@link #undelivered()}; the cell itself is NULL.
   *
   * @param column column index
   */
  public void setUndelivered(int column) {
    long[] bits = undelivered[column];
    int word = rows >>> 6;
    if (bits == null || bits.length <= word) {
      bits =
          bits == null
              ? new long[Math.max(word + 1, 1)]
              : Arrays.copyOf(bits, Math.max(word + 1, bits.length * 2));
      undelivered[column] = bits;
    }
    bits[word] |= 1L << rows;
    anyUndelivered = true;
    cells[column].abandonRow(rows);
  }

  /** Ends the row: cells that were not set are NULL. */
  public void endRow() {
    for (Cells column : cells) {
      column.endRow(rows);
    }
    rows++;
    rowBytes = 0;
    if (rows == capacity) {
      capacity = Math.multiplyExact(capacity, 2);
      for (Cells column : cells) {
        column.grow(capacity);
      }
    }
  }

  /** Forgets the cells set since the last {@link #endRow()}. */
  public void abandonRow() {
    rowBytes = 0;
    for (int i = 0; i < cells.length; i++) {
      cells[i].abandonRow(rows);
      long[] bits = undelivered[i];
      if (bits != null && bits.length > rows >>> 6) {
        bits[rows >>> 6] &= ~(1L << rows);
      }
    }
  }

  /**
   * Marks of cells that were not delivered, of the rows ended so far. Call it before {@link
   * #build()}.
   *
   * @return {@link Undelivered#NONE} if every cell was delivered
   */
  public Undelivered undelivered() {
    return anyUndelivered ? Undelivered.of(undelivered) : Undelivered.NONE;
  }

  /**
   * The batch of the rows ended so far; the builder starts anew.
   *
   * @return the batch
   */
  public ColumnBatch build() {
    List<ColumnVector> vectors = new ArrayList<>(cells.length);
    for (Cells column : cells) {
      vectors.add(column.vector(rows));
    }
    ColumnBatch batch = new ColumnBatch(schema, rows, vectors);
    reset();
    return batch;
  }

  private Cells cell(int column, Storage storage) {
    Cells target = cells[column];
    if (target.storage != storage) {
      throw new IllegalArgumentException(
          "Column '"
              + schema.columns().get(column).name()
              + "' is stored as "
              + target.storage
              + ", not "
              + storage);
    }
    return target;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isHighSurrogate(c)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1))) {
          i++;
        } else {
          return true;
        }
      }
    }
    return false;
  }

  private static byte[] withLoneSurrogates(String text) {
    byte[] out = new byte[text.length() * 3];
    int length = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        out[length++] = (byte) (0xE0 | (c >> 12));
        out[length++] = (byte) (0x80 | (c >> 6 & 0x3F));
        out[length++] = (byte) (0x80 | (c & 0x3F));
      } else {
        byte[] one = Character.toString(c).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(one, 0, out, length, one.length);
        length += one.length;
      }
      i += Character.charCount(c);
    }
    return Arrays.copyOf(out, length);
  }

  /** The cells of one column; only the array of its storage is in use. */
  private static final class Cells {
    final Storage storage;
    boolean[] booleans = {};
    int[] ints = {};
    long[] longs = {};
    float[] floats = {};
    double[] doubles = {};
    byte[] data = {};
    int[] offsets = {};
    long[] present;

    Cells(Storage storage, int capacity) {
      this.storage = storage;
      this.present = new long[capacity >>> 6];
      grow(capacity);
    }

    void grow(int capacity) {
      present = Arrays.copyOf(present, (capacity + 63) >>> 6);
      switch (storage) {
        case BOOLEAN -> booleans = Arrays.copyOf(booleans, capacity);
        case INT -> ints = Arrays.copyOf(ints, capacity);
        case LONG -> longs = Arrays.copyOf(longs, capacity);
        case FLOAT -> floats = Arrays.copyOf(floats, capacity);
        case DOUBLE -> doubles = Arrays.copyOf(doubles, capacity);
        case BYTES -> offsets = Arrays.copyOf(offsets, capacity + 1);
      }
    }

    void markPresent(int row) {
      present[row >>> 6] |= 1L << row;
    }

    void appendBytes(int row, byte[] value, int from, int length) {
      int start = offsets[row];
      long end = (long) start + length;
      if (end > MAX_ARRAY_BYTES) {
        throw new IllegalStateException(
            "A batch holds at most " + MAX_ARRAY_BYTES + " bytes of one column; build it earlier.");
      }
      if (end > data.length) {
        long room = Math.max(end, Math.max(256L, data.length * 2L));
        data = Arrays.copyOf(data, (int) Math.min(MAX_ARRAY_BYTES, room));
      }
      System.arraycopy(value, from, data, start, length);
      offsets[row + 1] = (int) end;
    }

    void endRow(int row) {
      if (storage == Storage.BYTES && (present[row >>> 6] >>> row & 1) == 0) {
        offsets[row + 1] = offsets[row];
      }
    }

    void abandonRow(int row) {
      present[row >>> 6] &= ~(1L << row);
    }

    long bytes() {
      return booleans.length
          + 4L * (ints.length + floats.length + offsets.length)
          + 8L * (longs.length + doubles.length + present.length)
          + data.length;
    }

    /** Gives the growth reserve back where it is large: agents count what a vector holds. */
    private void trim(int size) {
      if (storage == Storage.BYTES && wasteful(data.length, offsets[size])) {
        data = Arrays.copyOf(data, offsets[size]);
      }
      if (wasteful(present.length * Long.SIZE, Math.max(size, Long.SIZE))) {
        present = Arrays.copyOf(present, (size + 63) >>> 6);
      }
      switch (storage) {
        case BOOLEAN ->
            booleans = wasteful(booleans.length, size) ? Arrays.copyOf(booleans, size) : booleans;
        case INT -> ints = wasteful(ints.length, size) ? Arrays.copyOf(ints, size) : ints;
        case LONG -> longs = wasteful(longs.length, size) ? Arrays.copyOf(longs, size) : longs;
        case FLOAT -> floats = wasteful(floats.length, size) ? Arrays.copyOf(floats, size) : floats;
        case DOUBLE ->
            doubles = wasteful(doubles.length, size) ? Arrays.copyOf(doubles, size) : doubles;
        case BYTES ->
            offsets =
                wasteful(offsets.length, size + 1) ? Arrays.copyOf(offsets, size + 1) : offsets;
      }
    }

    private static boolean wasteful(int held, int used) {
      return held - used > used / 4;
    }

    ColumnVector vector(int size) {
      trim(size);
      Nulls nulls = Nulls.ofPresentBits(present, size);
      return switch (storage) {
        case BOOLEAN -> new ColumnVector.OfBoolean(booleans, size, nulls);
        case INT -> new ColumnVector.OfInt(ints, size, nulls);
        case LONG -> new ColumnVector.OfLong(longs, size, nulls);
        case FLOAT -> new ColumnVector.OfFloat(floats, size, nulls);
        case DOUBLE -> new ColumnVector.OfDouble(doubles, size, nulls);
        case BYTES -> new ColumnVector.OfBytes(data, offsets, size, nulls);
      };
    }
  }
}
