package io.corehub.cycles;

/**
 * A file that tells its cycle by its name, wherever it lies. Immutable.
 *
 * @param path the file
 * @param cycle its cycle
 */
record CycleFile(String path, CycleName cycle) {

  /** The folder it lies in; empty for the root. */
  String folder() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** The last segment of its path. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * What goes when the cycle goes: its folder, or the file alone where cycles have none. Only a
   * file tells that a folder is a cycle's: a table may have the name of one.
   */
  String whole() {
    String folder = folder();
    String name = folder.substring(folder.lastIndexOf('/') + 1);
    return CycleName.ofFolder(name).filter(cycle::equals).isPresent() ? folder : path;
  }
}
