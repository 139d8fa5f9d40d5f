package io.corehub.cycles;

import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.table.ColumnBatch;
import java.util.function.LongConsumer;

/** Takes the pages that an incremental job did not ask for. Confined to one caller at a time. */
final class IgnoredLoad implements SnapshotWriter {

  private final LongConsumer ignored;

  /**
   * A load of no effect.
   *
   * @param ignored told how many rows each page had
   */
  IgnoredLoad(LongConsumer ignored) {
    this.ignored = ignored;
  }

  @Override
  public void write(ColumnBatch page) {
    ignored.accept(page.rowCount());
  }

  @Override
  public void finish() {
    ignored.accept(0);
  }

  @Override
  public void abort() {
    ignored.accept(0);
  }
}
