package io.corehub.onelake.azure;

import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.ProxyServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which proxy a request takes: the one of the settings, else the Java runtime's ({@code
 * https.proxyHost}), else the environment's ({@code HTTPS_PROXY} with {@code NO_PROXY}). Stateless.
 */
final class ProxyChoice {
  private ProxyChoice() {}

  static ProxySelector selector(Optional<ProxyServer> setting, Map<String, String> environment) {
    if (setting.isPresent()) {
      return ProxySelector.of(address(setting.get()));
    }
    Optional<ProxyServer> server = server(setting, environment);
    ProxySelector runtime = ProxySelector.getDefault();
    if (server.isEmpty()) {
      return runtime == null ? ProxySelector.of(null) : runtime;
    }
    return new EnvironmentSelector(
        new Proxy(Proxy.Type.HTTP, address(server.get())), variable(environment, "NO_PROXY"));
  }

  /** The proxy that the settings or the environment name. */
  static Optional<ProxyServer> server(
      Optional<ProxyServer> setting, Map<String, String> environment) {
    if (setting.isPresent() || System.getProperty("https.proxyHost") != null) {
      return setting;
    }
    String value = variable(environment, "HTTPS_PROXY");
    if (value.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ProxyServer.parse(value));
    } catch (InvalidValueException e) {
      throw new InvalidValueException("Environment variable HTTPS_PROXY: " + e.getMessage(), e);
    }
  }

  private static InetSocketAddress address(ProxyServer server) {
    return InetSocketAddress.createUnresolved(server.host(), server.port());
  }

  private static String variable(Map<String, String> environment, String name) {
    String lower = environment.get(name.toLowerCase(Locale.ROOT));
    return lower != null ? lower : environment.getOrDefault(name, "");
  }

  /**
   * Takes the environment's proxy for every host but this machine and those of {@code NO_PROXY}.
   * Immutable.
   */
  private static final class EnvironmentSelector extends ProxySelector {
    private final List<Proxy> proxied;
    private final List<String> direct;

    EnvironmentSelector(Proxy proxy, String noProxy) {
      this.proxied = List.of(proxy);
      this.direct =
          java.util.Arrays.stream(noProxy.toLowerCase(Locale.ROOT).split(",", -1))
              .map(String::strip)
              .filter(entry -> !entry.isEmpty())
              .toList();
    }

    @Override
    public List<Proxy> select(URI uri) {
      String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
      return isDirect(host) ? List.of(Proxy.NO_PROXY) : proxied;
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
      // The request itself fails and says so.
    }

    private boolean isDirect(String host) {
      if (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]")) {
        return true;
      }
      return direct.stream().anyMatch(entry -> matches(entry, host));
    }

    private static boolean matches(String entry, String host) {
      if (entry.equals("*")) {
        return true;
      }
      String bare = entry.startsWith("*") ? entry.substring(1) : entry;
      String suffix = bare.startsWith(".") ? bare : "." + bare;
      return host.equals(bare) || host.endsWith(suffix);
    }
  }
}
