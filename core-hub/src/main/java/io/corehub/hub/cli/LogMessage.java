package io.corehub.hub.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.corehub.hub.source.Shown;

/**
 * The message of a log event on one line, whoever logs it: characters that would begin another
 * line, hide or turn round a part of this one are written as escapes. Named in {@code logback.xml}.
 * Thread-safe.
 */
public final class LogMessage extends ClassicConverter {

  @Override
  public String convert(ILoggingEvent event) {
    return Shown.line(String.valueOf(event.getFormattedMessage()));
  }
}
