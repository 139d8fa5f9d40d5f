package io.corehub.parquet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesBoundsTest {

  @Test
  void valuesTakenTogetherHaveTheBoundsOfThoseTakenOneByOne() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(8);
      int[] offsets = new int[count + 1];
      for (int i = 0; i < count; i++) {
        offsets[i + 1] = offsets[i] + random.nextInt(random.nextBoolean() ? 3 : 90);
      }
      byte[] data = new byte[offsets[count]];
      for (int i = 0; i < data.length; i++) {
        // Two letters, and long runs of one, so that values often differ late or not at all.
        data[i] = (byte) (random.nextInt(20) == 0 ? 0xC3 : 'a');
      }
      int cut = random.nextInt(count);
      BytesBounds together = new BytesBounds(false);
      if (cut > 0) {
        together.addAll(data, offsets, 0, cut);
      }
      together.addAll(data, offsets, cut, count - cut);
      BytesBounds single = new BytesBounds(false);
      for (int i = 0; i < count; i++) {
        single.add(data, offsets[i], offsets[i + 1] - offsets[i]);
      }
      assertThat(together.statistics()).as("seed %d", seed).isEqualTo(single.statistics());
    }
  }
}
