package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the JSON objects that are rows. Confined to one caller. */
final class RowReader {

  private final CellReader cells;
  private final RowLimit limit;

  RowReader(CellReader cells, RowLimit limit) {
    this.cells = cells;
    this.limit = limit;
  }

  /**
   * Reads the row the parser stands at straight into a builder; the row is left open.
   *
   * @return why the row does not fit its table; null if it fits. The parser stands at the row's end
   *     either way
   */
  @Nullable TableStoppedException read(
      JsonParser parser, StreamTable table, ColumnBatchBuilder row, String place)
      throws IOException, MalformedException {
    requireObject(parser, table);
    table.beginRow();
    Refusal unfit = null;
    int guess = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      int column = table.find(parser.currentName(), guess);
      guess = column + 1;
      JsonToken token = parser.nextToken();
      if (token != JsonToken.VALUE_NULL) {
        table.markPresent(column);
        if (table.isKey(column) && token.isScalarValue()) {
          table.keyValue(column, parser.getText());
        }
      }
      if (unfit != null || table.target(column) < 0) {
        parser.skipChildren();
      } else {
        unfit = set(parser, table, column, row);
      }
    }
    return unfit == null ? missing(table, place) : unfit.in(table, place);
  }

  /** Why a row is refused; its key may come later in the line. */
  private interface Refusal {
    TableStoppedException in(StreamTable table, String place);
  }

  private record Unfit(int column, String value, String reason) implements Refusal {

    @Override
    public TableStoppedException in(StreamTable table, String place) {
      return table.unfit(column, value, reason, place);
    }
  }

  private record TooLarge(int column, String reason) implements Refusal {

    @Override
    public TableStoppedException in(StreamTable table, String place) {
      return table.tooLarge(column, reason, place);
    }
  }

  private @Nullable Refusal set(
      JsonParser parser, StreamTable table, int column, ColumnBatchBuilder row)
      throws IOException, MalformedException {
    JsonToken token = parser.currentToken();
    try {
      cells.set(parser, table.column(column), table.target(column), row);
      return limit.isExceededBy(row) ? new TooLarge(column, limit.reason(row.rowBytes())) : null;
    } catch (UnfitException e) {
      return new Unfit(column, shown(parser, token), String.valueOf(e.getMessage()));
    } catch (MalformedException e) {
      throw malformed(table, column, shown(parser, token), e);
    } catch (StreamConstraintsException e) {
      throw tooLong(parser, table, column);
    }
  }

  /** Nothing behind such a value can be read. */
  private static MalformedException tooLong(JsonParser parser, StreamTable table, int column) {
    StreamReadConstraints limits = parser.streamReadConstraints();
    String value =
        "table "
            + Shown.of(table.id().toString())
            + table.key()
            + ": the value of column '"
            + Shown.of(table.column(column).name())
            + "' ";
    if (parser.getParsingContext().getNestingDepth() >= limits.getMaxNestingDepth()) {
      return new MalformedException(
          value
              + "is nested more deeply than the "
              + limits.getMaxNestingDepth()
              + " levels that a line may have. Take it out of the source");
    }
    return new MalformedException(
        value
            + "has more than "
            + limits.getMaxStringLength()
            + " characters, the most that a heap of "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB takes. Start again with a heap of twelve times the value's size"
            + " (HUB_JAVA_OPTS=-Xmx…), at most 1 GB for a value, or take the value out of the source");
  }

  /** Values are scalars here: the text of an array or object is gone once it was read. */
  private static String shown(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      default -> CellReader.shown(token, parser.getText());
    };
  }

  /** Reads the row the parser stands at, to be written later. */
  List<Cell> keep(JsonParser parser, StreamTable table) throws IOException, MalformedException {
    requireObject(parser, table);
    table.beginRow();
    List<Cell> kept = new ArrayList<>();
    long characters = 0;
    int guess = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      int column = table.find(parser.currentName(), guess);
      guess = column + 1;
      JsonToken token = parser.nextToken();
      try {
        Cell cell = new Cell(column, token, cells.text(parser));
        kept.add(cell);
        characters += cell.text().length();
      } catch (StreamConstraintsException e) {
        throw tooLong(parser, table, column);
      }
      if (characters > limit.bytes()) {
        throw new MalformedException(
            "table "
                + Shown.of(table.id().toString())
                + table.key()
                + ", column '"
                + Shown.of(table.column(column).name())
                + "': "
                + limit.reason(characters));
      }
    }
    return kept;
  }

  /**
   * Writes kept values into an open row.
   *
   * @return why a value does not fit; null if all do
   */
  @Nullable TableStoppedException write(
      List<Cell> kept, StreamTable table, ColumnBatchBuilder row, String place)
      throws MalformedException {
    for (Cell cell : kept) {
      if (table.isKey(cell.column()) && !cell.isNull()) {
        table.keyValue(cell.column(), cell.text());
      }
    }
    for (Cell cell : kept) {
      if (!cell.isNull()) {
        table.markPresent(cell.column());
      }
      int target = table.target(cell.column());
      if (target >= 0) {
        try {
          cells.set(cell.token(), cell.text(), table.column(cell.column()), target, row);
          if (limit.isExceededBy(row)) {
            return table.tooLarge(cell.column(), limit.reason(row.rowBytes()), place);
          }
        } catch (UnfitException e) {
          return table.unfit(
              cell.column(),
              CellReader.shown(cell.token(), cell.text()),
              String.valueOf(e.getMessage()),
              place);
        } catch (MalformedException e) {
          throw malformed(table, cell.column(), CellReader.shown(cell.token(), cell.text()), e);
        }
      }
    }
    return null;
  }

  /** Why the row under way lacks a value it must have; null if it lacks none. */
  @Nullable TableStoppedException missing(StreamTable table, String place) {
    int column = table.missingValue();
    return column < 0 ? null : table.unfit(column, "NULL", "it takes no NULL", place);
  }

  private static MalformedException malformed(
      StreamTable table, int column, String value, MalformedException reason) {
    return new MalformedException(
        "column '"
            + Shown.of(table.column(column).name())
            + "' of table "
            + Shown.of(table.id().toString())
            + " is of type "
            + table.column(column).type()
            + " and cannot be "
            + value
            + ": "
            + reason.getMessage());
  }

  private static void requireObject(JsonParser parser, StreamTable table)
      throws MalformedException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new MalformedException(
          "a row of table " + Shown.of(table.id().toString()) + " must be an object");
    }
  }
}
