package io.corehub.cycles;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.TableSchema;
import java.util.Optional;
import java.util.function.Function;

/** What the host is told of tables while their rows go into cycles. Guarded by the turn. */
final class TableTold implements CycleFeed.Stops {

  private final CycleShared shared;
  private final Function<TableCourse, TableSchema> schemas;

  /**
   * Tells the host of tables.
   *
   * @param shared what all parts share
   * @param schemas the schema of a table whose rows brought none yet
   */
  TableTold(CycleShared shared, Function<TableCourse, TableSchema> schemas) {
    this.shared = shared;
    this.schemas = schemas;
  }

  @Override
  public void stop(
      TableCourse table,
      TableStoppedException reason,
      long number,
      Optional<SourcePosition> before) {
    if (table.stopped != null) {
      return;
    }
    table.stopped = reason;
    if (shared.config().rules().holdStopped()) {
      shared.ledger().hold(table.id(), number, before);
    } else {
      shared.ledger().pass(table.id(), number);
    }
    shared.news().tableStopped(reason);
  }

  @Override
  public TableSchema declared(TableCourse table) {
    return schemas.apply(table);
  }

  @Override
  public void shaped(TableCourse table) {
    tell(table, table.shape());
  }

  /** A load is told with its shape, though its first page may still change it. */
  void loadBegins(TableCourse table) {
    CycleConfig config = shared.config();
    tell(table, TableShape.of(declared(table), config.columns(), config.layout().format()));
  }

  private void tell(TableCourse table, TableShape shape) {
    if (shape.hash().equals(table.toldHash)) {
      return;
    }
    table.toldHash = shape.hash();
    CycleConfig config = shared.config();
    shared
        .news()
        .tableShaped(
            new io.corehub.agent.TableShape(
                shape.table(),
                CycleConfigReader.address(config.place())
                    + "/"
                    + config.layout().tableFolder(table.id()),
                shape.all().stream()
                    .filter(column -> column.role() == ShapeColumn.Role.DATA)
                    .map(
                        column ->
                            new io.corehub.agent.TableShape.TargetColumn(
                                column.name(),
                                String.valueOf(column.type()),
                                column.source().map(Column::name)))
                    .toList()));
  }

  @Override
  public void truncateSkipped(TableCourse table) {
    shared.meters().add("truncates.skipped", 1, "table", table.id().toString());
    if (table.truncateTold) {
      return;
    }
    table.truncateTold = true;
    shared
        .news()
        .warning(
            Optional.of(table.id()),
            "Table "
                + table.id()
                + " was truncated, which an incremental job does not write: consumers still have its"
                + " rows. Set truncateInIncremental to write, or use loadType COMBINED.");
  }
}
