package io.corehub.cycles;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The name of a cycle: the second at which it opened, in UTC, as {@code yyyy-MM-dd-HH-mm-ss}. Names
 * of a job strictly increase and are never used twice, so they order the cycles. Immutable.
 *
 * @param openedAt whole seconds, in the years 0001 to 9999
 */
record CycleName(Instant openedAt) implements Comparable<CycleName> {

  /** What stands before the name in a folder that readers take for a partition. */
  static final String TAG = "dt=";

  private static final DateTimeFormatter NAME = format("uuuu-MM-dd-HH-mm-ss");
  private static final DateTimeFormatter DIGITS = format("uuuuMMddHHmmss");
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withResolverStyle(ResolverStyle.STRICT);
  }

  /** Checks that the name can be written. */
  CycleName {
    boolean whole = openedAt.equals(openedAt.truncatedTo(ChronoUnit.SECONDS));
    if (!whole || openedAt.isBefore(FIRST) || openedAt.isAfter(LAST)) {
      throw new IllegalArgumentException("A cycle cannot be named after " + openedAt);
    }
  }

  /**
   * The name of a cycle that opens now.
   *
   * @param now the clock
   * @param newest the greatest name seen in the job's folder, that of an abandoned cycle included;
   *     empty when there is none
   * @return now, or the second after the newest name when the clock is not past that one
   */
  static CycleName next(Instant now, Optional<CycleName> newest) {
    CycleName byClock = new CycleName(now.truncatedTo(ChronoUnit.SECONDS));
    return newest
        .filter(name -> name.compareTo(byClock) >= 0)
        .map(name -> new CycleName(name.openedAt.plus(Duration.ofSeconds(1))))
        .orElse(byClock);
  }

  /**
   * The name that a cycle folder tells.
   *
   * @param folder last segment of a path, with or without {@code dt=}
   * @return empty if it is no cycle's folder
   */
  static Optional<CycleName> ofFolder(String folder) {
    return parsed(folder.startsWith(TAG) ? folder.substring(TAG.length()) : folder, NAME);
  }

  /**
   * The name behind a timestamp of file names.
   *
   * @param digits 14 digits
   * @return empty if they are none
   */
  static Optional<CycleName> ofDigits(String digits) {
    return parsed(digits, DIGITS);
  }

  private static Optional<CycleName> parsed(String text, DateTimeFormatter format) {
    try {
      CycleName name = new CycleName(LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC));
      return Optional.of(name).filter(n -> n.formatted(format).equals(text));
    } catch (DateTimeParseException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private String formatted(DateTimeFormatter format) {
    return LocalDateTime.ofInstant(openedAt, ZoneOffset.UTC).format(format);
  }

  /**
   * The folder of the cycle.
   *
   * @param tagged whether {@code dt=} stands before the name
   */
  String folder(boolean tagged) {
    return tagged ? TAG + this : toString();
  }

  /** The 14 digits that stand in file names. */
  String digits() {
    return formatted(DIGITS);
  }

  /** Name of the file that makes the cycle visible. */
  String completedFile() {
    return "Cycle-" + digits() + ".csv";
  }

  /** Name of the file that lists the tables of the cycle. */
  String contentsFile() {
    return "Cycle-contents-" + digits() + ".csv";
  }

  /** Name of the manifest. */
  String manifestFile() {
    return "_manifest-" + digits() + ".json";
  }

  @Override
  public int compareTo(CycleName other) {
    return openedAt.compareTo(other.openedAt);
  }

  /** The name as summary files hold it, without {@code dt=}. */
  @Override
  public String toString() {
    return formatted(NAME);
  }
}
