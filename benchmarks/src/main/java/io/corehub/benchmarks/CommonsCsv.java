package io.corehub.benchmarks;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.QuoteMode;

/**
 * The peer of the CSV encoder: Commons CSV's printer over the lines of the same inserts, each value
 * in quotes but NULL, the same text for each value.
 */
final class CommonsCsv {

  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setQuoteMode(QuoteMode.ALL_NON_NULL)
          .setRecordSeparator('\n')
          .get();
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
  private static final int METADATA = 2;

  private final BenchTable table;

  CommonsCsv(BenchTable table) {
    this.table = table;
  }

  /** The values of all lines, made beforehand. */
  List<String[]> lines() {
    List<String[]> lines = new ArrayList<>();
    forEachLine(line -> lines.add(line.clone()));
    return lines;
  }

  /** Makes the values of one line after the other, in one array. */
  void forEachLine(Consumer<String[]> to) {
    int columns = table.schema().columns().size();
    String[] line = new String[METADATA + 2 * columns];
    long order = 1;
    for (ColumnBatch batch : table.batches()) {
      String orderDigits = String.format(Locale.ROOT, "%020d", order++);
      for (int row = 0; row < batch.rowCount(); row++) {
        line[0] = "I";
        String number = Integer.toString(row + 1);
        line[1] = orderDigits + "000000000000".substring(number.length()) + number;
        for (int i = 0; i < columns; i++) {
          ColumnVector vector = batch.columns().get(i);
          line[METADATA + i] =
              vector.nulls().isNull(row)
                  ? null
                  : text(table.schema().columns().get(i).type(), vector, row);
        }
        to.accept(line);
      }
    }
  }

  /** Writes a file and returns its length. */
  long write(Consumer<Consumer<String[]>> lines) throws IOException {
    MemoryFile file = new MemoryFile();
    try (CSVPrinter printer =
        new CSVPrinter(
            new BufferedWriter(new OutputStreamWriter(file, StandardCharsets.UTF_8), 64 << 10),
            FORMAT)) {
      List<String> names = new ArrayList<>(List.of("CDC_OPERATION_TYPE", "CDC_SORTABLE_SEQUENCE"));
      table.schema().columns().forEach(column -> names.add(column.name()));
      table.schema().columns().forEach(column -> names.add(column.name() + "_OLD"));
      printer.printRecord(names);
      lines.accept(
          line -> {
            try {
              printer.printRecord((Object[]) line);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      printer.flush();
      return file.getPos();
    }
  }

  private static String text(ColumnType type, ColumnVector vector, int row) {
    if (vector instanceof ColumnVector.OfInt ints) {
      int value = ints.values()[row];
      return type.kind() == ColumnType.Kind.LOCAL_DATE
          ? LocalDate.ofEpochDay(value).toString()
          : Integer.toString(value);
    }
    if (vector instanceof ColumnVector.OfLong longs) {
      return text(type, longs.values()[row]);
    }
    if (vector instanceof ColumnVector.OfBytes bytes) {
      int from = bytes.offsets()[row];
      return type.kind() == ColumnType.Kind.BYTE_ARRAY
          ? Base64.getEncoder().encodeToString(bytes.copyOf(row))
          : new String(bytes.data(), from, bytes.length(row), StandardCharsets.UTF_8);
    }
    if (vector instanceof ColumnVector.OfDouble doubles) {
      return Double.toString(doubles.values()[row]);
    }
    if (vector instanceof ColumnVector.OfFloat floats) {
      return Float.toString(floats.values()[row]);
    }
    return Boolean.toString(((ColumnVector.OfBoolean) vector).values()[row]);
  }

  private static String text(ColumnType type, long value) {
    return switch (type.kind()) {
      case BIG_DECIMAL -> BigDecimal.valueOf(value, type.scale()).toPlainString();
      case LOCAL_TIME -> TIME.format(LocalTime.ofNanoOfDay(value * 1000));
      case LOCAL_DATE_TIME -> TIMESTAMP.format(dateTime(value));
      case OFFSET_DATE_TIME -> TIMESTAMP.format(dateTime(value)) + "Z";
      default -> Long.toString(value);
    };
  }

  private static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofInstant(
        Instant.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000),
        ZoneOffset.UTC);
  }
}
