package io.corehub.agent.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnType.Storage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypesTest {

  @ParameterizedTest
  @CsvSource({
    "SHORT, INT",
    "INT, INT",
    "LONG, LONG",
    "FLOAT, FLOAT",
    "DOUBLE, DOUBLE",
    "BIG_DECIMAL, BYTES",
    "BOOLEAN, BOOLEAN",
    "STRING, BYTES",
    "BYTE_ARRAY, BYTES",
    "LOCAL_DATE, INT",
    "LOCAL_TIME, LONG",
    "OFFSET_TIME, LONG",
    "LOCAL_DATE_TIME, LONG",
    "OFFSET_DATE_TIME, LONG",
    "ARRAY, BYTES",
    "MAP, BYTES"
  })
  void eachKindHasItsStorage(Kind kind, Storage storage) {
    assertThat(ColumnType.of(kind).storage()).isEqualTo(storage);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, LONG", "18, 18, LONG", "19, 0, BYTES", "38, 10, BYTES", "1000, 999, BYTES"})
  void decimalsOfUpTo18DigitsAreLongs(int precision, int scale, Storage storage) {
    assertThat(ColumnType.decimal(precision, scale).storage()).isEqualTo(storage);
  }

  @Test
  void onlyADecimalWithoutPrecisionHasAScaleForEachValue() {
    assertThat(ColumnType.of(Kind.BIG_DECIMAL).decimalWithoutPrecision()).isTrue();
    assertThat(ColumnType.decimal(1, 0).decimalWithoutPrecision()).isFalse();
    assertThat(ColumnType.of(Kind.STRING).decimalWithoutPrecision()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -62_135_596_800_000_000L, 253_402_300_800_000_000L, -1, 1L << 59})
  void the24thHourOfADayIsTellableFromItsMidnight(long midnight) {
    long endOfDay = ColumnType.endOfDay(midnight);

    assertThat(ColumnType.isEndOfDay(endOfDay)).isTrue();
    assertThat(ColumnType.midnightOf(endOfDay)).isEqualTo(midnight);
    assertThat(ColumnType.isEndOfDay(midnight)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        ColumnType.MINUS_INFINITE_TIMESTAMP,
        ColumnType.INFINITE_TIMESTAMP,
        ColumnType.FIRST_TIMESTAMP
      })
  void infinitiesAndTheFirstTimestampAreNoEndOfADay(long micros) {
    assertThat(ColumnType.isEndOfDay(micros)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 6", "5, -1", "-1, 0"})
  void decimalsThatCannotBeAreRefused(int precision, int scale) {
    assertThatThrownBy(() -> ColumnType.decimal(precision, scale))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void kindsAreFoundByNameInAnyCase(Kind kind) {
    assertThat(ColumnType.kindNamed(kind.name().toLowerCase(Locale.ROOT))).isEqualTo(kind);
  }

  @Test
  void anUnknownKindIsNamedTogetherWithTheKnownOnes() {
    assertThatThrownBy(() -> ColumnType.kindNamed("UUID"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'UUID'")
        .hasMessageContaining("OFFSET_DATE_TIME");
  }

  @Test
  void aTypeIsWrittenAsUsersWriteIt() {
    assertThat(ColumnType.of(Kind.LOCAL_DATE)).hasToString("LOCAL_DATE");
    assertThat(ColumnType.decimal(18, 4)).hasToString("BIG_DECIMAL(18,4)");
    assertThat(ColumnType.of(Kind.BIG_DECIMAL)).hasToString("BIG_DECIMAL");
  }

  @ParameterizedTest
  @EnumSource(TargetType.Kind.class)
  void targetTypesReadBackWhatTheyWrite(TargetType.Kind kind) {
    TargetType type =
        kind == TargetType.Kind.BIGDECIMAL ? new TargetType(kind, 18, 4) : TargetType.of(kind);

    assertThat(TargetType.parse(type.toString())).isEqualTo(type);
  }

  @Test
  void targetTypesMayBeWrittenLoosely() {
    assertThat(TargetType.parse(" BigDecimal ( 38 , 0 ) "))
        .isEqualTo(new TargetType(TargetType.Kind.BIGDECIMAL, 38, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "varchar",
        "bigdecimal",
        "bigdecimal(5)",
        "bigdecimal(5,6)",
        "bigdecimal(0,0)"
      })
  void whatIsNoTargetTypeIsRefused(String text) {
    assertThatThrownBy(() -> TargetType.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSchemaRefusesDoubleColumnsAndUnknownOrDoubleKeys() {
    TableId table = TableId.of("shop", "orders");
    Column id = Column.of("id", ColumnType.of(Kind.INT));

    assertThatThrownBy(() -> new TableSchema(table, List.of(id, id), List.of(), 1))
        .hasMessageContaining("shop.orders")
        .hasMessageContaining("'id' occurs twice");
    assertThatThrownBy(() -> new TableSchema(table, List.of(id), List.of("ID"), 1))
        .hasMessageContaining("'ID' is not a column");
    assertThatThrownBy(() -> new TableSchema(table, List.of(id), List.of("id", "id"), 1))
        .hasMessageContaining("'id' occurs twice");
  }

  @Test
  void aSchemaKnowsWhereItsKeyStands() {
    TableSchema schema =
        new TableSchema(
            TableId.of("t"),
            List.of(
                Column.of("a", ColumnType.of(Kind.INT)),
                Column.of("b", ColumnType.of(Kind.INT)),
                new Column("c", ColumnType.of(Kind.INT), false, Optional.empty())),
            List.of("c", "a"),
            1);

    assertThat(schema.keyIndexes()).containsExactly(2, 0);
    assertThat(schema.keyed()).isTrue();
    assertThat(schema.indexOf("b")).hasValue(1);
    assertThat(schema.indexOf("B")).isEmpty();
  }
}
