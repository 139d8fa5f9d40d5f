package io.corehub.emulator.internal.server;

import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request, decoded. Immutable but for the body, which is read once.
 *
 * @param path the URL path, decoded once
 * @param query decoded parameters
 * @param headers by lower-case name
 * @param body the request's bytes; empty when there are none
 * @param storeLimit most bytes of the body that are kept, for a server that lies about what it
 *     stored; -1 for all
 */
record Call(
    String requestId,
    Operation operation,
    String method,
    String path,
    String rawPath,
    Map<String, String> query,
    Map<String, String> headers,
    InputStream body,
    long storeLimit) {

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** Whether a query parameter is {@code true}. */
  boolean flag(String name) {
    return "true".equalsIgnoreCase(query.get(name));
  }

  /** The length that the request announces, or -1. */
  long contentLength() throws RefusedException {
    @Nullable String value = headers.get("content-length");
    if (value == null) {
      return -1;
    }
    try {
      return Long.parseLong(value.trim());
    } catch (NumberFormatException e) {
      throw RefusedException.invalidHeader("Content-Length", value);
    }
  }

  Call withBody(InputStream replacement) {
    return new Call(
        requestId, operation, method, path, rawPath, query, headers, replacement, storeLimit);
  }

  Call withStoreLimit(long bytes) {
    return new Call(requestId, operation, method, path, rawPath, query, headers, body, bytes);
  }
}
