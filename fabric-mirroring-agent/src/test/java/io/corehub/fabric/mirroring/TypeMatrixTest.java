package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.testkit.CellText;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every type of column as every target type: a pair that makes no sense is refused when the table
 * opens; of the others each hostile value is read back equal by two readers that share no code with
 * the writer, or stops its table by name.
 */
class TypeMatrixTest {

  private static final long DAY = 86_400_000_000L;
  private static final long FIRST = -62_135_596_800_000_000L;
  private static final long LAST = 253_402_300_799_999_999L;

  private static final Set<Kind> WHOLE = EnumSet.of(Kind.SHORT, Kind.INT, Kind.LONG);

  @TempDir Path directory;

  /** Which kinds of columns may become which target type. */
  private static boolean legal(ColumnType from, TargetType to) {
    Kind kind = from.kind();
    return switch (to.kind()) {
      case SMALLINT, INT, LONG ->
          WHOLE.contains(kind) || kind == Kind.BOOLEAN || kind == Kind.BIG_DECIMAL;
      case FLOAT, DOUBLE, BIGDECIMAL ->
          WHOLE.contains(kind)
              || kind == Kind.FLOAT
              || kind == Kind.DOUBLE
              || kind == Kind.BIG_DECIMAL;
      case BOOLEAN -> kind == Kind.BOOLEAN;
      case STRING -> kind != Kind.BYTE_ARRAY;
      case BINARY -> kind == Kind.BYTE_ARRAY || kind == Kind.STRING;
      case DATE -> kind == Kind.LOCAL_DATE;
      case TIME -> kind == Kind.LOCAL_TIME || kind == Kind.OFFSET_TIME;
      case OFFSET_TIME -> kind == Kind.OFFSET_TIME;
      case DATETIME ->
          kind == Kind.LOCAL_DATE_TIME || kind == Kind.OFFSET_DATE_TIME || kind == Kind.LOCAL_DATE;
      case OFFSET_DATE_TIME, TIMESTAMP ->
          kind == Kind.LOCAL_DATE_TIME || kind == Kind.OFFSET_DATE_TIME;
    };
  }

  /** The target type a column has when none is asked for; empty for a decimal that needs one. */
  static Optional<TargetType> usual(ColumnType from) {
    return Optional.ofNullable(
            switch (from.kind()) {
              case SHORT -> "smallint";
              case INT -> "int";
              case LONG -> "long";
              case FLOAT -> "float";
              case DOUBLE -> "double";
              case BIG_DECIMAL ->
                  from.precision() < 1 || from.precision() > 38
                      ? null
                      : "bigdecimal(" + from.precision() + "," + from.scale() + ")";
              case BOOLEAN -> "boolean";
              case STRING, ARRAY, MAP -> "string";
              case BYTE_ARRAY -> "binary";
              case LOCAL_DATE -> "date";
              case LOCAL_TIME -> "time";
              case OFFSET_TIME -> "offset_time";
              case LOCAL_DATE_TIME -> "datetime";
              case OFFSET_DATE_TIME -> "offset_date_time";
            })
        .map(TargetType::parse);
  }

  private static final List<TargetType> TARGETS =
      Stream.of(
              "smallint",
              "int",
              "long",
              "float",
              "double",
              "bigdecimal(10,2)",
              "bigdecimal(19,0)",
              "bigdecimal(38,18)",
              "boolean",
              "string",
              "binary",
              "date",
              "time",
              "offset_time",
              "datetime",
              "offset_date_time",
              "timestamp")
          .map(TargetType::parse)
          .toList();

  /** How a target type lies in the file. */
  private static String parquet(TargetType to) {
    return switch (to.kind()) {
      case SMALLINT, INT -> "optional int32 value";
      case LONG -> "optional int64 value";
      case FLOAT -> "optional float value columnorder(TYPE_DEFINED_ORDER)";
      case DOUBLE -> "optional double value columnorder(TYPE_DEFINED_ORDER)";
      case BIGDECIMAL ->
          "optional fixed_len_byte_array("
              + (BigInteger.TEN.pow(to.precision()).bitLength() / 8 + 1)
              + ") value (DECIMAL("
              + to.precision()
              + ","
              + to.scale()
              + "))";
      case BOOLEAN -> "optional boolean value";
      case STRING -> "optional binary value (STRING)";
      case BINARY -> "optional binary value";
      case DATE -> "optional int32 value (DATE)";
      case TIME -> "optional int64 value (TIME(MICROS,false))";
      case OFFSET_TIME -> "optional int64 value (TIME(MICROS,true))";
      case DATETIME -> "optional int64 value (TIMESTAMP(MICROS,false))";
      case OFFSET_DATE_TIME, TIMESTAMP -> "optional int64 value (TIMESTAMP(MICROS,true))";
    };
  }

