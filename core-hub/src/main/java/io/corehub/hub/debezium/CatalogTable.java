package io.corehub.hub.debezium;

import io.corehub.agent.table.TableId;
import io.corehub.hub.source.TableOutline;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table as PostgreSQL's catalog knows it. Immutable.
 *
 * @param schema its schema
 * @param name its name
 * @param columns names of its columns, in their order
 * @param key those of its primary key; empty if it has none
 * @param replicaIdentity {@code d} key, {@code f} whole row, {@code n} nothing, {@code i} an index
 * @param toastable whether a value of it may be stored out of line
 */
record CatalogTable(
    String schema,
    String name,
    List<String> columns,
    List<String> key,
    char replicaIdentity,
    boolean toastable) {

  private static final String TABLES =
      """
      SELECT n.nspname, c.relname, c.relreplident,
             ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                   ORDER BY a.attnum),
             ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a
                   ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
                   WHERE i.indrelid = c.oid AND i.indisprimary
                   ORDER BY a.attnum),
             c.reltoastrelid <> 0
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND c.relpersistence = 'p'
        AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg\\_%'
      ORDER BY 1, 2
      """;

  /** Ordinary, logged tables; the leaves of partitioned ones stand for themselves. */
  static List<CatalogTable> all(Connection connection, Set<String> schemas) throws SQLException {
    List<CatalogTable> tables = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(TABLES);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        CatalogTable table =
            new CatalogTable(
                rows.getString(1),
                rows.getString(2),
                texts(rows.getArray(4)),
                texts(rows.getArray(5)),
                rows.getString(3).charAt(0),
                rows.getBoolean(6));
        if (schemas.isEmpty() || schemas.contains(table.schema)) {
          tables.add(table);
        }
      }
    }
    return tables;
  }

  private static List<String> texts(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  /** Whether updates and deletes carry the whole old row. */
  boolean fullOldRows() {
    return replicaIdentity == 'f';
  }

  /** What a person should know before the table is captured; empty if all is well. */
  Optional<String> warning() {
    if (!primaryKey() && replicaIdentity == 'd') {
      return Optional.of(
          "Table "
              + quoted()
              + " has no primary key: only inserts can be captured, and PostgreSQL refuses its"
              + " updates and deletes while it is published. Give it a primary key, or set"
              + " REPLICA IDENTITY FULL");
    }
    if (primaryKey() && toastable && !fullOldRows()) {
      return Optional.of(
          "Table "
              + quoted()
              + " may hold long values, which PostgreSQL leaves out of updates that do not change"
              + " them. Such an update stops the table; ALTER TABLE "
              + quoted()
              + " REPLICA IDENTITY FULL avoids it");
    }
    return Optional.empty();
  }

  /** Identity on the way to the target. */
  TableId id(Optional<String> schemaless) {
    return schemaless.filter(schema::equals).isPresent()
        ? TableId.of(name)
        : TableId.of(schema, name);
  }

  boolean primaryKey() {
    return !key.isEmpty();
  }

  /** What a check asks. */
  TableOutline outline(Optional<String> schemaless) {
    return new TableOutline(id(schemaless), columns, key);
  }

  /** Name for SQL. */
  String quoted() {
    return quote(schema) + "." + quote(name);
  }

  static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
