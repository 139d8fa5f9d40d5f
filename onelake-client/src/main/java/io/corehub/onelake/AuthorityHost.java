package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/**
 * The host that signs in: Microsoft Entra of the public cloud, of US Government or of China, or one
 * that a person allowed. Immutable.
 *
 * @param host in lower case
 * @param port 443 unless the host was allowed with another
 */
public record AuthorityHost(String host, int port) {
  private static final Set<String> MICROSOFT =
      Set.of(
          "login.microsoftonline.com",
          "login.microsoftonline.us",
          "login.partner.microsoftonline.cn",
          "login.chinacloudapi.cn");

  /** Microsoft Entra of the public cloud. */
  public static final AuthorityHost PUBLIC = new AuthorityHost("login.microsoftonline.com", 443);

  /**
   * Reads an authority host.
   *
   * @param text {@code https://host[:port][/]} or {@code host[:port]}; blank for {@link #PUBLIC}
   * @throws InvalidValueException when it is not https, holds more than a host, or is neither
   *     Microsoft's nor allowed
   */
  public static AuthorityHost parse(String text, HostPolicy hosts) {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      return PUBLIC;
    }
    URI uri = uri(stripped);
    String scheme = uri.getScheme();
    String name = uri.getHost();
    String path = uri.getRawPath();
    if (!"https".equalsIgnoreCase(scheme)
        || name == null
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || !(path == null || path.isEmpty() || path.equals("/"))) {
      throw unusable(stripped);
    }
    String host = name.toLowerCase(Locale.ROOT);
    int port = uri.getPort() == -1 ? 443 : uri.getPort();
    if (!(port == 443 && MICROSOFT.contains(host)) && !hosts.names(host, port)) {
      throw new InvalidValueException(
          "Authority host '"
              + LogText.safe(host + (port == 443 ? "" : ":" + port))
              + "' is not one of Microsoft Entra's. Leave it empty for the public cloud, or name the host in allowedHosts if"
              + " it may receive the client secret.");
    }
    return new AuthorityHost(host, port);
  }

  private static URI uri(String text) {
    try {
      return new URI(text.contains("://") ? text : "https://" + text);
    } catch (URISyntaxException e) {
      throw unusable(text);
    }
  }

  private static InvalidValueException unusable(String text) {
    int end = text.length();
    for (char c : new char[] {'?', '#'}) {
      int at = text.indexOf(c);
      end = at >= 0 ? Math.min(end, at) : end;
    }
    String shown = text.substring(0, end).replaceAll("[^/]*@", "…@");
    return new InvalidValueException(
        "Authority host '"
            + LogText.safe(shown)
            + "' must be https and nothing but a host, for example https://login.microsoftonline.com");
  }

  /** {@code https://host/} with the port when it is not 443. */
  @Override
  public String toString() {
    return "https://" + host + (port == 443 ? "" : ":" + port) + "/";
  }
}
