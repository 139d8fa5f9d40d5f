package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.parquet.internal.EncodingLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "ZSTD, 0.0, 0",
    "ZSTD, 0.05, 40",
    "ZSTD, 0.9, 0",
    "SNAPPY, 0.3, 0",
    "SNAPPY, 0.0, 7",
    "GZIP, 0.3, 40",
    "GZIP, 0.0, 0",
    "UNCOMPRESSED, 0.05, 1",
    "UNCOMPRESSED, 0.5, 0"
  })
  void everyTypeComesBackFromEveryCodec(Compression.Codec codec, double nullShare, int distinct)
      throws Exception {
    Sample sample = everyType(3001, nullShare, distinct, 17);
    Compression compression =
        codec == Compression.Codec.ZSTD ? Compression.zstd(3) : new Compression(codec, 0);
    WriterOptions options = new WriterOptions(compression, RowGroupPolicy.exactly(1300));
    BothReaders.agree(sample.write(options).save(folder), sample, codec.name());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1 << 20})
  void pagesOfAnySizeComeBackWithAndWithoutDictionaries(int dictionaryBytes) throws Exception {
    Sample sample = everyType(5000, 0.2, 300, 5);
    MemorySink sink =
        sample.write(
            new WriterOptions(Compression.zstd(1), RowGroupPolicy.exactly(4000)),
            new EncodingLimits(700, dictionaryBytes, 4000),
            617);
    BothReaders.agree(sink.save(folder), sample, "dictionaries of " + dictionaryBytes);
  }

  @Test
  void dictionariesThatOutgrowTheirLimitTurnIntoPlainPages() throws Exception {
    Sample sample = everyType(9000, 0.1, 2500, 23);
    MemorySink sink =
        sample.write(WriterOptions.DEFAULTS, new EncodingLimits(5000, 6000, 100_000), 9000);
    BothReaders.agree(sink.save(folder), sample, "small dictionaries");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1 << 20})
  void requiredColumnsComeBackAndAreSoInTheSchema(int dictionaryBytes) throws Exception {
    Sample optional = everyType(3000, 0.0, 30, 11);
    List<ParquetColumn> columns = new ArrayList<>();
    for (ParquetColumn column : optional.schema().columns()) {
      columns.add(new ParquetColumn(column.name(), column.type(), true));
    }
    Sample sample = new Sample(new ParquetSchema(columns), optional.columns());
    MemorySink sink =
        sample.write(
            WriterOptions.DEFAULTS, new EncodingLimits(700, dictionaryBytes, 100_000), 617);
    BothReaders.agree(sink.save(folder), sample, "required columns");
    FooterReading.Complete footer =
        (FooterReading.Complete) FooterReader.read(sink.bytes(), sink.bytes().length);
    assertThat(footer.footer().columns()).noneMatch(ParquetFooter.Column::optional);
  }

  @Test
  void aRequiredColumnTakesNoNull() {
    Sample sample =
        new Sample(
            new ParquetSchema(List.of(new ParquetColumn("c", ParquetType.INT32, true))),
            List.of(Arrays.asList(1, null)));
    assertThatThrownBy(() -> sample.write(WriterOptions.DEFAULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Column 'c' is required, and a row of it is NULL");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 63, 64, 65})
  void filesOfFewRowsComeBack(int rows) throws Exception {
    Sample sample = everyType(rows, 0.3, 0, rows);
    BothReaders.agree(sample.write(WriterOptions.DEFAULTS).save(folder), sample, rows + " rows");
  }

  @Test
  void columnsOfNothingButNullComeBack() throws Exception {
    List<ParquetColumn> columns = new ArrayList<>();
    List<List<Object>> values = new ArrayList<>();
    for (ParquetType type : RandomValues.types()) {
      columns.add(new ParquetColumn("c" + columns.size(), type));
      values.add(Collections.nCopies(2500, null));
    }
    Sample sample = new Sample(new ParquetSchema(columns), values);
    BothReaders.agree(
        sample
            .write(new WriterOptions(Compression.SNAPPY, RowGroupPolicy.exactly(1000)))
            .save(folder),
        sample,
        "NULLs");
  }

  @Test
  void decimalsComeBackFromBytesWhateverTheirPrecision() throws Exception {
    RandomValues random = new RandomValues(99);
    for (int precision = 1; precision <= 38; precision++) {
      ParquetType type = ParquetType.decimal(precision, 0);
      Sample sample = Sample.of(type, random.column(type, 500, 0.1, 0));
      MemorySink sink = new MemorySink();
      try (ParquetWriter writer =
          ParquetWriter.open(sample.schema(), WriterOptions.DEFAULTS, sink)) {
        writer.append(List.of(Sample.vector(type, sample.columns().get(0), false)), 0, 500);
        writer.finish();
      }
      assertThat(ParquetJava.read(sink.save(folder), sample.schema())).isEqualTo(sample.columns());
    }
  }

  static Sample everyType(int rows, double nullShare, int distinct, long seed) {
    RandomValues random = new RandomValues(seed);
    List<ParquetColumn> columns = new ArrayList<>();
    List<List<Object>> values = new ArrayList<>();
    for (ParquetType type : RandomValues.types()) {
      columns.add(new ParquetColumn("col " + columns.size() + " é", type));
      values.add(random.column(type, rows, nullShare, distinct));
    }
    return new Sample(new ParquetSchema(columns), values);
  }
}
