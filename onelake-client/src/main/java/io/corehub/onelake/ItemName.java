package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A workspace and a mirrored database as OneLake takes them in one path: two GUIDs, or two names
 * with the item's type as its suffix. OneLake answers 400 to every other combination. Immutable.
 */
record ItemName(String workspace, String item) {
  private static final String SUFFIX = ".MirroredDatabase";
  private static final Pattern GUID =
      Pattern.compile(
          "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
  private static final Set<String> OTHER_TYPES =
      Set.of(
          "lakehouse",
          "warehouse",
          "datawarehouse",
          "kqldatabase",
          "sqldatabase",
          "semanticmodel",
          "mirroredwarehouse",
          "mirroredazuredatabrickscatalog",
          "eventhouse");

  static boolean isGuid(String text) {
    return GUID.matcher(text).matches();
  }

  /** A Lakehouse, or another item with a Files folder; a name without type is a Lakehouse's. */
  static ItemName lakehouse(String workspace, String item) {
    String suffix = ".Lakehouse";
    if (item.toLowerCase(Locale.ROOT).endsWith(suffix.toLowerCase(Locale.ROOT))
        && isGuid(item.substring(0, item.length() - suffix.length()))) {
      throw UrlText.refuse("A GUID takes no " + suffix + " suffix", "write the GUID alone");
    }
    if (isGuid(workspace) != isGuid(item)) {
      throw UrlText.refuse(
          "Workspace '"
              + LogText.safe(workspace)
              + "' and item '"
              + LogText.safe(item)
              + "' mix a GUID with a name, which OneLake refuses",
          "give both as GUIDs, or both as names");
    }
    String type = item.substring(item.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    boolean typed =
        item.indexOf('.') > 0
            && (OTHER_TYPES.contains(type) || SUFFIX.toLowerCase(Locale.ROOT).endsWith(type));
    return new ItemName(workspace, isGuid(item) || typed ? item : item + suffix);
  }

  static ItemName of(String workspace, String item) {
    String lower = item.toLowerCase(Locale.ROOT);
    boolean suffixed = lower.endsWith(SUFFIX.toLowerCase(Locale.ROOT));
    String bare = suffixed ? item.substring(0, item.length() - SUFFIX.length()) : item;
    if (suffixed && isGuid(bare)) {
      throw UrlText.refuse("A GUID takes no " + SUFFIX + " suffix", "write '" + bare + "' alone");
    }
    if (isGuid(workspace) != isGuid(item)) {
      throw UrlText.refuse(
          "Workspace '"
              + LogText.safe(workspace)
              + "' and mirrored database '"
              + LogText.safe(item)
              + "' mix a GUID with a name, which OneLake refuses",
          "give both as GUIDs, or both as names");
    }
    if (isGuid(item)) {
      return new ItemName(workspace, item);
    }
    String type = lower.substring(lower.lastIndexOf('.') + 1);
    if (!suffixed && lower.indexOf('.') > 0 && OTHER_TYPES.contains(type)) {
      throw UrlText.refuse(
          "'" + LogText.safe(item) + "' is not a mirrored database",
          "paste the landing zone URL from the Home page of a mirrored database");
    }
    if (bare.isBlank()) {
      throw UrlText.refuse("The mirrored database has no name", "write its name before " + SUFFIX);
    }
    return new ItemName(workspace, bare + SUFFIX);
  }
}
