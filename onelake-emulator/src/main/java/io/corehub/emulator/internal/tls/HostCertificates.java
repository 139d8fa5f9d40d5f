package io.corehub.emulator.internal.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The authority of a proxy that inspects TLS: it makes a certificate for whatever host is asked
 * for. It lives as long as the process. Thread-safe.
 */
public final class HostCertificates {
  private static final char[] PASSWORD = "emulator".toCharArray();
  private static final String AUTHORITY_NAME = "OneLake emulator proxy authority";

  private final KeyPair authority;
  private final X509Certificate certificate;
  private final Path caFile;
  private final Clock clock;
  private final Map<String, SSLContext> contexts = new ConcurrentHashMap<>();

  private HostCertificates(
      KeyPair authority, X509Certificate certificate, Path caFile, Clock clock) {
    this.authority = authority;
    this.certificate = certificate;
    this.caFile = caFile;
    this.clock = clock;
  }

  /** A new authority, whose certificate is written to {@code caFile}. */
  public static HostCertificates newAt(Path caFile, Clock clock) throws IOException {
    try {
      KeyPair authority = CertificateAuthority.newKeys();
      X509Certificate certificate =
          CertificateAuthority.authorityCertificate(AUTHORITY_NAME, authority, clock.instant());
      Files.writeString(caFile, CertificateAuthority.pem(certificate), StandardCharsets.US_ASCII);
      return new HostCertificates(authority, certificate, caFile, clock);
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot make the proxy's certificate", e);
    }
  }

  /** PEM file of the authority's certificate. */
  public Path caFile() {
    return caFile;
  }

  /**
   * A context that presents a certificate for this host.
   *
   * @param host a DNS name
   */
  public SSLContext contextFor(String host) throws IOException {
    SSLContext known = contexts.get(host);
    if (known != null) {
      return known;
    }
    try {
      SSLContext made = make(host);
      contexts.put(host, made);
      return made;
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot make a certificate for " + host, e);
    }
  }

  private SSLContext make(String host) throws IOException, GeneralSecurityException {
    Instant now = clock.instant();
    KeyPair server = CertificateAuthority.newKeys();
    Certificate[] chain = {
      CertificateAuthority.serverCertificate(
          AUTHORITY_NAME,
          authority,
          host,
          server.getPublic(),
          Validity.usual(now),
          Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII))),
      certificate
    };
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, PASSWORD);
    keys.setKeyEntry("server", server.getPrivate(), PASSWORD, chain);
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
