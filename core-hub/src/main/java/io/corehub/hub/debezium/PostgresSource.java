package io.corehub.hub.debezium;

import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.SourceSink;
import io.corehub.hub.source.TableOutline;
import io.debezium.relational.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL through logical replication: snapshots of tables that the target does not hold yet,
 * then every commit behind the confirmed position.
 */
final class PostgresSource implements Source {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresSource.class);

  private static final long PAGE_BYTES = 8 << 20;
  private static final int LOOK_SECONDS = 5;

  private final Settings settings;
  private final SourceContext context;
  private final PostgresServer server;
  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private volatile @Nullable DebeziumStream stream;

  PostgresSource(Settings settings, SourceContext context) {
    this.settings = settings;
    this.context = context;
    this.server = new PostgresServer(settings);
  }

  @Override
  public boolean finite() {
    return false;
  }

  @Override
  public String version() {
    try (Connection connection = server.connect()) {
      return server.version(connection);
    } catch (SQLException e) {
      throw server.failure("it cannot be asked for its version", e);
    }
  }

  @Override
  public List<Finding> check() {
    List<Finding> findings = new ArrayList<>();
    try (Connection connection = server.connect()) {
      findings.add(
          new Finding(
              Severity.OK,
              "PostgreSQL " + server.version(connection) + " answers at " + server.address()));
      String level = server.setting(connection, "wal_level");
      if (!level.equals("logical")) {
        findings.add(
            new Finding(
                Severity.ERROR,
                "wal_level is '" + level + "'. Set wal_level=logical and restart the server"));
      }
      server.identity();
      List<CatalogTable> tables = capturedTables(connection);
      if (tables.isEmpty()) {
        findings.add(new Finding(Severity.ERROR, noTables()));
      }
      for (CatalogTable table : tables) {
        table.warning().ifPresent(text -> findings.add(new Finding(Severity.WARNING, text)));
      }
      slotFindings(connection, findings);
      if (!settings.get(PostgresSourceProvider.MANAGE_PUBLICATION)) {
        Publication.missing(
                connection, settings.get(PostgresSourceProvider.PUBLICATION_NAME), tables)
            .ifPresent(sql -> findings.add(new Finding(Severity.ERROR, "Run: " + sql)));
      }
    } catch (SQLException e) {
      findings.add(
          new Finding(
              Severity.ERROR, String.valueOf(server.failure("it cannot be read", e).getMessage())));
    } catch (SourceException e) {
      findings.add(new Finding(Severity.ERROR, String.valueOf(e.getMessage())));
    }
    return findings;
  }

  private void slotFindings(Connection connection, List<Finding> findings) throws SQLException {
    String name = settings.get(PostgresSourceProvider.SLOT_NAME);
    Optional<PostgresServer.Slot> slot = server.slot(connection, name);
    if (slot.isEmpty()) {
      findings.add(
          context.confirmed().isPresent()
              ? new Finding(Severity.ERROR, lostSlot(name))
              : new Finding(Severity.OK, "Replication slot '" + name + "' will be created"));
    } else if (slot.get().active()) {
      findings.add(
          new Finding(
              Severity.WARNING,
              "Replication slot '" + name + "' is in use, perhaps by this pipeline itself"));
    } else {
      findings.add(new Finding(Severity.OK, "Replication slot '" + name + "' is there"));
    }
  }

  @Override
  public void run(SourceSink sink) throws InterruptedException {
    UnavailableValue unavailable = UnavailableValue.random(RandomGenerator.getDefault());
    CapturedTables tables = new CapturedTables();
    List<CatalogTable> captured;
    String timeline;
    OptionalLong standing;
    try (Connection connection = server.connect()) {
      captured = capturedTables(connection);
      if (captured.isEmpty()) {
        throw new SourceException(noTables());
      }
      for (CatalogTable table : captured) {
        table
            .warning()
            .ifPresent(text -> sink.warning(Optional.of(table.id(schemaless())), text + "."));
      }
      Publication.ensure(
          server,
          connection,
          settings.get(PostgresSourceProvider.PUBLICATION_NAME),
          captured,
          settings.get(PostgresSourceProvider.MANAGE_PUBLICATION));
      timeline = timeline();
      standing = resumePosition(connection, timeline);
      add(captured, tables, unavailable);
    } catch (SQLException e) {
      throw server.failure("it cannot be read", e);
    }
    long resume;
    try (RowReader reader =
        new RowReader(
            ConnectorProperties.of(context.pipeline(), settings, captured, unavailable, 0))) {
      reader.readShapes();
      List<CatalogTable> missing = missing(sink, captured, tables, reader, timeline, standing);
      resume = standing.isPresent() ? standing.getAsLong() : createSlot();
      snapshots(sink, missing, tables, reader, timeline);
    } catch (SQLException e) {
      throw server.failure("the snapshot cannot be read", e);
    }
    if (stopAsked.getCount() > 0) {
      backlogsEnd(sink, captured, tables, timeline);
      stream(
          sink,
          tables,
          ConnectorProperties.of(context.pipeline(), settings, captured, unavailable, resume),
          timeline,
          resume);
    }
  }

  /** Where the log ends now: everything committed so far lies before it. */
  private SourcePosition logEnd(String timeline) {
    try (Connection connection = server.connect()) {
      return new SourcePosition(timeline, PostgresServer.logEnd(connection), "");
    } catch (SQLException e) {
      throw server.failure("it cannot be asked for its log position", e);
    }
  }

  /**
   * What was committed before changes are read is the backlog of every table: of this run's
   * snapshots, or of those that an earlier run finished before it ended.
   */
  private void backlogsEnd(
      SourceSink sink, List<CatalogTable> captured, CapturedTables tables, String timeline)
      throws InterruptedException {
    SourcePosition end = logEnd(timeline);
    for (CatalogTable table : captured) {
      CapturedTable target = tables.of(table.schema(), table.name());
      if (!target.unreadable() && target.declared().wanted()) {
        sink.backlogEnded(target.id(), end);
      }
    }
  }

  private long createSlot() throws SQLException {
    String name = settings.get(PostgresSourceProvider.SLOT_NAME);
    LOG.info("PostgreSQL {}: creating replication slot '{}'", server.address(), name);
    try (Connection connection = server.connect()) {
      server.createSlot(connection, name);
      return server.slot(connection, name).orElseThrow().confirmed();
    }
  }

  private void add(
      List<CatalogTable> captured, CapturedTables tables, UnavailableValue unavailable) {
    for (CatalogTable table : captured) {
      tables.add(
          table.schema(),
          table.name(),
          new CapturedTable(table.id(schemaless()), unavailable, () -> traits(table)));
    }
  }

  /** Reads all tables in one transaction that only reads; needs no replication slot. */
  @Override
  public void contents(SourceSink sink) throws InterruptedException {
    UnavailableValue unavailable = UnavailableValue.random(RandomGenerator.getDefault());
    CapturedTables tables = new CapturedTables();
    List<CatalogTable> captured;
    try (Connection connection = server.connect()) {
      captured = capturedTables(connection);
    } catch (SQLException e) {
      throw server.failure("it cannot be read", e);
    }
    if (captured.isEmpty()) {
      throw new SourceException(noTables());
    }
    add(captured, tables, unavailable);
    SourcePosition position = new SourcePosition(context.pipeline(), 1, "");
    try (RowReader reader =
        new RowReader(
            ConnectorProperties.of(context.pipeline(), settings, captured, unavailable, 0))) {
      reader.enterNow();
      reader.readShapes();
      for (CatalogTable table : captured) {
        CapturedTable target = tables.of(table.schema(), table.name());
        declare(sink, target, reader.shape(table));
        if (need(target, context.pipeline()) == Need.SNAPSHOT) {
          snapshot(sink, target, table, reader, position, () -> SnapshotEnd.PLAIN);
        }
      }
    } catch (SQLException e) {
      throw server.failure("its tables cannot be read", e);
    }
  }

  @Override
  public Optional<List<TableOutline>> tables() {
    try (Connection connection = server.connect()) {
      return Optional.of(
          catalog(connection).stream().map(table -> table.outline(schemaless())).toList());
    } catch (SQLException e) {
      throw server.failure("its tables cannot be listed", e);
    }
  }

  @Override
  public boolean reads(TableId table) {
    Set<String> schemas = schemas();
    return schemas.isEmpty()
        || table.schema().or(this::schemaless).map(schemas::contains).orElse(true);
  }

  private Set<String> schemas() {
    return new HashSet<>(
        PostgresSourceProvider.lines(settings.find(PostgresSourceProvider.SCHEMAS).orElse("")));
  }

  private List<CatalogTable> catalog(Connection connection) throws SQLException {
    return CatalogTable.all(connection, schemas());
  }

  private List<CatalogTable> capturedTables(Connection connection) throws SQLException {
    return catalog(connection).stream()
        .filter(table -> context.selected().test(table.id(schemaless())))
        .toList();
  }

  private String noTables() {
    return "PostgreSQL "
        + server.address()
        + ": no table is selected. Check 'schemas' of the source and 'tables' of the pipeline.";
  }

  private Optional<String> schemaless() {
    return settings.find(PostgresSourceProvider.SCHEMALESS);
  }

  /** Asked anew when a table's shape changes; the first answer is known. */
  private CapturedTable.Traits traits(CatalogTable table) {
    try (Connection connection = server.connect()) {
      return CatalogTable.all(connection, Set.of(table.schema())).stream()
          .filter(now -> now.name().equals(table.name()))
          .findFirst()
          .map(now -> new CapturedTable.Traits(now.primaryKey(), now.fullOldRows()))
          .orElse(new CapturedTable.Traits(table.primaryKey(), false));
    } catch (SQLException e) {
      throw server.failure("table " + table.quoted() + " cannot be looked up", e);
    }
  }

  private String timeline() throws SQLException {
    PostgresServer.Identity identity = server.identity();
    return identity.system()
        + "/"
        + identity.timeline()
        + "/"
        + settings.get(PostgresSourceProvider.SLOT_NAME);
  }

  /**
   * The position to go on behind: what the hub confirmed, or the beginning of the slot; empty if
   * the slot is to be created.
   */
  private OptionalLong resumePosition(Connection connection, String timeline) throws SQLException {
    String name = settings.get(PostgresSourceProvider.SLOT_NAME);
    Optional<PostgresServer.Slot> slot = server.slot(connection, name);
    Optional<SourcePosition> confirmed =
        context.confirmed().filter(position -> position.timeline().equals(timeline));
    if (context.confirmed().isPresent() && confirmed.isEmpty()) {
      LOG.warn(
          "PostgreSQL {}: the confirmed position belongs to {}, but this is {}",
          server.address(),
          context.confirmed().get().timeline(),
          timeline);
    }
    if (slot.isEmpty()) {
      if (confirmed.isPresent()) {
        throw new SourceException(lostSlot(name));
      }
      return OptionalLong.empty();
    }
    long slotPosition = slot.get().confirmed();
    if (confirmed.isEmpty()) {
      return OptionalLong.of(slotPosition);
    }
    long position = confirmed.get().order();
    if (Long.compareUnsigned(slotPosition, position) > 0) {
      throw new SourceException(
          "PostgreSQL "
              + server.address()
              + ": replication slot '"
              + name
              + "' stands at "
              + PostgresServer.text(slotPosition)
              + ", behind the last confirmed position "
              + PostgresServer.text(position)
              + ": changes between them are lost to this pipeline. Somebody else read from the slot,"
              + " or the state directory is an old copy. Choose another slotName and load the"
              + " tables anew.");
    }
    return OptionalLong.of(position);
  }

  private String lostSlot(String name) {
    return "PostgreSQL "
        + server.address()
        + ": replication slot '"
        + name
        + "' no longer exists, so the changes since the last confirmed position are lost. Choose"
        + " another slotName, and load the tables anew (re-create them in the target).";
  }

  /** What is to be done for a table before its changes are read. */
  private enum Need {
    SNAPSHOT,
    /** It stands in the target. */
    NOTHING,
    /** It is left out, or stopped. */
    UNWANTED
  }

  /**
   * Declares the tables and finds those that need a snapshot. A slot that is only now created knows
   * nothing of the changes since tables were loaded through one of the same name.
   */
  private List<CatalogTable> missing(
      SourceSink sink,
      List<CatalogTable> captured,
      CapturedTables tables,
      RowReader reader,
      String timeline,
      OptionalLong standing)
      throws InterruptedException {
    for (CatalogTable table : captured) {
      declare(sink, tables.of(table.schema(), table.name()), reader.shape(table));
    }
    List<CatalogTable> missing = new ArrayList<>();
    for (CatalogTable table : captured) {
      Need need = need(tables.of(table.schema(), table.name()), timeline);
      if (need == Need.NOTHING && standing.isEmpty()) {
        throw new SourceException(lostSlot(settings.get(PostgresSourceProvider.SLOT_NAME)));
      }
      if (need == Need.SNAPSHOT) {
        missing.add(table);
      }
    }
    return missing;
  }

  private void snapshots(
      SourceSink sink,
      List<CatalogTable> missing,
      CapturedTables tables,
      RowReader reader,
      String timeline)
      throws SQLException, InterruptedException {
    if (missing.isEmpty()) {
      return;
    }
    LOG.info("PostgreSQL {}: waiting for an exact snapshot", server.address());
    try (ExportedSnapshot snapshot = ExportedSnapshot.open(server)) {
      reader.enter(snapshot.name());
      reader.readShapes();
      SourcePosition position = new SourcePosition(timeline, snapshot.position(), "");
      for (CatalogTable table : missing) {
        if (stopAsked.getCount() == 0) {
          return;
        }
        snapshot(
            sink,
            tables.of(table.schema(), table.name()),
            table,
            reader,
            position,
            () -> new SnapshotEnd(Optional.of(logEnd(timeline)), true));
      }
    }
  }

  /** Declares the table, or gives it up. */
  private static void declare(SourceSink sink, CapturedTable table, TableSchema shape)
      throws InterruptedException {
    try {
      table.declare(table.mapping(shape.valueSchema(), shape.keySchema()).schema(), sink);
    } catch (ValueRefusedException e) {
      giveUp(sink, table, e);
    }
  }

  /** Asks whether the target holds anything of a table that was declared or given up. */
  private static Need need(CapturedTable table, String timeline) throws InterruptedException {
    if (table.unreadable() || !table.declared().wanted()) {
      return Need.UNWANTED;
    }
    // No commit stands at 1: what holds it holds a snapshot.
    return table.declared().wants(new SourcePosition(timeline, 1, ""))
        ? Need.SNAPSHOT
        : Need.NOTHING;
  }

  private static void giveUp(SourceSink sink, CapturedTable table, ValueRefusedException reason)
      throws InterruptedException {
    table.giveUp();
    sink.stopTable(RowWriter.stopped(table.id(), reason));
  }

  private void snapshot(
      SourceSink sink,
      CapturedTable table,
      CatalogTable source,
      RowReader reader,
      SourcePosition position,
      Supplier<SnapshotEnd> end)
      throws SQLException, InterruptedException {
    try {
      TableSchema shape = reader.shape(source);
      ConnectRowMapping mapping = table.mapping(shape.valueSchema(), shape.keySchema());
      if (!table.declaredAs(mapping.schema())) {
        table.declare(mapping.schema(), sink);
      }
      SnapshotStart start = new SnapshotStart(position.toString(), position);
      if (!sink.beginSnapshot(table.id(), start)) {
        return;
      }
      ConnectRowMapping rows = table.declaredMapping();
      ColumnBatchBuilder page = new ColumnBatchBuilder(rows.schema());
      int pageRows = settings.get(PostgresSourceProvider.SNAPSHOT_PAGE_ROWS);
      reader.read(
          source,
          shape,
          pageRows,
          row -> {
            rows.write(row, page);
            page.endRow();
            if (page.rowCount() >= pageRows || page.bytes() >= PAGE_BYTES) {
              sink.snapshotPage(page.build());
            }
            return stopAsked.getCount() > 0;
          });
      if (stopAsked.getCount() == 0) {
        return;
      }
      if (page.rowCount() > 0) {
        sink.snapshotPage(page.build());
      }
      sink.endSnapshot(table.id(), end.get());
    } catch (ValueRefusedException e) {
      giveUp(sink, table, e);
    }
  }

  private void stream(
      SourceSink sink, CapturedTables tables, Properties properties, String timeline, long resume)
      throws InterruptedException {
    try (TransactionAssembler assembler =
            new TransactionAssembler(
                timeline,
                resume,
                tables,
                sink,
                context.spoolDirectory(),
                context.memoryBytes(),
                new RowWriter(context.beforeImage()));
        LogWatch watch =
            new LogWatch(
                server,
                settings.get(PostgresSourceProvider.SLOT_NAME),
                context.clock(),
                context.meters(),
                LOOK_SECONDS)) {
      DebeziumStream changes = new DebeziumStream(properties, assembler, watch::last, resume);
      stream = changes;
      changes.run(stopAsked);
    }
  }

  @Override
  public void confirmed(SourcePosition upTo) {
    DebeziumStream changes = stream;
    if (changes != null) {
      changes.confirmed(upTo.order());
    }
  }

  @Override
  public void stop() {
    stopAsked.countDown();
  }

  @Override
  public void close() {
    stop();
  }
}
