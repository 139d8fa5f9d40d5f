package io.corehub.parquet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesDictionaryTest {

  @Test
  void everyValueHasOneIndexAndIsFoundThere() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      BytesDictionary dictionary = new BytesDictionary(4);
      List<String> distinct = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        // Lengths around the eight bytes that are compared at once.
        String value = "ab".repeat(random.nextInt(10)) + random.nextInt(40);
        byte[] bytes = ("x" + value + "y").getBytes(StandardCharsets.UTF_8);
        int index = dictionary.index(bytes, 1, bytes.length - 2);
        if (!distinct.contains(value)) {
          distinct.add(value);
        }
        assertThat(index).as("seed %d, %s", seed, value).isEqualTo(distinct.indexOf(value));
        int start = dictionary.start(index);
        assertThat(
                new String(
                    dictionary.pool(),
                    start,
                    dictionary.end(index) - start,
                    StandardCharsets.UTF_8))
            .isEqualTo(value);
      }
      assertThat(dictionary.size()).isEqualTo(distinct.size());
    }
  }
}
