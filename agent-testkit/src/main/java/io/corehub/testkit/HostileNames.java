package io.corehub.testkit;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Makes names of schemas, tables and columns that some part on the way to a target may trip over:
 * separators, dots, escapes, control and direction characters, halves of surrogate pairs, pairs
 * that differ only by case, names that mean something to a file system. Confined to one caller at a
 * time.
 */
public final class HostileNames {

  private static final List<String> WHOLE =
      List.of(
          ".",
          "..",
          "...",
          "a/b",
          "a\\b",
          "../x",
          "..%2F..",
          "%2e%2e",
          "%2F",
          "%",
          "50%",
          "%zz",
          "a+b",
          "a b",
          " a",
          "a ",
          "x.",
          "x.schema",
          "x.SCHEMA",
          ".schema",
          "schema",
          "_x",
          "_",
          "x_",
          "CON",
          "NUL",
          "aux.txt",
          "Orders",
          "orders",
          "ORDERS",
          "Stra\u00dfe",
          "STRASSE",
          "I",
          "i",
          "\u0130",
          "\u0131",
          "\u03a3",
          "\u03c2",
          "\u03c3",
          "\u00e9",
          "e\u0301",
          "\u65e5\u672c\u8a9e",
          "\ud83d\ude00",
          "\ud800",
          "\udc00x",
          "\u200fabc",
          "a\u202eb",
          "a\u2028b",
          "\u0000",
          "a\u0000b",
          "a\nb",
          "a\tb",
          "\u007f",
          "\u0085",
          "\ufeffa",
          "$root",
          "~",
          "a:b",
          "a?b=c&d",
          "a#b",
          "a;b,c",
          "'a'",
          "\"a\"",
          "<a>|*",
          "@{[(a)]}",
          "__rowMarker__",
          "_metadata.json",
          "00000000000000000001.parquet",
          "LandingZone",
          "x".repeat(300));

  private static final List<String> PARTS =
      List.of(
          "a",
          "B",
          "c ",
          "1",
          ".",
          "..",
          "%",
          "%41",
          "+",
          " ",
          "#",
          "?",
          "&",
          "=",
          ":",
          "@",
          "-",
          "_",
          "~",
          "'",
          "\"",
          "\\",
          "/",
          "\u00e4",
          "\u00c4",
          "\u0130",
          "\u0131",
          "\u1e9e",
          "\u212a",
          "\u017f",
          "\u03c2",
          "\u6f22",
          "\ud83d\ude00",
          "\ud834\udd1e",
          "\ud800",
          "\u202e",
          "\u0301",
          "\u0001",
          ".schema",
          ".Schema",
          "schema");

  private final Random random;

  /**
   * A source of names.
   *
   * @param seed equal seeds make equal names
   */
  public HostileNames(long seed) {
    this.random = new Random(seed);
  }

  /**
   * A name.
   *
   * @return any text but the empty one; names come again
   */
  public String next() {
    String name =
        switch (random.nextInt(4)) {
          case 0 -> WHOLE.get(random.nextInt(WHOLE.size()));
          case 1 -> WHOLE.get(random.nextInt(WHOLE.size())) + part();
          default -> {
            StringBuilder parts = new StringBuilder();
            for (int i = random.nextInt(5); i >= 0; i--) {
              parts.append(part());
            }
            yield parts.toString();
          }
        };
    return switch (random.nextInt(6)) {
      case 0 -> name.toUpperCase(Locale.ROOT);
      case 1 -> name.toLowerCase(Locale.ROOT);
      default -> name;
    };
  }

  private String part() {
    return random.nextInt(8) == 0
        ? Character.toString(1 + random.nextInt(0xffff))
        : PARTS.get(random.nextInt(PARTS.size()));
  }
}
