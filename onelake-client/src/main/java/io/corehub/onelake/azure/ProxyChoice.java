package io.corehub.onelake.azure;

import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.ProxyServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which proxy a request takes: the one of the settings, else the Java runtime's ({@code
 * https.proxyHost}), else the environment's ({@code HTTPS_PROXY} with {@code NO_PROXY}). Immutable.
 */
final class ProxyChoice {
  private static final String DISABLED_TUNNEL_SCHEMES = "jdk.http.auth.tunneling.disabledSchemes";

  private final ProxySelector selector;
  private final Optional<String> authorization;

  private ProxyChoice(ProxySelector selector, Optional<ProxyServer> server) {
    this.selector = selector;
    this.authorization = server.filter(proxy -> proxy.user().isPresent()).map(ProxyChoice::basic);
  }

  /**
   * @throws InvalidValueException when the environment's proxy cannot be used
   */
  static ProxyChoice of(Optional<ProxyServer> setting, Map<String, String> environment) {
    if (setting.isPresent()) {
      return new ProxyChoice(ProxySelector.of(address(setting.get())), setting);
    }
    String value = variable(environment, "HTTPS_PROXY");
    if (value.isBlank() || System.getProperty("https.proxyHost") != null) {
      ProxySelector runtime = ProxySelector.getDefault();
      return new ProxyChoice(runtime == null ? ProxySelector.of(null) : runtime, Optional.empty());
    }
    try {
      ProxyServer server = ProxyServer.parse(value);
      Proxy proxy = new Proxy(Proxy.Type.HTTP, address(server));
      return new ProxyChoice(
          new EnvironmentSelector(proxy, variable(environment, "NO_PROXY")), Optional.of(server));
    } catch (InvalidValueException e) {
      throw new InvalidValueException("Environment variable HTTPS_PROXY: " + e.getMessage(), e);
    }
  }

  /** No proxy, whatever the runtime and the environment say. */
  static ProxyChoice none() {
    return new ProxyChoice(ProxySelector.of(null), Optional.empty());
  }

  ProxySelector selector() {
    return selector;
  }

  /**
   * The {@code Proxy-Authorization} header for a request that takes a proxy with a password. The
   * Java HTTP client sends it to the proxy alone. Its own authenticator is of no use: with one it
   * would drop our {@code Authorization} header.
   */
  Optional<String> authorization(URI target) {
    return authorization.filter(
        header ->
            selector.select(target).stream().anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT));
  }

  /** The proxy that a request takes, as {@code http://host:port}. */
  Optional<String> server(URI target) {
    return selector.select(target).stream()
        .filter(proxy -> proxy.type() != Proxy.Type.DIRECT)
        .map(Proxy::address)
        .filter(InetSocketAddress.class::isInstance)
        .map(InetSocketAddress.class::cast)
        .map(address -> "http://" + address.getHostString() + ":" + address.getPort())
        .findFirst();
  }

  private static String basic(ProxyServer server) {
    // The JDK takes Basic off tunnels unless this property, read once per process, is empty.
    if (System.getProperty(DISABLED_TUNNEL_SCHEMES) == null) {
      System.setProperty(DISABLED_TUNNEL_SCHEMES, "");
    }
    String pair = server.user().orElseThrow() + ":" + server.password().orElseThrow().reveal();
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
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
          Arrays.stream(noProxy.toLowerCase(Locale.ROOT).split(",", -1))
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
