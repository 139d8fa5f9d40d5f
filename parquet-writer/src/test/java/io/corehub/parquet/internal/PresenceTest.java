package io.corehub.parquet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.Nulls;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.junit.jupiter.api.Test;

class PresenceTest {

  @Test
  void definitionLevelsOfAnyRangeFollowThePresenceBits() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      Presence presence = new Presence(new ParquetColumn("c", ParquetType.INT32));
      boolean[] expected = new boolean[2000];
      int rows = 0;
      while (rows < 1200) {
        int size = 1 + random.nextInt(400);
        boolean anyNull = random.nextInt(3) == 0;
        long[] bits = new long[(size + 63) / 64];
        boolean[] present = new boolean[size];
        for (int i = 0; i < size; i++) {
          present[i] = !anyNull || random.nextInt(4) > 0;
          if (present[i]) {
            bits[i >>> 6] |= 1L << i;
          }
        }
        int from = random.nextInt(size);
        int values = presence.append(Nulls.ofPresentBits(bits, size), from, size - from);
        int count = 0;
        for (int i = from; i < size; i++) {
          expected[rows++] = present[i];
          count += present[i] ? 1 : 0;
        }
        assertThat(values).isEqualTo(count);
      }
      int from = random.nextInt(rows);
      int to = from + 1 + random.nextInt(rows - from);
      byte[] levels = new byte[Presence.levelRoom(to - from)];
      int length = presence.writeLevels(from, to, levels);
      assertThat(ByteBuffer.wrap(levels).order(ByteOrder.LITTLE_ENDIAN).getInt())
          .isEqualTo(length - 4);
      RunLengthBitPackingHybridDecoder decoder =
          new RunLengthBitPackingHybridDecoder(
              1, ByteBufferInputStream.wrap(ByteBuffer.wrap(levels, 4, length - 4)));
      for (int row = from; row < to; row++) {
        assertThat(decoder.readInt())
            .as("row %d of round %d", row, round)
            .isEqualTo(expected[row] ? 1 : 0);
      }
    }
  }
}
