package io.corehub.hub.pipeline;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.config.TableSelection;
import io.corehub.hub.source.CommitSpool;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceSink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands between a source and an agent: selects tables and columns, and withholds commits
 * while the snapshot of a table they touch is not finished. Confined to the thread that runs the
 * source.
 *
 * <p>Positions may not go back within a session of the agent: so from the first commit that touches
 * a table with an open snapshot, all commits wait until that snapshot is published.
 */
final class PipelineSink implements SourceSink {

  private static final Logger LOG = LoggerFactory.getLogger(PipelineSink.class);

  private final String pipeline;
  private final TargetAgent agent;
  private final TableSelection selection;
  private final Tables tables;
  private final TableOpenings openings;
  private final SnapshotEnds ends;
  private final CommitSpool withheld;
  private final Set<TableId> withheldTables = new HashSet<>();

  /** Tables the hub stopped, which the agent must be told at the next commit. */
  private final Map<TableId, TableStoppedException> untold = new LinkedHashMap<>();

  /** Tables whose events are not for the agent any more. */
  private final Set<TableId> dropped = new HashSet<>();

  PipelineSink(
      String pipeline,
      TargetAgent agent,
      TableSelection selection,
      Tables tables,
      TableOpenings openings,
      SnapshotEnds ends,
      CommitSpool withheld) {
    this.pipeline = pipeline;
    this.agent = agent;
    this.selection = selection;
    this.tables = tables;
    this.openings = openings;
    this.ends = ends;
    this.withheld = withheld;
  }

  @Override
  public DeclaredTable declare(TableSchema shape) throws InterruptedException {
    Optional<TableFeed> known = tables.find(shape.table());
    if (known.isEmpty()) {
      return firstDeclared(shape);
    }
    TableFeed feed = known.get();
    if (!feed.hasShape(shape)) {
      int version = feed.schema().version() + 1;
      TableSchema sent = versioned(shape, shape.columns(), version);
      if (feed.wanted()) {
        try {
          sent = project(shape, version);
        } catch (TableStoppedException e) {
          stopTable(e);
        }
      }
      feed.reshape(shape, sent);
      LOG.info("{}: table {} has a new shape", pipeline, Shown.of(feed.id().toString()));
    }
    return feed;
  }

  private TableFeed firstDeclared(TableSchema shape) throws InterruptedException {
    TableId id = shape.table();
    TableSchema whole = versioned(shape, shape.columns(), 1);
    if (!selection.selects(id)) {
      TableFeed feed = new TableFeed(shape, whole, false);
      tables.add(feed);
      return feed;
    }
    TableSchema sent = whole;
    Optional<TableStoppedException> refused = Optional.empty();
    try {
      sent = project(shape, 1);
    } catch (TableStoppedException e) {
      refused = Optional.of(e);
    }
    TableFeed feed = new TableFeed(shape, sent, true);
    tables.add(feed);
    openings.begin(feed, new TableSpec(sent, selection.settings(id)));
    if (refused.isPresent()) {
      stopTable(refused.get());
    }
    return feed;
  }

  /** The shape less the columns that the configuration leaves out, with the types it asks for. */
  private TableSchema project(TableSchema shape, int version) {
    List<String> names = shape.columns().stream().map(Column::name).toList();
    Optional<String> misfit = selection.misfit(shape.table(), names, shape.keyColumns());
    if (misfit.isPresent()) {
      throw refused(shape, misfit.get());
    }
    Map<String, TargetType> targetTypes = selection.targetTypes(shape.table());
    List<String> wanted = selection.columns(shape.table());
    List<Column> sent =
        shape.columns().stream()
            .filter(column -> wanted.isEmpty() || wanted.contains(column.name()))
            .map(
                column ->
                    targetTypes.containsKey(column.name())
                        ? column.as(targetTypes.get(column.name()))
                        : column)
            .toList();
    return versioned(shape, sent, version);
  }

  private static TableStoppedException refused(TableSchema shape, String message) {
    return new TableStoppedException(shape.table(), ErrorCode.SETTINGS, message);
  }

  private static TableSchema versioned(TableSchema shape, List<Column> columns, int version) {
    return new TableSchema(shape.table(), columns, shape.keyColumns(), version);
  }

  @Override
  public boolean beginSnapshot(TableId table, SnapshotStart start) throws InterruptedException {
    TableFeed feed = feed(table);
    ends.await(feed);
    if (!feed.wanted() || feed.holds(start)) {
      return false;
    }
    try {
      feed.writer = agent.beginSnapshot(table, start);
      feed.snapshotBegins(start.consistentAt());
      LOG.info(
          "{}: snapshot of table {} begins at position {}",
          pipeline,
          Shown.of(table.toString()),
          start.consistentAt());
      return true;
    } catch (TableStoppedException e) {
      tables.stop(e);
      return false;
    }
  }

