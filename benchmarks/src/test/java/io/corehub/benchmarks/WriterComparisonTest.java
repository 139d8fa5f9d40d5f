package io.corehub.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.benchmarks.WriterComparison.Result;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards the distance to the peer, well below what is measured: machines are noisy. */
class WriterComparisonTest {

  private static final double LEAST_RATIO = 2.5;

  @Tag("full")
  @Test
  void oursTakesAFractionOfThePeersTime() throws IOException {
    check(WriterComparison.compare(BenchTable.narrow(100_000), 5), 100);
    check(WriterComparison.compare(BenchTable.wide(20_000), 5), 1_400);
  }

  private static void check(Result result, int mostAllocatedBytesPerRow) {
    assertThat(result.ratio()).as("%s", result).isGreaterThan(LEAST_RATIO);
    assertThat(result.own().allocatedBytes() / result.rows())
        .as("%s", result)
        .isLessThan(mostAllocatedBytesPerRow);
    assertThat(result.own().fileBytes())
        .as("%s", result)
        .isLessThanOrEqualTo(result.avroWithRecords().fileBytes());
  }

  @Test
  void bothSidesWriteTheSameRows() throws IOException {
    Result result = WriterComparison.compare(BenchTable.narrow(2_000), 1);
    assertThat(result.own().fileBytes()).isPositive();
    assertThat(result.avroOnly().fileBytes())
        .isBetween(result.own().fileBytes() * 8 / 10, result.own().fileBytes() * 12 / 10);
  }
}
