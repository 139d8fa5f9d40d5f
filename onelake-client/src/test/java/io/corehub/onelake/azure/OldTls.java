package io.corehub.onelake.azure;

import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * A process in which Java takes TLS 1.0 and 1.1: says what a client without opinion and what ours
 * make of a server that speaks nothing newer.
 */
final class OldTls {
  /** Security properties that switch no protocol off. */
  static final String SECURITY = "jdk.tls.disabledAlgorithms=\njdk.tls.legacyAlgorithms=\n";

  private OldTls() {}

  public static void main(String[] args) throws Exception {
    RawServer.Shown shown =
        RawServer.Shown.selfSigned(Path.of(args[0]), "-ext", "san=dns:localhost");
    for (String protocol : new String[] {"TLSv1", "TLSv1.1", "TLSv1.2"}) {
      try (RawServer server = RawServer.overTls(shown, RawServer.Answer.of(""), protocol)) {
        String other = withoutOpinion(server, shown, protocol);
        System.out.println(
            "without opinion: "
                + other
                + "; ours: "
                + ours(server, shown)
                + "; requests: "
                + server.requests().size());
      }
    }
  }

  private static String withoutOpinion(RawServer server, RawServer.Shown shown, String protocol)
      throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            TrustedCertificates.context(shown.pem())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return socket.getSession().getProtocol();
    }
  }

  private static String ours(RawServer server, RawServer.Shown shown) throws InterruptedException {
    HostPolicy hosts = HostPolicy.parse(server.authority());
    OneLakeConnection connection =
        OneLakeConnection.of(
                LandingZoneUrl.parse(
                        "https://" + server.authority() + "/w/i.MirroredDatabase/Files/LandingZone",
                        hosts)
                    .url(),
                new Credentials.ClientSecret(
                    new TenantId("contoso.com"), "client", Secret.of("secret")))
            .withAuthorityHost(
                io.corehub.onelake.AuthorityHost.parse("https://" + server.authority(), hosts))
            .withTrustedCertificates(shown.pem())
            .withTryTimeout(Duration.ofSeconds(20));
    try (DfsClient client = AzureDfsClient.open(connection)) {
      return client.head("Files/LandingZone").toString();
    } catch (DfsException e) {
      return e.kind().toString();
    }
  }
}
