package io.corehub.emulator.internal.server;

import java.io.IOException;

/** A DFS request that is answered with an error. */
final class RefusedException extends IOException {
  private final int status;
  private final String code;
  private final String text;

  RefusedException(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
    this.text = message;
  }

  int status() {
    return status;
  }

  /** What the error body says. */
  String text() {
    return text;
  }

  String code() {
    return code;
  }

  /** What the body says beside a code that only a fault rule can bring about. */
  static String text(String code, String path) {
    String[] segments = path.split("/", -1);
    return switch (code) {
      case "Forbidden" ->
          "User is not authorized to perform current operation for workspace '"
              + (segments.length > 1 ? segments[1] : "")
              + "' and artifact '"
              + (segments.length > 2 ? segments[2] : "")
              + "'";
      case "CapacityNotActive" ->
          "Unable to complete the action because this Fabric capacity is currently paused.";
      case "ServerBusy" -> "Operations per second is over the account limit.";
      case "OperationTimedOut" -> "The operation could not be completed within the permitted time.";
      case "InternalError" -> "Server encountered an internal error. Please try again.";
      case "WorkspaceNotFound", "FilesystemNotFound" ->
          "The specified workspace or filesystem does not exist.";
      default -> "Injected by a fault rule.";
    };
  }

  static RefusedException pathNotFound() {
    return new RefusedException(404, "PathNotFound", "The specified path does not exist.");
  }

  static RefusedException pathAlreadyExists() {
    return new RefusedException(409, "PathAlreadyExists", "The specified path already exists.");
  }

  static RefusedException managedFolder() {
    return new RefusedException(
        400,
        "OperationNotAllowedOnThePath",
        "The operation is not allowed on workspaces, items and their managed folders.");
  }

  static RefusedException invalidHeader(String name, String value) {
    return new RefusedException(
        400,
        "InvalidHeaderValue",
        "The value for one of the HTTP headers is not in the correct format. "
            + name
            + ": "
            + value);
  }

  static RefusedException invalidQuery(String name, String value) {
    return new RefusedException(
        400,
        "InvalidQueryParameterValue",
        "Value for one of the query parameters specified in the request URI is invalid. "
            + name
            + "="
            + value);
  }
}
