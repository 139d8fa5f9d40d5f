package io.corehub.runtime.text;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * A log whose messages stay on one line each in every host: control and direction characters of
 * names and values are written as escapes before the host's logging sees them. What exceptions say
 * is the host's to show. Thread-safe.
 */
public final class LineLog extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;

  private final transient Logger log;

  private LineLog(Logger log) {
    this.log = log;
    this.name = log.getName();
  }

  /**
   * A log of a class.
   *
   * @param owner names the log
   * @return the log
   */
  public static Logger of(Class<?> owner) {
    return new LineLog(LoggerFactory.getLogger(owner));
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    String message = Text.line(MessageFormatter.basicArrayFormat(pattern, arguments));
    log.atLevel(level).setCause(failure).log(message);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  public boolean isTraceEnabled() {
    return log.isTraceEnabled();
  }

  @Override
  public boolean isDebugEnabled() {
    return log.isDebugEnabled();
  }

  @Override
  public boolean isInfoEnabled() {
    return log.isInfoEnabled();
  }

  @Override
  public boolean isWarnEnabled() {
    return log.isWarnEnabled();
  }

  @Override
  public boolean isErrorEnabled() {
    return log.isErrorEnabled();
  }
}
