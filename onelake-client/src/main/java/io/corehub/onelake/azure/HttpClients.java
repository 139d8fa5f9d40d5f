package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Builds the HTTP client: TLS 1.2 or newer, checked by the JDK's rules, no redirects, HTTP/1.1.
 * Stateless.
 */
final class HttpClients {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  private HttpClients() {}

  /**
   * @param trust what certificates are trusted; empty for those of the Java runtime
   * @param limit until the headers of an answer are there
   */
  static HttpClient create(Optional<SSLContext> trust, ProxyChoice proxy, Duration limit) {
    java.net.http.HttpClient.Builder jdk =
        java.net.http.HttpClient.newBuilder().followRedirects(Redirect.NEVER);
    trust.ifPresent(jdk::sslContext);
    // What the runtime would take depends on its security properties, which others may have
    // widened.
    SSLParameters tls = new SSLParameters();
    tls.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    jdk.sslParameters(tls);
    jdk.proxy(proxy.selector());
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
}
