package io.corehub.cyclereader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TargetType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Base64;
import java.util.Optional;

/** Turns the text of a value of CSV into the form of change-stream files. Thread-safe. */
interface ValueForm {

  /** Reads JSON text that is a value. */
  ObjectMapper JSON =
      new ObjectMapper(JsonFactory.builder().build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

  /** As it is. */
  ValueForm TEXT = TextNode::valueOf;

  /**
   * A value.
   *
   * @param text as the file holds it
   * @throws RuntimeException if it is none of the column's type
   */
  JsonNode of(String text);

  /**
   * The form of a column.
   *
   * @param source type in the source, such as {@code BIG_DECIMAL(10,2)}
   * @param target type asked for in the target
   * @throws IllegalArgumentException if there is no such type
   */
  static ValueForm of(String source, Optional<String> target) {
    if (target.isPresent()) {
      return ofTarget(TargetType.parse(target.get()).kind());
    }
    int parameters = source.indexOf('(');
    return ofSource(
        ColumnType.kindNamed(parameters < 0 ? source : source.substring(0, parameters)));
  }

  private static ValueForm ofSource(Kind kind) {
    return switch (kind) {
      case SHORT -> text -> IntNode.valueOf(Short.parseShort(text));
      case INT -> text -> IntNode.valueOf(Integer.parseInt(text));
      case LONG -> text -> LongNode.valueOf(Long.parseLong(text));
      case FLOAT -> ValueForm::floating;
      case DOUBLE -> ValueForm::doubles;
      case BIG_DECIMAL -> ValueForm::decimal;
      case BOOLEAN -> ValueForm::bool;
      case STRING -> TEXT;
      case BYTE_ARRAY -> ValueForm::bytes;
      case LOCAL_DATE -> text -> TextNode.valueOf(LocalDate.parse(text).toString());
      case LOCAL_TIME -> text -> time(text, "");
      case OFFSET_TIME -> text -> time(text, "Z");
      case LOCAL_DATE_TIME -> text -> timestamp(text, "");
      case OFFSET_DATE_TIME -> text -> timestamp(text, "Z");
      case ARRAY, MAP -> ValueForm::json;
    };
  }

  private static ValueForm ofTarget(TargetType.Kind kind) {
    return switch (kind) {
      case SMALLINT -> ofSource(Kind.SHORT);
      case INT -> ofSource(Kind.INT);
      case LONG -> ofSource(Kind.LONG);
      case FLOAT -> ofSource(Kind.FLOAT);
      case DOUBLE -> ofSource(Kind.DOUBLE);
      case BIGDECIMAL -> ofSource(Kind.BIG_DECIMAL);
      case BOOLEAN -> ofSource(Kind.BOOLEAN);
      case STRING -> TEXT;
      case BINARY -> ofSource(Kind.BYTE_ARRAY);
      case DATE -> ofSource(Kind.LOCAL_DATE);
      case TIME -> ofSource(Kind.LOCAL_TIME);
      case OFFSET_TIME -> ofSource(Kind.OFFSET_TIME);
      case DATETIME -> ofSource(Kind.LOCAL_DATE_TIME);
      case OFFSET_DATE_TIME, TIMESTAMP -> ofSource(Kind.OFFSET_DATE_TIME);
    };
  }

  /** A number, or the text of one that JSON has not. */
  static JsonNode floating(float number) {
    return Float.isFinite(number)
        ? FloatNode.valueOf(number)
        : TextNode.valueOf(Float.toString(number));
  }

  /** A number, or the text of one that JSON has not. */
  static JsonNode floating(double number) {
    return Double.isFinite(number)
        ? DoubleNode.valueOf(number)
        : TextNode.valueOf(Double.toString(number));
  }

  private static JsonNode floating(String text) {
    return floating(Float.parseFloat(text));
  }

  private static JsonNode doubles(String text) {
    return floating(Double.parseDouble(text));
  }

  private static JsonNode decimal(String text) {
    return TextNode.valueOf(new BigDecimal(text).toPlainString());
  }

  private static JsonNode bool(String text) {
    return switch (text) {
      case "true" -> BooleanNode.TRUE;
      case "false" -> BooleanNode.FALSE;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static JsonNode bytes(String text) {
    return TextNode.valueOf(Base64.getEncoder().encodeToString(Base64.getDecoder().decode(text)));
  }

  private static JsonNode time(String text, String zone) {
    LocalTime time = LocalTime.parse(withoutZone(text, zone), Formats.TIME);
    return TextNode.valueOf(DateTimeFormatter.ISO_LOCAL_TIME.format(time) + zone);
  }

  private static JsonNode timestamp(String text, String zone) {
    LocalDateTime time = LocalDateTime.parse(withoutZone(text, zone), Formats.TIMESTAMP);
    return TextNode.valueOf(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time) + zone);
  }

  private static String withoutZone(String text, String zone) {
    if (!text.endsWith(zone)) {
      throw new IllegalArgumentException("no " + zone + " at its end");
    }
    return text.substring(0, text.length() - zone.length());
  }

  /** Text that is JSON as the value it is. */
  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON", e);
    }
  }

  /** The layout's forms of times. */
  final class Formats {
    static final DateTimeFormatter TIME = format("HH:mm:ss.SSSSSS");
    static final DateTimeFormatter TIMESTAMP = format("uuuu-MM-dd HH:mm:ss.SSSSSS");

    private Formats() {}

    private static DateTimeFormatter format(String pattern) {
      return DateTimeFormatter.ofPattern(pattern).withResolverStyle(ResolverStyle.STRICT);
    }
  }
}
