package io.corehub.lineage.naming;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database, or anything else that tables are read from, as its connection URL tells it. The names
 * are those of the OpenLineage naming conventions as its Java client computes them, with three
 * exceptions: a SQL Server host that is the address of a Fabric workspace is named {@code
 * fabric-warehouse://}; other SQL Server hosts stay as they are written; and no part of a user,
 * password or query is ever in a name. Immutable.
 */
public final class SourceDatabase {

  /** Systems whose URL is {@code jdbc:{word}://{hosts}/{database}}. */
  private enum Kind {
    POSTGRESQL("postgresql", "postgres", "5432"),
    MYSQL("mysql", "mysql", "3306"),
    MARIADB("mariadb", "mariadb", ""),
    DB2("db2", "db2", "6789");

    final String word;
    final String scheme;
    final String port;

    Kind(String word, String scheme, String port) {
      this.word = word;
      this.scheme = scheme;
      this.port = port;
    }
  }

  private static final Pattern ORACLE_SERVICE =
      Pattern.compile("@(?:tcps?:)?(?://)?([^/:@()]+)(?::(\\d+))?[/:]([^/:?()]+)[^@]*$");
  private static final Pattern ORACLE_HOST =
      Pattern.compile("(?i)\\(\\s*host\\s*=\\s*([^)\\s]+)\\s*\\)");
  private static final Pattern ORACLE_PORT =
      Pattern.compile("(?i)\\(\\s*port\\s*=\\s*(\\d+)\\s*\\)");
  private static final Pattern ORACLE_NAME =
      Pattern.compile("(?i)\\(\\s*(?:service_name|sid)\\s*=\\s*([^)\\s]+)\\s*\\)");

  private final String namespace;
  private final Optional<String> database;
  private final boolean schemaIsDatabase;
  private final Optional<FabricSqlAddress> fabric;

  private SourceDatabase(
      String namespace,
      Optional<String> database,
      boolean schemaIsDatabase,
      Optional<FabricSqlAddress> fabric) {
    this.namespace = namespace;
    this.database = database;
    this.schemaIsDatabase = schemaIsDatabase;
    this.fabric = fabric;
  }

  private static SourceDatabase of(String namespace, String database) {
    return new SourceDatabase(
        namespace, Optional.of(database).filter(name -> !name.isBlank()), false, Optional.empty());
  }

  /**
   * A recorded stream of changes.
   *
   * @param timeline name of the stream's history
   * @return tables of it are {@code change-stream://{timeline}} / {@code {schema}.{table}}
   */
  public static SourceDatabase ofChangeStream(String timeline) {
    return of("change-stream://" + timeline, "");
  }

  /**
   * Reads a connection URL: {@code jdbc:} of PostgreSQL, SQL Server, MySQL, MariaDB, Oracle and
   * DB2; {@code mongodb://}, {@code mongodb+srv://} and {@code kafka://}.
   *
   * @param url the URL; may hold users, passwords and options
   * @return the database; empty if the URL is of none of these kinds
   */
  public static Optional<SourceDatabase> parse(String url) {
    String text = url.strip();
    Optional<SqlServerUrl> sqlServer = SqlServerUrl.parse(text);
    if (sqlServer.isPresent()) {
      return sqlServer.map(SourceDatabase::ofSqlServer);
    }
    if (starts(text, "jdbc:oracle:")) {
      return ofOracle(text);
    }
    for (Kind kind : Kind.values()) {
      String prefix = "jdbc:" + kind.word + "://";
      if (starts(text, prefix)) {
        return ofServer(kind, text.substring(prefix.length()));
      }
    }
    if (starts(text, "mongodb://")) {
      return ofMongo(text.substring("mongodb://".length()), "27017");
    }
    if (starts(text, "mongodb+srv://")) {
      return ofMongo(text.substring("mongodb+srv://".length()), "");
    }
    if (starts(text, "kafka://")) {
      String hosts = hosts(text.substring("kafka://".length()).split("[/?#]", 2)[0], "9092");
      return hosts.isEmpty() ? Optional.empty() : Optional.of(of("kafka://" + hosts, ""));
    }
    return Optional.empty();
  }

  private static boolean starts(String text, String prefix) {
    return text.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  private static SourceDatabase ofSqlServer(SqlServerUrl url) {
    Optional<FabricSqlAddress> address = url.fabricAddress();
    return new SourceDatabase(
        address.map(FabricSqlAddress::namespace).orElse(url.namespace()),
        url.database(),
        false,
        address);
  }

  private static Optional<SourceDatabase> ofServer(Kind kind, String rest) {
    int slash = rest.indexOf('/', rest.lastIndexOf('@', firstOf(rest, "?;")) + 1);
    String authority =
        slash < 0 ? rest.substring(0, firstOf(rest, "?;")) : rest.substring(0, slash);
    String path = slash < 0 ? "" : rest.substring(slash + 1);
    String database = path.substring(0, firstOf(path, kind == Kind.DB2 ? "?;:" : "?;"));
    String hosts = hosts(authority, kind.port);
    if (hosts.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SourceDatabase(
            kind.scheme + "://" + hosts,
            Optional.of(decoded(database)).filter(name -> !name.isBlank()),
            kind == Kind.MYSQL || kind == Kind.MARIADB,
            Optional.empty()));
  }

  private static Optional<SourceDatabase> ofMongo(String rest, String port) {
    int end = firstOf(rest, "?#");
    int slash = rest.indexOf('/', rest.lastIndexOf('@', end) + 1);
    String authority = rest.substring(0, slash < 0 ? end : slash);
    String database = slash < 0 || slash > end ? "" : rest.substring(slash + 1, end);
    String hosts = hosts(authority, port);
    return hosts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SourceDatabase(
                "mongodb://" + hosts,
                Optional.of(decoded(database)).filter(name -> !name.isBlank()),
                true,
                Optional.empty()));
  }

  private static Optional<SourceDatabase> ofOracle(String text) {
    Matcher host = ORACLE_HOST.matcher(text);
    Matcher name = ORACLE_NAME.matcher(text);
    if (host.find() && name.find()) {
      Matcher port = ORACLE_PORT.matcher(text);
      return Optional.of(oracle(host.group(1), port.find() ? port.group(1) : null, name.group(1)));
    }
    Matcher service = ORACLE_SERVICE.matcher(text.split("\\?", 2)[0]);
    return service.find()
        ? Optional.of(oracle(service.group(1), service.group(2), service.group(3)))
        : Optional.empty();
  }

  private static SourceDatabase oracle(String host, @Nullable String port, String service) {
    return of(
        "oracle://" + host.toLowerCase(Locale.ROOT) + ":" + (port == null ? "1521" : port),
        service);
  }

  /** Index of the first of some characters, or the length. */
  private static int firstOf(String text, String characters) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return text.length();
  }

  /** Hosts with their ports, less user and password; the default port where there is none. */
  private static String hosts(String authority, String defaultPort) {
    List<String> hosts = new ArrayList<>();
    for (String one : authority.substring(authority.lastIndexOf('@') + 1).split(",", -1)) {
      String host = one.strip().toLowerCase(Locale.ROOT);
      boolean port = host.lastIndexOf(':') > host.lastIndexOf(']');
      if (!host.isEmpty()) {
        hosts.add(port || defaultPort.isEmpty() ? host : host + ":" + defaultPort);
      }
    }
    return String.join(",", hosts);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // Not encoded after all: a '%' that stands for itself.
      return text;
    }
  }

  /**
   * The namespace of the tables.
   *
   * @return such as {@code postgres://db.example.com:5432}
   */
  public String namespace() {
    return namespace;
  }

  /**
   * The database.
   *
   * @return its name; empty if the URL names none
   */
  public Optional<String> database() {
    return database;
  }

  /**
   * An address for people.
   *
   * @return namespace, and database if there is one, without user, password and options
   */
  public String uri() {
    return namespace + database.map(name -> "/" + name).orElse("");
  }

  /**
   * A table, collection or topic.
   *
   * @param schema its schema; for MySQL, MariaDB and MongoDB its database. Empty if it has none
   * @param table its name
   * @return how it is named
   */
  public Dataset table(Optional<String> schema, String table) {
    String inSchema = schema.map(name -> name + ".").orElse("") + table;
    if (fabric.isPresent() && database.isPresent()) {
      return Dataset.ofSql(
          fabric.get(), "Warehouse", database.get(), inSchema, Optional.empty(), Optional.empty());
    }
    boolean whole = schemaIsDatabase && schema.isPresent();
    return Dataset.of(
        namespace, whole ? inSchema : database.map(name -> name + ".").orElse("") + inSchema);
  }

  @Override
  public String toString() {
    return uri();
  }
}
