package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryPlanTest {

  private static final long MB = 1L << 20;

  @Test
  void aLargeHeapGivesWhatTheSettingsAskFor() {
    MemoryPlan plan = MemoryPlan.of(8192 * MB, 2, 16 * MB, 256 * MB, (int) (8 * MB));

    assertThat(plan.total()).isEqualTo(320 * MB);
    assertThat(plan.window()).isEqualTo(16 * MB);
    assertThat(plan.uploads()).isEqualTo(256 * MB);
    assertThat(plan.block()).isEqualTo((int) (8 * MB));
    assertThat(plan.rowGroup()).isEqualTo(16 * MB);
  }

  @Test
  void aSmallHeapGivesFortyPercentInAll() {
    for (int tables : new int[] {0, 1, 10, 100}) {
      MemoryPlan plan = MemoryPlan.of(256 * MB, tables, 16 * MB, 256 * MB, (int) (8 * MB));

      assertThat(plan.total()).isLessThanOrEqualTo(256 * MB * 2 / 5);
      assertThat(plan.uploads()).isLessThanOrEqualTo(plan.total() / 2);
      assertThat(plan.window()).isLessThanOrEqualTo(plan.total() / 4);
    }
  }
}
