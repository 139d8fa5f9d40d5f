package io.corehub.onelake;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * An HTTP proxy that requests are tunnelled through. Immutable; its text form hides the password.
 *
 * @param host name or address
 * @param port from 1 to 65535
 * @param user empty for a proxy without sign-in
 * @param password present exactly when {@code user} is
 */
public record ProxyServer(String host, int port, Optional<String> user, Optional<Secret> password) {

  public ProxyServer {
    Objects.requireNonNull(host);
    if (port < 1 || port > 65_535 || user.isPresent() != password.isPresent()) {
      throw unusable();
    }
  }

  /**
   * Reads {@code http://[user:password@]host:port}; user and password are percent-decoded.
   *
   * @throws InvalidValueException when it is something else; the message repeats nothing of it
   */
  public static ProxyServer parse(String text) {
    String stripped = text.strip();
    URI uri;
    try {
      uri = new URI(stripped.contains("://") ? stripped : "http://" + stripped);
    } catch (URISyntaxException e) {
      throw unusable();
    }
    String path = uri.getRawPath();
    String host = uri.getHost();
    if (!"http".equalsIgnoreCase(uri.getScheme())
        || host == null
        || !(path == null || path.isEmpty() || path.equals("/"))
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw unusable();
    }
    int port = uri.getPort() == -1 ? 80 : uri.getPort();
    String userInfo = uri.getRawUserInfo();
    if (userInfo == null) {
      return new ProxyServer(host, port, Optional.empty(), Optional.empty());
    }
    int colon = userInfo.indexOf(':');
    if (colon < 1 || colon == userInfo.length() - 1) {
      throw unusable();
    }
    return new ProxyServer(
        host,
        port,
        Optional.of(decode(userInfo.substring(0, colon))),
        Optional.of(Secret.of(decode(userInfo.substring(colon + 1)))));
  }

  private static String decode(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static InvalidValueException unusable() {
    return new InvalidValueException(
        "The proxy is not usable. Write it as http://host:port, or http://user:password@host:port with special characters"
            + " percent-encoded.");
  }

  /** {@code http://host:port}, without user and password. */
  @Override
  public String toString() {
    return "http://" + host + ":" + port;
  }
}
