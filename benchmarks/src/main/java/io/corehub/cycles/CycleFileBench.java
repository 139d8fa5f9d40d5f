package io.corehub.cycles;

import io.corehub.agent.Commit;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.Compression;
import io.corehub.runtime.rows.RowLimit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Turns changes into a data file of a cycle, as the cycle files agent does: row rules, encoding,
 * hash. Lies in the agent's package because the agent shows its classes to nobody. Confined to one
 * caller at a time.
 */
public final class CycleFileBench {

  private final TableShape shape;
  private final EncodingChoices choices;

  private CycleFileBench(TableShape shape, EncodingChoices choices) {
    this.shape = shape;
    this.choices = choices;
  }

  /**
   * CSV files with the default columns.
   *
   * @param table the table
   * @param gzip whether they are packed
   * @return writes them
   */
  public static CycleFileBench csv(TableSchema table, boolean gzip) {
    DataFormat format = gzip ? DataFormat.CSV_GZIP : DataFormat.CSV;
    return new CycleFileBench(
        TableShape.of(table, ColumnChoices.USUAL, format), EncodingChoices.USUAL);
  }

  /**
   * Parquet files with the default columns.
   *
   * @param table the table
   * @param compression of pages
   * @return writes them
   */
  public static CycleFileBench parquet(TableSchema table, Compression compression) {
    return parquet(table, compression, ColumnChoices.USUAL);
  }

  /**
   * Parquet files without old values, those of the key excepted.
   *
   * @param table the table
   * @param compression of pages
   * @return writes them
   */
  public static CycleFileBench parquetOfNewRows(TableSchema table, Compression compression) {
    ColumnChoices usual = ColumnChoices.USUAL;
    return parquet(
        table,
        compression,
        new ColumnChoices(
            usual.prefix(),
            usual.oldSuffix(),
            usual.operationTime(),
            usual.operationOwner(),
            usual.transactionId(),
            false,
            usual.types()));
  }

  private static CycleFileBench parquet(
      TableSchema table, Compression compression, ColumnChoices columns) {
    return new CycleFileBench(
        TableShape.of(table, columns, DataFormat.PARQUET), EncodingChoices.of(true, compression));
  }

  /**
   * Writes a file.
   *
   * @param runs its rows, a commit for each run
   * @param sink where it goes
   * @return its length in bytes
   * @throws IOException if the sink fails
   */
  public long write(List<RowChanges> runs, ByteSink sink) throws IOException {
    RowRules rules =
        new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()));
    long order = 1;
    try (DataFileWriter writer = DataFileWriter.open(shape, choices, sink)) {
      for (RowChanges run : runs) {
        NumberedCommits commits =
            new NumberedCommits(List.of(Commit.at(new SourcePosition("t", order++, ""))), 0);
        writer.append(rules.changes(run, 0, run.rowCount(), commits, Optional.empty()));
      }
      return writer.finish("bench", 1, 1).bytes();
    }
  }
}
