package io.corehub.onelake;

import static io.corehub.onelake.TestCertificates.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCertificateTest {
  private static final String PASSWORD = "pfx-canary";

  @TempDir static Path directory;
  private static Path pfx;
  private static Path other;
  private static Key key;
  private static byte[] certificate;

  @BeforeAll
  static void make() throws Exception {
    pfx = TestCertificates.pfx(directory.resolve("app.pfx"), PASSWORD, "RSA", "-validity", "365");
    other = TestCertificates.pfx(directory.resolve("other.pfx"), PASSWORD, "RSA");
    key = TestCertificates.key(pfx, PASSWORD);
    certificate = TestCertificates.certificate(pfx, PASSWORD).getEncoded();
  }

  @Test
  void readsAPfxFile() {
    assertReads(read(pfx, PASSWORD));
  }

  @Test
  void readsAPemFileInAnyOrderAndWithWordsBetween() throws Exception {
    assertReads(
        read(
            file(
                "Bag Attributes\n"
                    + pem("CERTIFICATE", certificate)
                    + "\r\nKey:\r\n"
                    + pem("PRIVATE KEY", key.getEncoded()))));
  }

  @Test
  void readsAPemFileWithAProtectedKey() throws Exception {
    Path file =
        file(
            pem("ENCRYPTED PRIVATE KEY", TestCertificates.protectedKey(key, PASSWORD))
                + pem("CERTIFICATE", certificate));
    assertReads(read(file, PASSWORD));
    assertThat(problem(file, "")).contains("clientCertificatePassword").contains("protected");
    assertThat(problem(file, "wrong-canary"))
        .contains("cannot be opened with this password")
        .doesNotContain("wrong-canary");
  }

  @Test
  void putsTheCertificateOfTheKeyBeforeItsIssuers() throws Exception {
    ClientCertificate read =
        read(
            file(
                pem("CERTIFICATE", TestCertificates.certificate(other, PASSWORD).getEncoded())
                    + pem("CERTIFICATE", certificate)
                    + pem("PRIVATE KEY", key.getEncoded())));
    assertThat(read.chain()).hasSize(2);
    assertThat(read.chain().get(0).getEncoded()).isEqualTo(certificate);
  }

  @Test
  void namesAWrongOrMissingPasswordOfAPfxFile() {
    assertThat(problem(pfx, "wrong-canary"))
        .contains(pfx.toString())
        .contains("clientCertificatePassword")
        .doesNotContain("canary");
    assertThat(problem(pfx, "")).contains("protected by a password");
  }

  @Test
  void saysWhenACertificateExpired() throws Exception {
    Path old =
        TestCertificates.pfx(
            directory.resolve("old.pfx"), PASSWORD, "RSA", "-startdate", "-30d", "-validity", "20");
    Instant end =
        ((java.security.cert.X509Certificate) TestCertificates.certificate(old, PASSWORD))
            .getNotAfter()
            .toInstant();
    assertThat(problem(old, PASSWORD))
        .contains("expired on " + end)
        .contains("Certificates & secrets");
  }

  @Test
  void saysWhenACertificateIsNotValidYet() {
    InvalidValueException refused =
        catchThrowableOfType(
            InvalidValueException.class,
            () ->
                ClientCertificate.read(
                    pfx,
                    Optional.of(Secret.of(PASSWORD)),
                    Instant.now().minus(Duration.ofDays(2))));
    assertThat(refused).hasMessageContaining("not valid before").hasMessageContaining("clock");
  }

  @Test
  void namesWhatIsMissingInAPemFile() throws Exception {
    assertThat(problem(file(pem("CERTIFICATE", certificate)), "")).contains("no private key");
    assertThat(problem(file(pem("PRIVATE KEY", key.getEncoded())), "")).contains("no certificate");
    assertThat(problem(file("-----BEGIN CERTIFICATE-----\nMIIB"), "")).contains("no certificate");
    assertThat(
            problem(
                file(pem("CERTIFICATE", certificate) + pem("RSA PRIVATE KEY", key.getEncoded())),
                ""))
        .contains("openssl pkcs8");
  }

  @Test
  void refusesAKeyThatIsNotTheCertificates() throws Exception {
    assertThat(
            problem(
                file(
                    pem("CERTIFICATE", certificate)
                        + pem("PRIVATE KEY", TestCertificates.key(other, PASSWORD).getEncoded())),
                ""))
        .contains("does not belong to its certificate");
  }

  @Test
  void refusesKeysThatEntraDoesNotTake() throws Exception {
    Path curve =
        TestCertificates.pfx(
            directory.resolve("ec.pfx"), PASSWORD, "EC", "-groupname", "secp256r1");
    assertThat(problem(curve, PASSWORD)).contains("no RSA key");
    assertThat(
            problem(
                file(
                    pem("CERTIFICATE", TestCertificates.certificate(curve, PASSWORD).getEncoded())
                        + pem("PRIVATE KEY", TestCertificates.key(curve, PASSWORD).getEncoded())),
                ""))
        .contains("no RSA key");
  }

  @Test
  void refusesFilesThatAreNoCertificates() throws Exception {
    assertThat(problem(directory.resolve("none.pem"), "")).contains("does not exist");
    assertThat(problem(directory, "")).contains("cannot be read");
    assertThat(problem(file("hello"), "")).contains("neither a PEM file nor a PFX file");
  }

  @Test
  void showsNoKeyInAnyText() {
    ClientCertificate read = read(pfx, PASSWORD);
    String encoded = Base64.getEncoder().encodeToString(key.getEncoded());
    assertThat(read.toString()).contains("CN=core-hub").doesNotContain(encoded.substring(40, 80));
  }

  @Test
  void readsAFederatedTokenAndNamesWhatIsNone() throws Exception {
    assertThat(FederatedToken.read(file(" e30.e30.c2ln\n")).reveal()).isEqualTo("e30.e30.c2ln");
    for (String wrong : new String[] {"", "canary", "a.b", "canary.b.c\nd"}) {
      Path file = file(wrong);
      assertThat(catchThrowableOfType(InvalidValueException.class, () -> FederatedToken.read(file)))
          .hasMessageContaining(file.toString())
          .hasMessageContaining("holds no token")
          .hasMessageNotContaining("canary");
    }
    assertThat(
            catchThrowableOfType(
                InvalidValueException.class, () -> FederatedToken.read(directory.resolve("none"))))
        .hasMessageContaining("does not exist");
  }

  private static void assertReads(ClientCertificate read) {
    assertThat(read.key()).isEqualTo(key);
    assertThat(read.chain()).hasSize(1);
  }

  private static ClientCertificate read(Path file) {
    return read(file, "");
  }

  private static ClientCertificate read(Path file, String password) {
    return ClientCertificate.read(file, secret(password), Instant.now());
  }

  private static Optional<Secret> secret(String password) {
    return password.isEmpty() ? Optional.empty() : Optional.of(Secret.of(password));
  }

  private static String problem(Path file, String password) {
    InvalidValueException refused =
        catchThrowableOfType(InvalidValueException.class, () -> read(file, password));
    assertThat(refused).as(file.toString()).isNotNull();
    assertThat(refused).hasMessageStartingWith("Client certificate '" + file + "'");
    return refused.getMessage();
  }

  private static Path file(String text) throws Exception {
    return Files.writeString(Files.createTempFile(directory, "given", ".pem"), text);
  }
}
