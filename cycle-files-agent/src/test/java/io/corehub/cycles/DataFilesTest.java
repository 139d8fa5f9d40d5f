package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.FooterReader;
import io.corehub.parquet.FooterReading;
import io.corehub.parquet.ParquetFooter;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Seeds;
import io.corehub.testkit.SourceRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of data files: how values are written, and that every reader gets them back. */
class DataFilesTest {

  private static final SequencePrefix LOAD = new SequencePrefix(1, 1, Phase.LOAD);

  @TempDir Path folder;

  private static TableSchema table(Column... columns) {
    return new TableSchema(TableId.of("t"), List.of(columns), List.of(), 1);
  }

  private static DataFileFacts write(
      TableSchema schema, DataFormat format, boolean header, ByteSink sink, ColumnBatch... pages)
      throws IOException {
    TableShape shape = TableShape.of(schema, ColumnChoices.USUAL, format);
    EncodingChoices choices = new EncodingChoices(header, EncodingChoices.USUAL.parquet());
    long row = 1;
    try (DataFileWriter writer = DataFileWriter.open(shape, choices, sink)) {
      for (ColumnBatch page : pages) {
        writer.append(
            new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()))
                .load(page, LOAD, 100, row, Instant.EPOCH));
        row += page.rowCount();
      }
      return writer.finish("x/y", 1, 1);
    }
  }

  /** The one data cell of a file of one row, quotes included. */
  private static String cell(Column column, Object value) throws IOException {
    TableSchema schema = table(column);
    MemorySink sink = new MemorySink();
    write(schema, DataFormat.CSV, false, sink, ColumnBatches.of(SourceRow.of(schema, value)));
    String text = new String(sink.bytes(), StandardCharsets.UTF_8);
    String start = "\"I\",\"" + LOAD + Sequence.of(100, 1) + "\",";
    assertThat(text).startsWith(start).endsWith(",\n");
    return text.substring(start.length(), text.length() - 2);
  }

  private static String cell(Kind kind, Object value) throws IOException {
    return cell(Column.of("c", ColumnType.of(kind)), value);
  }

  @Test
  void valuesOfEveryTypeHaveOneText() throws IOException {
    assertThat(cell(Kind.BOOLEAN, true)).isEqualTo("\"true\"");
    assertThat(cell(Kind.BOOLEAN, false)).isEqualTo("\"false\"");
    assertThat(cell(Kind.SHORT, -32768)).isEqualTo("\"-32768\"");
    assertThat(cell(Kind.INT, Integer.MIN_VALUE)).isEqualTo("\"-2147483648\"");
    assertThat(cell(Kind.LONG, Long.MIN_VALUE)).isEqualTo("\"-9223372036854775808\"");
    assertThat(cell(Kind.LONG, Long.MAX_VALUE)).isEqualTo("\"9223372036854775807\"");
    assertThat(cell(Kind.FLOAT, 0.1f)).isEqualTo("\"0.1\"");
    assertThat(cell(Kind.FLOAT, Float.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
    assertThat(cell(Kind.DOUBLE, 1e300)).isEqualTo("\"1.0E300\"");
    assertThat(cell(Kind.DOUBLE, -0.0)).isEqualTo("\"-0.0\"");
    assertThat(cell(Kind.DOUBLE, Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(cell(Kind.DOUBLE, Double.POSITIVE_INFINITY)).isEqualTo("\"Infinity\"");
    assertThat(cell(Kind.STRING, "x")).isEqualTo("\"x\"");
    assertThat(cell(Kind.BYTE_ARRAY, new byte[] {0, 1, -1})).isEqualTo("\"AAH/\"");
    assertThat(cell(Kind.BYTE_ARRAY, new byte[] {})).isEqualTo("\"\"");
    assertThat(cell(Kind.LOCAL_DATE, LocalDate.parse("2024-02-29"))).isEqualTo("\"2024-02-29\"");
    assertThat(cell(Kind.LOCAL_TIME, LocalTime.parse("23:59:59.000001")))
        .isEqualTo("\"23:59:59.000001\"");
    assertThat(cell(Kind.OFFSET_TIME, OffsetTime.parse("01:30:00+02:00")))
        .isEqualTo("\"23:30:00.000000Z\"");
    assertThat(cell(Kind.LOCAL_DATE_TIME, LocalDateTime.parse("2026-11-29T10:00:05.5")))
        .isEqualTo("\"2026-11-29 10:00:05.500000\"");
    assertThat(cell(Kind.OFFSET_DATE_TIME, Instant.parse("1969-12-31T23:59:59.999999Z")))
        .isEqualTo("\"1969-12-31 23:59:59.999999Z\"");
    assertThat(cell(Kind.ARRAY, "[1,\"a\"]")).isEqualTo("\"[1,\"\"a\"\"]\"");
    assertThat(cell(Kind.MAP, "{}")).isEqualTo("\"{}\"");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 2, 5.5, 5.50",
    "10, 2, -0.05, -0.05",
    "10, 2, 0, 0.00",
    "18, 18, -0.123456789012345678, -0.123456789012345678",
    "18, 0, 999999999999999999, 999999999999999999",
    "19, 1, -999999999999999999.9, -999999999999999999.9",
    "38, 10, 1234567890123456789012345678.5, 1234567890123456789012345678.5000000000",
    "60, 30, 0.000000000000000000000000000001, 0.000000000000000000000000000001"
  })
  void decimalsHaveTheirDeclaredScale(int precision, int scale, String value, String text)
      throws IOException {
    assertThat(cell(Column.of("c", ColumnType.decimal(precision, scale)), value))
        .isEqualTo("\"" + text + "\"");
  }

  @Test
  void aDecimalWithoutPrecisionKeepsItsOwnScale() throws IOException {
    assertThat(cell(Column.of("c", ColumnType.of(Kind.BIG_DECIMAL)), "123.4500"))
        .isEqualTo("\"123.4500\"");
  }

  @Test
  void aTargetTypeIsFollowedInCsvToo() throws IOException {
    assertThat(
            cell(
                Column.of("c", ColumnType.of(Kind.INT)).as(TargetType.parse("bigdecimal(10,2)")),
                7))
        .isEqualTo("\"7.00\"");
    assertThat(
            cell(
                Column.of("c", ColumnType.of(Kind.LOCAL_DATE)).as(TargetType.parse("datetime")),
                LocalDate.parse("2026-11-29")))
        .isEqualTo("\"2026-11-29 00:00:00.000000\"");
  }

  @Test
  void everyDayAndTimeIsWhatTheCalendarSays() {
    Seeds.forEach(
        2_000,
        1,
        (seed, size) -> {
          Random random = new Random(seed);
          LocalDateTime time =
              LocalDateTime.of(
                  LocalDate.ofEpochDay(random.nextLong(-719_162, 2_932_897)),
                  LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1000));
          assertThat(cell(Kind.LOCAL_DATE_TIME, time))
              .isEqualTo(
                  "\""
                      + DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").format(time)
                      + "\"");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\"",
        "\"\"",
        "a\"b",
        ",",
        "a\nb",
        "a\r\nb",
        "null",
        "\\N",
        "\uD83D\uDE00 größe \u4E2D",
        "\u0000\u0001",
        "\uFEFF"
      })
  void textIsQuotedAndNothingElseIsDoneToIt(String text) throws IOException {
    assertThat(cell(Kind.STRING, text)).isEqualTo("\"" + text.replace("\"", "\"\"") + "\"");
  }

  @Test
  void nullIsNothingAtAll() throws IOException {
    for (Kind kind : Kind.values()) {
      assertThat(cell(kind, null)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8_191, 8_192, 65_400, 65_536, 1 << 20})
  void largeValuesComeWholeWhateverTheBuffers(int length) throws IOException {
    char[] characters = new char[length];
    Arrays.fill(characters, 'x');
    characters[length / 2] = '"';
    characters[length - 1] = '"';
    String text = new String(characters);
    assertThat(cell(Kind.STRING, text)).isEqualTo("\"" + text.replace("\"", "\"\"") + "\"");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(cell(Kind.BYTE_ARRAY, bytes))
        .isEqualTo("\"" + Base64.getEncoder().encodeToString(bytes) + "\"");
  }

  /** Rows whose texts hold everything that CSV readers trip over. */
  private static TableSchema tricky() {
    return table(
        Column.of("id", ColumnType.of(Kind.INT)),
        Column.of("na\"me, of\n it", ColumnType.of(Kind.STRING)),
        Column.of("d", ColumnType.of(Kind.DOUBLE)));
  }

  private static List<SourceRow> trickyRows(Random random, int count) {
    List<SourceRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        text.appendCodePoint(
            "\"\"\",,\n\r xäß\uD83D\uDE00".codePoints().toArray()[random.nextInt(12)]);
      }
      rows.add(
          SourceRow.of(
              tricky(),
              random.nextInt(),
              random.nextInt(5) == 0 ? null : text.toString(),
              random.nextInt(5) == 0 ? null : random.nextGaussian()));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(DataFormat.class)
  void anIndependentReaderGetsEveryValueBack(DataFormat format) throws Exception {
    Random random = new Random(3);
    List<SourceRow> rows = trickyRows(random, 3_000);
    Path file = folder.resolve("t" + format.ending());
    MemorySink sink = new MemorySink();
    write(
        tricky(),
        format,
        true,
        sink,
        ColumnBatches.of(tricky(), rows.subList(0, 1_000)),
        ColumnBatches.of(tricky(), rows.subList(1_000, 3_000)));
    Files.write(file, sink.bytes());
    String from =
        format == DataFormat.PARQUET
            ? "read_parquet('" + file + "')"
            : "read_csv('"
                + file
                + "', header = true, delim = ',', quote = '\"', escape = '\"', all_varchar = true,"
                + " allow_quoted_nulls = false, new_line = '\\n', auto_detect = false,"
                + " columns = {'op': 'VARCHAR', 's': 'VARCHAR', 'id': 'VARCHAR', 'n': 'VARCHAR',"
                + " 'd': 'VARCHAR', 'io': 'VARCHAR', 'no': 'VARCHAR', 'od': 'VARCHAR'})";
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement();
        ResultSet read = statement.executeQuery("SELECT * FROM " + from)) {
      for (int i = 0; i < rows.size(); i++) {
        assertThat(read.next()).isTrue();
        assertThat(read.getString(1)).isEqualTo("I");
        assertThat(read.getString(2)).isEqualTo(LOAD + Sequence.of(100, i + 1).toString());
        assertThat(read.getString(3)).isEqualTo(String.valueOf(rows.get(i).cell(0)));
        assertThat(read.getString(4)).isEqualTo(rows.get(i).cell(1));
        Object number = rows.get(i).cell(2);
        assertThat(read.getString(5) == null ? null : Double.valueOf(read.getString(5)))
            .isEqualTo(number);
        assertThat(read.getString(6)).isNull();
      }
      assertThat(read.next()).isFalse();
    }
  }

  @Test
  void aPackedFileIsThePlainOnePacked() throws IOException {
    ColumnBatch page = ColumnBatches.of(tricky(), trickyRows(new Random(4), 5_000));
    MemorySink plain = new MemorySink();
    MemorySink packed = new MemorySink();
    MemorySink again = new MemorySink();
    write(tricky(), DataFormat.CSV, true, plain, page);
    write(tricky(), DataFormat.CSV_GZIP, true, packed, page);
    write(tricky(), DataFormat.CSV_GZIP, true, again, page);
    assertThat(packed.bytes()).hasSizeLessThan(plain.bytes().length);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.bytes())).readAllBytes())
        .isEqualTo(plain.bytes());
    assertThat(again.bytes()).as("the same rows make the same bytes").isEqualTo(packed.bytes());
  }

  @ParameterizedTest
  @EnumSource(DataFormat.class)
  void theFactsOfAFileAreThoseOfItsBytes(DataFormat format) throws Exception {
    ColumnBatch page = ColumnBatches.of(tricky(), trickyRows(new Random(5), 100));
    MemorySink sink = new MemorySink();
    DataFileFacts facts = write(tricky(), format, true, sink, page, page);
    assertThat(sink.completed).isEqualTo(1);
    assertThat(sink.discarded).isZero();
    assertThat(facts)
        .isEqualTo(
            new DataFileFacts(
                "x/y",
                TableId.of("t"),
                1,
                1,
                sink.bytes().length,
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(sink.bytes())),
                new RowCounts(200, 0, 0, 0, 0, 0),
                LOAD + Sequence.of(100, 1).toString(),
                LOAD + Sequence.of(100, 200).toString()));
  }

  /** Fails at a byte. */
  private static final class FailingSink implements ByteSink {
    private long left;
    int discarded;

    FailingSink(long left) {
      this.left = left;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      left -= length;
      if (left < 0) {
        throw new IOException("no more room");
      }
    }

    @Override
    public void complete() throws IOException {
      throw new IOException("no end");
    }

    @Override
    public void discard() {
      discarded++;
    }
  }

  @ParameterizedTest
  @EnumSource(DataFormat.class)
  void aSinkThatFailsIsDiscardedOnce(DataFormat format) {
    ColumnBatch page = ColumnBatches.of(tricky(), trickyRows(new Random(5), 20_000));
    for (long room : new long[] {0, 100_000, Long.MAX_VALUE}) {
      FailingSink sink = new FailingSink(room);
      assertThatThrownBy(() -> write(tricky(), format, true, sink, page))
          .isInstanceOf(IOException.class);
      assertThat(sink.discarded).as("%s with room for %d", format, room).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(DataFormat.class)
  void aFileGivenUpIsDiscarded(DataFormat format) throws IOException {
    TableShape shape = TableShape.of(tricky(), ColumnChoices.USUAL, format);
    MemorySink sink = new MemorySink();
    DataFileWriter writer = DataFileWriter.open(shape, EncodingChoices.USUAL, sink);
    writer.append(
        new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()))
            .load(
                ColumnBatches.of(tricky(), trickyRows(new Random(5), 10)),
                LOAD,
                1,
                1,
                Instant.EPOCH));
    writer.close();
    writer.close();
    assertThat(sink.discarded).isEqualTo(1);
    assertThat(sink.completed).isZero();
    assertThatThrownBy(
            () ->
                DataFileWriter.open(shape, EncodingChoices.USUAL, new MemorySink())
                    .finish("x/y", 1, 1))
        .hasMessageContaining("without rows");
  }

  @Test
  void theMemoryOfAnOpenFileIsBounded() throws IOException {
    TableShape shape = TableShape.of(tricky(), ColumnChoices.USUAL, DataFormat.CSV);
    MemorySink sink = new MemorySink();
    ColumnBatch page = ColumnBatches.of(tricky(), trickyRows(new Random(5), 10_000));
    try (DataFileWriter writer = DataFileWriter.open(shape, EncodingChoices.USUAL, sink)) {
      for (int i = 0; i < 20; i++) {
        writer.append(
            new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()))
                .load(page, LOAD, 1, 1 + i * 10_000L, Instant.EPOCH));
        assertThat(writer.bufferedBytes()).isLessThanOrEqualTo(64 << 10);
      }
      assertThat(writer.rows()).isEqualTo(200_000);
      assertThat(writer.estimatedBytes()).isGreaterThan(sink.bytes().length);
      assertThat(writer.finish("x/y", 1, 1).bytes()).isEqualTo(sink.bytes().length);
    }
  }

  @Test
  void aParquetFileHasLeadingMetadataAndTrailingOldColumns() throws Exception {
    TableSchema orders =
        new TableSchema(
            TableId.of("sales", "orders"),
            List.of(
                Column.of("order_id", ColumnType.of(Kind.INT)),
                Column.of("status", ColumnType.of(Kind.STRING)),
                Column.of("amount", ColumnType.decimal(10, 2))),
            List.of("order_id"),
            1);
    MemorySink sink = new MemorySink();
    write(
        orders,
        DataFormat.PARQUET,
        true,
        sink,
        ColumnBatches.of(SourceRow.of(orders, 1, "NEW", "10.00")));
    FooterReading.Complete read =
        (FooterReading.Complete) FooterReader.read(sink.bytes(), sink.bytes().length);
    assertThat(read.footer().columns())
        .extracting(
            ParquetFooter.Column::path,
            ParquetFooter.Column::optional,
            c -> c.type().map(Object::toString))
        .containsExactly(
            tuple("CDC_OPERATION_TYPE", false, Optional.of("STRING")),
            tuple("CDC_SORTABLE_SEQUENCE", false, Optional.of("STRING")),
            tuple("order_id", true, Optional.of("INT32")),
            tuple("status", true, Optional.of("STRING")),
            tuple("amount", true, Optional.of("DECIMAL(10,2)")),
            tuple("order_id_OLD", true, Optional.of("INT32")),
            tuple("status_OLD", true, Optional.of("STRING")),
            tuple("amount_OLD", true, Optional.of("DECIMAL(10,2)")));
  }

  @Test
  void rowsOfManyPagesMakeTheSameBytesAsOfOne() throws IOException {
    List<SourceRow> rows = trickyRows(new Random(6), 999);
    MemorySink one = new MemorySink();
    MemorySink many = new MemorySink();
    write(tricky(), DataFormat.CSV, true, one, ColumnBatches.of(tricky(), rows));
    ColumnBatch[] pages = new ColumnBatch[rows.size()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = ColumnBatches.of(tricky(), List.of(rows.get(i)));
    }
    write(tricky(), DataFormat.CSV, true, many, pages);
    assertThat(many.bytes()).isEqualTo(one.bytes());
  }
}
