package io.corehub.hub.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.RowLimit;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectRowMappingTest {

  private static final UnavailableValue UNAVAILABLE = new UnavailableValue("not sent");
  private static final Schema VARIABLE_SCALE =
      SchemaBuilder.struct()
          .name("io.debezium.data.VariableScaleDecimal")
          .field("scale", Schema.INT32_SCHEMA)
          .field("value", Schema.BYTES_SCHEMA)
          .build();

  private static Schema named(SchemaBuilder builder, String name) {
    return builder.name(name).optional().build();
  }

  private static Schema time(SchemaBuilder builder, String name) {
    return named(builder, "io.debezium.time." + name);
  }

  private static Schema connect(SchemaBuilder builder, String name) {
    return named(builder, "org.apache.kafka.connect.data." + name);
  }

  private static Schema decimal(int scale, String precision, String sourceType) {
    SchemaBuilder builder =
        SchemaBuilder.bytes()
            .name("org.apache.kafka.connect.data.Decimal")
            .parameter("scale", Integer.toString(scale))
            .parameter("__debezium.source.column.type", sourceType);
    return (precision == null ? builder : builder.parameter("connect.decimal.precision", precision))
        .optional()
        .build();
  }

  private static Schema bytesOf(String sourceType) {
    return SchemaBuilder.bytes()
        .parameter("__debezium.source.column.type", sourceType)
        .optional()
        .build();
  }

  private static Date date(String instant) {
    return Date.from(Instant.parse(instant));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(Schema.OPTIONAL_INT16_SCHEMA, (short) -7, "SHORT", "-7"),
        Arguments.of(Schema.OPTIONAL_INT32_SCHEMA, 7, "INT", "7"),
        Arguments.of(Schema.OPTIONAL_INT64_SCHEMA, 7L, "LONG", "7"),
        Arguments.of(Schema.OPTIONAL_FLOAT32_SCHEMA, Float.NaN, "FLOAT", "NaN"),
        Arguments.of(Schema.OPTIONAL_FLOAT64_SCHEMA, -0.0, "DOUBLE", "-0.0"),
        Arguments.of(Schema.OPTIONAL_BOOLEAN_SCHEMA, true, "BOOLEAN", "true"),
        Arguments.of(Schema.OPTIONAL_STRING_SCHEMA, "ß", "STRING", "ß"),
        Arguments.of(
            Schema.OPTIONAL_BYTES_SCHEMA,
            ByteBuffer.wrap(new byte[] {0, -1}),
            "BYTE_ARRAY",
            "AP8="),
        Arguments.of(bytesOf("BYTEA"), new byte[] {0, -1}, "BYTE_ARRAY", "AP8="),
        Arguments.of(bytesOf("tsquery"), "'a' & 'b'".getBytes(), "STRING", "'a' & 'b'"),
        Arguments.of(
            decimal(4, "18", "NUMERIC"), new BigDecimal("1.5"), "BIG_DECIMAL(18,4)", "1.5000"),
        Arguments.of(
            decimal(10, "50", "NUMERIC"),
            new BigDecimal("0.0000000001"),
            "BIG_DECIMAL(50,10)",
            "0.0000000001"),
        Arguments.of(
            decimal(2, null, "MONEY"), new BigDecimal("-0.01"), "BIG_DECIMAL(19,2)", "-0.01"),
        Arguments.of(decimal(2, null, "other"), new BigDecimal("1.50"), "BIG_DECIMAL", "1.50"),
        Arguments.of(
            decimal(-2, "3", "NUMERIC"), new BigDecimal("99900"), "BIG_DECIMAL(5,0)", "99900"),
        Arguments.of(
            decimal(5, "3", "NUMERIC"), new BigDecimal("0.00999"), "BIG_DECIMAL(5,5)", "0.00999"),
        Arguments.of(
            VARIABLE_SCALE,
            new Struct(VARIABLE_SCALE).put("scale", 2).put("value", new byte[] {1, 0}),
            "BIG_DECIMAL",
            "2.56"),
        Arguments.of(time(SchemaBuilder.int32(), "Date"), 19782, "LOCAL_DATE", "2024-02-29"),
        Arguments.of(time(SchemaBuilder.int32(), "Date"), -2_147_472_692, "LOCAL_DATE", "infinity"),
        Arguments.of(
            time(SchemaBuilder.int32(), "Date"), -2_147_472_691, "LOCAL_DATE", "-infinity"),
        Arguments.of(
            connect(SchemaBuilder.int32(), "Date"),
            date("2024-02-29T00:00:00Z"),
            "LOCAL_DATE",
            "2024-02-29"),
        Arguments.of(
            time(SchemaBuilder.string(), "IsoDate"), "2024-02-29Z", "LOCAL_DATE", "2024-02-29"),
        Arguments.of(
            time(SchemaBuilder.int64(), "MicroTime"), 86_400_000_000L, "LOCAL_TIME", "24:00"),
        Arguments.of(time(SchemaBuilder.int32(), "Time"), 1500, "LOCAL_TIME", "00:00:01.500"),
        Arguments.of(
            time(SchemaBuilder.int64(), "NanoTime"), 1999L, "LOCAL_TIME", "00:00:00.000001"),
        Arguments.of(
            connect(SchemaBuilder.int32(), "Time"),
            date("1970-01-01T00:00:01.5Z"),
            "LOCAL_TIME",
            "00:00:01.500"),
        Arguments.of(
            time(SchemaBuilder.string(), "IsoTime"),
            "23:59:59.123456Z",
            "LOCAL_TIME",
            "23:59:59.123456"),
        Arguments.of(
            time(SchemaBuilder.string(), "ZonedTime"),
            "23:59:59.123456+05:30",
            "OFFSET_TIME",
            "18:29:59.123456"),
        Arguments.of(
            time(SchemaBuilder.int64(), "MicroTimestamp"),
            -1L,
            "LOCAL_DATE_TIME",
            "1969-12-31T23:59:59.999999"),
        Arguments.of(
            time(SchemaBuilder.int64(), "MicroTimestamp"),
            9_223_372_036_825_200_000L,
            "LOCAL_DATE_TIME",
            "infinity"),
        Arguments.of(
            time(SchemaBuilder.int64(), "Timestamp"),
            -1L,
            "LOCAL_DATE_TIME",
            "1969-12-31T23:59:59.999"),
        Arguments.of(
            time(SchemaBuilder.int64(), "NanoTimestamp"),
            -1L,
            "LOCAL_DATE_TIME",
            "1969-12-31T23:59:59.999999"),
        Arguments.of(
            connect(SchemaBuilder.int64(), "Timestamp"),
            date("2024-02-29T12:00:00Z"),
            "LOCAL_DATE_TIME",
            "2024-02-29T12:00"),
        Arguments.of(
            time(SchemaBuilder.string(), "IsoTimestamp"),
            "2024-02-29T12:00:00Z",
            "LOCAL_DATE_TIME",
            "2024-02-29T12:00"),
        Arguments.of(
            time(SchemaBuilder.string(), "ZonedTimestamp"),
            "2024-02-29T12:00:00+02:00",
            "OFFSET_DATE_TIME",
            "2024-02-29T10:00"),
        Arguments.of(
            time(SchemaBuilder.string(), "ZonedTimestamp"),
            "-infinity",
            "OFFSET_DATE_TIME",
            "-infinity"),
        Arguments.of(time(SchemaBuilder.string(), "Interval"), "P1Y2M", "STRING", "P1Y2M"),
        Arguments.of(time(SchemaBuilder.int32(), "Year"), 2024, "INT", "2024"),
        Arguments.of(
            SchemaBuilder.bytes()
                .name("io.debezium.data.Bits")
                .parameter("length", "10")
                .optional()
                .build(),
            new byte[] {5},
            "STRING",
            "0000000101"),
        Arguments.of(named(SchemaBuilder.string(), "io.debezium.data.Uuid"), "u", "STRING", "u"),
        Arguments.of(named(SchemaBuilder.string(), "io.debezium.data.Enum"), "e", "STRING", "e"),
        Arguments.of(
            named(SchemaBuilder.string(), "io.debezium.data.Xml"), "<a/>", "STRING", "<a/>"),
        Arguments.of(
            named(SchemaBuilder.string(), "io.debezium.data.Json"), "{ }", "STRING", "{ }"),
        Arguments.of(
            SchemaBuilder.array(time(SchemaBuilder.int32(), "Date")).optional().build(),
            Arrays.asList(0, null),
            "ARRAY",
            "[\"1970-01-01\",null]"),
        Arguments.of(
            SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA).build(),
            Map.of("b", "\"\n\u0001", "a", "1"),
            "MAP",
            "{\"a\":\"1\",\"b\":\"\\\"\\n\\u0001\"}"));
  }

  private static ColumnBatch map(Schema cell, Object value) {
    Schema row = SchemaBuilder.struct().field("c", cell).build();
    ConnectRowMapping mapping =
        ConnectRowMapping.of(TableId.of("s", "t"), row, null, 1, UNAVAILABLE);
    ColumnBatchBuilder builder = new ColumnBatchBuilder(mapping.schema());
    mapping.write(new Struct(row).put("c", value), builder);
    builder.endRow();
    return builder.build();
  }

  @ParameterizedTest
  @MethodSource("values")
  void readsValuesByTheNameOfTheirSchema(Schema cell, Object value, String type, String text) {
    ColumnBatch batch = map(cell, value);
    assertThat(batch.schema().columns().get(0).type()).hasToString(type);
    assertThat(RecordingSink.row(batch, 0)).containsEntry("c", text);
  }

  @Test
  void takesNullForNullAndNotForTheDefault() {
    Schema cell = SchemaBuilder.string().optional().defaultValue("default").build();
    assertThat(RecordingSink.row(map(cell, null), 0)).containsEntry("c", "null");
  }

  @ParameterizedTest
  @MethodSource("notSent")
  void marksWhatWasNotSent(Schema cell, Object value) {
    Schema row = SchemaBuilder.struct().field("c", cell).build();
    ConnectRowMapping mapping =
        ConnectRowMapping.of(TableId.of("s", "t"), row, null, 1, UNAVAILABLE);
    ColumnBatchBuilder builder = new ColumnBatchBuilder(mapping.schema());
    mapping.write(new Struct(row).put("c", value), builder);
    builder.endRow();
    assertThat(builder.undelivered().is(0, 0)).isTrue();
  }

  static Stream<Arguments> notSent() {
    byte[] bytes = "not sent".getBytes();
    return Stream.of(
        Arguments.of(Schema.STRING_SCHEMA, "not sent"),
        Arguments.of(Schema.BYTES_SCHEMA, ByteBuffer.wrap(bytes)),
        Arguments.of(Schema.BYTES_SCHEMA, bytes),
        Arguments.of(SchemaBuilder.array(Schema.STRING_SCHEMA).build(), List.of("not sent")),
        Arguments.of(
            SchemaBuilder.array(Schema.INT32_SCHEMA).build(), "not sent".chars().boxed().toList()),
        Arguments.of(
            SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.STRING_SCHEMA).build(),
            Map.of("not sent", "not sent")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesWhatItCannotCarryAndNamesTheColumn(Schema cell, Object value, String why) {
    assertThatThrownBy(() -> map(cell, value))
        .isInstanceOf(ValueRefusedException.class)
        .hasMessageContaining("Table s.t, column 'c'")
        .hasMessageContaining(why);
  }

  @Test
  void namesTheRowOfARefusedValueOnOneShortLine() {
    Schema row =
        SchemaBuilder.struct()
            .field("k", Schema.STRING_SCHEMA)
            .field("c", decimal(2, "4", "NUMERIC"))
            .build();
    Schema key = SchemaBuilder.struct().field("k", Schema.STRING_SCHEMA).build();
    ConnectRowMapping mapping =
        ConnectRowMapping.of(TableId.of("s", "t"), row, key, 1, UNAVAILABLE);
    Struct value =
        new Struct(row).put("k", "a\nb" + "x".repeat(1000)).put("c", new BigDecimal("100.00"));
    assertThatThrownBy(() -> mapping.write(value, new ColumnBatchBuilder(mapping.schema())))
        .isInstanceOf(ValueRefusedException.class)
        .hasMessageContaining("column 'c', row k=a\\u000abxxx")
        .hasMessageEndingWith(
            "… (1003 characters): 100.00: more digits before the point than BIG_DECIMAL(4,2) holds");
  }

  @Test
  void refusesARowWhoseColumnsAreTooLargeTogether() {
    Schema row =
        SchemaBuilder.struct()
            .field("k", Schema.INT32_SCHEMA)
            .field("a", Schema.STRING_SCHEMA)
            .field("b", Schema.BYTES_SCHEMA)
            .build();
    Schema key = SchemaBuilder.struct().field("k", Schema.INT32_SCHEMA).build();
    ConnectRowMapping mapping =
        ConnectRowMapping.of(TableId.of("s", "t"), row, key, 1, UNAVAILABLE, new RowLimit(1000));
    ColumnBatchBuilder builder = new ColumnBatchBuilder(mapping.schema());
    Struct fits = new Struct(row).put("k", 1).put("a", "x".repeat(600)).put("b", new byte[400]);
    mapping.write(fits, builder);
    builder.endRow();
    Struct large = new Struct(row).put("k", 2).put("a", "x".repeat(600)).put("b", new byte[401]);
    assertThatThrownBy(() -> mapping.write(large, builder))
        .isInstanceOf(ValueRefusedException.class)
        .hasMessageStartingWith(
            "Table s.t, column 'b', row k=2: with it the columns of the row hold 1001 bytes, and at"
                + " most 1000 can be taken with a heap of");
    builder.abandonRow();
    mapping.write(fits, builder);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            time(SchemaBuilder.int32(), "Date"), Integer.MIN_VALUE + 5, "outside the calendar"),
        Arguments.of(
            time(SchemaBuilder.int64(), "MicroTimestamp"),
            -9_000_000_000_000_000_000L,
            "outside the calendar"),
        Arguments.of(
            time(SchemaBuilder.int64(), "Timestamp"), Long.MAX_VALUE, "outside the calendar"),
        Arguments.of(time(SchemaBuilder.int64(), "MicroTime"), -1L, "not within a day"),
        Arguments.of(
            time(SchemaBuilder.string(), "ZonedTimestamp"), "soon", "not an ISO date or time"),
        Arguments.of(
            decimal(2, "4", "NUMERIC"), new BigDecimal("100.00"), "more digits before the point"),
        Arguments.of(time(SchemaBuilder.int64(), "MicroDuration"), 5L, "MicroDuration"));
  }
}
