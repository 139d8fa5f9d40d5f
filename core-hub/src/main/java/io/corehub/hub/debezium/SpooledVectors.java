package io.corehub.hub.debezium;

import io.corehub.agent.table.ColumnType.Storage;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Column vectors as bytes, for a file that never outlives the process. Stateless. */
final class SpooledVectors {

  private SpooledVectors() {}

  static void write(DataOutputStream out, ColumnVector vector) throws IOException {
    int size = vector.size();
    writeNulls(out, vector.nulls(), size);
    if (vector instanceof ColumnVector.OfBoolean booleans) {
      for (int i = 0; i < size; i++) {
        out.writeBoolean(booleans.values()[i]);
      }
    } else if (vector instanceof ColumnVector.OfInt ints) {
      for (int i = 0; i < size; i++) {
        out.writeInt(ints.values()[i]);
      }
    } else if (vector instanceof ColumnVector.OfLong longs) {
      for (int i = 0; i < size; i++) {
        out.writeLong(longs.values()[i]);
      }
    } else if (vector instanceof ColumnVector.OfFloat floats) {
      for (int i = 0; i < size; i++) {
        out.writeInt(Float.floatToRawIntBits(floats.values()[i]));
      }
    } else if (vector instanceof ColumnVector.OfDouble doubles) {
      for (int i = 0; i < size; i++) {
        out.writeLong(Double.doubleToRawLongBits(doubles.values()[i]));
      }
    } else {
      ColumnVector.OfBytes bytes = (ColumnVector.OfBytes) vector;
      int first = bytes.offsets()[0];
      for (int i = 0; i <= size; i++) {
        out.writeInt(bytes.offsets()[i] - first);
      }
      out.write(bytes.data(), first, bytes.offsets()[size] - first);
    }
  }

  static ColumnVector read(DataInputStream in, Storage storage, int size) throws IOException {
    Nulls nulls = readNulls(in, size);
    return switch (storage) {
      case BOOLEAN -> {
        boolean[] values = new boolean[size];
        for (int i = 0; i < size; i++) {
          values[i] = in.readBoolean();
        }
        yield new ColumnVector.OfBoolean(values, size, nulls);
      }
      case INT -> {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
          values[i] = in.readInt();
        }
        yield new ColumnVector.OfInt(values, size, nulls);
      }
      case LONG -> {
        long[] values = new long[size];
        for (int i = 0; i < size; i++) {
          values[i] = in.readLong();
        }
        yield new ColumnVector.OfLong(values, size, nulls);
      }
      case FLOAT -> {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
          values[i] = Float.intBitsToFloat(in.readInt());
        }
        yield new ColumnVector.OfFloat(values, size, nulls);
      }
      case DOUBLE -> {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
          values[i] = Double.longBitsToDouble(in.readLong());
        }
        yield new ColumnVector.OfDouble(values, size, nulls);
      }
      case BYTES -> {
        int[] offsets = new int[size + 1];
        for (int i = 0; i <= size; i++) {
          offsets[i] = in.readInt();
        }
        byte[] data = new byte[offsets[size]];
        in.readFully(data);
        yield new ColumnVector.OfBytes(data, offsets, size, nulls);
      }
    };
  }

  private static void writeNulls(DataOutputStream out, Nulls nulls, int size) throws IOException {
    out.writeBoolean(nulls.any());
    if (nulls.any()) {
      for (int word = 0; word < (size + 63) >>> 6; word++) {
        out.writeLong(nulls.word(word));
      }
    }
  }

  private static Nulls readNulls(DataInputStream in, int size) throws IOException {
    if (!in.readBoolean()) {
      return Nulls.NONE;
    }
    long[] words = new long[(size + 63) >>> 6];
    for (int word = 0; word < words.length; word++) {
      words[word] = in.readLong();
    }
    return Nulls.ofPresentBits(words, size);
  }
}
