package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceSink;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code snapshot} and {@code snapshotEnd} lines. Confined to one caller. */
final class SnapshotReader {

  private static final Set<String> FIELDS = Set.of("kind", "table", "position", "rows");

  private final JsonFactory json;
  private final RowReader rowReader;
  private final StreamTables tables;
  private final SourceSink sink;
  private final int maxRows;
  private final long maxBytes;

  SnapshotReader(
      JsonFactory json,
      RowReader rowReader,
      StreamTables tables,
      SourceSink sink,
      int maxRows,
      long maxBytes) {
    this.json = json;
    this.rowReader = rowReader;
    this.tables = tables;
    this.sink = sink;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads a page.
   *
   * @param lastCommit where the snapshot is consistent if its first page does not say
   */
  void readPage(Line line, SourcePosition lastCommit, String place)
      throws IOException, MalformedException, InterruptedException {
    try (Envelope envelope = Envelope.open(json, line, FIELDS, "rows")) {
      String name = envelope.string("table");
      if (name == null) {
        throw new MalformedException("'table' is missing");
      }
      StreamTable table = tables.named(name);
      @Nullable SourcePosition said = position(envelope, lastCommit.timeline());
      StreamTable.OpenSnapshot open = table.snapshot;
      if (open == null) {
        begin(table, said == null ? lastCommit : said);
      } else if (said != null && said.order() != open.at().order()) {
        throw new MalformedException(
            "'position' is " + said + ", but the snapshot began at " + open.at());
      }
      rows(envelope.parser(), table, place);
      envelope.finish(FIELDS, "rows");
    }
  }

  private static @Nullable SourcePosition position(Envelope envelope, String timeline)
      throws MalformedException {
    Envelope.Scalar text = envelope.field("position");
    return text == null
        ? null
        : new SourcePosition(
            timeline, CellReader.unsigned(text.token(), text.text(), "position"), "");
  }

  private void begin(StreamTable table, SourcePosition at) throws InterruptedException {
    table.snapshots++;
    boolean wanted =
        table.wanted()
            && sink.beginSnapshot(
                table.id(), new SnapshotStart(Integer.toString(table.snapshots), at));
    table.snapshot =
        new StreamTable.OpenSnapshot(at, wanted ? new ColumnBatchBuilder(table.schema()) : null);
  }

  private void rows(JsonParser parser, StreamTable table, String place)
      throws IOException, MalformedException, InterruptedException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      ColumnBatchBuilder rows = rowsOf(table);
      if (rows == null) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
          throw new MalformedException(
              "a row of table " + Shown.of(table.id().toString()) + " must be an object");
        }
        parser.skipChildren();
        continue;
      }
      TableStoppedException unfit = rowReader.read(parser, table, rows, place);
      if (unfit == null) {
        rows.endRow();
        if (rows.rowCount() >= maxRows || rows.bytes() >= maxBytes) {
          sink.snapshotPage(rows.build());
        }
      } else {
        table.dropSnapshotRows();
        table.stop();
        sink.stopTable(unfit);
      }
    }
  }

  /** The page under construction; null if the rows are of no use. */
  private static @Nullable ColumnBatchBuilder rowsOf(StreamTable table)
      throws InterruptedException {
    StreamTable.OpenSnapshot open = table.snapshot;
    if (open == null || open.rows() == null) {
      return null;
    }
    if (!table.wanted()) {
      table.dropSnapshotRows();
      return null;
    }
    return open.rows();
  }

  /** Sends the rows collected of a table's open snapshot. */
  void flush(StreamTable table) throws InterruptedException {
    ColumnBatchBuilder rows = rowsOf(table);
    if (rows != null && rows.rowCount() > 0) {
      sink.snapshotPage(rows.build());
    }
  }

  /** The table takes a new shape: the page under construction keeps the old one. */
  void reshape(StreamTable table) {
    StreamTable.OpenSnapshot open = table.snapshot;
    if (open != null && open.rows() != null) {
      table.snapshot =
          new StreamTable.OpenSnapshot(open.at(), new ColumnBatchBuilder(table.schema()));
    }
  }

  /** Ends the open snapshot; without any page before, the table is empty. */
  void end(StreamTable table, SourcePosition lastCommit, boolean backlog)
      throws MalformedException, InterruptedException {
    if (table.snapshot == null) {
      if (table.snapshots > 0) {
        throw new MalformedException(
            "table "
                + Shown.of(table.id().toString())
                + " has no open snapshot; a new one begins with a 'snapshot' line");
      }
      begin(table, lastCommit);
    }
    flush(table);
    table.snapshot = null;
    if (table.wanted()) {
      sink.endSnapshot(table.id(), new SnapshotEnd(Optional.of(lastCommit), backlog));
    }
  }
}
