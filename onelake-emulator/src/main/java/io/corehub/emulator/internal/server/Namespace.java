package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.store.FileStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * From URL paths to places in the store: knows the one workspace with its items, by GUID and by
 * name, and the file system that has neither. Thread-safe.
 */
final class Namespace {
  private static final Pattern GUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern ITEM_NAME =
      Pattern.compile("(?i).+\\.(MirroredDatabase|Lakehouse|Warehouse)");

  private final Identity identity;
  private final Map<String, String> itemIdsByName;
  private final FileStore store;

  Namespace(Identity identity, FileStore store) {
    this.identity = identity;
    this.store = store;
    this.itemIdsByName =
        Map.of(
            lower(identity.mirroredDatabaseName() + ".MirroredDatabase"),
            identity.mirroredDatabaseId(),
            lower(identity.lakehouseName() + ".Lakehouse"),
            identity.lakehouseId());
  }

  /**
   * A place as a request addresses it.
   *
   * @param storePath canonical path in the store
   * @param depth number of segments below the file system
   * @param oneLake whether workspaces, items and managed folders apply
   * @param shownPrefix what listings call the first segment below the file system, as addressed
   */
  record Place(String storePath, int depth, boolean oneLake, String shownPrefix) {

    boolean fileSystem() {
      return depth == 0;
    }

    /** Items and the first level below them belong to the service. */
    boolean managed() {
      return oneLake && depth <= 2;
    }

    /** A path of the store as listings show it: relative to the file system. */
    String shown(String path) {
      String relative = path.substring(path.indexOf('/') + 1);
      if (!oneLake) {
        return relative;
      }
      int slash = relative.indexOf('/');
      return slash < 0 ? shownPrefix : shownPrefix + relative.substring(slash);
    }

    /** The directory above in the store. */
    String parentPath() {
      return storePath.substring(0, storePath.lastIndexOf('/'));
    }
  }

  /** The place of a decoded path; a leading and a trailing slash do not count. */
  Place resolve(String decodedPath) throws RefusedException, IOException {
    String trimmed = decodedPath.startsWith("/") ? decodedPath.substring(1) : decodedPath;
    if (trimmed.endsWith("/")) {
      trimmed = trimmed.substring(0, trimmed.length() - 1);
    }
    List<String> segments = List.of(trimmed.split("/", -1));
    for (String segment : segments) {
      if (segment.isEmpty()
          || segment.equals(".")
          || segment.equals("..")
          || segment.indexOf('\0') >= 0) {
        throw new RefusedException(
            400,
            "InvalidUri",
            "The request URI is invalid: a segment is empty, '.', '..' or holds a null character.");
      }
    }
    String fileSystem = segments.get(0);
    int depth = segments.size() - 1;
    if (fileSystem.equals(identity.adlsFileSystem())) {
      return new Place(String.join("/", segments), depth, false, "");
    }
    boolean byGuid = GUID.matcher(fileSystem).matches();
    if (depth > 0) {
      requireSameStyle(byGuid, segments.get(1));
    }
    boolean known =
        fileSystem.equalsIgnoreCase(byGuid ? identity.workspaceId() : identity.workspaceName());
    if (!known) {
      throw new RefusedException(
          404, "FilesystemNotFound", "The specified filesystem does not exist.");
    }
    if (depth == 0) {
      return new Place(identity.workspaceId(), 0, true, "");
    }
    String item = segments.get(1);
    String itemId = byGuid ? lower(item) : itemIdsByName.get(lower(item));
    if (itemId == null || store.find(identity.workspaceId() + "/" + itemId).isEmpty()) {
      throw RefusedException.pathNotFound();
    }
    StringBuilder path = new StringBuilder(identity.workspaceId()).append('/').append(itemId);
    for (String segment : segments.subList(2, segments.size())) {
      path.append('/').append(segment);
    }
    return new Place(path.toString(), depth, true, item);
  }

  private static void requireSameStyle(boolean workspaceByGuid, String item)
      throws RefusedException {
    boolean itemByGuid = GUID.matcher(item).matches();
    boolean itemByName = ITEM_NAME.matcher(item).matches();
    boolean guidWithType =
        itemByName && GUID.matcher(item.substring(0, item.lastIndexOf('.'))).matches();
    boolean fits = workspaceByGuid ? itemByGuid : itemByName && !guidWithType;
    if (!fits) {
      throw new RefusedException(
          400,
          "FriendlyNameSupportDisabled",
          "Friendly name support is disabled for this path. Use GUIDs for both the workspace and the item"
              + " (without an item type), or names for both (with an item type such as .MirroredDatabase).");
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
