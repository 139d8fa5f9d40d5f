package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rows of a change that stand before the name of their table. Confined to one caller. */
final class EarlyRows {

  private @Nullable TokenBuffer before;
  private @Nullable TokenBuffer after;

  boolean has(boolean isAfter) {
    return (isAfter ? after : before) != null;
  }

  /** Keeps the value the parser stands at. */
  void keep(JsonParser parser, boolean isAfter) throws IOException {
    TokenBuffer tokens = new TokenBuffer(parser);
    tokens.copyCurrentStructure(parser);
    if (isAfter) {
      after = tokens;
    } else {
      before = tokens;
    }
  }

  /** A parser that stands at the kept value. */
  JsonParser parser(boolean isAfter) throws IOException {
    TokenBuffer tokens = isAfter ? after : before;
    if (tokens == null) {
      throw new IllegalStateException("No row was kept");
    }
    return tokens.asParserOnFirstToken();
  }
}
