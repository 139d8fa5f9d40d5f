package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.regex.Pattern;

/** Turns JSON values into cells of column batches. Confined to one caller. */
final class CellReader {

  /** Digits a decimal may have; the largest a known database holds are below. */
  private static final int MAX_DECIMAL_DIGITS = 200_000;

  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private final JsonFactory json;
  private final TemporalText temporal = new TemporalText();

  CellReader(JsonFactory json) {
    this.json = json;
  }

  /** Values whose digits below a microsecond were cut, since the last call. */
  long takeTruncated() {
    return temporal.takeTruncated();
  }

  /** Text of the value the parser stands at; arrays and objects as compact JSON. */
  String text(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.START_ARRAY && token != JsonToken.START_OBJECT) {
      return parser.getText();
    }
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(out)) {
      copy(parser, generator);
    }
    return out.toString();
  }

  /** Copies a value as it is written: numbers keep their digits. */
  private static void copy(JsonParser parser, JsonGenerator out) throws IOException {
    int depth = 0;
    do {
      switch (parser.currentToken()) {
        case START_ARRAY -> {
          out.writeStartArray();
          depth++;
        }
        case START_OBJECT -> {
          out.writeStartObject();
          depth++;
        }
        case END_ARRAY -> {
          out.writeEndArray();
          depth--;
        }
        case END_OBJECT -> {
          out.writeEndObject();
          depth--;
        }
        case FIELD_NAME -> out.writeFieldName(parser.currentName());
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(parser.getText());
        case VALUE_STRING -> out.writeString(parser.getText());
        default -> out.copyCurrentEvent(parser);
      }
      if (depth > 0) {
        parser.nextToken();
      }
    } while (depth > 0);
  }

  /**
   * Sets a cell from the value the parser stands at; consumes exactly that value.
   *
   * @throws MalformedException if it is not a value of the column's type
   * @throws UnfitException if it is, but does not fit the column
   */
  void set(JsonParser parser, Column column, int index, ColumnBatchBuilder row)
      throws IOException, MalformedException, UnfitException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT) {
      int value = parser.getIntValue();
      switch (column.type().kind()) {
        case INT -> {
          row.setInt(index, value);
          return;
        }
        case LONG -> {
          row.setLong(index, value);
          return;
        }
        default -> {}
      }
    }
    set(parser.currentToken(), text(parser), column, index, row);
  }

  /** The same from a token and its text, as {@link #text(JsonParser)} gives it. */
  void set(JsonToken token, String text, Column column, int index, ColumnBatchBuilder row)
      throws MalformedException, UnfitException {
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    ColumnType type = column.type();
    switch (type.kind()) {
      case SHORT -> row.setInt(index, (int) whole(token, text, Short.MIN_VALUE, Short.MAX_VALUE));
      case INT -> row.setInt(index, (int) whole(token, text, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case LONG -> row.setLong(index, whole(token, text, Long.MIN_VALUE, Long.MAX_VALUE));
      case FLOAT -> row.setFloat(index, floatValue(token, text));
      case DOUBLE -> row.setDouble(index, doubleValue(token, text));
      case BIG_DECIMAL -> setDecimal(token, text, index, row);
      case BOOLEAN -> row.setBoolean(index, booleanValue(token));
      case STRING -> row.setText(index, string(token, text, "a string"));
      case BYTE_ARRAY -> row.setBytes(index, bytes(token, text));
      case LOCAL_DATE -> row.setInt(index, temporal.date(string(token, text, "an ISO-8601 date")));
      case LOCAL_TIME ->
          row.setLong(index, temporal.time(string(token, text, "an ISO-8601 time without offset")));
      case OFFSET_TIME ->
          row.setLong(
              index, temporal.offsetTime(string(token, text, "an ISO-8601 time with offset")));
      case LOCAL_DATE_TIME ->
          row.setLong(
              index,
              temporal.dateTime(string(token, text, "an ISO-8601 timestamp without offset")));
      case OFFSET_DATE_TIME ->
          row.setLong(
              index, temporal.instant(string(token, text, "an ISO-8601 timestamp with offset")));
      case ARRAY -> row.setText(index, structure(token, JsonToken.START_ARRAY, text, "an array"));
      case MAP -> row.setText(index, structure(token, JsonToken.START_OBJECT, text, "an object"));
    }
  }

  private static long whole(JsonToken token, String text, long min, long max)
      throws MalformedException, UnfitException {
    if (token == JsonToken.VALUE_NUMBER_INT && text.length() <= 18) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
      throw range(min, max);
    }
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw new MalformedException("a whole number is expected");
    }
    BigDecimal value = decimal(text).stripTrailingZeros();
    if (value.scale() > 0) {
      throw new MalformedException("a whole number is expected");
    }
    if (value.precision() - (long) value.scale() > 19
        || value.compareTo(LONG_MIN) < 0
        || value.compareTo(LONG_MAX) > 0) {
      throw range(min, max);
    }
    long number = value.longValueExact();
    if (number < min || number > max) {
      throw range(min, max);
    }
    return number;
  }

  private static UnfitException range(long min, long max) {
    return new UnfitException("it takes whole numbers from " + min + " to " + max);
  }

  private static float floatValue(JsonToken token, String text)
      throws MalformedException, UnfitException {
    if (token == JsonToken.VALUE_STRING) {
      return (float) special(text);
    }
    requireNumber(token);
    float value = Float.parseFloat(text);
    if (Float.isInfinite(value)) {
      throw new UnfitException("it takes numbers up to " + Float.MAX_VALUE + " either way");
    }
    return value;
  }

  private static double doubleValue(JsonToken token, String text)
      throws MalformedException, UnfitException {
    if (token == JsonToken.VALUE_STRING) {
      return special(text);
    }
    requireNumber(token);
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new UnfitException("it takes numbers up to " + Double.MAX_VALUE + " either way");
    }
    return value;
  }

  private static double special(String text) throws MalformedException {
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw new MalformedException(
              "a number, \"NaN\", \"Infinity\" or \"-Infinity\" is expected");
    };
  }

  private static void requireNumber(JsonToken token) throws MalformedException {
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw new MalformedException("a number is expected");
    }
  }

  private static void setDecimal(JsonToken token, String text, int index, ColumnBatchBuilder row)
      throws MalformedException, UnfitException {
    if (token != JsonToken.VALUE_STRING) {
      requireNumber(token);
    } else if (text.matches("(?i)NaN|[+-]?Infinity")) {
      throw new UnfitException("a decimal has neither NaN nor infinity");
    }
    BigDecimal value = decimal(text);
    long digits = Math.max(value.precision(), Math.abs((long) value.scale()));
    boolean declared = !row.schema().columns().get(index).type().decimalWithoutPrecision();
    if (!declared && value.signum() != 0 && digits > MAX_DECIMAL_DIGITS) {
      throw new UnfitException("it has more than " + MAX_DECIMAL_DIGITS + " digits");
    }
    try {
      row.setDecimal(
          index,
          declared || value.signum() != 0 || digits <= MAX_DECIMAL_DIGITS
              ? value
              : BigDecimal.ZERO);
    } catch (ArithmeticException e) {
      throw new UnfitException(String.valueOf(e.getMessage()));
    }
  }

  private static BigDecimal decimal(String text) throws MalformedException, UnfitException {
    if (text.length() > MAX_DECIMAL_DIGITS) {
      throw new MalformedException("the number has " + text.length() + " digits");
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      if (DECIMAL.matcher(text).matches()) {
        throw new UnfitException("its exponent is beyond any column");
      }
      throw new MalformedException("a decimal number is expected");
    }
  }

  private static boolean booleanValue(JsonToken token) throws MalformedException {
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw new MalformedException("true or false is expected");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private static byte[] bytes(JsonToken token, String text) throws MalformedException {
    try {
      return Base64.getDecoder().decode(string(token, text, "base64"));
    } catch (IllegalArgumentException e) {
      throw new MalformedException("base64 is expected");
    }
  }

  private static String string(JsonToken token, String text, String expected)
      throws MalformedException {
    if (token != JsonToken.VALUE_STRING) {
      throw new MalformedException(expected + " is expected");
    }
    return text;
  }

  private static String structure(JsonToken token, JsonToken wanted, String text, String expected)
      throws MalformedException {
    if (token != wanted) {
      throw new MalformedException(expected + " is expected");
    }
    return text;
  }

  /** A value as it stands in a message. */
  static String shown(JsonToken token, String text) {
    return token == JsonToken.VALUE_STRING ? "\"" + Shown.of(text) + "\"" : Shown.of(text);
  }

  /** An unsigned 64-bit number. */
  static long unsigned(JsonToken token, String text, String name) throws MalformedException {
    if (token == JsonToken.VALUE_NUMBER_INT && text.length() <= 20) {
      BigInteger value = new BigInteger(text);
      if (value.signum() >= 0 && value.bitLength() <= 64) {
        return value.longValue();
      }
    }
    throw new MalformedException(
        "'"
            + name
            + "' is "
            + shown(token, text)
            + ", but must be a whole number from 0 to 18446744073709551615");
  }
}
