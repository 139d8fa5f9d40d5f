package io.corehub.lineage.naming;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What names need of a SQL Server JDBC URL; passwords in it are never kept. Immutable. */
final class SqlServerUrl {

  private static final String PREFIX = "jdbc:sqlserver://";

  /** Host and port as written, without the instance. */
  private final String authority;

  private final Optional<String> instance;
  private final Optional<String> database;

  private SqlServerUrl(String authority, Optional<String> instance, Optional<String> database) {
    this.authority = authority;
    this.instance = instance;
    this.database = database;
  }

  static Optional<SqlServerUrl> parse(String url) {
    String text = url.strip();
    if (!text.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      return Optional.empty();
    }
    String rest = text.substring(PREFIX.length());
    int end = rest.indexOf(';');
    String server = end < 0 ? rest : rest.substring(0, end);
    Map<String, String> properties =
        end < 0 ? new HashMap<>() : properties(rest.substring(end + 1));
    String host = server.isBlank() ? first(properties, "servername", "server").orElse("") : server;
    String port = "";
    int colon = host.lastIndexOf(':');
    if (colon >= 0 && host.indexOf(']') < colon) {
      port = host.substring(colon);
      host = host.substring(0, colon);
    } else if (first(properties, "port", "portnumber").isPresent()) {
      port = ":" + first(properties, "port", "portnumber").get();
    }
    int backslash = host.indexOf('\\');
    Optional<String> instance =
        backslash < 0
            ? first(properties, "instancename")
            : Optional.of(host.substring(backslash + 1));
    host = backslash < 0 ? host : host.substring(0, backslash);
    return host.isBlank()
        ? Optional.empty()
        : Optional.of(
            new SqlServerUrl(host + port, instance, first(properties, "databasename", "database")));
  }

  /** Properties by name in lower case; a value in braces may hold anything. */
  private static Map<String, String> properties(String text) {
    Map<String, String> properties = new HashMap<>();
    int at = 0;
    while (at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
      StringBuilder value = new StringBuilder();
      int i = equals + 1;
      if (i < text.length() && text.charAt(i) == '{') {
        for (i++; i < text.length(); i++) {
          boolean brace = text.charAt(i) == '}';
          if (brace && !(i + 1 < text.length() && text.charAt(i + 1) == '}')) {
            break;
          }
          value.append(text.charAt(i));
          i += brace ? 1 : 0;
        }
        int end = text.indexOf(';', i);
        i = end < 0 ? text.length() : end;
      } else {
        int end = text.indexOf(';', i);
        int stop = end < 0 ? text.length() : end;
        value.append(text.substring(i, stop).strip());
        i = stop;
      }
      properties.putIfAbsent(name, value.toString());
      at = i + 1;
    }
    return properties;
  }

  private static Optional<String> first(Map<String, String> properties, String... names) {
    for (String name : names) {
      String value = properties.get(name);
      if (value != null && !value.isBlank()) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  Optional<FabricSqlAddress> fabricAddress() {
    return instance.isPresent() ? Optional.empty() : FabricSqlAddress.parse(authority);
  }

  Optional<String> database() {
    return database;
  }

  /** Host, port and instance as written. */
  String namespace() {
    return "sqlserver://" + authority + instance.map(name -> "/" + name).orElse("");
  }
}
