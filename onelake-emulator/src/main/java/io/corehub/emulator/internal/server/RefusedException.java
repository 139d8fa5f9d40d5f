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
