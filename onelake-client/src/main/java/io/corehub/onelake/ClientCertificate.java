package io.corehub.onelake;

import io.corehub.onelake.internal.PemBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with its private key, by which an app registration signs in. Immutable; no text
 * form shows the key.
 */
public final class ClientCertificate {
  private static final int MAX_BYTES = 1 << 20;

  private final PrivateKey key;
  private final List<X509Certificate> chain;

  private ClientCertificate(PrivateKey key, List<X509Certificate> chain) {
    this.key = key;
    this.chain = List.copyOf(chain);
  }

  /** An RSA key. */
  public PrivateKey key() {
    return key;
  }

  /** The certificate of the key, and behind it those of its issuers that the file holds. */
  public List<X509Certificate> chain() {
    return chain;
  }

  /**
   * Reads a PEM file (certificate and PKCS #8 private key) or a PFX file (PKCS #12).
   *
   * @param password opens the private key or the PFX file; empty when neither is protected
   * @param now when the certificate is to be valid
   * @throws InvalidValueException when the file cannot be used, naming it and the remedy; the
   *     message repeats nothing of the file's content or the password
   */
  public static ClientCertificate read(Path file, Optional<Secret> password, Instant now) {
    byte[] content = content(file);
    char[] opening = password.map(Secret::reveal).orElse("").toCharArray();
    ClientCertificate read =
        PemBlock.isPem(content)
            ? pem(file, PemBlock.all(content), opening)
            : pfx(file, content, opening);
    X509Certificate own = read.chain.get(0);
    if (now.isAfter(own.getNotAfter().toInstant())) {
      throw problem(
          file,
          "expired on "
              + own.getNotAfter().toInstant()
              + ". Make a new certificate, upload it to the app registration under Certificates &"
              + " secrets, and give its file.");
    }
    if (now.isBefore(own.getNotBefore().toInstant())) {
      throw problem(
          file,
          "is not valid before "
              + own.getNotBefore().toInstant()
              + ". Check the machine's clock, or use a certificate that is valid now.");
    }
    return read;
  }

