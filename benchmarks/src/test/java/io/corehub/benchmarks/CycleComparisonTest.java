package io.corehub.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.benchmarks.CycleComparison.Side;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards the distances to the peers, with room for a noisy machine. */
class CycleComparisonTest {

  /** The bound is 3 times a program that has columns to print; the rest is room for the noise. */
  @Tag("full")
  @Test
  void csvTakesAFractionOfThePrintersTime() throws IOException {
    List<Side> sides = CycleComparison.csv(BenchTable.narrow(100_000), 5);
    double ours = sides.get(0).cpuMillis();
    assertThat(sides.get(1).cpuMillis() / ours).as("texts made: %s", sides).isGreaterThan(2.8);
    assertThat(sides.get(2).cpuMillis() / ours).as("at hand: %s", sides).isGreaterThan(1.5);
  }

  @Tag("full")
  @Test
  void parquetTakesLittleMoreThanTheMirroringAgent() throws IOException {
    BenchTable table = BenchTable.narrow(100_000);
    List<Side> sides = CycleComparison.parquet(table, CycleComparison.inserts(table), 5);
    assertThat(sides.get(1).cpuMillis() / sides.get(0).cpuMillis()).as("%s", sides).isLessThan(1.5);
  }

  /** The bound is 1.5 times; the rest is room for the noise. */
  @Tag("full")
  @Test
  void parquetOfUpdatesTakesLittleMoreThoughItHoldsTheOldRowsToo() throws IOException {
    BenchTable table = BenchTable.narrow(100_000);
    List<Side> sides = CycleComparison.parquet(table, CycleComparison.updates(table), 5);
    assertThat(sides.get(1).cpuMillis() / sides.get(0).cpuMillis()).as("%s", sides).isLessThan(1.6);
  }

  @Test
  void bothSidesWriteTheSameCsv() throws IOException {
    List<Side> narrow = CycleComparison.csv(BenchTable.narrow(2_000), 1);
    assertThat(narrow.get(0).fileBytes())
        .isPositive()
        .isEqualTo(narrow.get(1).fileBytes())
        .isEqualTo(narrow.get(2).fileBytes());
    List<Side> wide = CycleComparison.csv(BenchTable.wide(500), 1);
    assertThat(wide.get(0).fileBytes())
        .isEqualTo(wide.get(1).fileBytes())
        .isEqualTo(wide.get(2).fileBytes());
  }
}
