package io.corehub.testkit;

import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;

/** What a source transaction did to one row, with whole rows before and after. Immutable. */
public sealed interface SourceChange {

  /**
   * The table.
   *
   * @return its identity
   */
  TableId table();

  /**
   * A row was inserted.
   *
   * @param after the new row
   */
  record Insert(SourceRow after) implements SourceChange {
    @Override
    public TableId table() {
      return after.schema().table();
    }
  }

  /**
   * A row was changed.
   *
   * @param before the whole old row
   * @param after the whole new row
   */
  record Update(SourceRow before, SourceRow after) implements SourceChange {
    @Override
    public TableId table() {
      return after.schema().table();
    }
  }

  /**
   * A row was deleted.
   *
   * @param before the whole old row
   */
  record Delete(SourceRow before) implements SourceChange {
    @Override
    public TableId table() {
      return before.schema().table();
    }
  }

  /**
   * All rows were removed.
   *
   * @param schema the table's schema
   */
  record Truncate(TableSchema schema) implements SourceChange {
    @Override
    public TableId table() {
      return schema.table();
    }
  }

  /**
   * From here on the hub cannot read the table.
   *
   * @param reason why
   */
  record Unreadable(TableStoppedException reason) implements SourceChange {
    @Override
    public TableId table() {
      return reason.table();
    }
  }
}
