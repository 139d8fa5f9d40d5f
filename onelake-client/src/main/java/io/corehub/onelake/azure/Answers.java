package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaderName;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the answers to HEAD and GET say in their headers. Stateless. */
final class Answers {
  private static final HttpHeaderName RESOURCE_TYPE =
      HttpHeaderName.fromString("x-ms-resource-type");
  private static final HttpHeaderName FOLDER_MARK =
      HttpHeaderName.fromString("x-ms-meta-hdi_isfolder");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,18})-.*");

  private Answers() {}

  static PathProperties properties(BufferedAnswer answer, Call call) {
    boolean directory =
        Failures.header(answer, RESOURCE_TYPE).equalsIgnoreCase("directory")
            || Failures.header(answer, FOLDER_MARK).equalsIgnoreCase("true");
    return new PathProperties(
        directory,
        directory ? 0 : length(answer, call),
        lastModified(answer, call),
        Failures.header(answer, HttpHeaderName.ETAG));
  }

  private static long length(BufferedAnswer answer, Call call) {
    String text = Failures.header(answer, HttpHeaderName.CONTENT_LENGTH);
    if (!LENGTH.matcher(text).matches()) {
      throw unexpected(answer, call, "has no Content-Length");
    }
    return Long.parseLong(text);
  }

  private static Instant lastModified(BufferedAnswer answer, Call call) {
    String text = Failures.header(answer, HttpHeaderName.LAST_MODIFIED);
    try {
      return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
    } catch (DateTimeException e) {
      throw unexpected(answer, call, "has no readable Last-Modified");
    }
  }

  /**
   * The bytes asked for, from an answer that may hold the whole file when its beginning was asked
   * for.
   */
  static byte[] range(BufferedAnswer answer, long offset, int length, Call call) {
    byte[] body = answer.body();
    if (answer.getStatusCode() != 206) {
      if (offset != 0) {
        throw unexpected(answer, call, "is the whole file instead of a range");
      }
      return body.length > length ? Arrays.copyOf(body, length) : body;
    }
    Matcher range = RANGE.matcher(Failures.header(answer, HttpHeaderName.CONTENT_RANGE));
    if (!range.matches() || Long.parseLong(range.group(1)) != offset || body.length > length) {
      throw unexpected(answer, call, "is another range than the one asked for");
    }
    return body;
  }

  private static DfsException unexpected(BufferedAnswer answer, Call call, String what) {
    return DfsException.of(Kind.UNEXPECTED_ANSWER, call.operation())
        .status(answer.getStatusCode())
        .build(call.operation() + " of " + call.path() + ": the answer " + what + ".");
  }
}