  private static byte[] content(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw problem(file, "is larger than a certificate can be. Give a PEM or PFX file.");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw problem(
          file, "does not exist. Give the path of a PEM file or of a PFX file (PKCS #12).", e);
    } catch (IOException e) {
      throw problem(
          file,
          "cannot be read ("
              + e.getClass().getSimpleName()
              + "). Let the user that runs this process read it.",
          e);
    }
  }

  private static ClientCertificate pem(Path file, List<PemBlock> blocks, char[] password) {
    List<X509Certificate> certificates = new ArrayList<>();
    List<PrivateKey> keys = new ArrayList<>();
    for (PemBlock block : blocks) {
      switch (block.label()) {
        case "CERTIFICATE" -> certificates.add(certificate(file, block.content()));
        case "PRIVATE KEY" -> keys.add(privateKey(file, new PKCS8EncodedKeySpec(block.content())));
        case "ENCRYPTED PRIVATE KEY" ->
            keys.add(privateKey(file, decrypted(file, block.content(), password)));
        case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" ->
            throw problem(
                file,
                "holds its private key in an old form ("
                    + block.label()
                    + "). Convert the key to PKCS #8 with 'openssl pkcs8 -topk8 -nodes', and put"
                    + " certificate and key into one file.");
        default -> {
          // Parameters and other attachments have no meaning here.
        }
      }
    }
    if (certificates.isEmpty()) {
      throw problem(file, "holds no certificate. Put certificate and private key into one file.");
    }
    if (keys.isEmpty()) {
      throw problem(
          file,
          "holds no private key. Put the certificate's private key (PKCS #8) into the same file.");
    }
    if (keys.size() > 1) {
      throw problem(file, "holds several private keys. Leave the one of the certificate.");
    }
    return matched(file, keys.get(0), certificates);
  }

  private static ClientCertificate pfx(Path file, byte[] content, char[] password) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(content), password);
      List<String> keys = new ArrayList<>();
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          keys.add(alias);
        }
      }
      if (keys.isEmpty()) {
        throw problem(
            file, "holds no private key. Export the certificate together with its private key.");
      }
      if (keys.size() > 1) {
        throw problem(file, "holds several private keys. Export one certificate with its key.");
      }
      Key key = store.getKey(keys.get(0), password);
      Certificate[] chain = store.getCertificateChain(keys.get(0));
      List<X509Certificate> certificates = new ArrayList<>();
      for (Certificate certificate : chain == null ? new Certificate[0] : chain) {
        if (certificate instanceof X509Certificate x509) {
          certificates.add(x509);
        }
      }
      if (!(key instanceof PrivateKey privateKey) || certificates.isEmpty()) {
        throw problem(
            file,
            "holds no certificate for its private key. Export the certificate together with its"
                + " private key.");
      }
      return matched(file, privateKey, certificates);
    } catch (UnrecoverableKeyException e) {
      throw wrongPassword(file, password, e);
    } catch (IOException e) {
      if (e.getCause() instanceof UnrecoverableKeyException) {
        throw wrongPassword(file, password, e);
      }
      throw problem(file, "is neither a PEM file nor a PFX file (PKCS #12).", e);
    } catch (GeneralSecurityException e) {
      throw problem(
          file, "uses a protection that this Java runtime does not know. Export it anew.", e);
    }
  }

  private static X509Certificate certificate(Path file, byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw problem(file, "holds a certificate that is damaged. Export it anew.", e);
    }
  }

  private static PKCS8EncodedKeySpec decrypted(Path file, byte[] der, char[] password) {
    if (password.length == 0) {
      throw wrongPassword(file, password, null);
    }
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
      // The name of the parameters tells PBES2's parts; the algorithm's own name does not.
      String algorithm =
          info.getAlgParameters() == null ? info.getAlgName() : info.getAlgParameters().toString();
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(
          Cipher.DECRYPT_MODE,
          SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password)),
          info.getAlgParameters());
      return info.getKeySpec(cipher);
    } catch (InvalidKeySpecException e) {
      throw wrongPassword(file, password, e);
    } catch (GeneralSecurityException | IOException e) {
      throw problem(
          file,
          "protects its private key in a way that this Java runtime does not know. Protect it anew"
              + " with 'openssl pkcs8 -topk8 -v2 aes-256-cbc', or not at all.",
          e);
    }
  }

  private static PrivateKey privateKey(Path file, PKCS8EncodedKeySpec encoded) {
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(encoded);
    } catch (GeneralSecurityException e) {
      throw noRsaKey(file, e);
    }
  }

  private static ClientCertificate matched(
      Path file, PrivateKey key, List<X509Certificate> certificates) {
    if (!(key instanceof RSAKey own)) {
      throw noRsaKey(file, null);
    }
    List<X509Certificate> chain = new ArrayList<>(certificates);
    for (X509Certificate certificate : certificates) {
      if (certificate.getPublicKey() instanceof RSAKey other
          && own.getModulus().equals(other.getModulus())) {
        chain.remove(certificate);
        chain.add(0, certificate);
        return new ClientCertificate(key, chain);
      }
    }
    throw problem(
        file,
        "holds a private key that does not belong to its certificate. Give the file of a"
            + " certificate with its own key.");
  }

  private static InvalidValueException noRsaKey(Path file, @Nullable Exception cause) {
    return problem(
        file,
        "holds no RSA key; Microsoft Entra signs apps in by RSA certificates alone. Make one with an"
            + " RSA key of 2048 bits or more.",
        cause);
  }

  private static InvalidValueException wrongPassword(
      Path file, char[] password, @Nullable Exception cause) {
    return problem(
        file,
        password.length == 0
            ? "is protected by a password. Give it in clientCertificatePassword."
            : "cannot be opened with this password. Correct clientCertificatePassword.",
        cause);
  }

  private static InvalidValueException problem(Path file, String what) {
    return problem(file, what, null);
  }

  private static InvalidValueException problem(Path file, String what, @Nullable Exception cause) {
    String message = "Client certificate '" + file + "' " + what;
    return cause == null
        ? new InvalidValueException(message)
        : new InvalidValueException(message, cause);
  }

  @Override
  public String toString() {
    return "ClientCertificate[" + chain.get(0).getSubjectX500Principal() + "]";
  }
}
