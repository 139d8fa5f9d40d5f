package io.corehub.verify;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The text of a {@code cdc.chain} entry, good unless a field is set otherwise. */
final class ChainText {
  private final Map<String, String> fields = new LinkedHashMap<>();

  private ChainText(int seq) {
    set("v", "1").text("pipeline", "shop").text("table", "Orders").text("incarnation", id(1000));
    set("seq", Integer.toString(seq)).text("fileId", id(seq));
    set("epoch", "7").text("writer", id(2000));
    if (seq > 1) {
      text("prev", id(seq - 1));
    }
    text("schema", "2-00000000").text("keys", "[\"id\"]");
  }

  /** File {@code seq}, with commits at positions {@code seq * 10} to {@code seq * 10 + 5}. */
  static ChainText changes(int seq) {
    return new ChainText(seq)
        .text("kind", "changes")
        .text("timeline", "t")
        .text("from", Integer.toString(seq * 10))
        .text("to", Integer.toString(seq * 10 + 5))
        .set("toDone", "true")
        .set("rows", "1");
  }

  static ChainText snapshot(int seq) {
    return new ChainText(seq)
        .text("kind", "snapshot")
        .text("timeline", "t")
        .set("snap", "{\"id\":\"s\",\"chunk\":0,\"last\":true,\"low\":\"5\"}")
        .set("rows", "1");
  }

  static String id(int number) {
    return String.format("00000000-0000-4000-8000-%012d", number);
  }

  ChainText set(String field, String json) {
    fields.put(field, json);
    return this;
  }

  ChainText text(String field, String text) {
    return set(field, '"' + text.replace("\"", "\\\"") + '"');
  }

  @Override
  public String toString() {
    return fields.entrySet().stream()
        .map(field -> '"' + field.getKey() + "\":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
