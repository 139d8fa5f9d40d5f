package io.corehub.testkit;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The tables of the contract tests: an id and a text each. */
final class ContractTables {

  static final TableSchema ORDERS = keyed("orders");
  static final TableSchema ITEMS = keyed("items");
  static final TableSchema LOG = keyless("log");

  private ContractTables() {}

  static TableSchema keyed(String name) {
    return new TableSchema(TableId.of("shop", name), columns(), List.of("id"), 1);
  }

  static TableSchema keyless(String name) {
    return new TableSchema(TableId.of("shop", name), columns(), List.of(), 1);
  }

  private static List<Column> columns() {
    return List.of(
        new Column("id", ColumnType.of(Kind.INT), false, Optional.empty()),
        Column.of("text", ColumnType.of(Kind.STRING)));
  }

  static SourceRow row(TableSchema table, int id) {
    return row(table, id, "row " + id);
  }

  static SourceRow row(TableSchema table, int id, String text) {
    return SourceRow.of(table, id, text);
  }

  static List<SourceRow> rows(TableSchema table, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(id -> row(table, id)).toList();
  }

  /** The commit of this order inserts the row of this id. */
  static SourceCommit insertAt(long order, TableSchema table) {
    return SourceCommit.at(order, new Insert(row(table, Math.toIntExact(order))));
  }

  static List<SourceCommit> insertsAt(long from, long to, TableSchema table) {
    return LongStream.rangeClosed(from, to).mapToObj(order -> insertAt(order, table)).toList();
  }
}
