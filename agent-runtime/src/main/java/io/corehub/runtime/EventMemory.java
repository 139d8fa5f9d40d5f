package io.corehub.runtime;

import io.corehub.agent.RowChanges;
import io.corehub.agent.TableEvent;
import java.util.Collection;

/** How much memory events hold, about. Pure. */
public final class EventMemory {

  private static final long EVENT_OVERHEAD = 256;
  private static final long COLUMN_OVERHEAD = 64;

  private EventMemory() {}

  /**
   * Memory of events.
   *
   * @param events the events
   * @return bytes
   */
  public static long bytes(Collection<? extends TableEvent> events) {
    long bytes = 0;
    for (TableEvent event : events) {
      bytes += EVENT_OVERHEAD;
      if (event instanceof RowChanges changes) {
        bytes +=
            changes.rows().bytes()
                + 5L * changes.rowCount()
                + COLUMN_OVERHEAD * changes.rows().columns().size();
      }
    }
    return bytes;
  }
}
