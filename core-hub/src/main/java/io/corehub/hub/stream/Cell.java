package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonToken;

/**
 * A value of a row that is kept until the whole change is known. Immutable.
 *
 * @param column index in the declared table
 * @param token kind of value
 * @param text the value; arrays and objects as compact JSON
 */
record Cell(int column, JsonToken token, String text) {

  boolean isNull() {
    return token == JsonToken.VALUE_NULL;
  }

  boolean sameValue(Cell other) {
    return token == other.token && text.equals(other.text);
  }
}
