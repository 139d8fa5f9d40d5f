package io.corehub.fabric.mirroring;

import io.corehub.agent.RowChanges;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.Compression;
import io.corehub.parquet.ParquetWriter;
import io.corehub.parquet.RowGroupPolicy;
import io.corehub.parquet.WriterOptions;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.runtime.rows.TypeRules;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Turns changes into a change file, as the mirroring agent does: markers, type rules, encoding.
 * Lies in the agent's package because the agent shows its classes to nobody. Confined to one caller
 * at a time.
 */
public final class ChangeFileBench {

  private static final int LEAST_ROWS = 10_000;

  private final FileSchema schema;
  private final WriterOptions options;
  private final RowLimit limit = RowLimit.ofHeap(Runtime.getRuntime().maxMemory());

  /**
   * Writes files of a table.
   *
   * @param table the table
   * @param compression of pages
   */
  public ChangeFileBench(TableSchema table, Compression compression) {
    this.schema = FileSchema.of(table, Map.of(), TypeRules.DEFAULTS);
    this.options = new WriterOptions(compression, RowGroupPolicy.joining(LEAST_ROWS));
  }

  /**
   * Writes a file.
   *
   * @param runs its rows
   * @param sink where it goes
   * @return its length in bytes
   * @throws IOException if the sink fails
   */
  public long write(List<RowChanges> runs, ByteSink sink) throws IOException {
    try (ParquetWriter writer = ParquetWriter.open(schema.parquet(true), options, sink)) {
      for (RowChanges run : runs) {
        FileRows rows =
            new ChangeReader(run, schema, true, () -> {}, limit).range(0, run.rowCount());
        writer.append(rows.columns(), rows.from(), rows.to());
      }
      writer.finish();
      return writer.bytesWritten();
    }
  }
}
