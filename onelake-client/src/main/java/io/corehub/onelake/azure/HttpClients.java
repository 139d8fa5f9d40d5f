package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
import io.corehub.onelake.ProxyServer;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Builds the HTTP client: TLS checked by the JDK's rules, no redirects, HTTP/1.1. Stateless. */
final class HttpClients {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final String DISABLED_TUNNEL_SCHEMES = "jdk.http.auth.tunneling.disabledSchemes";

  private HttpClients() {}

  /**
   * @param trust what certificates are trusted; empty for those of the Java runtime
   * @param proxy empty for the settings of the Java runtime and the environment
   * @param limit until the headers of an answer are there
   */
  static HttpClient create(
      Optional<SSLContext> trust, Optional<ProxyServer> proxy, Duration limit) {
    java.net.http.HttpClient.Builder jdk =
        java.net.http.HttpClient.newBuilder().followRedirects(Redirect.NEVER);
    trust.ifPresent(jdk::sslContext);
    jdk.proxy(ProxyChoice.selector(proxy, System.getenv()));
    ProxyChoice.server(proxy, System.getenv())
        .filter(server -> server.user().isPresent())
        .ifPresent(server -> jdk.authenticator(authenticator(server)));
    Duration connect = limit.compareTo(CONNECT_LIMIT) < 0 ? limit : CONNECT_LIMIT;
    return new JdkHttpClientBuilder(jdk)
        .configuration(noConfiguration())
        .connectionTimeout(connect)
        .responseTimeout(limit)
        .writeTimeout(Duration.ZERO)
        .readTimeout(Duration.ZERO)
        .build();
  }

  /** Keeps the Azure libraries from taking settings out of environment variables. */
  static Configuration noConfiguration() {
    return new ConfigurationBuilder(path -> Map.of(), path -> Map.of(), path -> Map.of()).build();
  }

  /**
   * The JDK refuses Basic authentication in tunnels unless this property, read once per process, is
   * empty.
   */
  private static Authenticator authenticator(ProxyServer server) {
    if (System.getProperty(DISABLED_TUNNEL_SCHEMES) == null) {
      System.setProperty(DISABLED_TUNNEL_SCHEMES, "");
    }
    String user = server.user().orElseThrow();
    String password = server.password().orElseThrow().reveal();
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        if (getRequestorType() != RequestorType.PROXY) {
          throw new IllegalStateException("Only a proxy may ask for the proxy's password");
        }
        return new PasswordAuthentication(user, password.toCharArray());
      }
    };
  }
}
