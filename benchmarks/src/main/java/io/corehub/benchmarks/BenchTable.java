package io.corehub.benchmarks;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows of a table of the measurements, as batches of typed columns. The same seed gives the same
 * rows.
 *
 * @param name name in the report
 * @param schema columns
 * @param batches the rows
 */
record BenchTable(String name, TableSchema schema, List<ColumnBatch> batches) {

  private static final int BATCH_ROWS = 2_000;
  private static final int SEED = 20_261;
  private static final double NULL_SHARE = 0.05;
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long START_MICROS = 1_790_000_000_000_000L;
  private static final int NAMES = 10_000;

  BenchTable {
    batches = List.copyOf(batches);
  }

  /** Key, name, price, quantity, time of change. */
  static BenchTable narrow(int rows) {
    List<Column> columns = new ArrayList<>();
    add(columns, 1, "id", ColumnType.of(Kind.LONG));
    add(columns, 1, "name", ColumnType.of(Kind.STRING));
    add(columns, 1, "price", ColumnType.decimal(18, 4));
    add(columns, 1, "quantity", ColumnType.of(Kind.INT));
    add(columns, 1, "changed", ColumnType.of(Kind.LOCAL_DATE_TIME));
    return generate("narrow", columns, rows);
  }

  /** Fifty columns of mixed types; every third string repeats often, the others seldom or never. */
  static BenchTable wide(int rows) {
    List<Column> columns = new ArrayList<>();
    add(columns, 7, "number", ColumnType.of(Kind.LONG));
    add(columns, 6, "count", ColumnType.of(Kind.INT));
    add(columns, 6, "amount", ColumnType.decimal(18, 4));
    add(columns, 12, "text", ColumnType.of(Kind.STRING));
    add(columns, 3, "ratio", ColumnType.of(Kind.DOUBLE));
    add(columns, 2, "weight", ColumnType.of(Kind.FLOAT));
    add(columns, 3, "flag", ColumnType.of(Kind.BOOLEAN));
    add(columns, 3, "changed", ColumnType.of(Kind.LOCAL_DATE_TIME));
    add(columns, 2, "seen", ColumnType.of(Kind.OFFSET_DATE_TIME));
    add(columns, 3, "day", ColumnType.of(Kind.LOCAL_DATE));
    add(columns, 1, "opens", ColumnType.of(Kind.LOCAL_TIME));
    add(columns, 2, "digest", ColumnType.of(Kind.BYTE_ARRAY));
    return generate("wide", columns, rows);
  }

  private static void add(List<Column> columns, int count, String name, ColumnType type) {
    for (int i = 0; i < count; i++) {
      columns.add(Column.of(count == 1 ? name : name + "_" + i, type));
    }
  }

  private static BenchTable generate(String name, List<Column> columns, int rows) {
    TableSchema schema =
        new TableSchema(TableId.of(name), columns, List.of(columns.get(0).name()), 1);
    Random random = new Random(SEED);
    ColumnBatchBuilder builder = new ColumnBatchBuilder(schema);
    List<ColumnBatch> batches = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns.size(); column++) {
        if (column == 0) {
          builder.setLong(0, row);
        } else if (random.nextDouble() >= NULL_SHARE) {
          set(builder, column, columns.get(column).type(), random);
        }
      }
      builder.endRow();
      if (builder.rowCount() == BATCH_ROWS) {
        batches.add(builder.build());
      }
    }
    if (builder.rowCount() > 0) {
      batches.add(builder.build());
    }
    return new BenchTable(name, schema, batches);
  }

  private static void set(ColumnBatchBuilder builder, int column, ColumnType type, Random random) {
    switch (type.kind()) {
      case LONG -> builder.setLong(column, random.nextLong() >>> (14 + 4 * column));
      case INT -> builder.setInt(column, random.nextInt(1000));
      case BIG_DECIMAL -> builder.setDecimal(column, BigDecimal.valueOf(random.nextInt(), 4));
      case STRING -> builder.setText(column, text(column, random));
      case DOUBLE -> builder.setDouble(column, random.nextGaussian());
      case FLOAT -> builder.setFloat(column, random.nextFloat());
      case BOOLEAN -> builder.setBoolean(column, random.nextInt(4) == 0);
      case LOCAL_DATE_TIME, OFFSET_DATE_TIME ->
          builder.setLong(column, START_MICROS + Math.floorMod(random.nextLong(), 30 * DAY_MICROS));
      case LOCAL_DATE -> builder.setInt(column, 20_000 + random.nextInt(365));
      case LOCAL_TIME ->
          builder.setLong(
              column, Math.floorMod(random.nextLong(), DAY_MICROS / 60_000_000) * 60_000_000);
      case BYTE_ARRAY -> {
        byte[] digest = new byte[16];
        random.nextBytes(digest);
        builder.setBytes(column, digest);
      }
      default -> throw new IllegalArgumentException("No values of " + type);
    }
  }

  /** One of eight words, one of 10,000 names, or a text of its own. */
  private static String text(int column, Random random) {
    return switch (column % 3) {
      case 0 -> "status " + random.nextInt(8);
      case 1 -> letters(14, new Random(random.nextInt(NAMES)));
      default -> letters(40, random);
    };
  }

  private static String letters(int count, Random random) {
    StringBuilder letters = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      letters.append((char) ('a' + random.nextInt(26)));
    }
    return letters.toString();
  }

  int rows() {
    return batches.stream().mapToInt(ColumnBatch::rowCount).sum();
  }

  ParquetSchema parquetSchema() {
    return new ParquetSchema(
        schema.columns().stream()
            .map(column -> new ParquetColumn(column.name(), parquetType(column.type())))
            .toList());
  }

  private static ParquetType parquetType(ColumnType type) {
    return switch (type.kind()) {
      case SHORT, INT -> ParquetType.INT32;
      case LONG -> ParquetType.INT64;
      case FLOAT -> ParquetType.FLOAT;
      case DOUBLE -> ParquetType.DOUBLE;
      case BIG_DECIMAL -> ParquetType.decimal(type.precision(), type.scale());
      case BOOLEAN -> ParquetType.BOOLEAN;
      case STRING, ARRAY, MAP -> ParquetType.STRING;
      case BYTE_ARRAY -> ParquetType.BINARY;
      case LOCAL_DATE -> ParquetType.DATE;
      case LOCAL_TIME -> ParquetType.TIME_MICROS;
      case OFFSET_TIME -> ParquetType.TIME_MICROS_UTC;
      case LOCAL_DATE_TIME -> ParquetType.TIMESTAMP_MICROS;
      case OFFSET_DATE_TIME -> ParquetType.TIMESTAMP_MICROS_UTC;
    };
  }
}
