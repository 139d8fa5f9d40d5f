package io.corehub.emulator.internal.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * The certificate that is registered for the emulated application, and the file in which its owner
 * has it with the private key. Made once per directory and kept. Immutable.
 *
 * @param file PEM with certificate and private key
 */
public record ClientKeys(Path file, X509Certificate certificate) {
  private static final Duration VALIDITY = Duration.ofDays(3650);

  /** Loads the certificate kept at {@code file}, or makes one there. */
  public static ClientKeys at(Path file, Clock clock) throws IOException {
    try {
      if (!Files.exists(file)) {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Files.writeString(draft, make(clock.instant()), StandardCharsets.US_ASCII);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      }
      String pem = Files.readString(file, StandardCharsets.US_ASCII);
      String begin = "-----BEGIN CERTIFICATE-----";
      byte[] certificate =
          pem.substring(Math.max(0, pem.indexOf(begin))).getBytes(StandardCharsets.US_ASCII);
      return new ClientKeys(
          file,
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(certificate)));
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "Cannot make or read the certificate " + file + "; delete it to start afresh", e);
    }
  }

  private static String make(Instant now) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    byte[] algorithm = Der.sequence(Der.oid("1.2.840.113549.1.1.11"), Der.tagged(0x05));
    byte[] name =
        Der.sequence(
            Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.text("OneLake emulator client"))));
    byte[] content =
        Der.sequence(
            Der.explicit(0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(127, new SecureRandom()).add(BigInteger.ONE)),
            algorithm,
            name,
            Der.sequence(Der.time(now.minus(Duration.ofDays(1))), Der.time(now.plus(VALIDITY))),
            name,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(keys.getPrivate());
    signature.update(content);
    byte[] certificate = Der.sequence(content, algorithm, Der.bits(0, signature.sign()));
    return pem("PRIVATE KEY", keys.getPrivate().getEncoded()) + pem("CERTIFICATE", certificate);
  }

  private static String pem(String label, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }
}
