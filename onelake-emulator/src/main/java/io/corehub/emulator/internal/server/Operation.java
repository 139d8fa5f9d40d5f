package io.corehub.emulator.internal.server;

import java.util.Locale;
import java.util.Map;

/** What a request asks for, in the words of the fault rules. */
enum Operation {
  CREATE,
  APPEND,
  FLUSH,
  RENAME,
  HEAD,
  LIST,
  GET,
  DELETE,
  TOKEN,
  OTHER;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Operation of(
      String method, String path, Map<String, String> query, Map<String, String> headers) {
    if (path.endsWith("/oauth2/v2.0/token")
        || path.equals(ManagedIdentityEndpoint.MACHINE_PATH)
        || path.equals(ManagedIdentityEndpoint.APP_SERVICE_PATH)) {
      return TOKEN;
    }
    return switch (method) {
      case "PUT", "PATCH" -> ofWrite(method, query, headers);
      case "HEAD" -> HEAD;
      case "GET" -> "filesystem".equals(query.get("resource")) ? LIST : GET;
      case "DELETE" -> DELETE;
      default -> OTHER;
    };
  }

  private static Operation ofWrite(
      String method, Map<String, String> query, Map<String, String> headers) {
    String action = query.getOrDefault("action", "");
    if (action.equals("append")) {
      return APPEND;
    }
    if (action.equals("flush")) {
      return FLUSH;
    }
    if (method.equals("PUT") && headers.containsKey("x-ms-rename-source")) {
      return RENAME;
    }
    return method.equals("PUT") && query.containsKey("resource") ? CREATE : OTHER;
  }
}
