package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifeCycleTest {

  private static final WriterOptions GROUPS_OF_10 =
      new WriterOptions(Compression.zstd(3), RowGroupPolicy.exactly(10));

  private final MemorySink sink = new MemorySink();

  @Test
  void aFinishedFileIsCompletedOnceAndNeverDiscarded() throws IOException {
    ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, sink);
    writer.append(List.of(numbers(25)), 0, 25);
    assertThat(writer.rowCount()).isEqualTo(25);
    assertThat(writer.bytesWritten()).isEqualTo(sink.bytes().length).isPositive();
    assertThat(writer.bufferedBytes()).isPositive();
    writer.finish();
    writer.close();
    writer.close();
    assertThat(sink.completed).isEqualTo(1);
    assertThat(sink.discarded).isZero();
    assertThat(writer.bytesWritten()).isEqualTo(sink.bytes().length);
    assertThat(writer.rowCount()).isEqualTo(25);
    assertThat(writer.bufferedBytes()).isZero();
    assertThatThrownBy(writer::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("finished");
  }

  @Test
  void aFileClosedWithoutFinishIsDiscarded() throws IOException {
    try (ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, sink)) {
      writer.append(List.of(numbers(25)), 0, 25);
    }
    assertThat(sink.completed).isZero();
    assertThat(sink.discarded).isEqualTo(1);
    assertThatThrownBy(() -> FooterReader.read(sink.bytes(), sink.bytes().length))
        .isInstanceOf(MalformedFooterException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 9, 13, 20, 21})
  void aFailureOfTheSinkAtAnyWriteDiscardsTheFile(int failingWrite) {
    FailingSink failing = new FailingSink(failingWrite, new IOException("no room"));
    ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, failing);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                writer.append(List.of(numbers(10)), 0, 10);
              }
              writer.finish();
            })
        .isInstanceOf(IOException.class)
        .hasMessage("no room");
    assertThat(failing.discarded).isEqualTo(1);
    assertThatThrownBy(() -> writer.append(List.of(numbers(1)), 0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("discarded");
    writer.close();
    assertThat(failing.discarded).isEqualTo(1);
  }

  @Test
  void evenAnErrorDiscardsTheFile() {
    FailingSink failing = new FailingSink(1, new OutOfMemoryError("injected"));
    ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, failing);
    assertThatThrownBy(() -> writer.append(List.of(numbers(10)), 0, 10))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(failing.discarded).isEqualTo(1);
  }

  @Test
  void aFileThatTheSinkCannotCompleteIsDiscarded() {
    MemorySink incomplete =
        new MemorySink() {
          @Override
          public void complete() throws IOException {
            throw new IOException("connection lost");
          }
        };
    ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, incomplete);
    assertThatThrownBy(writer::finish).hasMessage("connection lost");
    assertThat(incomplete.discarded).isEqualTo(1);
  }

  @Test
  void aBadValueInALaterColumnDiscardsTheFile() {
    ParquetSchema schema =
        new ParquetSchema(
            List.of(
                new ParquetColumn("a", ParquetType.INT64),
                new ParquetColumn("price", ParquetType.decimal(5, 2))));
    ParquetWriter writer = ParquetWriter.open(schema, GROUPS_OF_10, sink);
    assertThatThrownBy(() -> writer.append(List.of(numbers(30), numbers(30, 100_000)), 0, 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Column 'price', row 7: the unscaled value 100000 has too many digits for DECIMAL(5,2)");
    assertThat(sink.discarded).isEqualTo(1);
    assertThat(sink.completed).isZero();
  }

  @Test
  void decimalsThatDoNotFitAreRefusedNeverWrapped() {
    for (int precision = 1; precision <= 38; precision++) {
      ParquetType type = ParquetType.decimal(precision, 0);
      BigInteger limit = BigInteger.TEN.pow(precision);
      for (BigInteger value : List.of(limit, limit.negate(), limit.shiftLeft(64))) {
        List<Object> values = new ArrayList<>(Arrays.asList(BigInteger.ONE, null, value));
        assertThatThrownBy(() -> append(type, Sample.vector(type, values, false)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("'c', row 2")
            .hasMessageContaining(type.toString());
      }
      append(
          type,
          Sample.vector(
              type,
              List.of(limit.subtract(BigInteger.ONE), BigInteger.ONE.subtract(limit)),
              false));
    }
  }

  @Test
  void anEmptyValueIsNoDecimal() {
    ColumnVector.OfBytes empty =
        new ColumnVector.OfBytes(new byte[0], new int[] {0, 0}, 1, Nulls.NONE);
    for (int precision : List.of(5, 30)) {
      assertThatThrownBy(() -> append(ParquetType.decimal(precision, 2), empty))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 bytes");
    }
  }

  @Test
  void vectorsOfAnotherStorageAreRefused() {
    for (ParquetType type : RandomValues.types()) {
      ColumnVector wrong =
          type.kind() == ParquetType.Kind.BOOLEAN
              ? numbers(3)
              : new ColumnVector.OfBoolean(new boolean[3], 3, Nulls.NONE);
      assertThatThrownBy(() -> append(type, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'c' is " + type);
    }
  }

  @Test
  void rowsOutsideAVectorAndMissingColumnsAreRefused() {
    assertThatThrownBy(
            () -> ParquetWriter.open(longs(), GROUPS_OF_10, sink).append(List.of(numbers(3)), 0, 4))
        .hasMessage("Rows 0 to 4 do not lie within the 3 rows of column 'c'");
    assertThatThrownBy(
            () -> ParquetWriter.open(longs(), GROUPS_OF_10, sink).append(List.of(), 0, 0))
        .hasMessage("The file has 1 columns, the rows have 0");
  }

  @Test
  void entriesMayDependOnWhatWasWritten() throws Exception {
    try (ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, sink)) {
      writer.keyValue("first", "a");
      writer.append(List.of(numbers(25)), 0, 25);
      writer.keyValue("rows", Long.toString(writer.rowCount()));
      writer.keyValue("first", "grün \u0000 😀");
      writer.finish();
    }
    FooterReading reading = FooterReader.read(sink.bytes(), sink.bytes().length);
    assertThat(((FooterReading.Complete) reading).footer().keyValues())
        .containsOnly(
            java.util.Map.entry("first", "grün \u0000 😀"), java.util.Map.entry("rows", "25"));
  }

  @Test
  void nothingLeavesBeforeARowGroupIsComplete() throws IOException {
    try (ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, sink)) {
      writer.append(List.of(numbers(9)), 0, 9);
      assertThat(sink.bytes()).isEmpty();
      writer.append(List.of(numbers(9)), 0, 9);
      assertThat(sink.bytes()).isNotEmpty();
    }
  }

  @Test
  void vectorsMayChangeOnceTheyAreAppended() throws Exception {
    long[] values = {1, 2, 3};
    ColumnVector vector = new ColumnVector.OfLong(values, 3, Nulls.NONE);
    try (ParquetWriter writer = ParquetWriter.open(longs(), GROUPS_OF_10, sink)) {
      writer.append(List.of(vector), 0, 3);
      Arrays.fill(values, 99);
      writer.append(List.of(vector), 0, 1);
      writer.finish();
    }
    assertThat(StatisticsTest.metaData(sink.bytes()).getNum_rows()).isEqualTo(4);
    byte[] min =
        StatisticsTest.metaData(sink.bytes())
            .getRow_groups()
            .get(0)
            .getColumns()
            .get(0)
            .getMeta_data()
            .getStatistics()
            .getMin_value();
    assertThat(min[0]).isEqualTo((byte) 1);
  }

  private static void append(ParquetType type, ColumnVector vector) {
    ParquetSchema schema = new ParquetSchema(List.of(new ParquetColumn("c", type)));
    try (ParquetWriter writer =
        ParquetWriter.open(schema, WriterOptions.DEFAULTS, new MemorySink())) {
      writer.append(List.of(vector), 0, vector.size());
    } catch (IOException e) {
      throw new AssertionError("Memory does not fail", e);
    }
  }

  private static ParquetSchema longs() {
    return new ParquetSchema(List.of(new ParquetColumn("c", ParquetType.INT64)));
  }

  private static ColumnVector numbers(int rows) {
    return numbers(rows, 7);
  }

  /** Counts up; row 7 holds a chosen value. */
  private static ColumnVector numbers(int rows, long seventh) {
    long[] values = new long[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = i == 7 ? seventh : i;
    }
    return new ColumnVector.OfLong(values, rows, Nulls.NONE);
  }

  /** Fails at one of its writes. */
  private static final class FailingSink implements ByteSink {
    private final int failingWrite;
    private final Throwable failure;
    private int writes;
    private int discarded;

    FailingSink(int failingWrite, Throwable failure) {
      this.failingWrite = failingWrite;
      this.failure = failure;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (writes++ == failingWrite) {
        if (failure instanceof IOException e) {
          throw e;
        }
        throw (Error) failure;
      }
    }

    @Override
    public void complete() {
      throw new AssertionError("An incomplete file was completed");
    }

    @Override
    public void discard() {
      discarded++;
    }
  }
}
