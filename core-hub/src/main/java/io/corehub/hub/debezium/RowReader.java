package io.corehub.hub.debezium;

import io.debezium.DebeziumException;
import io.debezium.config.CommonConnectorConfig;
import io.debezium.config.Configuration;
import io.debezium.connector.postgresql.PgOid;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.connector.postgresql.PostgresValueConverter;
import io.debezium.connector.postgresql.TypeRegistry;
import io.debezium.connector.postgresql.connection.DateTimeFormat;
import io.debezium.connector.postgresql.connection.PostgresConnection;
import io.debezium.connector.postgresql.connection.PostgresConnection.PostgresValueConverterBuilder;
import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.relational.Column;
import io.debezium.relational.CustomConverterRegistry;
import io.debezium.relational.Table;
import io.debezium.relational.TableId;
import io.debezium.relational.TableSchema;
import io.debezium.relational.TableSchemaBuilder;
import io.debezium.relational.Tables;
import io.debezium.relational.mapping.ColumnMappers;
import io.debezium.spi.topic.TopicNamingStrategy;
import io.debezium.util.ColumnUtils;
import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables over SQL with Debezium's own conversions, so that a row looks the same whether it
 * was read here or came through the log. Holds one connection. Confined to one caller at a time.
 */
final class RowReader implements AutoCloseable {

  private final PostgresConnectorConfig config;
  private final PostgresConnection connection;
  private final TableSchemaBuilder schemas;
  private final TopicNamingStrategy<?> names;
  private final Tables tables = new Tables();

  /** Reads dates as the log does: java.sql.Date would move those before 1582. */
  private static final class ExactDates extends PostgresConnection {
    ExactDates(
        JdbcConfiguration config, TypeRegistry types, PostgresValueConverterBuilder converters) {
      super(config, types, converters, CONNECTION_GENERAL);
    }

    @Override
    public @Nullable Object getColumnValue(ResultSet rows, int index, Column column, Table table)
        throws SQLException {
      if (column.nativeType() != PgOid.DATE) {
        return super.getColumnValue(rows, index, column, table);
      }
      String text = rows.getString(index);
      return text == null ? null : DateTimeFormat.get().date(text);
    }
  }

  /** Takes rows. */
  @FunctionalInterface
  interface RowOutput {
    /**
     * Takes a row.
     *
     * @param row the row
     * @return whether to go on
     * @throws InterruptedException if interrupted
     */
    boolean accept(Struct row) throws InterruptedException;
  }

  /**
   * Connects.
   *
   * @param properties properties of the connector
   * @throws SQLException if that fails
   */
  RowReader(Properties properties) throws SQLException {
    this.config = new PostgresConnectorConfig(Configuration.from(properties));
    Charset charset;
    try (PostgresConnection first =
        new PostgresConnection(config.getJdbcConfig(), PostgresConnection.CONNECTION_GENERAL)) {
      charset = first.getDatabaseCharset();
    } catch (DebeziumException e) {
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
    }
    TypeRegistry types = PostgresConnection.createTypeRegistry(config.getJdbcConfig());
    PostgresValueConverterBuilder converters =
        registry -> PostgresValueConverter.of(config, charset, registry);
    this.connection = new ExactDates(config.getJdbcConfig(), types, converters);
    connection.setAutoCommit(false);
    this.schemas =
        new TableSchemaBuilder(
            converters.build(types),
            connection.getDefaultValueConverter(),
            config.schemaNameAdjuster(),
            new CustomConverterRegistry(List.of()),
            config.getSourceInfoStructMaker().schema(),
            config.getFieldNamer(),
            false,
            config.getEventConvertingFailureHandlingMode());
    this.names = config.getTopicNamingStrategy(CommonConnectorConfig.TOPIC_NAMING_STRATEGY);
  }

  /**
   * Goes on within a snapshot that another connection exported.
   *
   * @param name name of the snapshot
   * @throws SQLException if it is gone
   */
  void enter(String name) throws SQLException {
    Connection sql = connection.connection();
    sql.rollback();
    try (Statement statement = sql.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      statement.execute("SET TRANSACTION SNAPSHOT '" + name + "'");
    }
  }

  /**
   * Begins a snapshot of its own: what is read from here on is as of the first read.
   *
   * @throws SQLException if the server refuses
   */
  void enterNow() throws SQLException {
    Connection sql = connection.connection();
    sql.rollback();
    try (Statement statement = sql.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    }
  }

  /** Reads the shapes of all captured tables as they are now. */
  void readShapes() throws SQLException {
    connection.readSchema(
        tables, null, null, config.getTableFilters().dataCollectionFilter(), null, true);
  }

  /** The shape of a table; {@link #readShapes()} was called. */
  TableSchema shape(CatalogTable table) {
    return schemas.create(
        names,
        table(table),
        config.getColumnFilter(),
        ColumnMappers.create(config),
        config.getKeyMapper());
  }

  private Table table(CatalogTable table) {
    for (TableId id : tables.tableIds()) {
      if (id.schema().equals(table.schema()) && id.table().equals(table.name())) {
        return tables.forTable(id);
      }
    }
    throw new ValueRefusedException(
        "Table " + table.quoted() + " cannot be read, or was dropped a moment ago");
  }

  /**
   * Reads all rows of a table.
   *
   * @param table the table
   * @param shape its shape
   * @param fetchRows rows fetched at once
   * @param output takes the rows
   * @throws SQLException if reading fails
   * @throws ValueRefusedException if a value cannot be converted
   * @throws InterruptedException if interrupted
   */
  void read(CatalogTable table, TableSchema shape, int fetchRows, RowOutput output)
      throws SQLException, InterruptedException {
    Table columns = table(table);
    try (Statement statement = connection.connection().createStatement()) {
      statement.setFetchSize(fetchRows);
      try (ResultSet rows = statement.executeQuery(select(table, columns))) {
        ColumnUtils.ColumnArray array = ColumnUtils.toArray(rows, columns);
        while (rows.next()) {
          Struct row;
          try {
            row = shape.valueFromColumnData(connection.rowToArray(columns, rows, array));
          } catch (DebeziumException e) {
            throw new ValueRefusedException(message(e), e);
          }
          if (!output.accept(row)) {
            return;
          }
        }
      }
    }
  }

  /** Names the columns: a column added a moment ago is no part of the view. */
  private static String select(CatalogTable table, Table columns) {
    return columns.columns().stream()
        .map(column -> CatalogTable.quote(column.name()))
        .collect(Collectors.joining(", ", "SELECT ", " FROM " + table.quoted()));
  }

  private static String message(DebeziumException e) {
    Throwable cause = e.getCause();
    return e.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }

  @Override
  public void close() {
    connection.close();
  }
}
