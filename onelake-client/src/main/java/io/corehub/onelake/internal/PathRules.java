package io.corehub.onelake.internal;

/**
 * What may be sent as a path. A last line of defence behind the agents' own rules for names:
 * whatever they hand over, no request leaves the item or file system. Stateless.
 */
public final class PathRules {
  private PathRules() {}

  /**
   * Accepts segments joined by single slashes.
   *
   * @throws IllegalArgumentException when a segment is empty, {@code .} or {@code ..}, or holds a
   *     control character
   */
  public static String requireFile(String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("A path must name a file or directory, but is empty");
    }
    return requireDirectory(path);
  }

  /**
   * Accepts what {@link #requireFile} does, and the empty path of the item or file system itself.
   */
  public static String requireDirectory(String path) {
    int from = 0;
    while (!path.isEmpty() && from <= path.length()) {
      int slash = path.indexOf('/', from);
      int end = slash < 0 ? path.length() : slash;
      String segment = path.substring(from, end);
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        throw new IllegalArgumentException(
            "Path '" + LogText.safe(path) + "' has an empty, '.' or '..' segment");
      }
      from = end + 1;
    }
    if (path.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "Path '" + LogText.safe(path) + "' holds a control character");
    }
    return path;
  }
}
