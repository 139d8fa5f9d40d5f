package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** What a change does. */
enum Op {
  INSERT("insert"),
  UPDATE("update"),
  DELETE("delete"),
  TRUNCATE("truncate");

  private static final Op[] ALL = values();

  private final String word;

  Op(String word) {
    this.word = word;
  }

  /** The word in the file. */
  String word() {
    return word;
  }

  /** The operation named by the value the parser stands at. */
  static Op read(JsonParser parser) throws IOException, MalformedException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      String text = parser.getText();
      for (Op op : ALL) {
        if (op.word.equals(text)) {
          return op;
        }
      }
    }
    throw new MalformedException(
        "'op' is "
            + CellReader.shown(parser.currentToken(), parser.getText())
            + ", but must be insert, update, delete or truncate");
  }
}
