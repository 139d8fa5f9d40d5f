package io.corehub.testkit;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableSchema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns rows written down in a test into column batches. */
public final class ColumnBatches {

  private ColumnBatches() {}

  /**
   * A batch of rows.
   *
   * @param schema schema of the batch; the rows are brought into its shape
   * @param rows rows in order
   * @return the batch
   */
  public static ColumnBatch of(TableSchema schema, List<SourceRow> rows) {
    ColumnBatchBuilder builder = new ColumnBatchBuilder(schema);
    rows.forEach(row -> add(builder, row));
    return builder.build();
  }

  /**
   * A batch of rows.
   *
   * @param first first row; its schema is that of the batch
   * @param others more rows
   * @return the batch
   */
  public static ColumnBatch of(SourceRow first, SourceRow... others) {
    ColumnBatchBuilder builder = new ColumnBatchBuilder(first.schema());
    add(builder, first);
    for (SourceRow row : others) {
      add(builder, row);
    }
    return builder.build();
  }

  /** Adds a whole row to a batch under construction. */
  static void add(ColumnBatchBuilder builder, SourceRow row) {
    SourceRow shaped = row.as(builder.schema());
    for (int i = 0; i < builder.schema().columns().size(); i++) {
      set(builder, i, shaped.cell(i));
    }
    builder.endRow();
  }

  /**
   * Sets a cell of the row under construction.
   *
   * <table>
   * <caption>What a cell may be</caption>
   * <tr><th>Column</th><th>Java type</th></tr>
   * <tr><td>any</td><td>null; {@link SourceRow#UNDELIVERED}</td></tr>
   * <tr><td>BOOLEAN</td><td>Boolean</td></tr>
   * <tr><td>SHORT, INT</td><td>Integer</td></tr>
   * <tr><td>LONG</td><td>Long, Integer</td></tr>
   * <tr><td>FLOAT, DOUBLE</td><td>Float, Double</td></tr>
   * <tr><td>BIG_DECIMAL</td><td>BigDecimal, Integer, Long, String</td></tr>
   * <tr><td>STRING, ARRAY, MAP</td><td>String</td></tr>
   * <tr><td>BYTE_ARRAY</td><td>byte[]</td></tr>
   * <tr><td>LOCAL_DATE</td><td>LocalDate, or Integer as stored</td></tr>
   * <tr><td>LOCAL_TIME, OFFSET_TIME</td><td>LocalTime, OffsetTime, or Long as stored</td></tr>
   * <tr><td>LOCAL_DATE_TIME, OFFSET_DATE_TIME</td><td>LocalDateTime, Instant, or Long as stored</td></tr>
   * </table>
   *
   * @param builder takes the cell
   * @param column column index
   * @param cell the value
   */
  public static void set(ColumnBatchBuilder builder, int column, @Nullable Object cell) {
    if (cell == null) {
      return;
    }
    if (cell == SourceRow.UNDELIVERED) {
      builder.setUndelivered(column);
      return;
    }
    ColumnType type = builder.schema().columns().get(column).type();
    switch (type.kind()) {
      case BOOLEAN -> builder.setBoolean(column, (Boolean) cell);
      case SHORT, INT -> builder.setInt(column, (Integer) cell);
      case LONG -> builder.setLong(column, ((Number) cell).longValue());
      case FLOAT -> builder.setFloat(column, (Float) cell);
      case DOUBLE -> builder.setDouble(column, (Double) cell);
      case BIG_DECIMAL -> builder.setDecimal(column, new BigDecimal(cell.toString()));
      case STRING, ARRAY, MAP -> builder.setText(column, (String) cell);
      case BYTE_ARRAY -> builder.setBytes(column, (byte[]) cell);
      case LOCAL_DATE ->
          builder.setInt(
              column,
              cell instanceof LocalDate date ? Math.toIntExact(date.toEpochDay()) : (Integer) cell);
      case LOCAL_TIME, OFFSET_TIME -> builder.setLong(column, microsOfDay(cell));
      case LOCAL_DATE_TIME, OFFSET_DATE_TIME -> builder.setLong(column, epochMicros(cell));
    }
  }

  private static long microsOfDay(Object cell) {
    if (cell instanceof LocalTime time) {
      return time.toNanoOfDay() / 1000;
    }
    if (cell instanceof OffsetTime time) {
      return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalTime().toNanoOfDay() / 1000;
    }
    return (Long) cell;
  }

  private static long epochMicros(Object cell) {
    if (cell instanceof LocalDateTime time) {
      return epochMicros(time.toInstant(ZoneOffset.UTC));
    }
    if (cell instanceof Instant instant) {
      // Not ChronoUnit.MICROS.between: it counts in nanoseconds and overflows before 1677.
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }
    return (Long) cell;
  }
}
