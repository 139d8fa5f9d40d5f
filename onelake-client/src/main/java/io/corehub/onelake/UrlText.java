package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import io.corehub.onelake.internal.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes OneLake URLs. Stateless.
 *
 * <p>The text is taken apart here, once, and requests are built from the parts alone: what a second
 * parser might make of the text cannot matter.
 */
final class UrlText {
  private static final int MAX_LENGTH = 4096;
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(.*)");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile(
          "([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\\[[0-9a-f:]{2,45}])(?::([0-9]{1,5}))?");
  private static final Pattern PORTAL =
      Pattern.compile("/groups/([0-9a-fA-F-]{36})/mirroreddatabases/([0-9a-fA-F-]{36}).*");
  private static final String EXAMPLE =
      "https://onelake.dfs.fabric.microsoft.com/<workspace id>/<mirrored database id>/Files/LandingZone";

  private UrlText() {}

  static OneLakeUrl parse(String text, HostPolicy hosts) {
    String cleaned = clean(text);
    Matcher schemed = SCHEME.matcher(cleaned);
    String scheme = "https";
    String rest = cleaned;
    if (schemed.matches()) {
      scheme = schemed.group(1).toLowerCase(Locale.ROOT);
      rest = schemed.group(2);
    }
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String path = slash < 0 ? "" : rest.substring(slash);
    return switch (scheme) {
      case "https" -> {
        if (authority.indexOf('@') >= 0) {
          throw refuse(
              "A URL that begins with https:// must not hold '@'",
              "write the workspace behind the host, as in " + EXAMPLE);
        }
        yield assemble(authority, decode(path), path, hosts);
      }
      case "abfss", "abfs" -> {
        int at = authority.indexOf('@');
        if (at < 1 || at != authority.lastIndexOf('@')) {
          throw refuse(
              "A URL that begins with " + scheme + ":// names the workspace before one '@'",
              "write " + scheme + "://<workspace id>@<host>/<item id>/Files/…");
        }
        String fileSystem = authority.substring(0, at);
        if (fileSystem.indexOf(':') >= 0 || fileSystem.contains(" ") || fileSystem.contains("%")) {
          throw refuse(
              "A workspace name with blanks or special characters cannot stand in a URL that begins with "
                  + scheme
                  + "://",
              "use the workspace's id, or the https form");
        }
        List<String> segments = new ArrayList<>(List.of(fileSystem));
        segments.addAll(decode(path));
        yield assemble(authority.substring(at + 1), segments, path, hosts);
      }
      case "http" ->
          throw refuse("A token is never sent over http", "write https:// instead of http://");
      default ->
          throw refuse(
              "'" + LogText.safe(scheme) + "://' is not understood",
              "paste the https form: " + EXAMPLE);
    };
  }

  /** Checks the rule of {@link LandingZoneUrl} and answers the URL as OneLake wants it. */
  static OneLakeUrl landingZone(OneLakeUrl url) {
    List<String> below = url.segments();
    if (url.item().isEmpty()) {
      throw refuse(
          "The URL names no mirrored database", "paste the URL from its Home page: " + EXAMPLE);
    }
    ItemName names = ItemName.of(url.fileSystem(), url.item().get());
    if (below.size() < 2
        || !below.get(0).equalsIgnoreCase("Files")
        || !below.get(1).equalsIgnoreCase("LandingZone")) {
      OneLakeUrl meant =
          new OneLakeUrl(
              url.host(),
              url.port(),
              names.workspace(),
              Optional.of(names.item()),
              List.of("Files", "LandingZone"));
      throw refuse(
          "The path must go on with Files/LandingZone behind the mirrored database",
          "the landing zone of this one would be " + LogText.safe(meant.toString()));
    }
    List<String> canonical = new ArrayList<>(below);
    canonical.set(0, "Files");
    canonical.set(1, "LandingZone");
    return new OneLakeUrl(
        url.host(), url.port(), names.workspace(), Optional.of(names.item()), canonical);
  }

  /** Checks the rule of {@link StorageUrl} and answers the URL as OneLake wants it. */
  static OneLakeUrl files(OneLakeUrl url) {
    if (url.item().isEmpty()) {
      return url;
    }
    ItemName names = ItemName.lakehouse(url.fileSystem(), url.item().get());
    List<String> below = url.segments();
    if (below.isEmpty() || !below.get(0).equalsIgnoreCase("Files")) {
      throw refuse(
          below.isEmpty()
              ? "The URL ends behind the item"
              : "The path goes on with '" + LogText.safe(below.get(0)) + "' behind the item",
          "files go below its Files folder, never into Tables: write …/"
              + LogText.safe(names.item())
              + "/Files, with a folder behind it if you like");
    }
    List<String> canonical = new ArrayList<>(below);
    canonical.set(0, "Files");
    return new OneLakeUrl(
        url.host(), url.port(), names.workspace(), Optional.of(names.item()), canonical);
  }

  static OneLakeUrl landingZone(
      String host, String workspace, String mirroredDatabase, HostPolicy hosts) {
    String hostText = host.isBlank() ? LandingZoneUrl.DEFAULT_HOST : host;
    String authority = hostAlone(hostText);
    List<String> segments = new ArrayList<>();
    segments.add(part("workspace", workspace));
    segments.add(part("mirrored database", mirroredDatabase));
    segments.add("Files");
    segments.add("LandingZone");
    return landingZone(assemble(authority, segments, "", hosts));
  }

  static String format(OneLakeUrl url) {
    StringBuilder out = new StringBuilder(url.endpoint());
    out.append('/').append(PercentEncoding.segment(url.fileSystem()));
    url.item().ifPresent(item -> out.append('/').append(PercentEncoding.segment(item)));
    for (String segment : url.segments()) {
      out.append('/').append(PercentEncoding.segment(segment));
    }
    return out.toString();
  }

  private static String clean(String text) {
    String cleaned = text.strip();
    while (cleaned.length() >= 2 && isQuoted(cleaned)) {
      cleaned = cleaned.substring(1, cleaned.length() - 1).strip();
    }
    if (cleaned.isEmpty()) {
      throw refuse("The URL is empty", "paste the landing zone URL: " + EXAMPLE);
    }
    if (cleaned.length() > MAX_LENGTH) {
      throw refuse("The URL is longer than " + MAX_LENGTH + " characters", "paste " + EXAMPLE);
    }
    int end = cleaned.length();
    for (int i = 0; i < end; i++) {
      char c = cleaned.charAt(i);
      if (c == '?' || c == '#') {
        end = i;
      } else if (c == '\\' || unprintable(c)) {
        throw refuse(
            "The URL holds a backslash or an invisible character at position " + (i + 1),
            "paste it again from the Home page of the mirrored database");
      }
    }
    return cleaned.substring(0, end).strip();
  }

  private static boolean isQuoted(String text) {
    char first = text.charAt(0);
    char last = text.charAt(text.length() - 1);
    return switch (first) {
      case '"', '\'', '`' -> last == first;
      case '<' -> last == '>';
      case '“' -> last == '”';
      default -> false;
    };
  }

  private static boolean unprintable(char c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static OneLakeUrl assemble(
      String authority, List<String> segments, String rawPath, HostPolicy hosts) {
    String lower = authority.toLowerCase(Locale.ROOT);
    Matcher match = HOST_AND_PORT.matcher(withoutRootDot(lower));
    if (!match.matches() || match.group(1).contains("..")) {
      throw refuse(
          "'" + LogText.safe(authority) + "' is not a host", "paste the URL as it is: " + EXAMPLE);
    }
    int port = match.group(2) == null ? 443 : Integer.parseInt(match.group(2));
    String host = HostPolicy.dfsHost(match.group(1));
    if (!hosts.allows(host, port)) {
      throw hostRefused(host, port, rawPath);
    }
    if (segments.isEmpty()) {
      throw refuse("The URL names no workspace", "paste the whole URL: " + EXAMPLE);
    }
    String fileSystem = segments.get(0);
    requirePrivateLinkWorkspace(host, fileSystem);
    boolean hasItem =
        HostPolicy.isOneLake(host)
            ? segments.size() > 1
            : segments.size() > 2 && isItemFolder(segments.get(2));
    if (HostPolicy.isOneLake(host) && !hasItem) {
      throw refuse(
          "The URL ends behind the workspace", "paste the whole URL of the item: " + EXAMPLE);
    }
    return new OneLakeUrl(
        host,
        port,
        fileSystem,
        hasItem ? Optional.of(segments.get(1)) : Optional.empty(),
        segments.subList(hasItem ? 2 : 1, segments.size()));
  }

  private static boolean isItemFolder(String segment) {
    return segment.equalsIgnoreCase("Files") || segment.equalsIgnoreCase("Tables");
  }

  private static String withoutRootDot(String authority) {
    int colon = authority.indexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    String port = colon < 0 ? "" : authority.substring(colon);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) + port : authority;
  }

  private static void requirePrivateLinkWorkspace(String host, String workspace) {
    String linked = HostPolicy.privateLinkWorkspace(host);
    String compact = workspace.replace("-", "").toLowerCase(Locale.ROOT);
    if (!linked.isEmpty() && ItemName.isGuid(workspace) && !linked.equals(compact)) {
      throw refuse(
          "The private-link host belongs to another workspace than '"
              + LogText.safe(workspace)
              + "'",
          "use the host of this workspace");
    }
  }

  private static InvalidValueException hostRefused(String host, int port, String rawPath) {
    Matcher portal = PORTAL.matcher(rawPath);
    if (host.equals("app.fabric.microsoft.com") && portal.matches()) {
      return refuse(
          "This is the address of the Fabric portal",
          "the landing zone would be https://onelake.dfs.fabric.microsoft.com/"
              + portal.group(1)
              + "/"
              + portal.group(2)
              + "/Files/LandingZone");
    }
    if (host.endsWith("api.onelake.fabric.microsoft.com")) {
      return refuse(
          "'" + host + "' is OneLake's API host", "use onelake.dfs.fabric.microsoft.com instead");
    }
    if (port != 443 && HostPolicy.isOneLake(host)) {
      return refuse("OneLake is reached on port 443, not " + port, "leave the port out");
    }
    return refuse(
        "'"
            + LogText.safe(port == 443 ? host : host + ":" + port)
            + "' is not a OneLake host, so it must not receive a token",
        "paste the URL from the Home page of the mirrored database ("
            + EXAMPLE
            + "), or name the host in allowedHosts if it is yours");
  }

  private static String hostAlone(String text) {
    String cleaned = clean(text);
    Matcher schemed = SCHEME.matcher(cleaned);
    String rest = cleaned;
    if (schemed.matches()) {
      if (!schemed.group(1).equalsIgnoreCase("https")) {
        throw refuse(
            "The OneLake host must be reached over https", "write " + LandingZoneUrl.DEFAULT_HOST);
      }
      rest = schemed.group(2);
    }
    while (rest.endsWith("/")) {
      rest = rest.substring(0, rest.length() - 1);
    }
    if (rest.indexOf('/') >= 0 || rest.indexOf('@') >= 0) {
      throw refuse(
          "The OneLake host must be a host alone",
          "write " + LandingZoneUrl.DEFAULT_HOST + ", or paste a whole URL as landing zone URL");
    }
    return rest;
  }

  private static String part(String what, String value) {
    String stripped = value.strip();
    if (stripped.isEmpty()) {
      throw refuse(
          "The " + what + " is empty", "enter its GUID or name, or paste the landing zone URL");
    }
    requireSegment(stripped);
    return stripped;
  }

  private static List<String> decode(String path) {
    List<String> segments = new ArrayList<>();
    for (String raw : path.split("/", -1)) {
      if (!raw.isEmpty()) {
        String segment =
            PercentEncoding.decode(raw)
                .orElseThrow(
                    () ->
                        refuse(
                            "'" + LogText.safe(raw) + "' is not correctly percent-encoded",
                            "write a percent sign in a name as %25"));
        requireSegment(segment);
        segments.add(segment);
      }
    }
    return segments;
  }

  private static void requireSegment(String segment) {
    String twice = PercentEncoding.decode(segment).orElse(segment);
    if (unsafe(segment) || unsafe(twice)) {
      throw refuse(
          "'" + LogText.safe(segment) + "' cannot be part of a path",
          "a name must not be '.' or '..' and must not hold a slash, a backslash or an invisible character");
    }
  }

  private static boolean unsafe(String segment) {
    return segment.equals(".")
        || segment.equals("..")
        || segment.isBlank()
        || segment.chars().anyMatch(c -> c == '/' || c == '\\' || unprintable((char) c));
  }

  static InvalidValueException refuse(String problem, String remedy) {
    return new InvalidValueException(problem + ": " + remedy + ".");
  }
}
