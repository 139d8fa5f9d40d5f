package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTest {

  @TempDir Path folder;

  @Test
  void boundsAndNullCountsOfEveryChunkAreExact() throws Exception {
    // Text of at most 64 bytes, no NaN: every chunk with a value has exact bounds.
    Sample sample = withoutNansAndLongTexts(RoundTripTest.everyType(3000, 0.2, 0, 3));
    Path file =
        sample
            .write(new WriterOptions(Compression.zstd(3), RowGroupPolicy.exactly(900)))
            .save(folder);
    int from = 0;
    for (BlockMetaData block : ParquetJava.footer(file).getBlocks()) {
      int to = from + (int) block.getRowCount();
      for (int i = 0; i < sample.columns().size(); i++) {
        ParquetType type = sample.schema().columns().get(i).type();
        List<Object> values = sample.columns().get(i).subList(from, to);
        ColumnChunkMetaData chunk = block.getColumns().get(i);
        List<Object> present = values.stream().filter(Objects::nonNull).toList();
        assertThat(chunk.getStatistics().getNumNulls())
            .as("NULLs of %s", type)
            .isEqualTo(values.size() - present.size());
        assertThat(value(chunk.getStatistics().genericGetMin(), type))
            .as("least of %s", type)
            .isEqualTo(zero(Collections.min(present, order(type)), true));
        assertThat(value(chunk.getStatistics().genericGetMax(), type))
            .as("greatest of %s", type)
            .isEqualTo(zero(Collections.max(present, order(type)), false));
      }
      from = to;
    }
    assertThat(from).isEqualTo(3000);
  }

  private static Sample withoutNansAndLongTexts(Sample sample) {
    List<List<Object>> columns = new ArrayList<>();
    for (List<Object> column : sample.columns()) {
      List<Object> kept = new ArrayList<>(column);
      kept.replaceAll(
          value ->
              value instanceof Float f && f.isNaN()
                      || value instanceof Double d && d.isNaN()
                      || value instanceof byte[] bytes && bytes.length > 64
                  ? null
                  : value);
      columns.add(kept);
    }
    return new Sample(sample.schema(), columns);
  }

  private static Comparator<Object> order(ParquetType type) {
    return switch (type.kind()) {
      case STRING, BINARY -> (a, b) -> Arrays.compareUnsigned((byte[]) a, (byte[]) b);
      case DECIMAL -> (a, b) -> ((BigInteger) a).compareTo((BigInteger) b);
      case BOOLEAN -> (a, b) -> Boolean.compare((Boolean) a, (Boolean) b);
      default ->
          (a, b) ->
              Double.compare(number(a), number(b)) != 0 || !(a instanceof Long)
                  ? Double.compare(number(a), number(b))
                  : Long.compare((Long) a, (Long) b);
    };
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  /** A bound of zero stands for both zeros. */
  private static Object zero(Object bound, boolean least) {
    if (bound instanceof Float f && f == 0) {
      return least ? -0.0f : 0.0f;
    }
    if (bound instanceof Double d && d == 0) {
      return least ? -0.0 : 0.0;
    }
    return bound;
  }

  private static Object value(Object bound, ParquetType type) {
    if (!(bound instanceof Binary binary)) {
      return bound;
    }
    return type.kind() == ParquetType.Kind.DECIMAL
        ? new BigInteger(binary.getBytes())
        : binary.getBytes();
  }

  @Test
  void aChunkWithNanHasNoBoundsButCountsIt() throws Exception {
    Statistics floats = of(ParquetType.FLOAT, 1f, Float.NaN, null, Float.NaN);
    assertThat(floats.isSetMin_value()).isFalse();
    assertThat(floats.isSetMax_value()).isFalse();
    assertThat(floats.getNan_count()).isEqualTo(2);
    assertThat(floats.getNull_count()).isEqualTo(1);
    Statistics doubles = of(ParquetType.DOUBLE, 1.0, 2.0);
    assertThat(doubles.isSetNan_count()).isTrue();
    assertThat(doubles.getNan_count()).isZero();
    assertThat(of(ParquetType.INT32, 1).isSetNan_count()).isFalse();
  }

  @Test
  void aBoundOfZeroStandsForBothZeros() throws Exception {
    Statistics statistics = of(ParquetType.DOUBLE, 0.0, -0.0);
    assertThat(doubleBits(statistics.getMin_value())).isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(doubleBits(statistics.getMax_value())).isEqualTo(Double.doubleToRawLongBits(0.0));
    Statistics positive = of(ParquetType.FLOAT, 0.0f, 1.0f);
    assertThat(positive.getMin_value()).isEqualTo(new byte[] {0, 0, 0, (byte) 0x80});
  }

  private static long doubleBits(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Test
  void infinitiesAreBoundsLikeOtherNumbers() throws Exception {
    Statistics statistics =
        of(ParquetType.DOUBLE, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    assertThat(doubleBits(statistics.getMin_value()))
        .isEqualTo(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
  }

  @Test
  void aChunkOfNullsHasANullCountAndNoBounds() throws Exception {
    for (ParquetType type : RandomValues.types()) {
      Statistics statistics = of(type, null, null);
      assertThat(statistics.getNull_count()).isEqualTo(2);
      assertThat(statistics.isSetMin_value() || statistics.isSetMax_value()).isFalse();
    }
  }

  // 64 bytes are kept; what follows decides how the greatest value is cut and raised.
  @ParameterizedTest
  @CsvSource({
    "a, 64, a, 64, a, 64, '', true",
    "a, 65, a, 64, a, 63, b, false",
    "é, 40, é, 32, é, 31, ê, false",
    "日, 30, 日, 21, 日, 20, 旦x, false",
    "😀, 20, 😀, 16, 😀, 15, 😁, false",
    "\uD7FF, 30, \uD7FF, 21, \uD7FF, 20, \uE000, false",
    "\u007F, 70, \u007F, 64, '', 0, '', false",
  })
  void longTextsAreCutBetweenCharactersAndRaised(
      String character,
      int count,
      String minCharacter,
      int minCount,
      String maxCharacter,
      int maxCount,
      String maxEnd,
      boolean exact)
      throws Exception {
    byte[] text = character.repeat(count).getBytes(StandardCharsets.UTF_8);
    Statistics statistics = of(ParquetType.STRING, (Object) text);
    assertThat(new String(statistics.getMin_value(), StandardCharsets.UTF_8))
        .isEqualTo(minCharacter.repeat(minCount));
    assertThat(statistics.isIs_min_value_exact()).isEqualTo(exact);
    if (maxCount == 0) {
      // 0x7F cannot be raised within 64 bytes at the end, but one character earlier it can.
      assertThat(Arrays.compareUnsigned(statistics.getMax_value(), text)).isPositive();
      assertThat(statistics.getMax_value().length).isLessThanOrEqualTo(64);
      return;
    }
    String expected = maxCharacter.repeat(maxCount) + maxEnd;
    if (maxEnd.endsWith("x")) {
      expected =
          maxCharacter.repeat(maxCount) + new String(Character.toChars("日".codePointAt(0) + 1));
    }
    assertThat(new String(statistics.getMax_value(), StandardCharsets.UTF_8)).isEqualTo(expected);
    assertThat(statistics.isIs_max_value_exact()).isEqualTo(exact);
  }

  @Test
  void aValueThatCannotBeRaisedHasNoUpperBound() throws Exception {
    String last = new String(Character.toChars(Character.MAX_CODE_POINT));
    Statistics text =
        of(ParquetType.STRING, (Object) last.repeat(17).getBytes(StandardCharsets.UTF_8));
    assertThat(text.isSetMax_value()).isFalse();
    assertThat(text.getMin_value()).isEqualTo(last.repeat(16).getBytes(StandardCharsets.UTF_8));
    byte[] ones = new byte[65];
    Arrays.fill(ones, (byte) 0xFF);
    assertThat(of(ParquetType.BINARY, (Object) ones).isSetMax_value()).isFalse();
    ones[10] = 5;
    byte[] raised = Arrays.copyOf(ones, 11);
    raised[10] = 6;
    assertThat(of(ParquetType.BINARY, (Object) ones).getMax_value()).isEqualTo(raised);
  }

  @Test
  void longBytesThatAreNotUtf8HaveNoBoundsAsText() throws Exception {
    byte[] broken = new byte[100];
    Arrays.fill(broken, (byte) 0x80);
    Statistics statistics = of(ParquetType.STRING, (Object) broken);
    assertThat(statistics.isSetMin_value() || statistics.isSetMax_value()).isFalse();
  }

  @Test
  void valuesThatDifferBehindTheBoundKeepABoundAboveAll() throws Exception {
    List<Object> texts = new ArrayList<>();
    for (String end : List.of("m", "a", "z", "")) {
      texts.add(("p".repeat(70) + end).getBytes(StandardCharsets.UTF_8));
    }
    Statistics statistics = of(ParquetType.STRING, texts.toArray());
    assertThat(new String(statistics.getMin_value(), StandardCharsets.UTF_8))
        .isEqualTo("p".repeat(64));
    assertThat(new String(statistics.getMax_value(), StandardCharsets.UTF_8))
        .isEqualTo("p".repeat(63) + "q");
  }

  @Test
  void readersThatSkipByStatisticsFindEveryRow() throws Exception {
    Sample sample = RoundTripTest.everyType(4000, 0.1, 0, 11);
    Path file =
        sample
            .write(new WriterOptions(Compression.zstd(1), RowGroupPolicy.exactly(250)))
            .save(folder);
    try (DuckDb duckDb = new DuckDb()) {
      for (int i = 0; i < sample.columns().size(); i++) {
        ParquetColumn column = sample.schema().columns().get(i);
        if (column.type().kind() == ParquetType.Kind.BOOLEAN
            || column.type().kind() == ParquetType.Kind.BINARY) {
          continue;
        }
        String name = "\"" + column.name() + "\"";
        String from = " FROM '" + file + "'";
        Object middle = duckDb.single("SELECT quantile_disc(" + name + ", 0.95)::VARCHAR" + from);
        String literal =
            "'"
                + middle.toString().replace("'", "''")
                + "'::"
                + duckDb.single("SELECT typeof(" + name + ")" + from);
        // The same comparison once as a filter on the file and once out of the reader's sight.
        String filtered = "SELECT count(*)" + from + " WHERE " + name + " >= " + literal;
        String counted = "SELECT count(*) FILTER (" + name + " >= " + literal + ")" + from;
        assertThat(duckDb.single(filtered))
            .as("%s >= %s", column, literal)
            .isEqualTo(duckDb.single(counted));
      }
    }
  }

  private static Statistics of(ParquetType type, Object... values) throws Exception {
    byte[] file = Sample.of(type, Arrays.asList(values)).write(WriterOptions.DEFAULTS).bytes();
    ColumnChunk chunk = metaData(file).getRow_groups().get(0).getColumns().get(0);
    return chunk.getMeta_data().getStatistics();
  }

  static FileMetaData metaData(byte[] file) throws Exception {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    return Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - length, length));
  }
}
