package io.corehub.hub.debezium;

import io.debezium.data.VariableScaleDecimal;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * JSON text of arrays, maps and structs: decimals as numbers with all their digits, dates and times
 * as ISO-8601 text, bytes as base64, NaN and infinities as text, map keys in order. The same value
 * always gives the same text. Stateless.
 */
final class ConnectJson {

  private ConnectJson() {}

  static String text(Schema schema, Object value) {
    StringBuilder out = new StringBuilder();
    append(out, schema, value);
    return out.toString();
  }

  private static void append(StringBuilder out, Schema schema, @Nullable Object value) {
    if (value == null) {
      out.append("null");
      return;
    }
    if (schema.name() != null && appendNamed(out, schema.name(), value)) {
      return;
    }
    switch (schema.type()) {
      case INT8, INT16, INT32, INT64, BOOLEAN -> out.append(value);
      case FLOAT32, FLOAT64 -> appendFloat(out, (Number) value);
      case STRING -> appendText(out, (String) value);
      case BYTES -> {
        if (value instanceof BigDecimal decimal) {
          out.append(decimal.toPlainString());
        } else {
          appendText(out, Base64.getEncoder().encodeToString(bytes(value)));
        }
      }
      case ARRAY -> {
        char separator = '[';
        for (Object element : (List<?>) value) {
          out.append(separator);
          append(out, schema.valueSchema(), element);
          separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
      }
      case MAP -> {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        ((Map<?, ?>) value).forEach((key, element) -> sorted.put(String.valueOf(key), element));
        char separator = '{';
        for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
          out.append(separator);
          appendText(out, entry.getKey());
          out.append(':');
          append(out, schema.valueSchema(), entry.getValue());
          separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
      }
      case STRUCT -> {
        Struct struct = (Struct) value;
        char separator = '{';
        for (Field field : schema.fields()) {
          out.append(separator);
          appendText(out, field.name());
          out.append(':');
          append(out, field.schema(), struct.getWithoutDefault(field.name()));
          separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
      }
    }
  }

  private static boolean appendNamed(StringBuilder out, String name, Object value) {
    switch (name) {
      case VariableScaleDecimal.LOGICAL_NAME ->
          out.append(ConnectColumns.variableScale((Struct) value).toPlainString());
      case ConnectColumns.DATE, ConnectColumns.CONNECT_DATE ->
          appendText(out, ConnectTimes.dateText(ConnectTimes.date(days(value))));
      case ConnectColumns.MICRO_TIME ->
          appendText(out, ConnectTimes.timeText(ConnectTimes.timeOfDay(number(value))));
      case ConnectColumns.MILLI_TIME, ConnectColumns.CONNECT_TIME ->
          appendText(out, ConnectTimes.timeText(ConnectTimes.timeOfDay(number(value) * 1000)));
      case ConnectColumns.MICRO_TIMESTAMP ->
          appendText(out, ConnectTimes.timestampText(ConnectTimes.timestamp(number(value))));
      case ConnectColumns.MILLI_TIMESTAMP, ConnectColumns.CONNECT_TIMESTAMP ->
          appendText(
              out, ConnectTimes.timestampText(ConnectTimes.timestampOfMillis(number(value))));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static long days(Object value) {
    return value instanceof Date date
        ? Math.floorDiv(date.toInstant().toEpochMilli(), 86_400_000L)
        : ((Number) value).longValue();
  }

  private static long number(Object value) {
    return value instanceof Date date
        ? date.toInstant().toEpochMilli()
        : ((Number) value).longValue();
  }

  private static void appendFloat(StringBuilder out, Number value) {
    if (Double.isFinite(value.doubleValue())) {
      out.append(value);
    } else {
      appendText(out, value.toString());
    }
  }

  static byte[] bytes(Object value) {
    if (value instanceof byte[] array) {
      return array;
    }
    ByteBuffer view = ((ByteBuffer) value).duplicate();
    byte[] copy = new byte[view.remaining()];
    view.get(copy);
    return copy;
  }

  private static void appendText(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
