package io.corehub.agent;

/** Keeps a message on one line, whatever names and values of the source it tells. Stateless. */
final class OneLine {

  private OneLine() {}

  /** The message with control, direction and line characters written as escapes. */
  static String of(String message) {
    if (message.codePoints().noneMatch(OneLine::hidden)) {
      return message;
    }
    StringBuilder line = new StringBuilder(message.length() + 16);
    message
        .codePoints()
        .forEach(
            c -> {
              if (hidden(c)) {
                line.append(String.format("\\u%04x", c));
              } else {
                line.appendCodePoint(c);
              }
            });
    return line.toString();
  }

  private static boolean hidden(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
