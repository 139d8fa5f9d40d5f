package io.corehub.cyclereader;

import java.util.Arrays;
import java.util.Optional;

/**
 * Turns paths of summary files into paths below the connection folder. Immutable.
 *
 * @param root what absolute paths begin with; empty for relative ones
 */
record CyclePaths(String root) {

  /**
   * How a completed file writes paths.
   *
   * @param written the path of the contents file, as written
   * @param real where it should lie
   * @return empty if it names another file
   */
  static Optional<CyclePaths> of(String written, String real) {
    if (written.equals(real)) {
      return Optional.of(new CyclePaths(""));
    }
    boolean absolute = written.contains(":/") && written.endsWith("/" + real);
    return absolute
        ? Optional.of(new CyclePaths(written.substring(0, written.length() - real.length())))
        : Optional.empty();
  }

  /**
   * A path below the connection folder.
   *
   * @param written as a summary file has it
   * @return empty if it leads elsewhere
   */
  Optional<String> real(String written) {
    if (!written.startsWith(root)) {
      return Optional.empty();
    }
    String path = written.substring(root.length());
    boolean inside =
        !path.isEmpty()
            && Arrays.stream(path.split("/", -1))
                .noneMatch(s -> s.isEmpty() || s.equals(".") || s.equals(".."));
    return inside ? Optional.of(path) : Optional.empty();
  }
}
