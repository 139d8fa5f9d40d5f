package io.corehub.hub.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowSumsTest {

  @Test
  void holdsWhatAMapHolds() {
    Random random = new Random(3);
    RowSums sums = new RowSums();
    Map<Long, Long> model = new HashMap<>();
    for (int step = 0; step < 200_000; step++) {
      // Few distinct upper halves, so that many keys want the same place.
      long key = ((long) random.nextInt(40) << 33) + random.nextInt(100);
      if (random.nextInt(3) == 0) {
        sums.remove(key);
        model.remove(key);
      } else {
        long row = random.nextLong();
        sums.put(key, row);
        model.put(key, row);
      }
      if (step % 1_000 == 0) {
        assertSame(sums, model);
      }
    }
    for (Long key : Map.copyOf(model).keySet()) {
      sums.remove(key);
      model.remove(key);
    }
    assertSame(sums, model);
  }

  private static void assertSame(RowSums sums, Map<Long, Long> model) {
    assertThat(sums.size()).isEqualTo(model.size());
    assertThat(sums.sum()).isEqualTo(model.values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void growsAndForgets() {
    RowSums sums = new RowSums();
    for (long key = 0; key < 100_000; key++) {
      sums.put(key * 0xD6E8FEB86659FD93L, 1);
    }
    assertThat(sums.size()).isEqualTo(100_000);
    assertThat(sums.sum()).isEqualTo(100_000);
    sums.clear();
    assertThat(sums.size()).isZero();
    assertThat(sums.sum()).isZero();
  }
}
