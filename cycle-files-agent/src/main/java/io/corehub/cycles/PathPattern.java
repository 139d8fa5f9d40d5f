package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.runtime.text.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A directory of a job as a setting writes it: segments joined by {@code /}, with placeholders in
 * braces. Immutable.
 */
final class PathPattern {

  /** What may stand in braces; the case of letters does not matter. */
  enum Placeholder {
    /** The job's folder, which may have several segments. */
    TASK_TARGET_DIRECTORY("TaskTargetDirectory", false),
    /** The schema of the table. A segment that is nothing else is left out when it has none. */
    SCHEMA_NAME("SchemaName", false),
    /** The table's name. */
    TABLE_NAME("TableName", false),
    /** Year in which the cycle opened, four digits. */
    YYYY("YYYY", true),
    /** The same, last two digits. */
    YY("YY", true),
    /** Month, two digits. */
    MM("MM", true),
    /** Day of the month, two digits. */
    DD("DD", true),
    /** Hour, two digits. */
    HH("HH", true),
    /** The 14 digits of the cycle's file names. */
    TIMESTAMP("Timestamp", true);

    private final String word;
    private final boolean time;

    Placeholder(String word, boolean time) {
      this.word = word;
      this.time = time;
    }

    /** Whether it differs from cycle to cycle. */
    boolean time() {
      return time;
    }

    @Override
    public String toString() {
      return "{" + word + "}";
    }
  }

  /** A pattern cannot be used; the message names the setting and says what to change. */
  static final class BadPatternException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String setting;

    BadPatternException(String setting, String message) {
      super(message);
      this.setting = setting;
    }

