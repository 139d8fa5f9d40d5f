package io.corehub.hub.debezium;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What Debezium puts in the place of a value that the source did not send because it did not change
 * (an unchanged TOAST value of PostgreSQL). The text is chosen anew at each start, so that no value
 * of a table can be taken for it. Immutable.
 */
final class UnavailableValue {

  private final String text;
  private final ByteBuffer bytes;
  private final List<List<?>> lists;
  private final Map<String, String> map;

  UnavailableValue(String text) {
    this.text = text;
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    this.bytes = ByteBuffer.wrap(utf8).asReadOnlyBuffer();
    List<Integer> ints = new ArrayList<>();
    List<Long> longs = new ArrayList<>();
    for (byte b : utf8) {
      ints.add((int) b);
      longs.add((long) b);
    }
    this.lists =
        List.of(List.of(text), List.of(UUID.nameUUIDFromBytes(utf8).toString()), ints, longs);
    this.map = Map.of(text, text);
  }

  static UnavailableValue random(RandomGenerator random) {
    return new UnavailableValue(
        "unchanged-" + Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()));
  }

  /** The text for Debezium's {@code unavailable.value.placeholder}. */
  String text() {
    return text;
  }

  boolean is(Object value) {
    if (value instanceof String string) {
      return string.equals(text);
    }
    if (value instanceof byte[] array) {
      return bytes.equals(ByteBuffer.wrap(array));
    }
    if (value instanceof ByteBuffer buffer) {
      return buffer.equals(bytes);
    }
    if (value instanceof List<?> list) {
      return lists.contains(list) || (list.size() == 1 && isBytes(list.get(0)));
    }
    return map.equals(value);
  }

  private boolean isBytes(Object element) {
    return (element instanceof ByteBuffer || element instanceof byte[]) && is(element);
  }
}
