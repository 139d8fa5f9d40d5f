package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaderName;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the answers to HEAD and GET say in their headers. Stateless. */
final class Answers {
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,18})-.*");

  private Answers() {}

  static long length(BufferedAnswer answer, Call call) {
    String text = Failures.header(answer, HttpHeaderName.CONTENT_LENGTH);
    if (!LENGTH.matcher(text).matches()) {
      throw unexpected(answer, call, "has no Content-Length");
    }
    return Long.parseLong(text);
  }

  static Instant lastModified(BufferedAnswer answer, Call call) {
    String text = Failures.header(answer, HttpHeaderName.LAST_MODIFIED);
    try {
      return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
    } catch (DateTimeException e) {
      throw unexpected(answer, call, "has no readable Last-Modified");
    }
  }

  /** Whether the body begins at this offset of the file. */
  static boolean beginsAt(BufferedAnswer answer, long offset) {
    if (answer.getStatusCode() != 206) {
      return offset == 0;
    }
    Matcher range = RANGE.matcher(Failures.header(answer, HttpHeaderName.CONTENT_RANGE));
    return range.matches() && Long.parseLong(range.group(1)) == offset;
  }

  private static DfsException unexpected(BufferedAnswer answer, Call call, String what) {
    return DfsException.of(Kind.UNEXPECTED_ANSWER, call.operation())
        .status(answer.getStatusCode())
        .build(call.operation() + " of " + call.path() + ": the answer " + what + ".");
  }
}
