package io.corehub.parquet;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.parquet.internal.EncodingLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of test values. A value is what the format stores: Boolean, Integer, Long, Float, Double,
 * byte[] of a string or binary, BigInteger (unscaled) of a decimal; or null.
 */
record Sample(ParquetSchema schema, List<List<Object>> columns) {

  static Sample of(ParquetType type, List<Object> values) {
    return new Sample(new ParquetSchema(List.of(new ParquetColumn("c", type))), List.of(values));
  }

  int rows() {
    return columns.get(0).size();
  }

  List<ColumnVector> vectors() {
    List<ColumnVector> vectors = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      vectors.add(vector(schema.columns().get(i).type(), columns.get(i), true));
    }
    return vectors;
  }

  MemorySink write(WriterOptions options, EncodingLimits limits, int batchRows) throws IOException {
    MemorySink sink = new MemorySink();
    List<ColumnVector> vectors = vectors();
    try (ParquetWriter writer = ParquetWriter.open(schema, options, limits, sink)) {
      for (int from = 0; from < rows(); from += batchRows) {
        writer.append(vectors, from, Math.min(rows(), from + batchRows));
      }
      writer.finish();
    }
    return sink;
  }

  MemorySink write(WriterOptions options) throws IOException {
    return write(options, EncodingLimits.usual(options.rowGroups().mostRows()), 1000);
  }

  static ColumnVector vector(ParquetType type, List<Object> values, boolean longDecimals) {
    int size = values.size();
    long[] present = new long[(size + 63) / 64];
    for (int i = 0; i < size; i++) {
      if (values.get(i) != null) {
        present[i >>> 6] |= 1L << i;
      }
    }
    Nulls nulls = Nulls.ofPresentBits(present, size);
    return switch (type.kind()) {
      case BOOLEAN -> {
        boolean[] array = new boolean[size];
        for (int i = 0; i < size; i++) {
          // What stands at a NULL is unspecified: make it a value that would be noticed.
          array[i] = values.get(i) == null || (Boolean) values.get(i);
        }
        yield new ColumnVector.OfBoolean(array, size, nulls);
      }
      case INT32, DATE -> {
        int[] array = new int[size];
        for (int i = 0; i < size; i++) {
          array[i] = values.get(i) == null ? Integer.MIN_VALUE + 7 : (Integer) values.get(i);
        }
        yield new ColumnVector.OfInt(array, size, nulls);
      }
      case FLOAT -> {
        float[] array = new float[size];
        for (int i = 0; i < size; i++) {
          array[i] = values.get(i) == null ? Float.NaN : (Float) values.get(i);
        }
        yield new ColumnVector.OfFloat(array, size, nulls);
      }
      case DOUBLE -> {
        double[] array = new double[size];
        for (int i = 0; i < size; i++) {
          array[i] = values.get(i) == null ? Double.NaN : (Double) values.get(i);
        }
        yield new ColumnVector.OfDouble(array, size, nulls);
      }
      case INT64, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC -> {
        long[] array = new long[size];
        for (int i = 0; i < size; i++) {
          array[i] = values.get(i) == null ? Long.MIN_VALUE + 7 : (Long) values.get(i);
        }
        yield new ColumnVector.OfLong(array, size, nulls);
      }
      case DECIMAL -> {
        if (type.precision() > 18 || !longDecimals) {
          yield bytes(values, nulls);
        }
        long[] array = new long[size];
        for (int i = 0; i < size; i++) {
          array[i] =
              values.get(i) == null
                  ? Long.MIN_VALUE + 7
                  : ((BigInteger) values.get(i)).longValueExact();
        }
        yield new ColumnVector.OfLong(array, size, nulls);
      }
      case STRING, BINARY -> bytes(values, nulls);
    };
  }

  private static ColumnVector bytes(List<Object> values, Nulls nulls) {
    int[] offsets = new int[values.size() + 1];
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      if (value != null) {
        data.writeBytes(
            value instanceof BigInteger unscaled ? unscaled.toByteArray() : (byte[]) value);
      }
      offsets[i + 1] = data.size();
    }
    return new ColumnVector.OfBytes(data.toByteArray(), offsets, values.size(), nulls);
  }
}