  static Stream<ColumnType> types() {
    return Stream.concat(
        Arrays.stream(Kind.values()).map(ColumnType::of),
        Stream.of(
            ColumnType.decimal(5, 2),
            ColumnType.decimal(18, 4),
            ColumnType.decimal(38, 10),
            ColumnType.decimal(50, 10)));
  }

  private static List<Object> values(ColumnType type) {
    return switch (type.kind()) {
      case SHORT -> List.of(0, -32768, 32767);
      case INT -> List.of(0, Integer.MIN_VALUE, Integer.MAX_VALUE, 32767, 32768, -32769, 16777217);
      case LONG ->
          List.of(
              Long.MIN_VALUE,
              Long.MAX_VALUE,
              -1L,
              1L << 53,
              (1L << 53) + 1,
              2147483648L,
              99_999_999L,
              100_000_000L);
      case FLOAT ->
          List.of(
              Float.NaN,
              Float.POSITIVE_INFINITY,
              Float.NEGATIVE_INFINITY,
              -0.0f,
              0.1f,
              0.25f,
              1.5e10f,
              Float.MIN_VALUE,
              Float.MAX_VALUE);
      case DOUBLE ->
          List.of(
              Double.NaN,
              Double.POSITIVE_INFINITY,
              Double.NEGATIVE_INFINITY,
              -0.0,
              0.1,
              0.5,
              -123456.75,
              1e300,
              Double.MIN_VALUE,
              Double.MAX_VALUE);
      case BIG_DECIMAL -> decimals(type);
      case BOOLEAN -> List.of(true, false);
      case STRING ->
          List.of(
              "",
              " ",
              "a\0b",
              "\r\n\t\"\\",
              "e\u0301 \u202E x",
              "\uD83D\uDE00",
              "\uFFFF\uFEFF",
              "\uD800",
              "a\uDC00b",
              "\uDE00\uD83D",
              "NULL",
              "x".repeat(70_000));
      case BYTE_ARRAY -> List.of(new byte[0], new byte[] {0, -1, 39}, new byte[70_000]);
      case LOCAL_DATE ->
          List.of(
              0,
              -1,
              -719_162,
              -719_163,
              2_932_896,
              2_932_897,
              -141_428,
              -141_427,
              ColumnType.INFINITE_DATE,
              ColumnType.MINUS_INFINITE_DATE);
      case LOCAL_TIME -> List.of(0L, 1L, 60_000_000L, DAY - 1, DAY);
      case OFFSET_TIME -> List.of(0L, 1L, 60_000_000L, DAY - 1, DAY, DAY + 3_600_000_000L);
      case LOCAL_DATE_TIME, OFFSET_DATE_TIME ->
          List.of(
              0L,
              -1L,
              FIRST,
              FIRST - 1,
              LAST,
              LAST + 1,
              ColumnType.endOfDay(0),
              ColumnType.INFINITE_TIMESTAMP,
              ColumnType.MINUS_INFINITE_TIMESTAMP);
      case ARRAY ->
          List.of(
              "[]",
              "[1,null,1.50,\"NaN\"]",
              "[\"\\ud800\"]",
              "[\"\uD800\"]",
              "[".repeat(256) + "]".repeat(256),
              "[".repeat(257) + "]".repeat(257),
              "[\"" + "[".repeat(300) + "\\\"" + "{".repeat(300) + "\"]");
      case MAP ->
          List.of(
              "{}",
              "{\"k\":1,\"k\":2}",
              "{\"\":{\"a\":[]}}",
              "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000));
    };
  }

  private static List<Object> decimals(ColumnType type) {
    List<Object> values = new ArrayList<>(List.of("0", "1.5", "-1.25", "32767", "0.01", "-0.0"));
    if (type.precision() == 0) {
      values.addAll(List.of("1E+30", "1E-41", "12.50", "9".repeat(60), "1." + "0".repeat(50)));
    } else {
      BigInteger most = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
      values.add(new BigDecimal(most, type.scale()).toPlainString());
      values.add(new BigDecimal(most.negate(), type.scale()).toPlainString());
      values.add(new BigDecimal(BigInteger.ONE, type.scale()).toPlainString());
      values.removeIf(v -> new BigDecimal((String) v).precision() > type.precision());
    }
    values.removeIf(
        v ->
            type.precision() > 0
                && (new BigDecimal((String) v).stripTrailingZeros().scale() > type.scale()
                    || new BigDecimal((String) v)
                            .abs()
                            .compareTo(BigDecimal.TEN.pow(type.precision() - type.scale()))
                        >= 0));
    return values;
  }

  @ParameterizedTest
  @MethodSource("types")
  void valuesAreReadBackEqualOrStopTheirTable(ColumnType type) throws Exception {
    Map<TableSchema, Case> cases = new LinkedHashMap<>();
    for (Object value : withNull(values(type))) {
      usual(type)
          .ifPresent(
              to -> add(cases, new Column("value", type, true, Optional.empty()), to, value));
      for (TargetType to : TARGETS) {
        if (legal(type, to)) {
          add(cases, new Column("value", type, true, Optional.of(to)), to, value);
        }
      }
    }
    try (AgentRun run = new AgentRun().open(cases.keySet().toArray(TableSchema[]::new));
        DuckDb duck = new DuckDb()) {
      List<SourceCommit> commits = new ArrayList<>();
      cases.forEach(
          (table, c) ->
              commits.add(
                  SourceCommit.at(
                      commits.size() + 1, new Insert(SourceRow.of(table, 1, c.value)))));
      run.publish(commits.toArray(SourceCommit[]::new));

      for (Map.Entry<TableSchema, Case> entry : cases.entrySet()) {
        check(run, duck, entry.getKey(), entry.getValue());
      }
    }
  }

  /** A value with the type it is to have. */
  private record Case(ColumnType type, TargetType to, Object value) {
    @Override
    public String toString() {
      return type + " as " + to;
    }
  }

  private static List<Object> withNull(List<Object> values) {
    List<Object> all = new ArrayList<>(values);
    all.add(null);
    return all;
  }

  private static void add(
      Map<TableSchema, Case> cases, Column column, TargetType to, Object value) {
    TableSchema table =
        new TableSchema(
            TableId.of("t" + cases.size()),
            List.of(Column.of("id", ColumnType.of(Kind.INT)), column),
            List.of("id"),
            1);
    cases.put(table, new Case(column.type(), to, value));
  }

  private void check(AgentRun run, DuckDb duck, TableSchema table, Case c)
      throws IOException, SQLException {
    Optional<String> expected = c.value == null ? Optional.empty() : expected(c);
    Optional<TableStoppedException> stop = run.listener.stopOf(table.table());
    if (c.value != null && expected.isEmpty()) {
      assertThat(stop).as("%s of %s", c, shown(c.value)).isPresent();
      assertThat(stop.get().code()).isEqualTo(ErrorCode.VALUE_REFUSED);
      assertThat(stop.get()).hasMessageContaining("column 'value'").hasMessageContaining("id=1");
      assertThat(run.tables.names(table.table())).isEmpty();
      return;
    }
    assertThat(stop).as("%s of %s", c, shown(c.value)).isEmpty();
    String name = run.tables.names(table.table()).get(0);
    byte[] bytes = run.tables.bytes(run.tables.folder(table.table()) + "/" + name);
    LandedFile file = LandedFile.read(bytes);
    assertThat(file.schema().getType("value").toString()).as("%s", c).isEqualTo(parquet(c.to));
    assertThat(Optional.ofNullable(file.rows().get(0).cells().get("value")))
        .as("%s of %s", c, shown(c.value))
        .isEqualTo(expected);
    Path path = Files.write(directory.resolve(table.table().name() + ".parquet"), bytes);
    assertThat(duck.cell(path, "value"))
        .as("%s of %s as DuckDB reads it", c, shown(c.value))
        .isEqualTo(expected);
  }

  private static String shown(Object value) {
    String text = value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }

  @ParameterizedTest
  @MethodSource("types")
  void pairsThatMakeNoSenseAreRefusedAtOpen(ColumnType type) throws InterruptedException {
    List<TargetType> illegal = TARGETS.stream().filter(to -> !legal(type, to)).toList();
    List<TableSchema> tables = new ArrayList<>();
    for (TargetType to : illegal) {
      tables.add(
          new TableSchema(
              TableId.of("t" + tables.size()),
              List.of(new Column("value", type, true, Optional.of(to))),
              List.of(),
              1));
    }
    try (AgentRun run = new AgentRun().open(tables.toArray(TableSchema[]::new))) {
      for (int i = 0; i < illegal.size(); i++) {
        assertThat(run.progress(tables.get(i)))
            .isInstanceOfSatisfying(
                TableProgress.Stopped.class,
                stop ->
                    assertThat(stop.reason())
                        .hasMessageContaining("'value'")
                        .hasMessageContaining(type.toString()));
        assertThat(((TableProgress.Stopped) run.progress(tables.get(i))).reason())
            .hasMessageContaining(illegal.get(i).toString());
      }
    }
  }

  /** What a reader must find; empty if the value cannot be held exactly. */
  private static Optional<String> expected(Case c) {
    ColumnType from = c.type;
    return switch (c.to.kind()) {
      case SMALLINT -> whole(c, BigInteger.valueOf(-32768), BigInteger.valueOf(32767));
      case INT ->
          whole(c, BigInteger.valueOf(Integer.MIN_VALUE), BigInteger.valueOf(Integer.MAX_VALUE));
      case LONG -> whole(c, BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE));
      case FLOAT -> floating(c);
      case DOUBLE -> doubled(c);
      case BIGDECIMAL -> decimal(c);
      case BOOLEAN -> Optional.of(c.value.toString());
      case STRING -> text(c);
      case BINARY ->
          c.value instanceof byte[] bytes
              ? Optional.of(CellText.bytes(bytes))
              : wellFormed((String) c.value)
                  .map(t -> CellText.bytes(t.getBytes(StandardCharsets.UTF_8)));
      case DATE -> day(c.value).map(LocalDate::toString);
      case TIME -> timeOfDay(c.value).map(LocalTime::toString);
      case OFFSET_TIME -> timeOfDay(c.value).map(time -> time + "Z");
      case DATETIME ->
          from.kind() == Kind.LOCAL_DATE
              ? day(c.value).map(day -> day.atStartOfDay().toString())
              : moment(c.value).map(LocalDateTime::toString);
      case OFFSET_DATE_TIME, TIMESTAMP ->
          moment(c.value).map(moment -> moment.toInstant(ZoneOffset.UTC).toString());
    };
  }