    /** Name of the setting. */
    String setting() {
      return setting;
    }
  }

  /** A run of text, or a placeholder. */
  private record Piece(String text, Optional<Placeholder> placeholder) {}

  private static final List<Piece> SCHEMA_ALONE =
      List.of(new Piece("", Optional.of(Placeholder.SCHEMA_NAME)));

  private final String setting;
  private final List<List<Piece>> segments;
  private final Set<Placeholder> used;

  private PathPattern(String setting, List<List<Piece>> segments, Set<Placeholder> used) {
    this.setting = setting;
    this.segments = segments;
    this.used = used;
  }

  /**
   * Reads a pattern.
   *
   * @param setting name of the setting, for messages
   * @param text its value
   * @param allowed the placeholders it may have
   * @throws BadPatternException if it is none
   */
  static PathPattern parse(String setting, String text, Set<Placeholder> allowed) {
    if (text.isBlank()) {
      throw bad(setting, text, "is empty. Write a directory, such as {TaskTargetDirectory}/data");
    }
    List<List<Piece>> segments = new ArrayList<>();
    Set<Placeholder> used = EnumSet.noneOf(Placeholder.class);
    for (String segment : text.split("/", -1)) {
      segments.add(pieces(setting, text, segment, allowed, used));
    }
    return new PathPattern(setting, List.copyOf(segments), used);
  }

  private static List<Piece> pieces(
      String setting,
      String text,
      String segment,
      Set<Placeholder> allowed,
      Set<Placeholder> used) {
    checkSegment(setting, text, segment);
    List<Piece> pieces = new ArrayList<>();
    int at = 0;
    while (at < segment.length()) {
      int open = segment.indexOf('{', at);
      int end = open < 0 ? segment.length() : open;
      if (end > at) {
        pieces.add(new Piece(literal(setting, text, segment.substring(at, end)), Optional.empty()));
      }
      if (open < 0) {
        break;
      }
      int close = segment.indexOf('}', open);
      if (close < 0) {
        throw bad(setting, text, "has a '{' without its '}'. Close the placeholder");
      }
      Placeholder placeholder = named(setting, text, segment.substring(open + 1, close), allowed);
      used.add(placeholder);
      pieces.add(new Piece("", Optional.of(placeholder)));
      at = close + 1;
    }
    boolean several = pieces.size() > 1;
    if (several && pieces.contains(new Piece("", Optional.of(Placeholder.TASK_TARGET_DIRECTORY)))) {
      throw bad(
          setting,
          text,
          "has other text beside " + Placeholder.TASK_TARGET_DIRECTORY + ". Put a '/' between");
    }
    return List.copyOf(pieces);
  }

  private static void checkSegment(String setting, String text, String segment) {
    if (segment.isEmpty()) {
      throw bad(
          setting, text, "has an empty segment. Write it without a '/' at its ends, and no '//'");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw bad(setting, text, "leads out of the folder by '" + segment + "'. Leave it out");
    }
    if (segment.startsWith("_") || segment.startsWith(".")) {
      throw bad(
          setting,
          text,
          "has the segment '"
              + Text.shown(segment)
              + "', and readers pass over names that begin with '_' or '.'. Use another name");
    }
    if (segment.endsWith(".") || segment.endsWith(" ")) {
      throw bad(
          setting,
          text,
          "has the segment '"
              + Text.shown(segment)
              + "', and not every storage keeps a '.' or space at the end. Leave it out");
    }
  }

  private static String literal(String setting, String text, String literal) {
    literal
        .codePoints()
        .filter(c -> !PathSegment.allowed(c) || c == '}')
        .findFirst()
        .ifPresent(
            c -> {
              throw bad(
                  setting,
                  text,
                  "holds '"
                      + Text.shown(Character.toString(c))
                      + "', which cannot stand in a directory's name. Leave it out");
            });
    return literal;
  }

  private static Placeholder named(
      String setting, String text, String word, Set<Placeholder> allowed) {
    for (Placeholder placeholder : allowed) {
      if (placeholder.word.equalsIgnoreCase(word)) {
        return placeholder;
      }
    }
    boolean known =
        Arrays.stream(Placeholder.values()).anyMatch(p -> p.word.equalsIgnoreCase(word));
    throw bad(
        setting,
        text,
        (known ? "may not have the placeholder {" : "has the unknown placeholder {")
            + Text.shown(word)
            + "}. "
            + (allowed.isEmpty()
                ? "Use none"
                : "Use "
                    + EnumSet.copyOf(allowed).stream()
                        .map(Placeholder::toString)
                        .collect(Collectors.joining(", "))));
  }

  private static BadPatternException bad(String setting, String text, String what) {
    return new BadPatternException(setting, setting + " '" + Text.shown(text) + "' " + what + ".");
  }

  /** Name of the setting it comes from. */
  String setting() {
    return setting;
  }

  /** Whether a placeholder stands in it. */
  boolean uses(Placeholder placeholder) {
    return used.contains(placeholder);
  }

  /** Whether it differs from cycle to cycle. */
  boolean usesTime() {
    return used.stream().anyMatch(Placeholder::time);
  }

  /**
   * The directory.
   *
   * @param taskTargetDirectory the job's folder, with {@code /} between segments
   * @param table the table; ignored by a pattern without its placeholders
   * @param cycle the cycle; ignored by a pattern without time
   * @return segments joined by {@code /}, relative to the connection folder
   */
  String resolve(String taskTargetDirectory, TableId table, CycleName cycle) {
    List<String> path = new ArrayList<>();
    for (List<Piece> pieces : segments) {
      String segment = segment(pieces, taskTargetDirectory, table, cycle);
      if (!segment.isEmpty()) {
        path.add(segment);
      }
    }
    return String.join("/", path);
  }

  /**
   * What every directory of the pattern begins with, up to the first segment that differs by table
   * or cycle.
   *
   * @param taskTargetDirectory the job's folder
   * @return segments joined by {@code /}; empty if already the first one differs
   */
  String fixedPart(String taskTargetDirectory) {
    List<String> path = new ArrayList<>();
    for (List<Piece> pieces : segments) {
      boolean fixed =
          pieces.stream()
              .allMatch(
                  piece ->
                      piece.placeholder.isEmpty()
                          || piece.placeholder.get() == Placeholder.TASK_TARGET_DIRECTORY);
      if (!fixed) {
        break;
      }
      path.add(
          pieces.stream()
              .map(piece -> piece.placeholder.isEmpty() ? piece.text : taskTargetDirectory)
              .collect(Collectors.joining()));
    }
    return String.join("/", path);
  }

  /**
   * Whether some table and some cycle have a directory.
   *
   * @param taskTargetDirectory the job's folder
   * @param directory segments joined by {@code /}
   */
  boolean matches(String taskTargetDirectory, String directory) {
    StringBuilder all = new StringBuilder();
    for (List<Piece> pieces : segments) {
      StringBuilder segment = new StringBuilder("/");
      for (Piece piece : pieces) {
        segment.append(
            piece.placeholder.isEmpty()
                ? Pattern.quote(piece.text)
                : anyValue(piece.placeholder.get(), taskTargetDirectory));
      }
      boolean mayBeLeftOut = pieces.equals(SCHEMA_ALONE);
      all.append(mayBeLeftOut ? "(?:" + segment + ")?" : segment);
    }
    return Pattern.compile(all.toString(), Pattern.DOTALL).matcher("/" + directory).matches();
  }

  private static String anyValue(Placeholder placeholder, String taskTargetDirectory) {
    return switch (placeholder) {
      case TASK_TARGET_DIRECTORY -> Pattern.quote(taskTargetDirectory);
      case SCHEMA_NAME -> "[^/]*";
      case TABLE_NAME -> "[^/]+";
      case YYYY -> "\\d{4}";
      case YY, MM, DD, HH -> "\\d{2}";
      case TIMESTAMP -> "\\d{14}";
    };
  }

  private static String segment(
      List<Piece> pieces, String taskTargetDirectory, TableId table, CycleName cycle) {
    StringBuilder segment = new StringBuilder();
    for (Piece piece : pieces) {
      if (piece.placeholder.isEmpty()) {
        segment.append(piece.text);
      } else if (piece.placeholder.get() == Placeholder.TASK_TARGET_DIRECTORY) {
        return taskTargetDirectory;
      } else {
        segment.append(value(piece.placeholder.get(), table, cycle));
      }
    }
    return PathSegment.withSafeEnds(segment.toString());
  }

  private static String value(Placeholder placeholder, TableId table, CycleName cycle) {
    String digits = cycle.digits();
    return switch (placeholder) {
      case TASK_TARGET_DIRECTORY -> throw new IllegalStateException("is a segment of its own");
      case SCHEMA_NAME -> PathSegment.inside(table.schema().orElse(""));
      case TABLE_NAME -> PathSegment.inside(table.name());
      case YYYY -> digits.substring(0, 4);
      case YY -> digits.substring(2, 4);
      case MM -> digits.substring(4, 6);
      case DD -> digits.substring(6, 8);
      case HH -> digits.substring(8, 10);
      case TIMESTAMP -> digits;
    };
  }

  /** The pattern as a setting writes it. */
  @Override
  public String toString() {
    return segments.stream()
        .map(
            pieces ->
                pieces.stream()
                    .map(p -> p.placeholder.map(Placeholder::toString).orElse(p.text))
                    .collect(Collectors.joining()))
        .collect(Collectors.joining("/"));
  }
}
