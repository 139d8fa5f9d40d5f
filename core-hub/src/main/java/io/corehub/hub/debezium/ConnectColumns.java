package io.corehub.hub.debezium;

import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.hub.source.Shown;
import io.debezium.data.VariableScaleDecimal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * The type of a column and the way its values are read, found by the name of its Connect schema; a
 * schema without a name is read by its type. Stateless.
 */
final class ConnectColumns {

  static final String DATE = "io.debezium.time.Date";
  static final String CONNECT_DATE = "org.apache.kafka.connect.data.Date";
  static final String MICRO_TIME = "io.debezium.time.MicroTime";
  static final String MILLI_TIME = "io.debezium.time.Time";
  static final String CONNECT_TIME = "org.apache.kafka.connect.data.Time";
  static final String MICRO_TIMESTAMP = "io.debezium.time.MicroTimestamp";
  static final String MILLI_TIMESTAMP = "io.debezium.time.Timestamp";
  static final String CONNECT_TIMESTAMP = "org.apache.kafka.connect.data.Timestamp";

  /** Parameters that {@code column.propagate.source.type} adds. */
  private static final String SOURCE_TYPE = "__debezium.source.column.type";

  private static final String DECIMAL_PRECISION = "connect.decimal.precision";
  private static final int MONEY_DIGITS = 19;

