package io.corehub.emulator;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType;

/** Writes files as a foreign publisher would: with parquet-java. */
final class ParquetFiles {
  private ParquetFiles() {}

  /** A row, values in the order of the fields; null for NULL. */
  static Object[] row(Object... values) {
    return values;
  }

  /** Puts file number {@code number} into a table folder, in one step. */
  static Path publish(Path folder, long number, String fields, Object[]... rows)
      throws IOException {
    return write(folder.resolve(String.format("%020d.parquet", number)), fields, rows);
  }

  static Path write(Path file, String fields, Object[]... rows) throws IOException {
    Files.createDirectories(file.getParent());
    Path draft = file.resolveSibling("_draft");
    Files.deleteIfExists(draft);
    MessageType schema = MessageTypeParser.parseMessageType("message row { " + fields + " }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(draft))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .build()) {
      for (Object[] row : rows) {
        writer.write(group(schema, row));
      }
    }
    return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Group group(MessageType schema, Object[] row) {
    Group group = new SimpleGroup(schema);
    for (int i = 0; i < row.length; i++) {
      if (row[i] != null) {
        add(group, i, schema.getType(i).asPrimitiveType(), row[i]);
      }
    }
    return group;
  }

  private static void add(Group group, int field, PrimitiveType type, Object value) {
    Object plain = value;
    if (value instanceof BigDecimal decimal) {
      int scale = ((DecimalLogicalTypeAnnotation) type.getLogicalTypeAnnotation()).getScale();
      BigInteger unscaled = decimal.setScale(scale).unscaledValue();
      plain =
          switch (type.getPrimitiveTypeName()) {
            case INT32 -> unscaled.intValueExact();
            case INT64 -> unscaled.longValueExact();
            default -> fixed(unscaled, type.getTypeLength());
          };
    }
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> group.add(field, (Boolean) plain);
      case INT32 -> group.add(field, ((Number) plain).intValue());
      case INT64 -> group.add(field, ((Number) plain).longValue());
      case FLOAT -> group.add(field, (Float) plain);
      case DOUBLE -> group.add(field, (Double) plain);
      default ->
          group.add(
              field,
              plain instanceof String text
                  ? Binary.fromString(text)
                  : Binary.fromConstantByteArray((byte[]) plain));
    }
  }

  private static byte[] fixed(BigInteger unscaled, int length) {
    byte[] bytes = new byte[length];
    byte[] value = unscaled.toByteArray();
    java.util.Arrays.fill(bytes, (byte) (unscaled.signum() < 0 ? -1 : 0));
    System.arraycopy(value, 0, bytes, length - value.length, value.length);
    return bytes;
  }

  static void metadata(Path folder, String... keyColumns) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("_metadata.json"),
        "{\"keyColumns\": ["
            + String.join(", ", List.of(keyColumns).stream().map(k -> '"' + k + '"').toList())
            + "]}");
  }
}
