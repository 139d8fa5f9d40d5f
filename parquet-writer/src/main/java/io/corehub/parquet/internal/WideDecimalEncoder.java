package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ParquetColumn;
import java.math.BigInteger;
import org.apache.parquet.format.Statistics;

/** Decimals of 19 to 38 digits: big-endian two's complement of 9 to 16 bytes. */
final class WideDecimalEncoder extends ByteStringEncoder {

  private final int width;
  private final long limitHigh;
  private final long limitLow;
  private final byte[] value = new byte[2 * Long.BYTES];
  private boolean any;
  private long minHigh;
  private long minLow;
  private long maxHigh;
  private long maxLow;

  WideDecimalEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    super(column, limits, scratch, 0);
    width = PhysicalTypes.width(column.type());
    BigInteger limit = BigInteger.TEN.pow(column.type().precision()).subtract(BigInteger.ONE);
    limitHigh = limit.shiftRight(64).longValueExact();
    limitLow = limit.longValue();
  }

  @Override
  void append(ColumnVector vector, int from, int count) {
    int base = presence.rows();
    presence.append(vector.nulls(), from, count);
    if (vector instanceof ColumnVector.OfBytes bytes) {
      for (int row = from; row < from + count; row++) {
        if (!vector.nulls().isNull(row)) {
          put(bytes, row, base + row - from);
        }
      }
    } else if (vector instanceof ColumnVector.OfLong longs) {
      for (int row = from; row < from + count; row++) {
        if (!vector.nulls().isNull(row)) {
          long low = longs.values()[row];
          put(low >> 63, low, base + row - from);
        }
      }
    } else {
      throw misfit(vector);
    }
    endBlock();
  }

  private void put(ColumnVector.OfBytes bytes, int row, int groupRow) {
    int length = bytes.length(row);
    if (length == 0 || length > width) {
      throw refusal(row, length + " bytes cannot be the unscaled value of a " + column.type());
    }
    byte[] data = bytes.data();
    int from = bytes.offsets()[row];
    long low = 0;
    long high = data[from] >> 7;
    if (length > Long.BYTES) {
      int highBytes = length - Long.BYTES;
      high = Bytes.prefix(data, from, highBytes) >> (64 - 8 * highBytes);
      low = Bytes.prefix(data, from + highBytes, Long.BYTES);
    } else {
      low = Bytes.prefix(data, from, length) >> (64 - 8 * length);
    }
    if (!fits(high, low)) {
      throw refusal(row, "the unscaled value has too many digits for " + column.type());
    }
    put(high, low, groupRow);
  }

  private boolean fits(long high, long low) {
    // Greater than the limit, or less than its negative: -limit is ~limit + 1.
    return compare(high, low, limitHigh, limitLow) <= 0
        && compare(high, low, ~limitHigh, ~limitLow) > 0;
  }

  private static int compare(long high, long low, long otherHigh, long otherLow) {
    return high != otherHigh ? Long.compare(high, otherHigh) : Long.compareUnsigned(low, otherLow);
  }

  private void put(long high, long low, int groupRow) {
    if (!any || compare(high, low, minHigh, minLow) < 0) {
      minHigh = high;
      minLow = low;
    }
    if (!any || compare(high, low, maxHigh, maxLow) > 0) {
      maxHigh = high;
      maxLow = low;
    }
    any = true;
    toBytes(high, low);
    put(value, value.length - width, width, groupRow);
  }

  private void toBytes(long high, long low) {
    Bytes.putLongBig(value, 0, high);
    Bytes.putLongBig(value, Long.BYTES, low);
  }

  @Override
  void observe(byte[] data, int from, int length) {
    // Bounds are kept as numbers, see put.
  }

  @Override
  Statistics statistics() {
    Statistics statistics = new Statistics();
    if (any) {
      statistics.setMin_value(bound(minHigh, minLow));
      statistics.setMax_value(bound(maxHigh, maxLow));
      statistics.setIs_min_value_exact(true);
      statistics.setIs_max_value_exact(true);
    }
    return statistics;
  }

  private byte[] bound(long high, long low) {
    toBytes(high, low);
    return java.util.Arrays.copyOfRange(value, value.length - width, value.length);
  }

  @Override
  void reset() {
    super.reset();
    any = false;
  }
}
