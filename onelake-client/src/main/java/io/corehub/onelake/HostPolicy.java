package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which hosts may receive a token. A storage token opens every storage account the identity may
 * use, so it goes to OneLake alone unless a person names another host. Immutable.
 *
 * <p>Without being named: {@code onelake.dfs.fabric.microsoft.com}, {@code
 * <region>-onelake.dfs.fabric.microsoft.com} and the private-link host of a workspace, {@code <id
 * without dashes>.z<first two characters>.dfs.fabric.microsoft.com}; each on port 443. Their {@code
 * .blob.} twins stand for the same service and are mapped to {@code .dfs.} first.
 */
public final class HostPolicy {
  private static final int HTTPS_PORT = 443;
  private static final Pattern ONELAKE =
      Pattern.compile("(?:[a-z0-9]{1,40}-)?onelake\\.dfs\\.fabric\\.microsoft\\.com");
  private static final Pattern PRIVATE_LINK =
      Pattern.compile("([0-9a-f]{32})\\.z([0-9a-f]{2})\\.dfs\\.fabric\\.microsoft\\.com");
  private static final Pattern BLOB_TWIN =
      Pattern.compile("([a-z0-9.-]+)\\.blob\\.fabric\\.microsoft\\.com");
  private static final Pattern ALLOWED_ENTRY =
      Pattern.compile(
          "([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\\[[0-9a-f:]{2,45}])(?::([0-9]{1,5}))?");

  private final Set<String> allowed;

  private HostPolicy(Set<String> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /** OneLake's own hosts and no other. */
  public static HostPolicy oneLakeOnly() {
    return new HostPolicy(Set.of());
  }

  /**
   * OneLake's own hosts and those named.
   *
   * @param allowedHosts comma-separated {@code host[:port]}, exact names; the port is 443 when left
   *     out; may be blank
   * @throws InvalidValueException when an entry is not a host, with the entry named
   */
  public static HostPolicy parse(String allowedHosts) {
    Set<String> hosts = new LinkedHashSet<>();
    for (String part : allowedHosts.split(",", -1)) {
      String entry = part.strip().toLowerCase(Locale.ROOT);
      if (entry.isEmpty()) {
        continue;
      }
      Matcher match = ALLOWED_ENTRY.matcher(entry);
      int port = 0;
      if (match.matches()) {
        port = match.group(2) == null ? HTTPS_PORT : Integer.parseInt(match.group(2));
      }
      if (port < 1 || port > 65_535) {
        throw new InvalidValueException(
            "allowedHosts: '"
                + LogText.safe(part.strip())
                + "' is not a host. Write exact host names, each with a port if it is not 443, separated by commas, for"
                + " example: proxy.example.com:8443");
      }
      hosts.add(match.group(1) + ":" + port);
    }
    return new HostPolicy(hosts);
  }

  /** Whether this host, in lower case, may receive a token on this port. */
  public boolean allows(String host, int port) {
    return (port == HTTPS_PORT && isOneLake(host)) || allowed.contains(host + ":" + port);
  }

  /** Whether a person named this host and port. */
  boolean names(String host, int port) {
    return allowed.contains(host + ":" + port);
  }

  /** Whether this host, in lower case, is one of OneLake's own DFS hosts. */
  static boolean isOneLake(String host) {
    if (ONELAKE.matcher(host).matches()) {
      return true;
    }
    Matcher link = PRIVATE_LINK.matcher(host);
    return link.matches() && link.group(1).startsWith(link.group(2));
  }

  /** The workspace id, without dashes, in a private-link host; empty for any other host. */
  static String privateLinkWorkspace(String host) {
    Matcher link = PRIVATE_LINK.matcher(host);
    return link.matches() ? link.group(1) : "";
  }

  /** The DFS twin of one of OneLake's blob hosts; any other host as it is. */
  static String dfsHost(String host) {
    Matcher twin = BLOB_TWIN.matcher(host);
    if (twin.matches()) {
      String dfs = twin.group(1) + ".dfs.fabric.microsoft.com";
      return isOneLake(dfs) ? dfs : host;
    }
    return host;
  }

  @Override
  public String toString() {
    return allowed.isEmpty() ? "OneLake only" : "OneLake and " + String.join(", ", allowed);
  }
}
