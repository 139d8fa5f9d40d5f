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
 * @param tenantId who signs in
 * @param credentials how
 * @param authorityHost where the sign-in goes
 * @param trustedCertificates a PEM file whose certificates are trusted as well as those of the Java
 *     runtime
 * @param proxy the proxy to use; empty for the settings of the Java runtime and the environment
 * @param tryTimeout the time limit of one request
 */
public record OneLakeConnection(
    OneLakeUrl url,
    TenantId tenantId,
    Credentials credentials,
    AuthorityHost authorityHost,
    Optional<Path> trustedCertificates,
    Optional<ProxyServer> proxy,
    Duration tryTimeout) {

  /** The time limit of one request when none is set. */
  public static final Duration DEFAULT_TRY_TIMEOUT = Duration.ofMinutes(10);

  public OneLakeConnection {
    Objects.requireNonNull(url);
    Objects.requireNonNull(tenantId);
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
  public static OneLakeConnection of(OneLakeUrl url, TenantId tenantId, Credentials credentials) {
    return new OneLakeConnection(
        url,
        tenantId,
        credentials,
        AuthorityHost.PUBLIC,
        Optional.empty(),
        Optional.empty(),
        DEFAULT_TRY_TIMEOUT);
  }

  public OneLakeConnection withAuthorityHost(AuthorityHost host) {
    return new OneLakeConnection(
        url, tenantId, credentials, host, trustedCertificates, proxy, tryTimeout);
  }

  public OneLakeConnection withTrustedCertificates(Path pem) {
    return new OneLakeConnection(
        url, tenantId, credentials, authorityHost, Optional.of(pem), proxy, tryTimeout);
  }

  public OneLakeConnection withProxy(ProxyServer server) {
    return new OneLakeConnection(
        url,
        tenantId,
        credentials,
        authorityHost,
        trustedCertificates,
        Optional.of(server),
        tryTimeout);
  }

  public OneLakeConnection withTryTimeout(Duration limit) {
    return new OneLakeConnection(
        url, tenantId, credentials, authorityHost, trustedCertificates, proxy, limit);
  }
}