  /** Source types whose bytes are bytes; other bytes without a schema name are text. */
  private static final Set<String> BINARY =
      Set.of("BYTEA", "BINARY", "VARBINARY", "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "RAW");

  private ConnectColumns() {}

  /** Reads a value that is not null into the row under way. */
  @FunctionalInterface
  interface CellReader {
    /**
     * Sets one cell.
     *
     * @param value value as its schema says
     * @param to the builder
     * @param column column index
     * @throws ValueRefusedException if the value cannot be carried exactly
     */
    void read(Object value, ColumnBatchBuilder to, int column);
  }

  /**
   * How a column is carried.
   *
   * @param type logical type
   * @param reader reads its values
   */
  record Mapped(ColumnType type, CellReader reader) {}

  /** Empty if the schema's name is not known and its values cannot be understood without. */
  static Optional<Mapped> of(Schema schema) {
    String name = schema.name();
    return name == null ? byType(schema) : byName(name, schema);
  }

  private static Optional<Mapped> byType(Schema schema) {
    return Optional.of(
        switch (schema.type()) {
          case INT8, INT16 -> integer(Kind.SHORT);
          case INT32 -> integer(Kind.INT);
          case INT64 ->
              new Mapped(
                  ColumnType.of(Kind.LONG), (v, to, c) -> to.setLong(c, ((Number) v).longValue()));
          case FLOAT32 ->
              new Mapped(ColumnType.of(Kind.FLOAT), (v, to, c) -> to.setFloat(c, (Float) v));
          case FLOAT64 ->
              new Mapped(ColumnType.of(Kind.DOUBLE), (v, to, c) -> to.setDouble(c, (Double) v));
          case BOOLEAN ->
              new Mapped(ColumnType.of(Kind.BOOLEAN), (v, to, c) -> to.setBoolean(c, (Boolean) v));
          case STRING -> text();
          case BYTES -> bytes(schema);
          case ARRAY -> json(Kind.ARRAY, schema);
          case MAP, STRUCT -> json(Kind.MAP, schema);
        });
  }

  private static Optional<Mapped> byName(String name, Schema schema) {
    Mapped mapped =
        switch (name) {
          case "org.apache.kafka.connect.data.Decimal" -> decimal(schema);
          case VariableScaleDecimal.LOGICAL_NAME ->
              new Mapped(
                  ColumnType.of(Kind.BIG_DECIMAL),
                  (v, to, c) -> to.setDecimal(c, variableScale((Struct) v)));
          case DATE -> date((v) -> ((Number) v).longValue());
          case CONNECT_DATE ->
              date(v -> Math.floorDiv(((Date) v).toInstant().toEpochMilli(), 86_400_000L));
          case "io.debezium.time.IsoDate" ->
              new Mapped(
                  ColumnType.of(Kind.LOCAL_DATE),
                  (v, to, c) -> to.setInt(c, ConnectTimes.isoDate((String) v)));
          case MICRO_TIME -> longs(Kind.LOCAL_TIME, v -> ConnectTimes.timeOfDay(number(v)));
          case MILLI_TIME -> longs(Kind.LOCAL_TIME, v -> ConnectTimes.timeOfDay(number(v) * 1000));
          case CONNECT_TIME ->
              longs(
                  Kind.LOCAL_TIME,
                  v -> ConnectTimes.timeOfDay(((Date) v).toInstant().toEpochMilli() * 1000));
          case "io.debezium.time.NanoTime" ->
              longs(Kind.LOCAL_TIME, v -> ConnectTimes.timeOfDay(Math.floorDiv(number(v), 1000L)));
          case "io.debezium.time.IsoTime" ->
              longs(Kind.LOCAL_TIME, v -> ConnectTimes.isoTime((String) v));
          case "io.debezium.time.ZonedTime" ->
              longs(Kind.OFFSET_TIME, v -> ConnectTimes.offsetTime((String) v));
          case MICRO_TIMESTAMP ->
              longs(Kind.LOCAL_DATE_TIME, v -> ConnectTimes.timestamp(number(v)));
          case MILLI_TIMESTAMP ->
              longs(Kind.LOCAL_DATE_TIME, v -> ConnectTimes.timestampOfMillis(number(v)));
          case CONNECT_TIMESTAMP ->
              longs(
                  Kind.LOCAL_DATE_TIME,
                  v -> ConnectTimes.timestampOfMillis(((Date) v).toInstant().toEpochMilli()));
          case "io.debezium.time.NanoTimestamp" ->
              longs(Kind.LOCAL_DATE_TIME, v -> Math.floorDiv(number(v), 1000L));
          case "io.debezium.time.IsoTimestamp" ->
              longs(Kind.LOCAL_DATE_TIME, v -> ConnectTimes.isoTimestamp((String) v));
          case "io.debezium.time.ZonedTimestamp" ->
              longs(Kind.OFFSET_DATE_TIME, v -> ConnectTimes.instant((String) v));
          case "io.debezium.time.Year" -> integer(Kind.INT);
          case "io.debezium.data.Bits" -> bits(schema);
          default ->
              switch (schema.type()) {
                case STRING -> text();
                case ARRAY -> json(Kind.ARRAY, schema);
                case MAP, STRUCT -> json(Kind.MAP, schema);
                case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, BYTES -> null;
              };
        };
    return Optional.ofNullable(mapped);
  }

  private static Mapped integer(Kind kind) {
    return new Mapped(ColumnType.of(kind), (v, to, c) -> to.setInt(c, ((Number) v).intValue()));
  }

  private static Mapped text() {
    return new Mapped(ColumnType.of(Kind.STRING), (v, to, c) -> to.setText(c, (String) v));
  }

  private static Mapped bytes(Schema schema) {
    String type = sourceType(schema);
    if (type.isEmpty() || BINARY.contains(type)) {
      return new Mapped(
          ColumnType.of(Kind.BYTE_ARRAY), (v, to, c) -> to.setBytes(c, ConnectJson.bytes(v)));
    }
    // A type Debezium does not know: its bytes are the server's text of the value.
    return new Mapped(
        ColumnType.of(Kind.STRING),
        (v, to, c) -> to.setText(c, new String(ConnectJson.bytes(v), StandardCharsets.UTF_8)));
  }

  private static Mapped json(Kind kind, Schema schema) {
    return new Mapped(
        ColumnType.of(kind), (v, to, c) -> to.setText(c, ConnectJson.text(schema, v)));
  }

  private interface ToLong {
    long of(Object value);
  }

  private static Mapped longs(Kind kind, ToLong reading) {
    return new Mapped(ColumnType.of(kind), (v, to, c) -> to.setLong(c, reading.of(v)));
  }

  private static Mapped date(ToLong days) {
    return new Mapped(
        ColumnType.of(Kind.LOCAL_DATE), (v, to, c) -> to.setInt(c, ConnectTimes.date(days.of(v))));
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  private static Mapped decimal(Schema schema) {
    ColumnType type = decimalType(schema);
    return new Mapped(
        type,
        (v, to, c) -> {
          try {
            to.setDecimal(c, (BigDecimal) v);
          } catch (ArithmeticException e) {
            throw new ValueRefusedException(Shown.of(v.toString()) + ": " + e.getMessage(), e);
          }
        });
  }

  private static ColumnType decimalType(Schema schema) {
    Map<String, String> parameters = schema.parameters() == null ? Map.of() : schema.parameters();
    int scale = Integer.parseInt(parameters.getOrDefault("scale", "0"));
    String precision = parameters.get(DECIMAL_PRECISION);
    if (precision == null) {
      return sourceType(schema).equals("MONEY") && scale >= 0 && scale <= MONEY_DIGITS
          ? ColumnType.decimal(MONEY_DIGITS, scale)
          : ColumnType.of(Kind.BIG_DECIMAL);
    }
    int digits = Integer.parseInt(precision);
    if (scale < 0) {
      // numeric(3,-2) holds whole hundreds of up to five digits.
      return ColumnType.decimal(digits - scale, 0);
    }
    // numeric(3,5) holds at most 0.00999.
    return ColumnType.decimal(Math.max(digits, scale), scale);
  }

  static BigDecimal variableScale(Struct value) {
    int scale = value.getInt32("scale");
    return new BigDecimal(new BigInteger(ConnectJson.bytes(value.get("value"))), scale);
  }

  /** Bits arrive as bytes, the lowest first, without leading zeros; they leave as digits. */
  private static Mapped bits(Schema schema) {
    int length =
        schema.parameters() == null
            ? 0
            : Integer.parseInt(schema.parameters().getOrDefault("length", "0"));
    boolean lengthVaries = sourceType(schema).equals("VARBIT");
    return new Mapped(
        ColumnType.of(Kind.STRING),
        (v, to, c) -> {
          if (lengthVaries) {
            throw new ValueRefusedException(
                "bit varying arrives without its length; leave the column out with excludeColumns");
          }
          byte[] bytes = ConnectJson.bytes(v);
          byte[] digits = new byte[length];
          for (int i = 0; i < length; i++) {
            int bit = length - 1 - i;
            boolean set = bit / 8 < bytes.length && (bytes[bit / 8] >> (bit % 8) & 1) == 1;
            digits[i] = (byte) (set ? '1' : '0');
          }
          to.setBytes(c, digits);
        });
  }

  private static String sourceType(Schema schema) {
    return schema.parameters() == null
        ? ""
        : schema.parameters().getOrDefault(SOURCE_TYPE, "").toUpperCase(Locale.ROOT);
  }
}
