package io.corehub.hub.demo;

import io.corehub.agent.TableStatus;
import io.corehub.hub.pipeline.PipelineStatus;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One line on how the demo stands: redrawn in place on a terminal, a new line now and then
 * elsewhere. Confined to one caller at a time.
 */
final class Progress {

  private static final Duration PLAIN = Duration.ofSeconds(5);

  private final PrintStream out;
  private final boolean terminal;
  private Instant lastShown = Instant.EPOCH;
  private long lastRows;
  private int lastLength;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows the state if it is time to. */
  void show(String activity, PipelineStatus status, Instant now) {
    Duration since = Duration.between(lastShown, now);
    if (!terminal && since.compareTo(PLAIN) < 0) {
      return;
    }
    long rows = status.rows();
    double rate =
        lastShown.equals(Instant.EPOCH) ? 0 : (rows - lastRows) * 1000.0 / since.toMillis();
    String line =
        String.format(
            Locale.ROOT,
            "%s: %d tables, %,d rows in %,d files, %,.0f rows/s, lag %.1f s",
            activity,
            status.tables().size(),
            rows,
            status.files(),
            Math.max(0, rate),
            lag(status, now).toMillis() / 1000.0);
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
      out.flush();
    } else {
      out.println(line);
    }
    lastLength = line.length();
    if (!terminal || since.compareTo(Duration.ofSeconds(1)) >= 0) {
      lastShown = now;
      lastRows = rows;
    }
  }

  private static Duration lag(PipelineStatus status, Instant now) {
    return status.tables().stream()
        .map(TableStatus::oldestUnconfirmed)
        .flatMap(Optional::stream)
        .min(Instant::compareTo)
        .map(oldest -> Duration.between(oldest, now))
        .orElse(Duration.ZERO);
  }

  /** Ends the redrawn line. */
  void end() {
    if (terminal && lastLength > 0) {
      out.println();
      lastLength = 0;
    }
  }
}
