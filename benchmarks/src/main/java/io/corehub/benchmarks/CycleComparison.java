package io.corehub.benchmarks;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.Undelivered;
import io.corehub.cycles.CycleFileBench;
import io.corehub.fabric.mirroring.ChangeFileBench;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.Compression;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cycle files agent's data files against their peers, over the same changes, in turns in one
 * JVM: CSV against Commons CSV's printer, Parquet against the mirroring agent's change files. CPU
 * time and allocation of the writing thread, medians.
 *
 * <p>Both sides are timed from a run of changes to the bytes. Commons CSV is timed twice over: with
 * the texts of the values made inside the measured time, as a program does that has columns to
 * write with it, and with texts that were made outside.
 */
public final class CycleComparison {

  private static final int NARROW_ROWS = 200_000;
  private static final int WIDE_ROWS = 40_000;
  private static final int WARM_UP_RUNS = 4;
  private static final int RUNS = 7;
  private static final int ZSTD_LEVEL = 3;

  private CycleComparison() {}

  /** Something that writes a file and tells its length. */
  interface Writing {
    long write() throws IOException;
  }

  /**
   * What came of one side.
   *
   * @param name what it is
   * @param cpuMillis CPU time of a run
   * @param allocatedBytes heap allocated in a run
   * @param fileBytes length of its file
   */
  record Side(String name, double cpuMillis, double allocatedBytes, long fileBytes) {}

  /** A side that is measured. */
  private record Measured(String name, Writing writing, Meter meter, AtomicLong fileBytes) {
    Measured(String name, Writing writing) {
      this(name, writing, new Meter(), new AtomicLong());
    }

    Side side() {
      return new Side(name, meter.medianCpuMillis(), meter.medianAllocatedBytes(), fileBytes.get());
    }
  }

  /**
   * Runs the comparisons and prints them.
   *
   * @param arguments none
   * @throws IOException if a writer fails
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    out.printf(
        Locale.ROOT,
        "Java %s, %d processors; medians of %d runs after %d%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        RUNS,
        WARM_UP_RUNS);
    BenchTable narrow = BenchTable.narrow(NARROW_ROWS);
    BenchTable wide = BenchTable.wide(WIDE_ROWS);
    print(out, "narrow, inserts, CSV", narrow, csv(narrow, RUNS));
    print(out, "wide, inserts, CSV", wide, csv(wide, RUNS));
    print(out, "narrow, inserts, Parquet", narrow, parquet(narrow, inserts(narrow), RUNS));
    print(
        out,
        "narrow, updates with old rows, Parquet",
        narrow,
        parquet(narrow, updates(narrow), RUNS));
    print(out, "wide, inserts, Parquet", wide, parquet(wide, inserts(wide), RUNS));
    print(out, "wide, updates with old rows, Parquet", wide, parquet(wide, updates(wide), RUNS));
  }

  /** Our CSV, packed and not, and Commons CSV with and without making the texts. */
  static List<Side> csv(BenchTable table, int runs) throws IOException {
    List<RowChanges> changes = inserts(table);
    CycleFileBench plain = CycleFileBench.csv(table.schema(), false);
    CycleFileBench gzip = CycleFileBench.csv(table.schema(), true);
    CommonsCsv peer = new CommonsCsv(table);
    List<String[]> lines = peer.lines();
    return compare(
        runs,
        new Measured("cycle files agent, CSV", () -> plain.write(changes, new Sink())),
        new Measured("Commons CSV, texts made", () -> peer.write(peer::forEachLine)),
        new Measured("Commons CSV, texts at hand", () -> peer.write(lines::forEach)),
        new Measured("cycle files agent, CSV packed", () -> gzip.write(changes, new Sink())));
  }

