package io.corehub.emulator.internal.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority of our own and one server certificate for the loopback interface. Both
 * are made once per directory and kept, so that clients go on trusting a restarted server.
 *
 * <p>Immutable.
 */
public final class CertificateAuthority {
  private static final char[] PASSWORD = "emulator".toCharArray();
  private static final String ENTRY = "server";
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String AUTHORITY_NAME = "OneLake emulator authority";

  private final Path caFile;
  private final KeyStore serverKeys;

  private CertificateAuthority(Path caFile, KeyStore serverKeys) {
    this.caFile = caFile;
    this.serverKeys = serverKeys;
  }

  /**
   * Loads the authority kept in {@code directory}, or makes one there.
   *
   * @param validity of the server's certificate; each kind has an authority of its own
   */
  public static CertificateAuthority in(Path directory, Validity validity, Clock clock)
      throws IOException {
    Path caFile = directory.resolve("ca" + validity.name() + ".pem");
    Path keyFile = directory.resolve("server" + validity.name() + ".p12");
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      if (Files.exists(caFile) && Files.exists(keyFile)) {
        try (InputStream in = Files.newInputStream(keyFile)) {
          keys.load(in, PASSWORD);
        }
      } else {
        keys.load(null, PASSWORD);
        Certificate[] chain = issue(keys, validity, clock.instant());
        try (OutputStream out = Files.newOutputStream(keyFile)) {
          keys.store(out, PASSWORD);
        }
        Files.writeString(caFile, pem(chain[1]), StandardCharsets.US_ASCII);
      }
      return new CertificateAuthority(caFile, keys);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "Cannot make or read the certificate in " + directory + "; delete it to start afresh", e);
    }
  }

  /** PEM file of the authority's certificate. */
  public Path caFile() {
    return caFile;
  }

  /** A context that presents the server's certificate. */
  public SSLContext serverContext() throws IOException {
    try {
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(serverKeys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot set up TLS with the certificate kept beside " + caFile, e);
    }
  }

  /** A context that trusts the server's certificate, and no other. */
  public SSLContext clientContext() throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ENTRY, serverKeys.getCertificate(ENTRY));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot trust the certificate kept beside " + caFile, e);
    }
  }

  private static Certificate[] issue(KeyStore keys, Validity validity, Instant now)
      throws GeneralSecurityException {
    KeyPair authority = newKeys();
    KeyPair server = newKeys();
    Certificate[] chain = {
      serverCertificate(
          AUTHORITY_NAME,
          authority,
          "localhost",
          server.getPublic(),
          validity,
          Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
          Der.tagged(0x87, new byte[] {127, 0, 0, 1})),
      authorityCertificate(AUTHORITY_NAME, authority, now)
    };
    keys.setKeyEntry(ENTRY, server.getPrivate(), PASSWORD, chain);
    return chain;
  }

  static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  static X509Certificate authorityCertificate(String name, KeyPair authority, Instant now)
      throws GeneralSecurityException {
    return sign(
        name(name),
        name(name),
        authority.getPublic(),
        authority.getPrivate(),
        Validity.usual(now),
        extension("2.5.29.19", true, Der.sequence(Der.bool(true))),
        extension("2.5.29.15", true, Der.bits(1, new byte[] {0x06})),
        extension("2.5.29.14", false, Der.octets(keyId(authority.getPublic()))));
  }

  /**
   * A certificate for a server.
   *
   * @param hosts its names and addresses, as alternative names
   */
  static X509Certificate serverCertificate(
      String authorityName,
      KeyPair authority,
      String subject,
      PublicKey key,
      Validity validity,
      byte[]... hosts)
      throws GeneralSecurityException {
    return sign(
        name(authorityName),
        name(subject),
        key,
        authority.getPrivate(),
        validity,
        extension("2.5.29.19", true, Der.sequence()),
        extension("2.5.29.15", true, Der.bits(7, new byte[] {(byte) 0x80})),
        extension("2.5.29.37", false, Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"))),
        extension("2.5.29.17", false, Der.sequence(hosts)),
        extension(
            "2.5.29.35", false, Der.sequence(Der.tagged(0x80, keyId(authority.getPublic())))));
  }

  private static X509Certificate sign(
      byte[] issuer,
      byte[] subject,
      PublicKey subjectKey,
      PrivateKey issuerKey,
      Validity validity,
      byte[]... extensions)
      throws GeneralSecurityException {
    byte[] algorithm = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    byte[] content =
        Der.sequence(
            Der.explicit(0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(127, new SecureRandom()).add(BigInteger.ONE)),
            algorithm,
            issuer,
            Der.sequence(Der.time(validity.from()), Der.time(validity.until())),
            subject,
            subjectKey.getEncoded(),
            Der.explicit(3, Der.sequence(extensions)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(issuerKey);
    signature.update(content);
    byte[] certificate = Der.sequence(content, algorithm, Der.bits(0, signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  private static byte[] name(String commonName) {
    return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(commonName))));
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }

  private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
  }

  static String pem(Certificate certificate) throws GeneralSecurityException {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN CERTIFICATE-----\n"
        + lines.encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }
}
