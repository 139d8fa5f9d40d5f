package io.corehub.benchmarks;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.parquet.RowGroupPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.hadoop.ParquetWriter;

/**
 * Our writer and AvroParquetWriter over the same rows, in turns in one JVM: CPU time and allocation
 * of the writing thread, medians, zstd level 3, row groups of 10,000 rows.
 *
 * <p>Our side gets batches of typed columns. The other side is timed twice over: with the records
 * built from the same batches inside the measured time, as a program does that has columns to write
 * with it, and with records that were built outside.
 */
public final class WriterComparison {

  private static final int GROUP_ROWS = 10_000;
  private static final int ZSTD_LEVEL = 3;
  private static final int NARROW_ROWS = 200_000;
  private static final int WIDE_ROWS = 40_000;
  private static final int WARM_UP_RUNS = 3;
  private static final int RUNS = 7;

  private WriterComparison() {}

  /**
   * What came of one table.
   *
   * @param table name
   * @param rows rows of a run
   * @param own our writer, groups as large as the peer's
   * @param ownJoined our writer, row groups joined as it does by default
   * @param avroWithRecords AvroParquetWriter, records built inside the measured time
   * @param avroOnly AvroParquetWriter, records built outside
   */
  record Result(
      String table, int rows, Side own, Side ownJoined, Side avroWithRecords, Side avroOnly) {

    /** How many times our CPU time the other side takes, records included. */
    double ratio() {
      return avroWithRecords.cpuMillis() / own.cpuMillis();
    }
  }

  /** Medians of one side, and the length of its file. */
  record Side(double cpuMillis, double allocatedBytes, long fileBytes) {}

  /**
   * Runs the comparison and prints it.
   *
   * @param arguments none
   * @throws IOException if a writer fails
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    out.printf(
        Locale.ROOT,
        "Java %s, %d processors; zstd %d, row groups of %,d rows; medians of %d runs after %d%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ZSTD_LEVEL,
        GROUP_ROWS,
        RUNS,
        WARM_UP_RUNS);
    print(out, compare(BenchTable.narrow(NARROW_ROWS), RUNS));
    print(out, compare(BenchTable.wide(WIDE_ROWS), RUNS));
  }

  /** Compares both sides on one table. */
  static Result compare(BenchTable table, int runs) throws IOException {
    AvroWriter avro = new AvroWriter(table);
    Meter own = new Meter();
    Meter ownJoined = new Meter();
    Meter avroWithRecords = new Meter();
    Meter avroOnly = new Meter();
    long ownBytes = 0;
    long joinedBytes = 0;
    long avroBytes = 0;
    for (int run = 0; run < WARM_UP_RUNS + runs; run++) {
      boolean counts = run >= WARM_UP_RUNS;
      System.gc();
      own.resume();
      ownBytes = OwnWriter.write(table, RowGroupPolicy.exactly(GROUP_ROWS), ZSTD_LEVEL);
      own.pause();
      own.endRun(counts);
      System.gc();
      ownJoined.resume();
      joinedBytes = OwnWriter.write(table, RowGroupPolicy.joining(GROUP_ROWS), ZSTD_LEVEL);
      ownJoined.pause();
      ownJoined.endRun(counts);
      System.gc();
      avroBytes = runAvro(avro, table, avroWithRecords, avroOnly);
      avroWithRecords.endRun(counts);
      avroOnly.endRun(counts);
    }
    return new Result(
        table.name(),
        table.rows(),
        side(own, ownBytes),
        side(ownJoined, joinedBytes),
        side(avroWithRecords, avroBytes),
        side(avroOnly, avroBytes));
  }

  /** One run serves both ways of timing: {@code writing} pauses while records are built. */
  private static long runAvro(AvroWriter avro, BenchTable table, Meter all, Meter writing)
      throws IOException {
    MemoryFile file = avro.newFile();
    all.resume();
    writing.resume();
    try (ParquetWriter<GenericRecord> writer = avro.open(file, GROUP_ROWS)) {
      for (ColumnBatch batch : table.batches()) {
        writing.pause();
        List<GenericRecord> records = avro.records(batch);
        writing.resume();
        for (GenericRecord record : records) {
          writer.write(record);
        }
      }
    }
    writing.pause();
    all.pause();
    return file.getPos();
  }

  private static Side side(Meter meter, long fileBytes) {
    return new Side(meter.medianCpuMillis(), meter.medianAllocatedBytes(), fileBytes);
  }

  private static void print(PrintStream out, Result result) {
    out.printf(Locale.ROOT, "%n%s, %,d rows%n", result.table(), result.rows());
    out.printf(
        Locale.ROOT,
        "%-38s %8s %12s %10s %12s %7s%n",
        "",
        "CPU ms",
        "rows/CPU-s",
        "bytes/row",
        "alloc B/row",
        "times");
    printSide(out, "own writer", result.own(), result);
    printSide(out, "own writer, row groups joined", result.ownJoined(), result);
    printSide(out, "AvroParquetWriter, records built", result.avroWithRecords(), result);
    printSide(out, "AvroParquetWriter, records at hand", result.avroOnly(), result);
  }

  private static void printSide(PrintStream out, String name, Side side, Result result) {
    out.printf(
        Locale.ROOT,
        "%-38s %8.1f %,12.0f %10.2f %12.1f %7.2f%n",
        name,
        side.cpuMillis(),
        result.rows() / side.cpuMillis() * 1000,
        (double) side.fileBytes() / result.rows(),
        side.allocatedBytes() / result.rows(),
        side.cpuMillis() / result.own().cpuMillis());
  }
}
