package io.corehub.onelake;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * All it takes to reach one place in OneLake. Every part is checked before the first byte is sent.
 * Immutable.
 *
 * @param url where; calls of the client are relative to its item or file system
 * @param credentials who signs in, and how
 * @param authorityHost where the sign-in goes; a managed identity's goes to its own machine instead
 * @param trustedCertificates a PEM file whose certificates are trusted as well as those of the Java
 *     runtime
 * @param proxy the proxy to use; empty for the settings of the Java runtime and the environment
 * @param tryTimeout the time limit of one request
 */
public record OneLakeConnection(
    OneLakeUrl url,
    Credentials credentials,
    AuthorityHost authorityHost,
    Optional<Path> trustedCertificates,
    Optional<ProxyServer> proxy,
    Duration tryTimeout) {

  /** The time limit of one request when none is set. */
  public static final Duration DEFAULT_TRY_TIMEOUT = Duration.ofMinutes(10);

  public OneLakeConnection {
    Objects.requireNonNull(url);
    Objects.requireNonNull(credentials);
    Objects.requireNonNull(authorityHost);
    Objects.requireNonNull(trustedCertificates);
    Objects.requireNonNull(proxy);
    if (tryTimeout.isNegative() || tryTimeout.isZero()) {
      throw new InvalidValueException(
          "The try timeout must be at least one second, not " + tryTimeout.toSeconds() + ".");
    }
  }

  /**
   * A connection with the public cloud's sign-in, no proxy of its own and the default time limit.
   */
  public static OneLakeConnection of(OneLakeUrl url, Credentials credentials) {
    return new OneLakeConnection(
        url,
        credentials,
        AuthorityHost.PUBLIC,
        Optional.empty(),
        Optional.empty(),
        DEFAULT_TRY_TIMEOUT);
  }

  public OneLakeConnection withAuthorityHost(AuthorityHost host) {
    return new OneLakeConnection(url, credentials, host, trustedCertificates, proxy, tryTimeout);
  }

  public OneLakeConnection withTrustedCertificates(Path pem) {
    return new OneLakeConnection(
        url, credentials, authorityHost, Optional.of(pem), proxy, tryTimeout);
  }

  public OneLakeConnection withProxy(ProxyServer server) {
    return new OneLakeConnection(
        url, credentials, authorityHost, trustedCertificates, Optional.of(server), tryTimeout);
  }

  public OneLakeConnection withTryTimeout(Duration limit) {
    return new OneLakeConnection(
        url, credentials, authorityHost, trustedCertificates, proxy, limit);
  }
}
