package io.corehub.agent.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector.OfBoolean;
import io.corehub.agent.table.ColumnVector.OfBytes;
import io.corehub.agent.table.ColumnVector.OfDouble;
import io.corehub.agent.table.ColumnVector.OfFloat;
import io.corehub.agent.table.ColumnVector.OfInt;
import io.corehub.agent.table.ColumnVector.OfLong;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnBatchBuilderTest {

  private static ColumnBatchBuilder builder(ColumnType... types) {
    List<Column> columns = new ArrayList<>();
    for (ColumnType type : types) {
      columns.add(Column.of("c" + columns.size(), type));
    }
    return new ColumnBatchBuilder(new TableSchema(TableId.of("t"), columns, List.of(), 1));
  }

  private static ColumnBatchBuilder builder(Kind kind) {
    return builder(ColumnType.of(kind));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 63, 64, 65, 1000})
  void keepsEveryStorageAtEverySize(int rows) {
    ColumnBatchBuilder builder =
        builder(
            ColumnType.of(Kind.BOOLEAN),
            ColumnType.of(Kind.INT),
            ColumnType.of(Kind.LONG),
            ColumnType.of(Kind.FLOAT),
            ColumnType.of(Kind.DOUBLE),
            ColumnType.of(Kind.STRING));
    for (int row = 0; row < rows; row++) {
      if (row % 3 != 1) {
        builder.setText(5, "text " + row);
        builder.setDouble(4, row + 0.5);
        builder.setFloat(3, -row);
        builder.setLong(2, row * 1_000_000_000_000L);
        builder.setInt(1, row);
        builder.setBoolean(0, row % 2 == 0);
      }
      builder.endRow();
    }
    assertThat(builder.rowCount()).isEqualTo(rows);

    ColumnBatch batch = builder.build();

    assertThat(batch.rowCount()).isEqualTo(rows);
    for (int row = 0; row < rows; row++) {
      boolean isNull = row % 3 == 1;
      for (ColumnVector column : batch.columns()) {
        assertThat(column.nulls().isNull(row)).isEqualTo(isNull);
      }
      OfBytes texts = (OfBytes) batch.columns().get(5);
      if (isNull) {
        assertThat(texts.length(row)).isZero();
      } else {
        assertThat(((OfBoolean) batch.columns().get(0)).values()[row]).isEqualTo(row % 2 == 0);
        assertThat(((OfInt) batch.columns().get(1)).values()[row]).isEqualTo(row);
        assertThat(((OfLong) batch.columns().get(2)).values()[row])
            .isEqualTo(row * 1_000_000_000_000L);
        assertThat(((OfFloat) batch.columns().get(3)).values()[row]).isEqualTo(-row);
        assertThat(((OfDouble) batch.columns().get(4)).values()[row]).isEqualTo(row + 0.5);
        assertThat(texts.copyOf(row)).asString(StandardCharsets.UTF_8).isEqualTo("text " + row);
      }
    }
  }

  @Test
  void startsAnewAfterABatchAndLeavesTheOldOneAlone() {
    ColumnBatchBuilder builder = builder(Kind.INT);
    builder.setInt(0, 1);
    builder.endRow();
    ColumnBatch first = builder.build();
    builder.setInt(0, 2);
    builder.endRow();
    builder.endRow();
    ColumnBatch second = builder.build();

    assertThat(((OfInt) first.columns().get(0)).values()[0]).isEqualTo(1);
    assertThat(second.rowCount()).isEqualTo(2);
    assertThat(second.columns().get(0).nulls().isNull(1)).isTrue();
  }

  @Test
  void anAbandonedRowLeavesNothingBehind() {
    ColumnBatchBuilder builder =
        builder(ColumnType.of(Kind.STRING), ColumnType.of(Kind.INT), ColumnType.of(Kind.INT));
    builder.setText(0, "kept");
    builder.endRow();
    builder.setText(0, "dropped, and longer");
    builder.setInt(1, 7);
    builder.setUndelivered(2);
    builder.abandonRow();
    builder.endRow();
    builder.setText(0, "last");
    builder.endRow();

    Undelivered undelivered = builder.undelivered();
    ColumnBatch batch = builder.build();

    assertThat(batch.rowCount()).isEqualTo(3);
    OfBytes texts = (OfBytes) batch.columns().get(0);
    assertThat(texts.nulls().isNull(1)).isTrue();
    assertThat(texts.length(1)).isZero();
    assertThat(texts.copyOf(2)).asString(StandardCharsets.UTF_8).isEqualTo("last");
    assertThat(batch.columns().get(1).nulls().isNull(1)).isTrue();
    assertThat(undelivered.is(2, 1)).isFalse();
  }

  @Test
  void marksCellsThatWereNotDelivered() {
    ColumnBatchBuilder builder = builder(ColumnType.of(Kind.INT), ColumnType.of(Kind.INT));
    assertThat(builder.undelivered()).isSameAs(Undelivered.NONE);
    for (int row = 0; row < 200; row++) {
      builder.setInt(0, row);
      builder.setInt(1, row);
      if (row % 50 == 1) {
        builder.setUndelivered(1);
      }
      builder.endRow();
    }

    Undelivered undelivered = builder.undelivered();
    ColumnBatch batch = builder.build();

    assertThat(undelivered.any()).isTrue();
    for (int row = 0; row < 200; row++) {
      assertThat(undelivered.is(0, row)).isFalse();
      assertThat(undelivered.is(1, row)).as("row %d", row).isEqualTo(row % 50 == 1);
      assertThat(batch.columns().get(1).nulls().isNull(row)).isEqualTo(row % 50 == 1);
    }
    assertThat(builder.undelivered()).isSameAs(Undelivered.NONE);
  }

  @Test
  void copiesTheBytesItIsGiven() {
    ColumnBatchBuilder builder = builder(Kind.BYTE_ARRAY);
    byte[] bytes = {1, 2, 3, 4};
    builder.setBytes(0, bytes, 1, 2);
    builder.endRow();
    bytes[1] = 99;

    assertThat(((OfBytes) builder.build().columns().get(0)).copyOf(0)).containsExactly(2, 3);
  }

  @Test
  void refusesAValueOfAnotherStorageNamingTheColumn() {
    ColumnBatchBuilder builder = builder(Kind.INT);

    assertThatThrownBy(() -> builder.setText(0, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Column 'c0' is stored as INT, not BYTES");
  }

  @ParameterizedTest
  @CsvSource({
    "12.34, 4, 2, 1234", "-12.34, 4, 2, -1234", "1.500, 3, 2, 150", "0e99999, 4, 2, 0",
    "1E2, 5, 2, 10000", "99.99, 4, 2, 9999", "0.000, 1, 1, 0", "1E-2, 2, 2, 1"
  })
  void keepsADecimalThatFitsExactly(String value, int precision, int scale, long unscaled) {
    ColumnBatchBuilder builder = builder(ColumnType.decimal(precision, scale));
    builder.setDecimal(0, new BigDecimal(value));
    builder.endRow();

    assertThat(((OfLong) builder.build().columns().get(0)).values()[0]).isEqualTo(unscaled);
  }

  @Test
  void keepsALongDecimalAsShortestBytes() {
    ColumnBatchBuilder builder = builder(ColumnType.decimal(38, 2));
    BigDecimal value = new BigDecimal("-123456789012345678901234567890.12");
    builder.setDecimal(0, value);
    builder.endRow();

    byte[] stored = ((OfBytes) builder.build().columns().get(0)).copyOf(0);

    assertThat(stored).isEqualTo(value.unscaledValue().toByteArray());
    assertThat(new BigDecimal(new BigInteger(stored), 2)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 4, 2",
    "12345.678, 5, 2",
    "1.234, 4, 2",
    "0.001, 4, 2",
    "1e999999999, 38, 0",
    "1e-999999999, 38, 38",
    "-1e999999999, 18, 2",
    "1e2147483647, 4, 2",
    "1e-2147483647, 4, 2"
  })
  @Timeout(5)
  void refusesADecimalThatDoesNotFitAndNeverRounds(String value, int precision, int scale) {
    ColumnBatchBuilder builder = builder(ColumnType.decimal(precision, scale));

    assertThatThrownBy(() -> builder.setDecimal(0, new BigDecimal(value)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("BIG_DECIMAL(" + precision + "," + scale + ")");
    builder.endRow();
    assertThat(builder.build().columns().get(0).nulls().isNull(0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.50", "-0.00001", "12E3", "0.000", "1E-20"})
  void keepsADecimalWithoutPrecisionAsItsPlainText(String value) {
    ColumnBatchBuilder builder = builder(Kind.BIG_DECIMAL);
    builder.setDecimal(0, new BigDecimal(value));
    builder.endRow();

    assertThat(((OfBytes) builder.build().columns().get(0)).copyOf(0))
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo(new BigDecimal(value).toPlainString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e-999999999", "-1e2147483647", "1e-2147483647"})
  @Timeout(5)
  void refusesADecimalWhosePlainTextWouldFillTheMemory(String value) {
    assertThatThrownBy(() -> builder(Kind.BIG_DECIMAL).setDecimal(0, new BigDecimal(value)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("digits");
  }

  @Test
  void keepsEveryDecimalADatabaseCanDeclare() {
    BigDecimal longest = new BigDecimal(new BigInteger("9".repeat(131_072 + 16_383)), 16_383);

    assertThatCode(() -> builder(Kind.BIG_DECIMAL).setDecimal(0, longest))
        .doesNotThrowAnyException();
  }

  @Test
  void keepsLoneSurrogatesAsTheirThreeByteForm() {
    ColumnBatchBuilder builder = builder(Kind.STRING);
    builder.setText(0, "a\uD800é\uD83D\uDE00\uDC00");
    builder.endRow();

    assertThat(((OfBytes) builder.build().columns().get(0)).copyOf(0))
        .isEqualTo(
            new byte[] {
              'a',
              (byte) 0xED,
              (byte) 0xA0,
              (byte) 0x80,
              (byte) 0xC3,
              (byte) 0xA9,
              (byte) 0xF0,
              (byte) 0x9F,
              (byte) 0x98,
              (byte) 0x80,
              (byte) 0xED,
              (byte) 0xB0,
              (byte) 0x80
            });
  }

  @Test
  void writesWellFormedTextAsUtf8() {
    for (String text : List.of("", "\0", "é", "\uD83D\uDE00", "a\uFFFF", "\uDBFF\uDFFF")) {
      ColumnBatchBuilder builder = builder(Kind.STRING);
      builder.setText(0, text);
      builder.endRow();

      assertThat(((OfBytes) builder.build().columns().get(0)).copyOf(0))
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void theLastValueSetForACellCounts() {
    ColumnBatchBuilder builder = builder(Kind.STRING);
    builder.setText(0, "first and long");
    builder.setText(0, "second");
    builder.endRow();
    builder.setText(0, "next");
    builder.endRow();

    OfBytes texts = (OfBytes) builder.build().columns().get(0);
    assertThat(texts.copyOf(0)).asString(StandardCharsets.UTF_8).isEqualTo("second");
    assertThat(texts.copyOf(1)).asString(StandardCharsets.UTF_8).isEqualTo("next");
  }

  @Test
  void batchHoldsLittleMoreThanItsValues() {
    ColumnBatchBuilder builder = builder(ColumnType.of(Kind.STRING), ColumnType.of(Kind.LONG));
    int rows = 1025;
    for (int row = 0; row < rows; row++) {
      builder.setText(0, "x".repeat(1000));
      builder.setLong(1, row);
      builder.endRow();
    }

    long values = rows * (1000L + Integer.BYTES + Long.BYTES);
    assertThat(builder.build().bytes()).isBetween(values, values * 5 / 4);
  }

  @Test
  void tellsTheMemoryItHolds() {
    ColumnBatchBuilder builder = builder(Kind.STRING);
    long empty = builder.bytes();
    builder.setText(0, "x".repeat(10_000));

    assertThat(builder.bytes()).isGreaterThanOrEqualTo(empty + 10_000).isLessThan(empty + 30_000);
  }
}
