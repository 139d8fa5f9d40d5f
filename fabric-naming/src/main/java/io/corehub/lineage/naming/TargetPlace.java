package io.corehub.lineage.naming;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** A place files are written to, as its URL tells it. Immutable. */
final class TargetPlace {

  /** What kind of place it is. */
  enum Kind {
    /** The landing zone of a mirrored database, which Fabric makes tables of. */
    LANDING_ZONE,
    /** Files of an item in OneLake. */
    ONELAKE_FILES,
    /** A container of a storage account. */
    STORAGE_ACCOUNT,
    /** A folder of this machine. */
    FOLDER
  }

  private static final String FILES = "Files";
  private static final String ZONE = "LandingZone";

  private final Kind kind;
  private final String authority;
  private final List<String> segments;

  private TargetPlace(Kind kind, String authority, List<String> segments) {
    this.kind = kind;
    this.authority = authority;
    this.segments = List.copyOf(segments);
  }

  /** Reads {@code https}, {@code abfss} and {@code file} URLs; empty for any other. */
  static Optional<TargetPlace> parse(String location) {
    URI uri;
    try {
      uri = new URI(location.strip());
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String path = uri.getPath() == null ? "" : uri.getPath();
    if (scheme.equals("file")) {
      return Optional.of(new TargetPlace(Kind.FOLDER, "", List.of(path)));
    }
    String host = uri.getRawAuthority();
    if (host == null || !(scheme.equals("https") || scheme.equals("abfss"))) {
      return Optional.empty();
    }
    List<String> segments = new ArrayList<>();
    int at = host.lastIndexOf('@');
    if (scheme.equals("abfss") && at >= 0) {
      segments.add(host.substring(0, at));
    }
    host = host.substring(at + 1).toLowerCase(Locale.ROOT).replaceFirst(":443$", "");
    for (String segment : path.split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TargetPlace(kind(segments), host, segments));
  }

  private static Kind kind(List<String> segments) {
    boolean item =
        segments.size() >= 3
            && segments.get(2).equals(FILES)
            && (Guids.read(segments.get(1)).isPresent() || segments.get(1).indexOf('.') > 0);
    if (!item) {
      return Kind.STORAGE_ACCOUNT;
    }
    return segments.size() >= 4 && segments.get(3).equals(ZONE)
        ? Kind.LANDING_ZONE
        : Kind.ONELAKE_FILES;
  }

  Kind kind() {
    return kind;
  }

  /** The workspace of a place in OneLake, if its URL gives the ID and not the name. */
  Optional<UUID> workspaceId() {
    return Guids.read(segments.get(0));
  }

  /** The item of a place in OneLake, if its URL gives the ID and not the name. */
  Optional<UUID> itemId() {
    return Guids.read(segments.get(1));
  }

  /** The item's name without its type, if its URL gives the name. */
  Optional<String> itemName() {
    String item = segments.get(1);
    return itemId().isPresent()
        ? Optional.empty()
        : Optional.of(item.substring(0, item.lastIndexOf('.')));
  }

  /** Path below the item. */
  String pathInItem() {
    return String.join("/", segments.subList(2, segments.size()));
  }

  /** The schema that a folder of the landing zone stands for, if the place is below one. */
  Optional<String> schemaFolder() {
    String suffix = ".schema";
    return segments.size() > 4
            && segments.get(4).endsWith(suffix)
            && segments.get(4).length() > suffix.length()
        ? Optional.of(segments.get(4).substring(0, segments.get(4).length() - suffix.length()))
        : Optional.empty();
  }

  /** A folder of this machine, or a path of a storage account, as OpenLineage names it. */
  Dataset dataset() {
    if (kind == Kind.FOLDER) {
      String path = segments.get(0);
      return Dataset.of(
          "file", path.length() > 1 && path.endsWith("/") ? path.replaceAll("/+$", "") : path);
    }
    return Dataset.of(
        "abfss://" + segments.get(0) + "@" + authority,
        String.join("/", segments.subList(1, segments.size())));
  }
}
