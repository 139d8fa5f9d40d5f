package io.corehub.parquet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexRunsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 31})
  void runsAndSingleIndexesComeBackInEveryWidth(int bitWidth) throws Exception {
    Random random = new Random(bitWidth);
    for (int round = 0; round < 200; round++) {
      int[] indexes = new int[random.nextInt(500)];
      for (int i = 0; i < indexes.length; ) {
        int value = bitWidth == 0 ? 0 : random.nextInt() & (int) ((1L << bitWidth) - 1);
        int run = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 1;
        for (int end = Math.min(indexes.length, i + run); i < end; i++) {
          indexes[i] = value;
        }
      }
      int from = indexes.length == 0 ? 0 : random.nextInt(indexes.length);
      byte[] target = new byte[IndexRuns.room(indexes.length - from, bitWidth)];
      int length = IndexRuns.write(indexes, from, indexes.length, bitWidth, target);
      assertThat(target[0]).isEqualTo((byte) bitWidth);
      RunLengthBitPackingHybridDecoder decoder =
          new RunLengthBitPackingHybridDecoder(
              bitWidth, ByteBufferInputStream.wrap(ByteBuffer.wrap(target, 1, length - 1)));
      for (int i = from; i < indexes.length; i++) {
        assertThat(decoder.readInt()).as("index %d of round %d", i, round).isEqualTo(indexes[i]);
      }
    }
  }
}