  private static BigDecimal number(Case c) {
    return c.value instanceof Boolean flag
        ? BigDecimal.valueOf(flag ? 1 : 0)
        : c.value instanceof Float f
            ? new BigDecimal(f)
            : c.value instanceof Double d ? new BigDecimal(d) : new BigDecimal(c.value.toString());
  }

  private static boolean special(Object value) {
    return (value instanceof Float f && !Float.isFinite(f))
        || (value instanceof Double d && !Double.isFinite(d));
  }

  private static Optional<String> whole(Case c, BigInteger least, BigInteger greatest) {
    BigDecimal number = number(c);
    if (number.remainder(BigDecimal.ONE).signum() != 0) {
      return Optional.empty();
    }
    BigInteger whole = number.toBigInteger();
    return whole.compareTo(least) < 0 || whole.compareTo(greatest) > 0
        ? Optional.empty()
        : Optional.of(whole.toString());
  }

  private static Optional<String> floating(Case c) {
    if (c.value instanceof Float f) {
      return Optional.of(f.toString());
    }
    if (c.value instanceof Double d && (special(d) || d == 0)) {
      return Optional.of(Float.toString(d.floatValue()));
    }
    float near = number(c).floatValue();
    return Float.isFinite(near) && new BigDecimal(near).compareTo(number(c)) == 0
        ? Optional.of(Float.toString(near))
        : Optional.empty();
  }

