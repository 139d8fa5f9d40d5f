package io.corehub.cyclereader;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a cycle, without {@code dt=}: its order as text is that of the cycles. Immutable.
 *
 * @param name {@code yyyy-MM-dd-HH-mm-ss}
 */
record CycleId(String name) implements Comparable<CycleId> {

  private static final String TAG = "dt=";
  private static final DateTimeFormatter NAME = format("uuuu-MM-dd-HH-mm-ss");
  private static final DateTimeFormatter DIGITS = format("uuuuMMddHHmmss");
  private static final Pattern DATA_FILE =
      Pattern.compile(
          "(.+)_(\\d{14})(?:_(\\d{4}))?(\\.csv|\\.csv\\.gz|\\.parquet)", Pattern.DOTALL);

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withResolverStyle(ResolverStyle.STRICT);
  }

  /**
   * What the name of a data file says.
   *
   * @param cycle its cycle
   * @param table its table as a path segment
   * @param part from 1
   * @param ending with its dot
   */
  record DataFileName(CycleId cycle, String table, int part, String ending) {}

  /** The cycle of a folder, tagged or not; empty if it is no cycle's. */
  static Optional<CycleId> ofFolder(String folder) {
    return parsed(folder.startsWith(TAG) ? folder.substring(TAG.length()) : folder, NAME);
  }

  /** The cycle of a name without tag; empty if it is none. */
  static Optional<CycleId> ofName(String name) {
    return parsed(name, NAME);
  }

  /** The cycle of 14 digits; empty if they are none. */
  static Optional<CycleId> ofDigits(String digits) {
    return parsed(digits, DIGITS);
  }

  /** The cycle whose file name is such a text, 14 digits and such an end; empty if it is none. */
  static Optional<CycleId> between(String start, String name, String end) {
    return name.startsWith(start)
            && name.endsWith(end)
            && name.length() == start.length() + 14 + end.length()
        ? ofDigits(name.substring(start.length(), start.length() + 14))
        : Optional.empty();
  }

  /** What the name of a data file says; empty if it is none. */
  static Optional<DataFileName> ofDataFile(String name) {
    Matcher data = DATA_FILE.matcher(name);
    if (!data.matches() || name.startsWith("_")) {
      return Optional.empty();
    }
    int part = data.group(3) == null ? 1 : Integer.parseInt(data.group(3));
    return ofDigits(data.group(2))
        .map(cycle -> new DataFileName(cycle, data.group(1), part, data.group(4)));
  }

  private static Optional<CycleId> parsed(String text, DateTimeFormatter format) {
    try {
      LocalDateTime time = LocalDateTime.parse(text, format);
      return format.format(time).equals(text)
          ? Optional.of(new CycleId(NAME.format(time)))
          : Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  String digits() {
    return name.replace("-", "");
  }

  @Override
  public int compareTo(CycleId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
