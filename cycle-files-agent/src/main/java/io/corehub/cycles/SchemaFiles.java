package io.corehub.cycles;

import io.corehub.storage.ObjectStore;
import java.util.Optional;

/**
 * The files that tell the schemas of tables: they stand there before the first data file of their
 * version does. Thread-safe; must not be called with the turn, which it takes for a moment.
 */
final class SchemaFiles {

  private final CycleConfig config;
  private final ObjectStore store;
  private final Object turn;

  SchemaFiles(CycleShared shared) {
    this.config = shared.config();
    this.store = shared.store();
    this.turn = shared.turn();
  }

  /**
   * Writes the files of a version unless they are known to stand there.
   *
   * @param table the table
   * @param shape shape of the rows of the version
   * @param version the version, from 1
   */
  void require(TableCourse table, TableShape shape, int version) throws InterruptedException {
    synchronized (turn) {
      if (table.written.contains(version)) {
        return;
      }
    }
    CycleLayout layout = config.layout();
    byte[] schema = SchemaFile.bytes(shape, version);
    if (layout.writesSchemaFiles()) {
      store.publish(layout.schemaFile(table.id(), version), schema);
    }
    if (config.summary().schemaIni() && layout.format() != DataFormat.PARQUET) {
      store.publish(
          layout.schemaIni(table.id(), version),
          SchemaFile.ini(shape, config.encoding().csvHeader()));
    }
    Optional<String> avro = layout.avroFile(table.id(), version);
    if (avro.isPresent()) {
      if (version == 1) {
        // An abandoned cycle of a table without any completed one may have left it.
        store.delete(avro.get());
      }
      store.publish(avro.get(), schema);
    }
    synchronized (turn) {
      table.written.add(version);
    }
  }
}