  private static Optional<String> doubled(Case c) {
    if (c.value instanceof Float || c.value instanceof Double) {
      return Optional.of(Double.toString(((Number) c.value).doubleValue()));
    }
    double near = number(c).doubleValue();
    return Double.isFinite(near) && new BigDecimal(near).compareTo(number(c)) == 0
        ? Optional.of(Double.toString(near))
        : Optional.empty();
  }

  private static Optional<String> decimal(Case c) {
    if (special(c.value)) {
      return Optional.empty();
    }
    BigDecimal rounded = number(c).setScale(c.to.scale(), RoundingMode.DOWN);
    return rounded.compareTo(number(c)) == 0 && rounded.precision() <= c.to.precision()
        ? Optional.of(CellText.decimal(rounded))
        : Optional.empty();
  }

  private static Optional<String> text(Case c) {
    return switch (c.type.kind()) {
      case BIG_DECIMAL -> {
        BigDecimal number = new BigDecimal((String) c.value);
        yield Optional.of(
            (c.type.precision() == 0 ? number : number.setScale(c.type.scale())).toPlainString());
      }
      case STRING -> wellFormed((String) c.value);
      case ARRAY, MAP ->
          depth((String) c.value) > 256 ? Optional.empty() : wellFormed((String) c.value);
      case LOCAL_DATE -> {
        int day = (Integer) c.value;
        yield Optional.of(
            day == Integer.MAX_VALUE
                ? "infinity"
                : day == Integer.MIN_VALUE
                    ? "-infinity"
                    : LocalDate.EPOCH.plusDays(day).toString());
      }
      case LOCAL_TIME ->
          Optional.of((Long) c.value == DAY ? "24:00:00" : iso(timeOfDay(c.value).orElseThrow()));
      case OFFSET_TIME -> timeOfDay(c.value).map(time -> iso(time) + "Z");
      case LOCAL_DATE_TIME ->
          (Long) c.value == ColumnType.endOfDay(0)
              ? Optional.of("1969-12-31T24:00:00")
              : Optional.of(anyMoment((Long) c.value, ""));
      case OFFSET_DATE_TIME ->
          (Long) c.value == ColumnType.endOfDay(0)
              ? Optional.empty()
              : Optional.of(anyMoment((Long) c.value, "Z"));
      default -> Optional.of(c.value.toString());
    };
  }

