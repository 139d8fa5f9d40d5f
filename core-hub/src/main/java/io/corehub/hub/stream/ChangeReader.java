package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.hub.source.CommitBatchBuilder;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the changes of a commit. Confined to one caller. */
final class ChangeReader {

  private static final Set<String> FIELDS = Set.of("op", "table", "before", "after", "unchanged");

  /** What a change needs to know of its commit. */
  interface Target {
    /** Whether the table's changes of this commit are of use. */
    boolean wants(StreamTable table) throws InterruptedException;

    /** Where rows go; begins the commit if it was not begun. */
    CommitBatchBuilder rows();

    /** A value does not fit: the table is not read any further. */
    void unfit(StreamTable table, TableStoppedException reason);
  }

  private final StreamTables tables;
  private final RowReader rowReader;
  private final BeforeImage beforeImage;

  private @Nullable Op op;
  private @Nullable StreamTable table;
  private @Nullable List<Cell> before;
  private @Nullable List<Cell> after;
  private @Nullable List<String> unchanged;
  private boolean insertDone;
  private String place = "";

  ChangeReader(StreamTables tables, RowReader rowReader, BeforeImage beforeImage) {
    this.tables = tables;
    this.rowReader = rowReader;
    this.beforeImage = beforeImage;
  }

  /** Reads the change the parser stands at. */
  void read(JsonParser parser, Target target, String where)
      throws IOException, MalformedException, InterruptedException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new MalformedException("each of 'changes' must be an object");
    }
    op = null;
    table = null;
    before = null;
    after = null;
    unchanged = null;
    insertDone = false;
    place = where;
    EarlyRows early = new EarlyRows();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      field(parser, name, target, early);
    }
    if (op == null) {
      throw new MalformedException("a change has no 'op'");
    }
    if (table == null) {
      throw new MalformedException("a change has no 'table'");
    }
    if (early.has(false)) {
      before = rowReader.keep(early.parser(false), table);
    }
    if (early.has(true)) {
      after = rowReader.keep(early.parser(true), table);
    }
    emit(op, table, target);
  }

  private void field(JsonParser parser, String name, Target target, EarlyRows early)
      throws IOException, MalformedException, InterruptedException {
    switch (name) {
      case "op" -> {
        once(op, name);
        op = Op.read(parser);
      }
      case "table" -> {
        once(table, name);
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
          throw new MalformedException("'table' must be a string");
        }
        table = tables.named(parser.getText());
      }
      case "before", "after" -> row(parser, name, target, early);
      case "unchanged" -> {
        once(unchanged, name);
        unchanged = names(parser);
      }
      default -> throw LineFields.unknown(name, FIELDS);
    }
  }

  private void row(JsonParser parser, String name, Target target, EarlyRows early)
      throws IOException, MalformedException, InterruptedException {
    boolean isAfter = name.equals("after");
    once(isAfter ? after : before, name);
    if ((isAfter && insertDone) || early.has(isAfter)) {
      throw new MalformedException("field '" + name + "' occurs twice");
    }
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    StreamTable of = table;
    if (of == null) {
      early.keep(parser, isAfter);
    } else if (isAfter && op == Op.INSERT && target.wants(of)) {
      insert(parser, of, target);
    } else if (isAfter) {
      after = rowReader.keep(parser, of);
    } else {
      before = rowReader.keep(parser, of);
    }
  }

  /** The plain case: an inserted row goes straight into its vectors. */
  private void insert(JsonParser parser, StreamTable of, Target target)
      throws IOException, MalformedException, InterruptedException {
    insertDone = true;
    ColumnBatchBuilder row =
        target.rows().beginRow(of.schema(), ChangeKind.INSERT, BeforeImage.NONE);
    TableStoppedException unfit = rowReader.read(parser, of, row, place);
    if (unfit == null) {
      target.rows().endRow();
    } else {
      target.unfit(of, unfit);
    }
  }

  private void emit(Op kind, StreamTable of, Target target)
      throws MalformedException, InterruptedException {
    checkParts(kind, of);
    if (!target.wants(of)) {
      return;
    }
    switch (kind) {
      case INSERT -> {
        if (!insertDone) {
          writeAfter(of, ChangeKind.INSERT, target);
        }
      }
      case UPDATE -> update(of, target);
      case DELETE -> {
        List<Cell> old = before == null ? List.of() : before;
        writeOld(of, ChangeKind.DELETE, completeness(of, old), old, target);
      }
      case TRUNCATE -> target.rows().truncated(of.id());
    }
  }

  private void checkParts(Op kind, StreamTable of) throws MalformedException {
    String what = "the " + kind.word() + " of table " + Shown.of(of.id().toString());
    boolean hasAfter = after != null || insertDone;
    boolean needsAfter = kind == Op.INSERT || kind == Op.UPDATE;
    if (hasAfter != needsAfter) {
      throw new MalformedException(what + (needsAfter ? " has no 'after'" : " has an 'after'"));
    }
    if (before != null && (kind == Op.INSERT || kind == Op.TRUNCATE)) {
      throw new MalformedException(what + " has a 'before'");
    }
    if (unchanged != null && !unchanged.isEmpty() && kind != Op.UPDATE) {
      throw new MalformedException(what + " has 'unchanged' columns");
    }
    if (kind == Op.DELETE || before != null) {
      for (int key : of.keyIndexes()) {
        if (before == null || find(before, key) == null) {
          throw new MalformedException(
              what + " lacks key column '" + Shown.of(of.column(key).name()) + "' in 'before'");
        }
      }
    }
  }

  private void update(StreamTable of, Target target)
      throws MalformedException, InterruptedException {
    List<Cell> old = before;
    if (old != null) {
      BeforeImage completeness = completeness(of, old);
      boolean send =
          beforeImage != BeforeImage.NONE
              && (completeness == BeforeImage.FULL || keyChanges(of, old));
      if (send) {
        if (!writeOld(of, ChangeKind.UPDATE_BEFORE, completeness, old, target)) {
          return;
        }
      } else if (!check(of, old, target)) {
        return;
      }
    }
    writeAfter(of, ChangeKind.UPDATE_AFTER, target);
  }

  private BeforeImage completeness(StreamTable of, List<Cell> old) {
    return beforeImage == BeforeImage.FULL && !of.hasAllColumns(old)
        ? BeforeImage.KEY
        : beforeImage;
  }

  private boolean keyChanges(StreamTable of, List<Cell> old) {
    for (int key : of.keyIndexes()) {
      Cell newCell = find(after == null ? List.of() : after, key);
      Cell oldCell = find(old, key);
      boolean delivered = unchanged == null || !unchanged.contains(of.column(key).name());
      if (delivered && (newCell == null || oldCell == null || !newCell.sameValue(oldCell))) {
        return true;
      }
    }
    return false;
  }

  /** Reads old values that are not sent, so that a malformed one is found all the same. */
  private boolean check(StreamTable of, List<Cell> old, Target target) throws MalformedException {
    ColumnBatchBuilder scratch = new ColumnBatchBuilder(of.schema());
    TableStoppedException unfit = rowReader.write(old, of, scratch, place);
    if (unfit != null) {
      target.unfit(of, unfit);
    }
    return unfit == null;
  }

  private boolean writeOld(
      StreamTable of, ChangeKind kind, BeforeImage completeness, List<Cell> old, Target target)
      throws MalformedException, InterruptedException {
    List<Cell> sent = old;
    if (completeness != BeforeImage.FULL) {
      if (!check(of, old, target)) {
        return false;
      }
      sent = new ArrayList<>();
      for (int key : of.keyIndexes()) {
        Cell cell = find(old, key);
        if (cell != null) {
          sent.add(cell);
        }
      }
    }
    ColumnBatchBuilder row = target.rows().beginRow(of.schema(), kind, completeness);
    TableStoppedException unfit = rowReader.write(sent, of, row, place);
    if (unfit != null) {
      target.unfit(of, unfit);
      return false;
    }
    target.rows().endRow();
    return true;
  }

  private void writeAfter(StreamTable of, ChangeKind kind, Target target)
      throws MalformedException, InterruptedException {
    ColumnBatchBuilder row = target.rows().beginRow(of.schema(), kind, BeforeImage.NONE);
    of.beginRow();
    List<Cell> filled = fill(of, row);
    TableStoppedException unfit = rowReader.write(filled, of, row, place);
    if (unfit == null) {
      unfit = rowReader.missing(of, place);
    }
    if (unfit != null) {
      target.unfit(of, unfit);
    } else {
      target.rows().endRow();
    }
  }

  /** The new row, with unchanged columns taken from the old one or marked as undelivered. */
  private List<Cell> fill(StreamTable of, ColumnBatchBuilder row) throws MalformedException {
    List<Cell> cells = after == null ? List.of() : after;
    if (unchanged == null || unchanged.isEmpty()) {
      return cells;
    }
    List<Cell> filled = new ArrayList<>(cells);
    for (String name : unchanged) {
      int column =
          of.declared()
              .indexOf(name)
              .orElseThrow(() -> new MalformedException("'unchanged': " + of.unknownColumn(name)));
      if (find(cells, column) != null) {
        throw new MalformedException(
            "column '" + Shown.of(name) + "' stands both in 'after' and in 'unchanged'");
      }
      Cell old = before == null ? null : find(before, column);
      if (old != null) {
        filled.add(old);
      } else {
        of.markPresent(column);
        if (of.target(column) >= 0) {
          row.setUndelivered(of.target(column));
        }
      }
    }
    return filled;
  }

  private static @Nullable Cell find(List<Cell> cells, int column) {
    for (Cell cell : cells) {
      if (cell.column() == column) {
        return cell;
      }
    }
    return null;
  }

  private static List<String> names(JsonParser parser) throws IOException, MalformedException {
    List<String> names = new ArrayList<>();
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return names;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new MalformedException("'unchanged' must be a list of column names");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_STRING || names.contains(parser.getText())) {
        throw new MalformedException("'unchanged' must be a list of different column names");
      }
      names.add(parser.getText());
    }
    return names;
  }

  private static void once(@Nullable Object earlier, String name) throws MalformedException {
    if (earlier != null) {
      throw new MalformedException("field '" + name + "' occurs twice");
    }
  }
}
