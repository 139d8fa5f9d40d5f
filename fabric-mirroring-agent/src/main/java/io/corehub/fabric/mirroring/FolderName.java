package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.onelake.InvalidValueException;
import io.corehub.runtime.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a table's files lie below the landing zone: {@code <name>} for a table without schema,
 * {@code <schema>.schema/<name>} for one with. The function is pure and injective: a name is taken
 * as it is or refused, never rewritten.
 *
 * <p>Refused are an empty name, {@code .} and {@code ..}, a slash or backslash, a control
 * character, half a surrogate pair, a leading underscore (Fabric ignores such folders), and a
 * schemaless table whose name ends in {@code .schema} (its folder would be a schema's).
 */
final class FolderName {

  private static final String SCHEMA_SUFFIX = ".schema";

  private FolderName() {}

  /**
   * The folder of a table.
   *
   * @throws InvalidValueException naming the part that cannot be used, and why
   */
  static String of(TableId table) {
    check("Table name", table.name());
    if (table.schema().isEmpty()) {
      if (endsLikeSchema(table.name())) {
        throw new InvalidValueException(
            "Table name '"
                + Text.shown(table.name())
                + "' ends in '.schema', which marks a schema folder. Use another name.");
      }
      return table.name();
    }
    String schema = table.schema().get();
    check("Schema name", schema);
    return schema + SCHEMA_SUFFIX + "/" + table.name();
  }

  /**
   * The folders of a custom prefix.
   *
   * @throws InvalidValueException naming the part that cannot be used, and why
   */
  static List<String> prefix(String text) {
    List<String> segments = new ArrayList<>();
    for (String segment : text.strip().split("/", -1)) {
      if (!segment.isEmpty()) {
        check("Custom prefix folder", segment);
        segments.add(segment);
      }
    }
    return List.copyOf(segments);
  }

  /** Whether Fabric knows this prefix: none at all, or one schema folder. */
  static boolean knownToFabric(List<String> prefix) {
    return prefix.isEmpty() || (prefix.size() == 1 && endsLikeSchema(prefix.get(0)));
  }

  private static boolean endsLikeSchema(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(SCHEMA_SUFFIX);
  }

  private static void check(String what, String name) {
    String reason = "";
    if (name.isEmpty()) {
      reason = "is empty";
    } else if (name.equals(".") || name.equals("..")) {
      reason = "is not the name of a folder";
    } else if (name.charAt(0) == '_') {
      reason = "begins with an underscore, and Fabric ignores such folders";
    } else if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
      reason = "holds a path separator";
    } else if (name.codePoints().anyMatch(Character::isISOControl)) {
      reason = "holds a control character";
    } else if (name.codePoints().anyMatch(FolderName::halfOfPair)) {
      reason = "holds half of a surrogate pair";
    }
    if (!reason.isEmpty()) {
      throw new InvalidValueException(
          what + " '" + Text.shown(name) + "' " + reason + ". Use another name.");
    }
  }

  private static boolean halfOfPair(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }
}
