package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnVector;
import io.corehub.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTest {

  private static final Comparator<Sequence> ORDER_OF_ROWS =
      Comparator.comparing(
              (Sequence s) -> s.prefix().orElseThrow(),
              Comparator.comparingInt(SequencePrefix::incarnation)
                  .thenComparingInt(SequencePrefix::schemaVersion)
                  .thenComparing(SequencePrefix::phase))
          .thenComparing(Sequence::order, Long::compareUnsigned)
          .thenComparingLong(Sequence::row);

  @ParameterizedTest
  @CsvSource({
    "1, 1, TRUNCATION, 100, 0, 00000000100000000100, 00000000000000000100000000000000",
    "1, 1, LOAD, 100, 1, 00000000100000000101, 00000000000000000100000000000001",
    "1, 1, LOAD, 100, 2, 00000000100000000101, 00000000000000000100000000000002",
    "1, 1, DURING_LOAD, 104, 1, 00000000100000000102, 00000000000000000104000000000001",
    "1, 1, DURING_LOAD, 104, 2, 00000000100000000102, 00000000000000000104000000000002",
    "1, 1, BACKLOG, 107, 1, 00000000100000000103, 00000000000000000107000000000001",
    "1, 1, CDC, 112, 1, 00000000100000000104, 00000000000000000112000000000001",
    "1, 2, CDC, 120, 1, 00000000100000000204, 00000000000000000120000000000001",
    "2, 2, TRUNCATION, 130, 0, 00000000200000000200, 00000000000000000130000000000000"
  })
  void theWorkedSequencesComeOut(
      int incarnation, int version, Phase phase, long order, long row, String prefix, String s) {
    SequencePrefix of = new SequencePrefix(incarnation, version, phase);
    Sequence sequence = new Sequence(Optional.of(of), order, row);
    assertThat(sequence).hasToString(prefix + s);
    assertThat(Sequence.of(order, row)).hasToString(s);
    assertThat(Sequence.parse(prefix + s)).isEqualTo(sequence);
    assertThat(Sequence.parse(s)).isEqualTo(Sequence.of(order, row));
  }

  @Test
  void theOrderOfTheTextsIsTheOrderOfTheRows() {
    Seeds.forEach(
        5_000,
        64,
        (seed, size) -> {
          Random random = new Random(seed);
          Sequence one = sequence(random, size);
          Sequence other = random.nextInt(3) == 0 ? near(one, random) : sequence(random, size);
          assertThat(Integer.signum(one.toString().compareTo(other.toString())))
              .as("%s against %s", one, other)
              .isEqualTo(Integer.signum(ORDER_OF_ROWS.compare(one, other)));
          assertThat(one.toString()).hasSize(Sequence.PREFIXED_DIGITS).containsOnlyDigits();
          assertThat(Sequence.parse(one.toString())).isEqualTo(one);
          String unprefixed = Sequence.of(one.order(), one.row()).toString();
          assertThat(unprefixed).hasSize(Sequence.DIGITS);
          byte[] written = new byte[Sequence.DIGITS + 2];
          Sequence.write(one.order(), one.row(), written, 1);
          assertThat(new String(written, 1, Sequence.DIGITS, StandardCharsets.US_ASCII))
              .isEqualTo(unprefixed);
        });
  }

  private static Sequence sequence(Random random, int bits) {
    return new Sequence(
        Optional.of(
            new SequencePrefix(
                1 + random.nextInt(Math.min(999_999_999, 1 << Math.min(29, bits))),
                1 + random.nextInt(3),
                Phase.ofCode(random.nextInt(5)))),
        random.nextLong() >>> (64 - bits),
        random.nextLong(1L + Math.min(Sequence.MOST_ROWS, 1L << Math.min(40, bits)))
            % 1_000_000_000_000L);
  }

  private static Sequence near(Sequence one, Random random) {
    return new Sequence(one.prefix(), one.order() + random.nextInt(-1, 2), one.row());
  }

  @ParameterizedTest
  @CsvSource({
    "18446744073709551615, 999999999999, 18446744073709551615999999999999",
    "9223372036854775808, 0, 09223372036854775808000000000000",
    "0, 0, 00000000000000000000000000000000"
  })
  void ordersAreUnsigned(String order, long row, String text) {
    assertThat(Sequence.of(Long.parseUnsignedLong(order), row)).hasToString(text);
    assertThat(Long.toUnsignedString(Sequence.parse(text).order())).isEqualTo(order);
  }

  @Test
  void whatDoesNotFitIsAnError() {
    assertThatThrownBy(() -> Sequence.of(7, 1_000_000_000_000L))
        .hasMessageContainingAll("Row 1000000000000", "transaction at 7", "999999999999 rows");
    assertThatThrownBy(() -> Sequence.write(7, 1_000_000_000_000L, new byte[32], 0))
        .hasMessageContaining("Row 1000000000000");
    assertThatThrownBy(() -> Sequence.of(7, -1)).hasMessageContaining("Row -1");
    assertThatThrownBy(() -> new SequencePrefix(1_000_000_000, 1, Phase.CDC))
        .hasMessageContainingAll("incarnation", "1000000000");
    assertThatThrownBy(() -> new SequencePrefix(1, 0, Phase.CDC))
        .hasMessageContainingAll("schema version", "0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0000000000000000010000000000000",
        "0000000000000000010000000000000x",
        "18446744073709551616000000000000",
        "0000000000000000010000000000000٣",
        "0000000010000000010500000000000000000100000000000000",
        "0000000000000000010100000000000000000100000000000000"
      })
  void otherTextsAreNoSequences(String text) {
    assertThatThrownBy(() -> Sequence.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sequencesWrittenOneBehindTheOtherAreTheSame() {
    Seeds.forEach(
        500,
        400,
        (seed, size) -> {
          Random random = new Random(seed);
          Optional<SequencePrefix> prefix =
              random.nextBoolean()
                  ? Optional.of(new SequencePrefix(1, 2, Phase.CDC))
                  : Optional.empty();
          SequenceVector vector = new SequenceVector(prefix, size);
          List<String> expected = new ArrayList<>();
          long order = random.nextLong();
          long row = random.nextLong(Sequence.MOST_ROWS - 1_000);
          while (expected.size() < size) {
            int rows = random.nextInt(size - expected.size() + 1);
            vector.add(order, row + 1, rows);
            for (int i = 0; i < rows; i++) {
              expected.add(new Sequence(prefix, order, ++row).toString());
            }
            if (random.nextBoolean()) {
              order++;
              row = random.nextInt(3) == 0 ? 99_989 : 0;
            }
          }
          ColumnVector.OfBytes texts = (ColumnVector.OfBytes) vector.vector();
          for (int i = 0; i < size; i++) {
            assertThat(new String(texts.copyOf(i), StandardCharsets.US_ASCII))
                .isEqualTo(expected.get(i));
          }
        });
  }

  @Test
  void aRowBeyondTheLastIsAnErrorThereToo() {
    SequenceVector vector = new SequenceVector(Optional.empty(), 3);
    vector.add(7, Sequence.MOST_ROWS, 1);
    assertThatThrownBy(() -> vector.add(7, Sequence.MOST_ROWS, 2))
        .hasMessageContaining("Row 1000000000000");
  }
}
