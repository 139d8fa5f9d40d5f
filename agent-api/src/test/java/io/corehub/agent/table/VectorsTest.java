package io.corehub.agent.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector.OfBytes;
import io.corehub.agent.table.ColumnVector.OfInt;
import io.corehub.agent.table.ColumnVector.OfLong;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VectorsTest {

  @Test
  void presenceBitsTellNullRowByRowAtEverySize() {
    for (int size = 0; size <= 200; size++) {
      Random random = new Random(size);
      boolean[] present = new boolean[size];
      long[] bits = new long[(size + 63) / 64 + 1];
      int nulls = 0;
      for (int row = 0; row < size; row++) {
        present[row] = random.nextInt(3) > 0;
        nulls += present[row] ? 0 : 1;
        bits[row / 64] |= present[row] ? 1L << row : 0;
      }

      Nulls read = Nulls.ofPresentBits(bits, size);

      assertThat(read.count()).as("size %d", size).isEqualTo(nulls);
      assertThat(read.any()).isEqualTo(nulls > 0);
      for (int row = 0; row < size; row++) {
        assertThat(read.isNull(row)).as("size %d, row %d", size, row).isEqualTo(!present[row]);
        assertThat(read.word(row / 64) >>> row & 1).isEqualTo(present[row] ? 1 : 0);
      }
    }
  }

  @Test
  void bitsBeyondTheSizeDoNotCount() {
    Nulls nulls = Nulls.ofPresentBits(new long[] {-1L}, 3);

    assertThat(nulls).isSameAs(Nulls.NONE);
    assertThat(Nulls.ofPresentBits(new long[] {0b1011L}, 3).word(0)).isEqualTo(0b011L);
  }

  @Test
  void tooFewBitsAreRefused() {
    assertThatThrownBy(() -> Nulls.ofPresentBits(new long[1], 65))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void chosenRowsComeInTheOrderAskedForAndMayRepeat() {
    Nulls nulls = Nulls.ofPresentBits(new long[] {0b0110L}, 4);
    int[] rows = {3, 1, 1, 2, 99};

    OfInt ints = new OfInt(new int[] {10, 11, 12, 13}, 4, nulls).select(rows, 4);
    OfBytes bytes =
        new OfBytes(new byte[] {1, 2, 3}, new int[] {0, 0, 1, 3, 3}, 4, nulls).select(rows, 4);

    assertThat(ints.values()[1]).isEqualTo(11);
    assertThat(ints.values()[3]).isEqualTo(12);
    assertThat(ints.nulls().isNull(0)).isTrue();
    assertThat(ints.nulls().count()).isEqualTo(1);
    assertThat(bytes.copyOf(1)).containsExactly(1);
    assertThat(bytes.copyOf(2)).containsExactly(1);
    assertThat(bytes.copyOf(3)).containsExactly(2, 3);
    assertThat(bytes.length(0)).isZero();
  }

  @Test
  void rowsWithoutNullStayWithoutNull() {
    OfInt chosen = new OfInt(new int[] {1, 2}, 2, Nulls.NONE).select(new int[] {1}, 1);

    assertThat(chosen.nulls()).isSameAs(Nulls.NONE);
  }

  @Test
  void arraysThatAreTooShortAreRefused() {
    assertThatThrownBy(() -> new OfLong(new long[1], 2, Nulls.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OfBytes(new byte[1], new int[] {0, 2}, 1, Nulls.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OfBytes(new byte[1], new int[] {0}, 1, Nulls.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OfBytes(new byte[0], new int[] {0}, -1, Nulls.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBatchRefusesVectorsThatDoNotFitItsSchema() {
    TableSchema schema =
        new TableSchema(
            TableId.of("shop", "orders"),
            List.of(Column.of("id", ColumnType.of(Kind.INT))),
            List.of(),
            1);
    OfInt two = new OfInt(new int[2], 2, Nulls.NONE);

    assertThat(new ColumnBatch(schema, 2, List.of(two)).bytes()).isEqualTo(8);
    assertThatThrownBy(() -> new ColumnBatch(schema, 2, List.of()))
        .hasMessageContaining("shop.orders");
    assertThatThrownBy(() -> new ColumnBatch(schema, 3, List.of(two)))
        .hasMessageContaining("column 'id': expected 3 rows stored as INT, not 2 as INT");
    assertThatThrownBy(
            () -> new ColumnBatch(schema, 2, List.of(new OfLong(new long[2], 2, Nulls.NONE))))
        .hasMessageContaining("as LONG");
  }
}
