package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatTest {

  @TempDir Path folder;

  @Test
  void everyTypeCarriesBothItsAnnotations() throws Exception {
    Path file = RoundTripTest.everyType(1, 0, 0, 1).write(WriterOptions.DEFAULTS).save(folder);
    MessageType schema = ParquetJava.footer(file).getFileMetaData().getSchema();
    List<String> fields = new ArrayList<>();
    schema.getFields().forEach(field -> fields.add(field.toString().replaceAll(" col .*? é", "")));
    assertThat(fields.subList(0, 12))
        .containsExactly(
            "optional boolean",
            "optional int32",
            "optional int64",
            "optional float columnorder(TYPE_DEFINED_ORDER)",
            "optional double columnorder(TYPE_DEFINED_ORDER)",
            "optional binary (STRING)",
            "optional binary",
            "optional int32 (DATE)",
            "optional int64 (TIME(MICROS,false))",
            "optional int64 (TIME(MICROS,true))",
            "optional int64 (TIMESTAMP(MICROS,false))",
            "optional int64 (TIMESTAMP(MICROS,true))");
    assertThat(fields.get(12)).isEqualTo("optional fixed_len_byte_array(1) (DECIMAL(1,0))");
    assertThat(fields.get(12 + 17)).isEqualTo("optional fixed_len_byte_array(8) (DECIMAL(18,9))");
    assertThat(fields.get(12 + 37)).isEqualTo("optional fixed_len_byte_array(16) (DECIMAL(38,19))");
  }

  @Test
  void olderAnnotationsStandForLocalTimesToo() throws Exception {
    FileMetaData metaData = metaData(RoundTripTest.everyType(1, 0, 0, 1));
    List<ConvertedType> converted = new ArrayList<>();
    metaData
        .getSchema()
        .subList(6, 14)
        .forEach(element -> converted.add(element.getConverted_type()));
    assertThat(converted)
        .containsExactly(
            ConvertedType.UTF8,
            null,
            ConvertedType.DATE,
            ConvertedType.TIME_MICROS,
            ConvertedType.TIME_MICROS,
            ConvertedType.TIMESTAMP_MICROS,
            ConvertedType.TIMESTAMP_MICROS,
            ConvertedType.DECIMAL);
    SchemaElement decimal = metaData.getSchema().get(13 + 17);
    assertThat(decimal.getPrecision()).isEqualTo(18);
    assertThat(decimal.getScale()).isEqualTo(9);
  }

  @Test
  void onlyWidelyReadEncodingsAndTheTypesOwnOrderAreUsed() throws Exception {
    FileMetaData metaData = metaData(RoundTripTest.everyType(3000, 0.1, 20, 1));
    assertThat(metaData.getVersion()).isEqualTo(1);
    assertThat(metaData.getCreated_by()).matches("core-hub version \\d.* \\(build 0\\)");
    assertThat(metaData.getColumn_orders()).hasSize(50).allMatch(order -> order.isSetTYPE_ORDER());
    assertThat(metaData.getSchema().subList(1, 51))
        .allMatch(column -> column.getRepetition_type() == FieldRepetitionType.OPTIONAL);
    Set<Encoding> allowed = Set.of(Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY);
    metaData
        .getRow_groups()
        .forEach(
            group ->
                group
                    .getColumns()
                    .forEach(
                        chunk ->
                            assertThat(chunk.getMeta_data().getEncodings()).isSubsetOf(allowed)));
    ColumnMetaData booleans = metaData.getRow_groups().get(0).getColumns().get(0).getMeta_data();
    assertThat(booleans.isSetDictionary_page_offset()).isFalse();
    ColumnMetaData numbers = metaData.getRow_groups().get(0).getColumns().get(1).getMeta_data();
    assertThat(numbers.isSetDictionary_page_offset()).isTrue();
  }

  @Test
  void uniqueValuesGetNoDictionary() throws Exception {
    List<Object> numbers = new ArrayList<>();
    List<Object> texts = new ArrayList<>();
    for (long i = 0; i < 5000; i++) {
      numbers.add(i * 7919);
      texts.add(("text " + i).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(hasDictionary(Sample.of(ParquetType.INT64, numbers))).isFalse();
    assertThat(hasDictionary(Sample.of(ParquetType.STRING, texts))).isFalse();
    assertThat(hasDictionary(Sample.of(ParquetType.STRING, texts.subList(0, 50)))).isFalse();
  }

  @Test
  void valuesThatRepeatGetADictionary() throws Exception {
    List<Object> texts = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 50_000; i++) {
      texts.add(("text " + random.nextInt(10_000)).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(hasDictionary(Sample.of(ParquetType.STRING, texts))).isTrue();
  }

  private static boolean hasDictionary(Sample sample) throws Exception {
    return metaData(sample)
        .getRow_groups()
        .get(0)
        .getColumns()
        .get(0)
        .getMeta_data()
        .isSetDictionary_page_offset();
  }

  private static FileMetaData metaData(Sample sample) throws Exception {
    return StatisticsTest.metaData(sample.write(WriterOptions.DEFAULTS).bytes());
  }
}
