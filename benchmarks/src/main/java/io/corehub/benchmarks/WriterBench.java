package io.corehub.benchmarks;

import io.corehub.parquet.RowGroupPolicy;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One file of 20,000 rows from batches of typed columns, by table and zstd level. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
public class WriterBench {

  private static final int ROWS = 20_000;

  /** Which table. */
  @Param({"narrow", "wide"})
  String table = "";

  /** Effort of zstd. */
  @Param({"1", "3"})
  int zstdLevel;

  private BenchTable rows = BenchTable.narrow(1);

  /** Makes the rows. */
  @Setup
  public void setUp() {
    rows = table.equals("narrow") ? BenchTable.narrow(ROWS) : BenchTable.wide(ROWS);
  }

  /**
   * Writes one file.
   *
   * @return its length
   * @throws IOException never: the file is memory
   */
  @Benchmark
  public long writeFile() throws IOException {
    return OwnWriter.write(rows, RowGroupPolicy.joining(10_000), zstdLevel);
  }
}