  /** The mirroring agent's change files, and ours with the same codec and with our default. */
  static List<Side> parquet(BenchTable table, List<RowChanges> changes, int runs)
      throws IOException {
    Compression zstd = Compression.zstd(ZSTD_LEVEL);
    ChangeFileBench mirroring = new ChangeFileBench(table.schema(), zstd);
    ChangeFileBench mirroringSnappy = new ChangeFileBench(table.schema(), Compression.SNAPPY);
    CycleFileBench usual = CycleFileBench.parquet(table.schema(), Compression.SNAPPY);
    CycleFileBench newRows = CycleFileBench.parquetOfNewRows(table.schema(), Compression.SNAPPY);
    CycleFileBench sameCodec = CycleFileBench.parquet(table.schema(), zstd);
    return compare(
        runs,
        new Measured(
            "mirroring agent, ZSTD (its default)", () -> mirroring.write(changes, new Sink())),
        new Measured(
            "cycle files agent, SNAPPY (its default)", () -> usual.write(changes, new Sink())),
        new Measured("mirroring agent, SNAPPY", () -> mirroringSnappy.write(changes, new Sink())),
        new Measured("cycle files agent, ZSTD", () -> sameCodec.write(changes, new Sink())),
        new Measured(
            "cycle files agent, SNAPPY, no old values", () -> newRows.write(changes, new Sink())));
  }

  private static List<Side> compare(int runs, Measured... sides) throws IOException {
    for (int run = 0; run < WARM_UP_RUNS + runs; run++) {
      for (Measured side : sides) {
        System.gc();
        side.meter.resume();
        side.fileBytes.set(side.writing.write());
        side.meter.pause();
        side.meter.endRun(run >= WARM_UP_RUNS);
      }
    }
    return Arrays.stream(sides).map(Measured::side).toList();
  }

  /** Each batch as inserts of one commit. */
  static List<RowChanges> inserts(BenchTable table) {
    List<RowChanges> runs = new ArrayList<>();
    for (ColumnBatch batch : table.batches()) {
      byte[] kinds = new byte[batch.rowCount()];
      Arrays.fill(kinds, ChangeKind.INSERT.code());
      runs.add(
          new RowChanges(
              batch, kinds, new int[batch.rowCount()], Undelivered.NONE, BeforeImage.FULL));
    }
    return runs;
  }

  /** Each row as an update of the row before it in its batch, which keeps its key. */
  static List<RowChanges> updates(BenchTable table) {
    List<RowChanges> runs = new ArrayList<>();
    for (ColumnBatch batch : table.batches()) {
      int count = 2 * batch.rowCount();
      int[] rows = new int[count];
      byte[] kinds = new byte[count];
      for (int i = 0; i < batch.rowCount(); i++) {
        rows[2 * i] = i;
        rows[2 * i + 1] = i;
        kinds[2 * i] = ChangeKind.UPDATE_BEFORE.code();
        kinds[2 * i + 1] = ChangeKind.UPDATE_AFTER.code();
      }
      runs.add(
          new RowChanges(
              batch.select(rows, count),
              kinds,
              new int[count],
              Undelivered.NONE,
              BeforeImage.FULL));
    }
    return runs;
  }

  private static void print(PrintStream out, String title, BenchTable table, List<Side> sides) {
    out.printf(Locale.ROOT, "%n%s, %,d rows%n", title, table.rows());
    out.printf(
        Locale.ROOT,
        "%-40s %8s %12s %10s %12s %7s%n",
        "",
        "CPU ms",
        "rows/CPU-s",
        "bytes/row",
        "alloc B/row",
        "times");
    for (Side side : sides) {
      out.printf(
          Locale.ROOT,
          "%-40s %8.1f %,12.0f %10.2f %12.1f %7.2f%n",
          side.name(),
          side.cpuMillis(),
          table.rows() / side.cpuMillis() * 1000,
          (double) side.fileBytes() / table.rows(),
          side.allocatedBytes() / table.rows(),
          side.cpuMillis() / sides.get(0).cpuMillis());
    }
  }

  /** Copies the bytes to memory that is used again. */
  private static final class Sink implements ByteSink {
    private final MemoryFile file = new MemoryFile();

    @Override
    public void write(byte[] bytes, int from, int length) {
      file.write(bytes, from, length);
    }

    @Override
    public void complete() {}

    @Override
    public void discard() {
      throw new IllegalStateException("The measured file was discarded");
    }
  }
}
