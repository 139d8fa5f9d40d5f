package io.corehub.storage;

import io.corehub.agent.settings.Secret;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.ProxyServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings that say how a storage is reached. Immutable. */
public final class ConnectionSettings {

  private static final String NETWORK = "Network";

  /** Where to sign in. */
  public static final Setting<String> AUTHORITY_HOST =
      Setting.url(
              "authorityHost",
              "Entra authority host",
              "Where to sign in. Empty for the public cloud.")
          .inGroup(NETWORK);

  /** Other hosts that may receive a token. */
  public static final Setting<String> ALLOWED_HOSTS =
      Setting.text(
              "allowedHosts",
              "Other hosts that may receive a token",
              "Comma-separated host[:port] beside OneLake's own hosts.")
          .inGroup(NETWORK);

  /** Further certificates that are trusted. */
  public static final Setting<String> TRUSTED_CERTIFICATES =
      Setting.file(
              "trustedCertificates",
              "Additional trusted certificates",
              "A PEM file, for networks whose proxy inspects TLS.")
          .inGroup(NETWORK);

  /** The HTTP proxy. */
  public static final Setting<Secret> PROXY =
      Setting.secret(
              "proxy",
              "HTTP proxy",
              "http://host:port or http://user:password@host:port. Empty for the proxy of the"
                  + " Java runtime (-Dhttps.proxyHost), else that of HTTPS_PROXY and NO_PROXY.")
          .inGroup(NETWORK);

  /** All of them, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(AUTHORITY_HOST, ALLOWED_HOSTS, TRUSTED_CERTIFICATES, PROXY);

  private ConnectionSettings() {}

  /**
   * The hosts that may receive a token; a problem with the setting is noted.
   *
   * @param reading the settings under examination
   * @return the hosts
   */
  public static HostPolicy hosts(SettingsReading reading) {
    try {
      return HostPolicy.parse(reading.given(ALLOWED_HOSTS).orElse(""));
    } catch (InvalidValueException e) {
      reading.add(ALLOWED_HOSTS, String.valueOf(e.getMessage()));
      return HostPolicy.oneLakeOnly();
    }
  }

  /**
   * Notes what is wrong with the settings of a connection but its URL.
   *
   * @param reading the settings under examination
   * @param hosts hosts that may receive a token
   */
  public static void check(SettingsReading reading, HostPolicy hosts) {
    SignInSettings.check(reading);
    reading.reads(AUTHORITY_HOST, host -> AuthorityHost.parse(host, hosts));
    reading.reads(PROXY, ProxyServer::parse);
    reading.reads(TRUSTED_CERTIFICATES, ConnectionSettings::readable);
  }

  private static Path readable(String text) {
    Path path = SettingsReading.path(text);
    if (!Files.isReadable(path)) {
      throw new InvalidValueException(
          "File '" + text + "' does not exist or cannot be read. Give the path of a PEM file.");
    }
    return path;
  }

  /**
   * The hosts that may receive a token.
   *
   * @param settings without problems
   * @return the hosts
   */
  public static HostPolicy hosts(Settings settings) {
    return HostPolicy.parse(settings.find(ALLOWED_HOSTS).orElse(""));
  }

  /**
   * How to reach a place.
   *
   * @param url the place
   * @param settings without problems
   * @param environment the environment's variables
   * @return the connection
   */
  public static OneLakeConnection connection(
      OneLakeUrl url, Settings settings, Map<String, String> environment) {
    OneLakeConnection connection =
        OneLakeConnection.of(url, SignInSettings.credentials(settings, environment))
            .withAuthorityHost(
                AuthorityHost.parse(settings.find(AUTHORITY_HOST).orElse(""), hosts(settings)))
            .withTryTimeout(Duration.ofSeconds(settings.get(UploadSettings.TRY_TIMEOUT)));
    Optional<Path> certificates = settings.find(TRUSTED_CERTIFICATES).map(Path::of);
    if (certificates.isPresent()) {
      connection = connection.withTrustedCertificates(certificates.get());
    }
    Optional<ProxyServer> proxy = settings.find(PROXY).map(p -> ProxyServer.parse(p.reveal()));
    return proxy.isPresent() ? connection.withProxy(proxy.get()) : connection;
  }
}
