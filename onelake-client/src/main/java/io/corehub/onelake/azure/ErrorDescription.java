package io.corehub.onelake.azure;

import io.corehub.onelake.internal.LogText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a refused token request says of itself. Stateless. */
final class ErrorDescription {
  private static final Pattern DESCRIPTION =
      Pattern.compile("\"error_description\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.){0,2000})\"");

  private ErrorDescription() {}

  /** The sentence before Entra's trace ids, fit for a log line; empty when there is none. */
  static String of(String body) {
    Matcher match = DESCRIPTION.matcher(body);
    if (!match.find()) {
      return "";
    }
    String text = match.group(1).replace("\\r", " ").replace("\\n", " ").replace("\\u0027", "'");
    int end = text.indexOf("Trace ID");
    return LogText.safe(end < 0 ? text : text.substring(0, end)).strip();
  }
}
