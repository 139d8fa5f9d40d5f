package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.emulator.CertificateDates;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers whose TLS is bad in one way each, in OneLake's place and in Entra's: the connection ends
 * in the handshake, and neither token nor secret leaves.
 */
class BadTlsTest {
  private static final RawServer.Answer WELL =
      RawServer.Answer.of(
          "HTTP/1.1 200 OK\r\nx-ms-request-id: 1\r\nx-ms-version: 2021-06-08\r\n"
              + "x-ms-resource-type: directory\r\nETag: \"1\"\r\n"
              + "Last-Modified: Sun, 01 Mar 2026 10:00:00 GMT\r\nContent-Length: 0\r\n\r\n");

  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory.resolve("good"));
  }

  @AfterAll
  static void stop() throws IOException {
    oneLake.close();
  }

  private Path made(String name) throws IOException {
    return Files.createDirectory(directory.resolve(name));
  }

  /** A server in OneLake's place, and Entra as it should be; both certificates are trusted. */
  private OneLakeConnection oneLakeAt(RawServer server, Path... trusted) throws IOException {
    HostPolicy hosts = HostPolicy.parse(server.authority() + "," + oneLake.connection.host());
    String url =
        oneLake.connection.landingZoneUrl().replaceFirst("localhost:\\d+", server.authority());
    return oneLake
        .to(LandingZoneUrl.parse(url, hosts).url())
        .withTrustedCertificates(allOf(trusted))
        .withTryTimeout(Duration.ofSeconds(20));
  }

  /** A server in Entra's place, and OneLake as it should be. */
  private OneLakeConnection entraAt(RawServer server, Path... trusted) throws IOException {
    HostPolicy hosts = HostPolicy.parse(server.authority() + "," + oneLake.connection.host());
    return oneLake
        .landingZone()
        .withAuthorityHost(AuthorityHost.parse("https://" + server.authority(), hosts))
        .withTrustedCertificates(allOf(trusted))
        .withTryTimeout(Duration.ofSeconds(20));
  }

  private Path allOf(Path... trusted) throws IOException {
    StringBuilder all = new StringBuilder(Files.readString(oneLake.connection.caCertificate()));
    for (Path pem : trusted) {
      all.append('\n').append(Files.readString(pem));
    }
    Path file = Files.createTempFile(directory, "trusted", ".pem");
    return Files.writeString(file, all, StandardCharsets.US_ASCII);
  }

  private static DfsException refused(OneLakeConnection connection) {
    try (DfsClient client = AzureDfsClient.open(connection)) {
      DfsException failure = failure(() -> client.head("Files/LandingZone"));
      assertThat(failure.kind()).as("%s", failure).isEqualTo(Kind.TLS);
      assertThat(failure.transientFault()).isFalse();
      assertThat(failure.outcomeUnknown()).isFalse();
      return failure;
    }
  }

  private void refusedInBothPlaces(RawServer.Shown shown, String errorCode, Path... trusted)
      throws Exception {
    try (RawServer server = RawServer.overTls(shown, WELL)) {
      for (OneLakeConnection to : List.of(oneLakeAt(server, trusted), entraAt(server, trusted))) {
        assertThat(refused(to).errorCode()).isEqualTo(errorCode);
      }
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void theSameServerWithAGoodCertificateIsSpokenTo() throws Exception {
    RawServer.Shown shown = RawServer.Shown.selfSigned(made("right"), "-ext", "san=dns:localhost");
    try (RawServer server = RawServer.overTls(shown, WELL);
        DfsClient client = AzureDfsClient.open(oneLakeAt(server, shown.pem()))) {
      assertThat(client.head("Files/LandingZone")).isPresent();
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aCertificateThatSignsItselfIsRefused() throws Exception {
    refusedInBothPlaces(
        RawServer.Shown.selfSigned(made("self-signed"), "-ext", "san=dns:localhost"),
        DfsException.UNTRUSTED_ISSUER);
  }

  @Test
  void aTrustedCertificateOfAnotherHostIsRefused() throws Exception {
    RawServer.Shown elsewhere =
        RawServer.Shown.selfSigned(
            made("elsewhere"), "-ext", "san=dns:onelake.dfs.fabric.microsoft.com,dns:*.localhost");
    refusedInBothPlaces(elsewhere, DfsException.OTHER_HOST, elsewhere.pem());
  }

  @Test
  void theSubjectsNameDoesNotStandInForAHostItDoesNotList() throws Exception {
    RawServer.Shown subject =
        RawServer.Shown.selfSigned(
            made("subject"), "-dname", "CN=localhost", "-ext", "san=dns:example.com");
    refusedInBothPlaces(subject, DfsException.OTHER_HOST, subject.pem());
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    try (EmulatedOneLake other = new EmulatedOneLake(directory.resolve("other"))) {
      refused(other.landingZone().withTrustedCertificates(oneLake.connection.caCertificate()));
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void aCertificateOutOfItsTimeIsRefused() throws Exception {
    for (CertificateDates dates :
        List.of(CertificateDates.EXPIRED, CertificateDates.NOT_YET_VALID)) {
      try (EmulatedOneLake out =
          new EmulatedOneLake(
              EmulatorOptions.in(directory.resolve(dates.name())).certificateDates(dates))) {
        assertThat(refused(out.landingZone()).errorCode()).isEqualTo(DfsException.NOT_VALID_NOW);
        assertThat(out.requests()).isEmpty();
      }
    }
  }

  @Test
  void aServerWithoutTlsIsRefused() throws Exception {
    try (RawServer server = RawServer.plain(WELL)) {
      refused(oneLakeAt(server));
      refused(entraAt(server));
      assertThat(String.join("", server.requests())).doesNotContain("HTTP/1.1", "Bearer", "secret");
    }
  }

  /**
   * In a process of its own, because Java itself switches such TLS off: there it is switched on, as
   * an operator may have done for another program.
   */
  @Test
  void protocolsOlderThanTls12AreRefusedWhereJavaWouldTakeThem() throws Exception {
    Path allowed = Files.writeString(directory.resolve("old.security"), OldTls.SECURITY);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.security.properties=" + allowed,
                "-cp",
                System.getProperty("java.class.path"),
                OldTls.class.getName(),
                made("old").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said.lines())
        .containsExactly(
            "without opinion: TLSv1; ours: TLS; requests: 0",
            "without opinion: TLSv1.1; ours: TLS; requests: 0",
            "without opinion: TLSv1.2; ours: CONNECTION_LOST; requests: 1");
  }
}
