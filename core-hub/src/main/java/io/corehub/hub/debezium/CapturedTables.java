package io.corehub.hub.debezium;

import io.corehub.agent.table.TableId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables a source captures. Confined to one caller at a time. */
final class CapturedTables {

  private final Map<TableId, CapturedTable> byId = new LinkedHashMap<>();
  private final Map<List<String>, CapturedTable> bySource = new LinkedHashMap<>();

  /**
   * Adds a table.
   *
   * @param schema its schema in the source
   * @param name its name in the source
   * @param table the table
   */
  void add(String schema, String name, CapturedTable table) {
    byId.put(table.id(), table);
    bySource.put(List.of(schema, name), table);
  }

  CapturedTable of(ChangeRecord change) {
    return of(change.schemaName(), change.tableName());
  }

  CapturedTable of(String schema, String name) {
    CapturedTable table = bySource.get(List.of(schema, name));
    if (table == null) {
      throw new IllegalStateException("Table " + schema + "." + name + " is not captured");
    }
    return table;
  }

  CapturedTable of(TableId id) {
    CapturedTable table = byId.get(id);
    if (table == null) {
      throw new IllegalStateException("Table " + id + " is not captured");
    }
    return table;
  }

  Collection<CapturedTable> all() {
    return byId.values();
  }
}
