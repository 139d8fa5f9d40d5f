package io.corehub.onelake.azure;

import java.util.Optional;

/**
 * One call of the port on its way through the storage library: what the request must look like and
 * how its answer is judged. Immutable.
 *
 * @param operation in one word, for messages
 * @param path decoded, below the file system
 * @param renameSource decoded, below the file system; present for a rename
 * @param changes whether the call changes something on the server
 * @param close whether {@code close=true} is added to the query
 * @param maxAnswerBytes the most bytes of body that a successful answer may have
 */
record Call(
    String operation,
    String path,
    Optional<String> renameSource,
    boolean changes,
    boolean close,
    int maxAnswerBytes) {
  private static final String LIST = "list";
  private static final int SMALL_ANSWER = 64 << 10;

  static Call change(String operation, String path) {
    return new Call(operation, path, Optional.empty(), true, false, SMALL_ANSWER);
  }

  static Call closing(String operation, String path) {
    return new Call(operation, path, Optional.empty(), true, true, SMALL_ANSWER);
  }

  static Call rename(String from, String to) {
    return new Call("rename", to, Optional.of(from), true, false, SMALL_ANSWER);
  }

  static Call look(String operation, String path, int maxAnswerBytes) {
    return new Call(operation, path, Optional.empty(), false, false, maxAnswerBytes);
  }

  /** A listing asks the file system itself and names the directory in its query. */
  static Call listing(String directory, int maxAnswerBytes) {
    return new Call(LIST, directory, Optional.empty(), false, false, maxAnswerBytes);
  }

  String wirePath() {
    return operation.equals(LIST) ? "" : path;
  }

  boolean isRename() {
    return renameSource.isPresent();
  }
}
