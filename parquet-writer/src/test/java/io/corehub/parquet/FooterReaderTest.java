package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;

class FooterReaderTest {

  @Test
  void ourOwnFooterSaysWhatWasWritten() throws Exception {
    Sample sample = RoundTripTest.everyType(2500, 0.1, 5, 4);
    byte[] file =
        sample.write(new WriterOptions(Compression.zstd(3), RowGroupPolicy.exactly(1000))).bytes();
    ParquetFooter footer = complete(file);
    assertThat(footer.rowCount()).isEqualTo(2500);
    assertThat(footer.rowGroups())
        .extracting(ParquetFooter.RowGroup::rows)
        .containsExactly(1000L, 1000L, 500L);
    assertThat(footer.rowGroups().stream().mapToLong(ParquetFooter.RowGroup::compressedBytes).sum())
        .isLessThan(file.length)
        .isGreaterThan(file.length / 2);
    assertThat(footer.columns()).hasSize(sample.columns().size());
    for (int i = 0; i < footer.columns().size(); i++) {
      ParquetColumn written = sample.schema().columns().get(i);
      assertThat(footer.columns().get(i).path()).isEqualTo(written.name());
      assertThat(footer.columns().get(i).type()).contains(written.type());
      assertThat(footer.columns().get(i).optional()).isTrue();
    }
    assertThat(footer.createdBy().orElseThrow()).startsWith("core-hub version ");
    assertThat(footer.keyValues()).isEmpty();
  }

  @Test
  void aTailThatIsTooShortSaysHowMuchIsNeeded() throws Exception {
    byte[] file = RoundTripTest.everyType(100, 0.1, 5, 4).write(WriterOptions.DEFAULTS).bytes();
    assertThat(FooterReader.read(new byte[0], file.length))
        .isEqualTo(new FooterReading.Incomplete(8));
    FooterReading.Incomplete first =
        (FooterReading.Incomplete) FooterReader.read(tail(file, 8), file.length);
    assertThat(FooterReader.read(tail(file, first.tailBytes() - 1), file.length)).isEqualTo(first);
    FooterReading second = FooterReader.read(tail(file, first.tailBytes()), file.length);
    assertThat(((FooterReading.Complete) second).footer()).isEqualTo(complete(file));
  }

  @Test
  void whatIsNoParquetFileIsToldApart() {
    refused(new byte[0], 0, "too short");
    refused(new byte[12], 12, "ends with other bytes than PAR1");
    refused(bytes("PAR1", 100, "PAR1"), 12, "does not fit");
    refused(bytes("PAR1", -1, "PAR1"), 12, "4294967295 bytes does not fit");
    refused(bytes("PAR1", 0, "PAR1"), 12, "does not fit");
    refused(bytes("PAR1", 5, "PARE"), 12, "encrypted");
    refused(bytes("ZIP!", 5, "PAR1"), 12, "begins with other bytes than PAR1");
    refused(new byte[20], 12, "20 bytes were read of a file of 12");
    refused(tail(bytes("PAR1", 70 << 20, "PAR1"), 8), 1L << 40, "are read");
  }

  @Test
  void columnsOfOtherWritersAreDescribed() throws Exception {
    SchemaElement instant =
        column("at", Type.INT64)
            .setLogicalType(
                LogicalType.TIMESTAMP(
                    new TimestampType(true, TimeUnit.MILLIS(new MilliSeconds()))));
    SchemaElement small =
        column("small", Type.INT32)
            .setLogicalType(LogicalType.INTEGER(new IntType((byte) 16, true)));
    SchemaElement price =
        column("price", Type.INT64).setLogicalType(LogicalType.DECIMAL(new DecimalType(2, 10)));
    SchemaElement old = column("old", Type.BYTE_ARRAY).setConverted_type(ConvertedType.UTF8);
    SchemaElement required =
        column("id", Type.INT32).setRepetition_type(FieldRepetitionType.REQUIRED);
    SchemaElement group =
        new SchemaElement("point")
            .setNum_children(2)
            .setRepetition_type(FieldRepetitionType.OPTIONAL);
    ParquetFooter footer =
        complete(
            file(
                List.of(
                    new SchemaElement("root").setNum_children(6),
                    instant,
                    small,
                    price,
                    old,
                    required,
                    group,
                    column("x", Type.DOUBLE),
                    column("y", Type.DOUBLE))));
    assertThat(footer.columns())
        .containsExactly(
            foreign("at", "INT64 TIMESTAMP(MILLIS,UTC)"),
            foreign("small", "INT32 INT(16)"),
            foreign("price", "INT64 DECIMAL(10,2)"),
            new ParquetFooter.Column(
                "old", true, Optional.of(ParquetType.STRING), "BYTE_ARRAY STRING"),
            new ParquetFooter.Column("id", false, Optional.of(ParquetType.INT32), "INT32"),
            foreign("point.x", "DOUBLE"),
            foreign("point.y", "DOUBLE"));
    assertThat(footer.createdBy()).isEmpty();
  }

  @Test
  void schemasThatDoNotAddUpAreRefused() throws Exception {
    SchemaElement x = column("x", Type.DOUBLE);
    refused(file(List.of(new SchemaElement("root").setNum_children(2), x)), "lacks elements");
    refused(file(List.of(new SchemaElement("root").setNum_children(1), x, x)), "belong nowhere");
    refused(file(List.of(x)), "no root");
    refused(file(List.of(new SchemaElement("root").setNum_children(0))), "names no columns");
    refused(
        file(List.of(new SchemaElement("root").setNum_children(1), new SchemaElement("neither"))),
        "'neither' is neither a column nor a group");
    FileMetaData rows =
        new FileMetaData(1, List.of(new SchemaElement("root").setNum_children(1), x), 5, List.of());
    refused(file(rows), "says 5 rows, its row groups hold 0");
  }

  private static ParquetFooter.Column foreign(String path, String description) {
    return new ParquetFooter.Column(path, true, Optional.empty(), description);
  }

  private static SchemaElement column(String name, Type type) {
    return new SchemaElement(name).setType(type).setRepetition_type(FieldRepetitionType.OPTIONAL);
  }

  private static byte[] file(List<SchemaElement> schema) throws Exception {
    return file(new FileMetaData(1, schema, 0, List.of()));
  }

  private static byte[] file(FileMetaData metaData) throws Exception {
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(metaData, footer);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(footer.toByteArray());
    file.writeBytes(
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
    file.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
    return file.toByteArray();
  }

  private static byte[] bytes(String head, int length, String end) {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(head.getBytes(StandardCharsets.US_ASCII))
        .putInt(length)
        .put(end.getBytes(StandardCharsets.US_ASCII))
        .array();
  }

  private static void refused(byte[] file, String why) {
    refused(file, file.length, why);
  }

  private static void refused(byte[] tail, long fileLength, String why) {
    assertThatThrownBy(() -> FooterReader.read(tail, fileLength))
        .isInstanceOf(MalformedFooterException.class)
        .hasMessageContaining(why);
  }

  private static ParquetFooter complete(byte[] file) throws Exception {
    return ((FooterReading.Complete) FooterReader.read(file, file.length)).footer();
  }

  private static byte[] tail(byte[] file, int bytes) {
    return Arrays.copyOfRange(file, file.length - bytes, file.length);
  }
}
