package io.corehub.hub.cli;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.corehub.hub.source.Shown;
import org.jspecify.annotations.Nullable;

/**
 * The exception of a log event with its stack and causes, its messages on one line each, so that
 * none can pass for a log line of its own. Named in {@code logback.xml}. Thread-safe.
 */
public final class LogFailure extends ThrowableHandlingConverter {

  private static final String END = System.lineSeparator();

  @Override
  public String convert(ILoggingEvent event) {
    StringBuilder out = new StringBuilder();
    append(out, "", 0, event.getThrowableProxy());
    return out.toString();
  }

  private static void append(
      StringBuilder out, String lead, int depth, @Nullable IThrowableProxy failure) {
    if (failure == null) {
      return;
    }
    ThrowableProxyUtil.indent(out, depth);
    out.append(lead).append(failure.getClassName());
    if (failure.getMessage() != null) {
      out.append(": ").append(Shown.line(failure.getMessage()));
    }
    if (failure.isCyclic()) {
      out.append(" (told above)").append(END);
      return;
    }
    out.append(END);
    ThrowableProxyUtil.subjoinSTEPArray(out, depth + 1, failure);
    for (IThrowableProxy suppressed : failure.getSuppressed()) {
      append(out, "Suppressed: ", depth + 1, suppressed);
    }
    append(out, "Caused by: ", depth, failure.getCause());
  }
}
