package io.corehub.testkit;

import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the tables of a source hold after snapshots and commits, and what a mirror of them should
 * show. Confined to one caller at a time.
 *
 * <p>A row of the source is known by all its cells, never by its key alone: within a commit two
 * rows may share a key for a moment.
 */
public final class ReferenceModel {

  private final Map<TableId, Table> tables = new HashMap<>();

  /**
   * Loads a table.
   *
   * @param schema its schema
   * @param rows its rows
   */
  public void snapshot(TableSchema schema, List<SourceRow> rows) {
    Table table = table(schema);
    rows.forEach(row -> table.load(row.view()));
  }

  /**
   * Carries out a transaction.
   *
   * @param commit the transaction
   * @throws IllegalArgumentException if it changes a row that is not there
   */
  public void apply(SourceCommit commit) {
    Set<Table> touched = new LinkedHashSet<>();
    for (SourceChange change : commit.changes()) {
      if (change instanceof SourceChange.Insert insert) {
        Table table = table(insert.after().schema());
        table.insert(insert.after().view());
        touched.add(table);
      } else if (change instanceof SourceChange.Update update) {
        Table table = table(update.after().schema());
        table.delete(update.before().as(update.after().schema()).view());
        table.insert(update.after().view());
        touched.add(table);
      } else if (change instanceof SourceChange.Delete delete) {
        Table table = table(delete.before().schema());
        table.delete(delete.before().view());
        touched.add(table);
      } else if (change instanceof SourceChange.Truncate truncate) {
        table(truncate.schema()).truncate();
      }
    }
    touched.forEach(Table::endCommit);
  }

  /**
   * The tables with a schema known to the model.
   *
   * @return their identities
   */
  public Set<TableId> tables() {
    return Set.copyOf(tables.keySet());
  }

  /**
   * The rows of a table in the source.
   *
   * @param table a known table
   * @return its rows
   */
  public Rows source(TableId table) {
    return Rows.of(known(table).source);
  }

  /**
   * The rows a mirrored database in Fabric should show.
   *
   * <p>A keyed table shows the source's rows; a truncate is skipped, so rows of before it stay
   * until their key is written again, and a row keeps the cells of a dropped column until it is
   * written again. A keyless table shows every row ever loaded, inserted or updated to; deletes are
   * skipped.
   *
   * @param table a known table
   * @return its rows
   */
  public Rows fabricMirror(TableId table) {
    Table known = known(table);
    return Rows.of(known.schema.keyed() ? known.mirror.values() : known.appended);
  }

  private Table known(TableId table) {
    Table known = tables.get(table);
    if (known == null) {
      throw new IllegalArgumentException("The model has no table " + table);
    }
    return known;
  }

  private Table table(TableSchema schema) {
    Table table = tables.computeIfAbsent(schema.table(), id -> new Table(schema));
    table.follow(schema);
    return table;
  }

  private static final class Table {
    TableSchema schema;
    List<Row> source = new ArrayList<>();
    final Map<List<String>, Row> mirror = new LinkedHashMap<>();
    final List<Row> appended = new ArrayList<>();
    private final Set<List<String>> keysTouched = new LinkedHashSet<>();

    Table(TableSchema schema) {
      this.schema = schema;
    }

    /** Rows of the source lose the cells of columns that are gone. */
    void follow(TableSchema shape) {
      if (shape.equals(schema)) {
        return;
      }
      schema = shape;
      List<Row> moved = new ArrayList<>(source.size());
      for (Row row : source) {
        Map<String, String> cells = new HashMap<>(row.cells());
        cells.keySet().removeIf(name -> shape.indexOf(name).isEmpty());
        moved.add(new Row(cells));
      }
      source = moved;
    }

    void load(Row row) {
      source.add(row);
      appended.add(row);
      mirror.put(row.key(schema.keyColumns()), row);
    }

    void insert(Row row) {
      source.add(row);
      appended.add(row);
      keysTouched.add(row.key(schema.keyColumns()));
    }

    void delete(Row row) {
      if (!source.remove(row)) {
        throw new IllegalArgumentException(
            "Table " + schema.table() + " has no row " + row + " to change");
      }
      keysTouched.add(row.key(schema.keyColumns()));
    }

    void truncate() {
      source.clear();
    }

    /** Every key the commit touched now stands in the mirror as it stands in the source. */
    void endCommit() {
      if (!schema.keyed()) {
        return;
      }
      Map<List<String>, Row> now = new HashMap<>();
      for (Row row : source) {
        List<String> key = row.key(schema.keyColumns());
        if (now.put(key, row) != null && keysTouched.contains(key)) {
          throw new IllegalArgumentException(
              "Table " + schema.table() + " ends a commit with two rows of key " + key);
        }
      }
      for (List<String> key : keysTouched) {
        Row row = now.get(key);
        if (row == null) {
          mirror.remove(key);
        } else {
          mirror.put(key, row);
        }
      }
      keysTouched.clear();
    }
  }
}
