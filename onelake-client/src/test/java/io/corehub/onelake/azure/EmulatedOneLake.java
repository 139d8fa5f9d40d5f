package io.corehub.onelake.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.emulator.ProxyConnection;
import io.corehub.emulator.StorageBackend;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.ProxyServer;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An emulator in memory and connections to it. */
final class EmulatedOneLake implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final OneLakeEmulator emulator;
  final EmulatorConnection connection;
  final HostPolicy hosts;
  private int seen;

  EmulatedOneLake(Path directory) throws IOException {
    this(EmulatorOptions.in(directory));
  }

  EmulatedOneLake(EmulatorOptions.Builder options) throws IOException {
    emulator = OneLakeEmulator.start(options.storage(StorageBackend.MEMORY).build());
    connection = emulator.connection();
    hosts = HostPolicy.parse(connection.host());
  }

  OneLakeConnection landingZone() {
    return to(LandingZoneUrl.parse(connection.landingZoneUrl(), hosts).url());
  }

  OneLakeConnection to(OneLakeUrl url) {
    return withSecret(url, connection.clientSecret());
  }

  OneLakeConnection withSecret(OneLakeUrl url, String secret) {
    return OneLakeConnection.of(
            url,
            new Credentials.ClientSecret(
                new TenantId(connection.tenantId()), connection.clientId(), Secret.of(secret)))
        .withAuthorityHost(AuthorityHost.parse(connection.authorityHost(), hosts))
        .withTrustedCertificates(connection.caCertificate())
        .withTryTimeout(Duration.ofSeconds(10));
  }

  /** By OneLake's and Entra's own names, which only the proxy leads to this emulator. */
  OneLakeConnection byRealNames() {
    LandingZoneUrl url =
        LandingZoneUrl.parse(
            "https://onelake.dfs.fabric.microsoft.com/"
                + connection.workspaceId()
                + "/"
                + connection.mirroredDatabaseId()
                + "/Files/LandingZone",
            HostPolicy.oneLakeOnly());
    return to(url.url())
        .withAuthorityHost(AuthorityHost.PUBLIC)
        .withProxy(ProxyServer.parse(proxy().url()));
  }

  ProxyConnection proxy() {
    return emulator.proxy().orElseThrow();
  }

  DfsClient client() {
    return AzureDfsClient.open(landingZone());
  }

  /** A client whose token is already there. */
  DfsClient signedIn() throws InterruptedException {
    DfsClient client = client();
    client.head("Files/LandingZone");
    forgetRequests();
    return client;
  }

  void fault(String operation, String fault) {
    emulator.addFaults(
        "[{\"operation\":\"" + operation + "\",\"nth\":1,\"times\":1,\"fault\":" + fault + "}]");
  }

  void faults(String rules) {
    emulator.addFaults(rules);
  }

  void clearFaults() {
    emulator.clearFaults();
  }

  void forgetRequests() {
    seen = log().size();
  }

  /** The requests since the last {@link #forgetRequests}. */
  List<JsonNode> requests() {
    List<JsonNode> all = log();
    return all.subList(seen, all.size());
  }

  List<String> operations() {
    return requests().stream().map(request -> request.get("operation").asText()).toList();
  }

  private List<JsonNode> log() {
    try {
      List<JsonNode> all = new ArrayList<>();
      JSON.readTree(emulator.requests()).forEach(all::add);
      return all;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    emulator.close();
  }
}
