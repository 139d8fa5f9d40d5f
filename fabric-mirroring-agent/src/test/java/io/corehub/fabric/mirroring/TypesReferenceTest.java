package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TargetType;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.rows.FileTypes;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.runtime.rows.TypeRules.LocalTimestamp;
import io.corehub.runtime.rows.TypeRules.Unrepresentable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The tables of the types page are what the rules say. {@code -Ddocs.update=true} writes them anew.
 */
class TypesReferenceTest {

  private static final Path PAGE = Path.of("..", "docs", "reference", "types.md");

  @Test
  void tablesOfThePageSayWhatTheRulesSay() throws IOException {
    String page = Files.readString(PAGE);
    String expected = with(with(page, "types", types()), "targets", targets());
    if (Boolean.getBoolean("docs.update")) {
      Files.writeString(PAGE, expected);
      page = expected;
    }
    assertThat(page)
        .as("docs/reference/types.md is stale: run this test with -Ddocs.update=true")
        .isEqualTo(expected);
  }

  private static String with(String page, String part, String table) {
    String begin = "<!-- " + part + " -->\n";
    String end = "<!-- /" + part + " -->";
    int from = page.indexOf(begin) + begin.length();
    return page.substring(0, from) + table + page.substring(page.indexOf(end));
  }

  private static ColumnType sample(Kind kind) {
    return kind == Kind.BIG_DECIMAL ? ColumnType.decimal(18, 4) : ColumnType.of(kind);
  }

  private static String types() {
    StringBuilder table =
        new StringBuilder("| Type | Target type | Parquet | With a setting |\n|---|---|---|---|\n");
    for (Kind kind : Kind.values()) {
      Column column = Column.of("c", sample(kind));
      table
          .append("| ")
          .append(kind == Kind.BIG_DECIMAL ? "BIG_DECIMAL(p,s), p up to 38" : kind)
          .append(" | `")
          .append(named(TypeMatrixTest.usual(sample(kind)).orElseThrow()))
          .append("` | ")
          .append(parquet(FileTypes.of(column, TypeRules.DEFAULTS)))
          .append(" | ")
          .append(String.join("; ", alternatives(column)))
          .append(" |\n");
    }
    return table.toString();
  }

  private static List<String> alternatives(Column column) {
    ParquetType usual = FileTypes.of(column, TypeRules.DEFAULTS);
    List<String> found = new ArrayList<>();
    note(found, usual, column, "timeAs: string", true, LocalTimestamp.LOCAL);
    note(found, usual, column, "localTimestampAs: utc-timestamp", false, LocalTimestamp.UTC);
    note(found, usual, column, "localTimestampAs: string", false, LocalTimestamp.TEXT);
    return found;
  }

  private static void note(
      List<String> found,
      ParquetType usual,
      Column column,
      String setting,
      boolean timeAsText,
      LocalTimestamp localTimestamp) {
    ParquetType type =
        FileTypes.of(column, new TypeRules(timeAsText, localTimestamp, Unrepresentable.STOP));
    if (!type.equals(usual)) {
      found.add("`" + setting + "`: " + parquet(type));
    }
  }

  private static String targets() {
    StringBuilder table = new StringBuilder("| Target type | Parquet | Of |\n|---|---|---|\n");
    for (TargetType.Kind kind : TargetType.Kind.values()) {
      TargetType target =
          kind == TargetType.Kind.BIGDECIMAL ? new TargetType(kind, 18, 4) : TargetType.of(kind);
      List<String> sources = new ArrayList<>();
      List<ParquetType> types = new ArrayList<>();
      for (Kind source : Kind.values()) {
        try {
          types.add(
              FileTypes.of(
                  new Column("c", sample(source), true, Optional.of(target)), TypeRules.DEFAULTS));
          sources.add(source.name());
        } catch (FileTypes.RefusedTypeException refused) {
          assertThat(refused).hasMessageContaining("'c'");
        }
      }
      assertThat(types.stream().distinct()).hasSize(1);
      table
          .append("| `")
          .append(named(target))
          .append("` | ")
          .append(parquet(types.get(0)))
          .append(" | ")
          .append(
              sources.size() == Kind.values().length - 1
                  ? "every type but " + missing(sources)
                  : String.join(", ", sources))
          .append(" |\n");
    }
    return table.toString();
  }

  private static String missing(List<String> sources) {
    return Arrays.stream(Kind.values())
        .map(Kind::name)
        .filter(name -> !sources.contains(name))
        .findFirst()
        .orElseThrow();
  }

  private static String named(TargetType type) {
    return type.kind() == TargetType.Kind.BIGDECIMAL
        ? "bigdecimal(p,s)"
        : type.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String parquet(ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN, INT32, INT64, FLOAT, DOUBLE -> type.kind().name();
      case STRING -> "BYTE_ARRAY, STRING";
      case BINARY -> "BYTE_ARRAY";
      case DATE -> "INT32, DATE";
      case TIME_MICROS -> "INT64, TIME(MICROS), not adjusted to UTC";
      case TIME_MICROS_UTC -> "INT64, TIME(MICROS), in UTC";
      case TIMESTAMP_MICROS -> "INT64, TIMESTAMP(MICROS), not adjusted to UTC";
      case TIMESTAMP_MICROS_UTC -> "INT64, TIMESTAMP(MICROS), in UTC";
      case DECIMAL -> "FIXED_LEN_BYTE_ARRAY, DECIMAL(p,s)";
    };
  }
}