  private static String anyMoment(long micros, String offset) {
    return micros == Long.MAX_VALUE
        ? "infinity"
        : micros == Long.MIN_VALUE
            ? "-infinity"
            : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(at(micros)) + offset;
  }

  private static int depth(String json) {
    int most = 0;
    int depth = 0;
    String brackets = json.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "");
    for (char c : brackets.toCharArray()) {
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      most = Math.max(most, depth);
    }
    return most;
  }

  private static String iso(LocalTime time) {
    return DateTimeFormatter.ISO_LOCAL_TIME.format(time);
  }

  private static Optional<String> wellFormed(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text)
        ? Optional.of(text)
        : Optional.empty();
  }

  private static Optional<LocalDate> day(Object value) {
    LocalDate day = LocalDate.EPOCH.plusDays((Integer) value);
    return day.getYear() < 1 || day.getYear() > 9999 ? Optional.empty() : Optional.of(day);
  }

  private static Optional<LocalTime> timeOfDay(Object value) {
    return (Long) value >= DAY
        ? Optional.empty()
        : Optional.of(LocalTime.MIDNIGHT.plus((Long) value, ChronoUnit.MICROS));
  }

  private static Optional<LocalDateTime> moment(Object value) {
    long micros = (Long) value;
    return micros < FIRST || micros > LAST ? Optional.empty() : Optional.of(at(micros));
  }

  private static LocalDateTime at(long micros) {
    return LocalDateTime.ofInstant(
            Instant.EPOCH.plusSeconds(Math.floorDiv(micros, 1_000_000L)), ZoneOffset.UTC)
        .plusNanos(Math.floorMod(micros, 1_000_000L) * 1000);
  }
}
