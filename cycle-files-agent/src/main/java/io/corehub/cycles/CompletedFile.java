package io.corehub.cycles;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * The file that makes a cycle visible. Immutable.
 *
 * @param cycle the cycle
 * @param start when it opened; written in milliseconds
 * @param end when it ended: the deadline of its interval, or when its end was decided
 * @param currentSequence order and row number of the last commit it holds, without prefix
 * @param contentsPath path of its contents file, as summary files write it
 * @param reason why it ended
 */
record CompletedFile(
    CycleName cycle,
    Instant start,
    Instant end,
    Sequence currentSequence,
    String contentsPath,
    EndReason reason) {

  private static final List<String> COLUMNS =
      List.of(
          "cycle_name", "start_time", "end_time", "current_sequence", "contents_path", "reason");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Checks the sequence. */
  CompletedFile {
    if (currentSequence.prefix().isPresent()) {
      throw new IllegalArgumentException("The current sequence of a job has no prefix");
    }
  }

  /** The file. */
  byte[] bytes() {
    return SummaryCsv.bytes(
        COLUMNS,
        List.of(
            List.of(
                cycle.toString(),
                time(start),
                time(end),
                currentSequence.toString(),
                contentsPath,
                reason.name())));
  }

  /** A time as summary files and manifests write it: ISO-8601, UTC, milliseconds. */
  static String time(Instant instant) {
    return TIME.format(instant);
  }
}
