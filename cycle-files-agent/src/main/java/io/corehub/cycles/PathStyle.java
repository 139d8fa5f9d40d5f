package io.corehub.cycles;

import java.util.Optional;

/**
 * How summary files write paths. Immutable.
 *
 * @param root address of the connection folder, such as {@code abfss://fs@account/cdc}, without
 *     slash at its end; empty for paths relative to it
 */
record PathStyle(Optional<String> root) {

  /** Relative to the connection folder. */
  static final PathStyle RELATIVE = new PathStyle(Optional.empty());

  /** Paths that begin with the address of the connection folder. */
  static PathStyle absolute(String root) {
    return new PathStyle(Optional.of(root));
  }

  /**
   * A path as summary files write it.
   *
   * @param path relative to the connection folder, without slash at its ends
   */
  String of(String path) {
    return root.map(r -> r + "/" + path).orElse(path);
  }
}
