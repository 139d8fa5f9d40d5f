package io.corehub.onelake.azure;

import io.corehub.onelake.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Adds the certificates of a PEM file to those the Java runtime trusts. Stateless. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * @throws InvalidValueException when the file cannot be read or holds no certificate
   */
  static SSLContext context(Path pem) {
    Collection<? extends Certificate> added = read(pem);
    try {
      KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
      all.load(null, null);
      int count = 0;
      for (TrustManager manager : factory(null).getTrustManagers()) {
        if (manager instanceof X509TrustManager runtime) {
          for (Certificate issuer : runtime.getAcceptedIssuers()) {
            all.setCertificateEntry("runtime-" + count++, issuer);
          }
        }
      }
      for (Certificate certificate : added) {
        all.setCertificateEntry("added-" + count++, certificate);
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory(all).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("The Java runtime cannot set up TLS", e);
    }
  }

  private static TrustManagerFactory factory(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  private static Collection<? extends Certificate> read(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (!certificates.isEmpty()) {
        return certificates;
      }
      throw new InvalidValueException(
          "Certificate file '"
              + pem
              + "' ('trustedCertificates') holds no certificate. It must be a PEM file.");
    } catch (IOException e) {
      throw new InvalidValueException(
          "Certificate file '"
              + pem
              + "' ('trustedCertificates') cannot be read ("
              + e.getClass().getSimpleName()
              + ").",
          e);
    } catch (CertificateException e) {
      throw new InvalidValueException(
          "Certificate file '"
              + pem
              + "' ('trustedCertificates') is not a PEM file of certificates.",
          e);
    }
  }
}