  @Override
  public void snapshotPage(ColumnBatch page) throws InterruptedException {
    TableFeed feed = feed(page.schema().table());
    SnapshotWriter writer = feed.writer;
    if (writer == null) {
      return;
    }
    try {
      writer.write(page);
    } catch (TableStoppedException e) {
      giveUp(feed);
      tables.stop(e);
      release();
    }
  }

  @Override
  public void endSnapshot(TableId table) throws InterruptedException {
    endSnapshot(table, SnapshotEnd.PLAIN);
  }

  @Override
  public void endSnapshot(TableId table, SnapshotEnd end) throws InterruptedException {
    TableFeed feed = feed(table);
    SnapshotWriter writer = feed.writer;
    if (writer != null) {
      feed.writer = null;
      ends.finish(feed, writer, end);
      release();
    }
  }

  @Override
  public void backlogEnded(TableId table, SourcePosition upTo) throws InterruptedException {
    TableFeed feed = feed(table);
    if (feed.wanted()) {
      ends.afterwards(feed, () -> agent.backlogEnded(table, upTo));
    }
  }

  private static void giveUp(TableFeed feed) {
    SnapshotWriter writer = feed.writer;
    if (writer != null) {
      feed.writer = null;
      writer.abort();
    }
  }

  @Override
  public void stopTable(TableStoppedException reason) throws InterruptedException {
    giveUp(feed(reason.table()));
    tables.stop(reason);
    untold.put(reason.table(), reason);
    release();
  }

  @Override
  public void commits(CommitBatch batch) throws InterruptedException {
    for (TableEvent event : batch.events()) {
      if (event instanceof TableUnreadable unreadable) {
        giveUp(feed(unreadable.table()));
        tables.stop(unreadable.reason());
      }
    }
    if (!withheld.isEmpty() || batch.events().stream().anyMatch(e -> isOpen(e.table()))) {
      if (withheld.isEmpty()) {
        LOG.info("{}: commits wait for the end of a snapshot", pipeline);
      }
      batch.events().forEach(event -> withheldTables.add(event.table()));
      withheld.add(batch);
      release();
    } else {
      apply(batch);
    }
  }

  private boolean isOpen(TableId table) {
    return tables.find(table).map(feed -> feed.writer != null).orElse(Boolean.FALSE);
  }

  /** Hands over the withheld commits if no snapshot they wait for is open. */
  private void release() throws InterruptedException {
    if (!withheld.isEmpty() && withheldTables.stream().noneMatch(this::isOpen)) {
      withheld.drainTo(this::apply);
      withheldTables.clear();
      LOG.info("{}: commits go on", pipeline);
    }
  }

  private void apply(CommitBatch batch) throws InterruptedException {
    List<TableEvent> events = new ArrayList<>();
    for (TableStoppedException reason : untold.values()) {
      events.add(new TableUnreadable(reason.table(), 0, reason));
      dropped.add(reason.table());
    }
    boolean asItIs = events.isEmpty();
    untold.clear();
    for (TableEvent event : batch.events()) {
      ends.await(feed(event.table()));
      if (dropped.contains(event.table())) {
        asItIs = false;
      } else {
        events.add(event);
      }
    }
    agent.apply(
        asItIs ? batch : new CommitBatch(batch.commits(), events, batch.lastCommitComplete()));
  }

  @Override
  public void warning(Optional<TableId> table, String message) {
    LOG.warn(
        "{}: {}{}",
        pipeline,
        table.map(t -> Shown.of(t.toString()) + ": ").orElse(""),
        Shown.message(message));
  }

  /** The source ended: waits until its tables are open and its snapshots published. */
  void complete() throws InterruptedException {
    for (TableFeed feed : tables.all()) {
      feed.awaitOpened();
      ends.await(feed);
    }
  }

  /**
   * The source broke off but can be read again from its start: gives open snapshots up and hands
   * over what waits for them, without their tables.
   */
  void breakOff() throws InterruptedException {
    for (TableFeed feed : tables.all()) {
      if (feed.writer != null) {
        dropped.add(feed.id());
        giveUp(feed);
      }
    }
    release();
    complete();
  }

  /** The pipeline stops: gives open snapshots and what waits for them up. */
  void discard() {
    withheld.close();
    tables.all().forEach(PipelineSink::giveUp);
  }

  /** A declared table that the agent has taken up, or refused. */
  private TableFeed feed(TableId table) throws InterruptedException {
    TableFeed feed =
        tables
            .find(table)
            .orElseThrow(() -> new IllegalStateException("Table " + table + " was not declared"));
    feed.awaitOpened();
    return feed;
  }
}
