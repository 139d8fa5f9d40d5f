package io.corehub.hub.debezium;

import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.SourceSink;
import java.util.function.Supplier;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One table of the source: how its rows are mapped now, and what the pipeline made of it. Confined
 * to one caller at a time.
 */
final class CapturedTable {

  private final TableId id;
  private final UnavailableValue unavailable;
  private final Supplier<Traits> source;
  private Traits traits = new Traits(false, false);
  private boolean unreadable;
  private int versions;
  private @Nullable Schema lastRow;
  private @Nullable Schema lastKey;
  private @Nullable ConnectRowMapping mapping;
  private @Nullable ConnectRowMapping declaredMapping;
  private @Nullable DeclaredTable declared;
  private @Nullable TableSchema declaredShape;

  /**
   * What the source says of a table beside its columns.
   *
   * @param keyed whether it has a primary key; a unique index does not count
   * @param fullOldRows whether updates and deletes carry the whole old row
   */
  record Traits(boolean keyed, boolean fullOldRows) {}

  /**
   * A table not yet seen.
   *
   * @param id identity
   * @param unavailable stands for values that were not sent
   * @param source asked whenever the table's shape changes
   */
  CapturedTable(TableId id, UnavailableValue unavailable, Supplier<Traits> source) {
    this.id = id;
    this.unavailable = unavailable;
    this.source = source;
  }

  TableId id() {
    return id;
  }

  /** Whether the source keeps the whole old row of updates and deletes. */
  boolean fullOldRows() {
    return traits.fullOldRows;
  }

  /** Whether the source gave the table up for this run. */
  boolean unreadable() {
    return unreadable;
  }

  void giveUp() {
    unreadable = true;
  }

  @SuppressWarnings("ReferenceEquality") // Debezium makes a new schema only at a change
  private boolean known(Schema row, @Nullable Schema key) {
    if (mapping == null) {
      return false;
    }
    if (row == lastRow && key == lastKey) {
      return true;
    }
    if (!mapping.fits(row, traits.keyed ? key : null)) {
      return false;
    }
    lastRow = row;
    lastKey = key;
    return true;
  }

  /**
   * The mapping of rows of these schemas, in the shape of the source.
   *
   * @throws ValueRefusedException if a column cannot be carried
   */
  ConnectRowMapping mapping(Schema row, @Nullable Schema key) {
    if (mapping == null || !known(row, key)) {
      traits = source.get();
      mapping = ConnectRowMapping.of(id, row, traits.keyed ? key : null, ++versions, unavailable);
      lastRow = row;
      lastKey = key;
    }
    return mapping;
  }

  /** Whether the pipeline knows the table in the given shape of {@link #mapping}. */
  @SuppressWarnings("ReferenceEquality") // one instance for each version
  boolean declaredAs(TableSchema shape) {
    return declaredShape == shape;
  }

  /** Tells the pipeline the shape of rows from here on. */
  DeclaredTable declare(TableSchema shape, SourceSink sink) throws InterruptedException {
    DeclaredTable answer = sink.declare(shape);
    declared = answer;
    declaredShape = shape;
    declaredMapping = null;
    return answer;
  }

  /** The pipeline's answer to the last {@link #declare}. */
  DeclaredTable declared() {
    if (declared == null) {
      throw new IllegalStateException("Table " + id + " was not declared");
    }
    return declared;
  }

  /** The current mapping in the shape the pipeline wants. */
  @SuppressWarnings("ReferenceEquality") // the same instance until the table is declared again
  ConnectRowMapping declaredMapping() {
    if (mapping == null) {
      throw new IllegalStateException("Table " + id + " has no mapping");
    }
    TableSchema wanted = declared().schema();
    if (declaredMapping == null || declaredMapping.schema() != wanted) {
      declaredMapping = mapping.onto(wanted);
    }
    return declaredMapping;
  }
}
