package io.corehub.onelake.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.emulator.CertificateDates;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.ProxyMode;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.Finding;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.ProxyServer;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import io.corehub.onelake.Secret;
import io.corehub.onelake.SetupCheck;
import io.corehub.onelake.TenantId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that can be wrong when a connection is set up: each ends in one error that names what
 * to change, what passes by itself is tried for a minute, and the rest is asked once.
 */
class ErrorCatalogueTest {
  private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");
  private static final String GUID = "11111111-2222-3333-4444-555555555555";
  private static final String CANARY = "CANARY";
  private static final Duration MINUTE = Duration.ofSeconds(60);

  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;
  private static EmulatedOneLake expired;
  private static EmulatedOneLake notYetValid;
  private static EmulatedOneLake tunnel;
  private static EmulatedOneLake blocked;
  private static EmulatedOneLake inspected;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(in("plain"));
    expired = new EmulatedOneLake(in("expired").certificateDates(CertificateDates.EXPIRED));
    notYetValid =
        new EmulatedOneLake(in("future").certificateDates(CertificateDates.NOT_YET_VALID));
    tunnel = new EmulatedOneLake(in("tunnel").proxy(ProxyMode.TUNNEL));
    blocked = new EmulatedOneLake(in("blocked").proxy(ProxyMode.BLOCK));
    inspected = new EmulatedOneLake(in("inspected").proxy(ProxyMode.INTERCEPT));
  }

  private static EmulatorOptions.Builder in(String name) {
    return EmulatorOptions.in(directory.resolve(name));
  }

  @AfterAll
  static void stop() throws IOException {
    for (EmulatedOneLake each :
        List.of(oneLake, expired, notYetValid, tunnel, blocked, inspected)) {
      each.close();
    }
  }

  @AfterEach
  void clear() {
    oneLake.clearFaults();
  }

  /** How a situation is brought about. */
  @FunctionalInterface
  private interface Cause {
    /** The connection to check. */
    OneLakeConnection bringAbout() throws IOException;
  }

  /**
   * A row of the catalogue.
   *
   * @param phrase what the error says, and the page for troubleshooting as well
   * @param names further words of the error: settings, codes, remedies
   * @param requests operations that the server saw, in order; for what is tried for a minute, the
   *     least number of times the last one comes
   */
  private record Row(
      String situation,
      EmulatedOneLake server,
      Cause cause,
      String phrase,
      List<String> names,
      List<String> requests,
      boolean triedForAMinute) {

    @Override
    public String toString() {
      return situation;
    }
  }

  private static Row once(
      String situation, Cause cause, String phrase, List<String> names, String... requests) {
    return new Row(situation, oneLake, cause, phrase, names, List.of(requests), false);
  }

  private static Row again(
      String situation, Cause cause, String phrase, List<String> names, String... requests) {
    return new Row(situation, oneLake, cause, phrase, names, List.of(requests), true);
  }

  private static Row through(
      EmulatedOneLake server, String situation, Cause cause, String phrase, List<String> names) {
    return new Row(situation, server, cause, phrase, names, List.of(), false);
  }

  static Stream<Row> rows() {
    return Stream.of(signIn(), rights(), places(), service(), network()).flatMap(List::stream);
  }

  private static List<Row> signIn() {
    return List.of(
        once(
            "wrong secret",
            () -> oneLake.withSecret(oneLake.landingZone().url(), CANARY),
            "is wrong. Paste the secret's Value",
            List.of("AADSTS7000215", "'password'", oneLake.connection.clientId()),
            "token"),
        once(
            "expired secret",
            entra(401, "AADSTS7000222"),
            "has expired. Create a new one under Certificates & secrets",
            List.of("AADSTS7000222", "'password'"),
            "token"),
        once(
            "unknown tenant",
            () -> as(GUID, oneLake.connection.clientId()),
            "was not found. Enter the Directory (tenant) ID",
            List.of("AADSTS90002", GUID, "'tenantId'"),
            "token"),
        once(
            "malformed tenant, told by Entra",
            entra(400, "AADSTS900023"),
            "was not found. Enter the Directory (tenant) ID",
            List.of("AADSTS900023", "'tenantId'"),
            "token"),
        once(
            "unknown client",
            () -> as(oneLake.connection.tenantId(), GUID),
            "is not registered in tenant",
            List.of("AADSTS700016", GUID, "'username'"),
            "token"),
        once(
            "disabled application",
            entra(400, "AADSTS7000112"),
            "is disabled. Enable it in Microsoft Entra",
            List.of("AADSTS7000112"),
            "token"),
        once(
            "conditional access",
            entra(400, "AADSTS53003"),
            "A conditional access policy keeps app",
            List.of("AADSTS53003"),
            "token"),
        once(
            "another refusal",
            entra(400, "AADSTS50105"),
            "cannot sign in to tenant",
            List.of("AADSTS50105", "username, password, tenantId"),
            "token"),
        again(
            "Entra throttles",
            entra(429, "AADSTS429"),
            "Microsoft Entra asks to slow down",
            List.of("429"),
            "token"),
        again(
            "Entra fails",
            entra(503, "AADSTS90033"),
            "Microsoft Entra failed to serve the request",
            List.of("AADSTS90033"),
            "token"));
  }

  private static List<Row> rights() {
    return List.of(
        once(
            "no role in the workspace",
            status("head", 403, "Forbidden"),
            "may not use workspace",
            List.of("as Contributor", oneLake.connection.clientId(), "HTTP 403"),
            "token",
            "head"),
        once(
            "tenant setting off",
            status("head", 401, "Unauthorized"),
            "may not use workspace",
            List.of(
                "'Service principals can use Fabric APIs'",
                "'Users can access data stored in OneLake with apps external to Fabric'",
                "HTTP 401"),
            "token",
            "head",
            "token",
            "head"),
        once(
            "the server asks for a token of another audience",
            fault(
                "head",
                "{\"type\":\"challenge\",\"resource\":\"https://graph.microsoft.com\",\"tenant\":\""
                    + GUID
                    + "\"}"),
            "may not use workspace",
            List.of("HTTP 401"),
            "token",
            "head",
            "token",
            "head"));
  }

  private static List<Row> places() {
    return List.of(
        once(
            "missing landing zone",
            () ->
                oneLake.to(
                    oneLake
                        .landingZone()
                        .url()
                        .withSegments(List.of("Files", "LandingZone", "nowhere"))),
            "does not exist. Open the mirrored database in Fabric",
            List.of("nowhere", "Home page", "'landingZoneUrl'"),
            "token",
            "head",
            "list"),
        once(
            "wrong item",
            () ->
                oneLake.to(
                    LandingZoneUrl.parse(
                            oneLake
                                .connection
                                .landingZoneUrl()
                                .replace(oneLake.connection.mirroredDatabaseId(), GUID),
                            oneLake.hosts)
                        .url()),
            "does not exist. Open the mirrored database in Fabric",
            List.of(GUID, "'landingZoneUrl'"),
            "token",
            "head",
            "list"),
        once(
            "wrong workspace",
            status("any", 404, "WorkspaceNotFound"),
            "The workspace or item of",
            List.of("'landingZoneUrl'", "MirroredDatabase"),
            "token",
            "head"),
        once(
            "names that are off in this tenant",
            status("any", 400, "FriendlyNameSupportDisabled"),
            "OneLake does not take this combination of names and ids",
            List.of("'landingZoneUrl'", "Use both GUIDs"),
            "token",
            "head",
            "list"),
        once(
            "path too short",
            status("any", 400, "OperationNotAllowedOnThePath"),
            "OneLake does not allow this on the given path",
            List.of("'landingZoneUrl'", "Files/LandingZone"),
            "token",
            "head",
            "list"),
        once(
            "another item than that of the URL answers with a file",
            () -> {
              oneLake.faults(
                  "[{\"operation\":\"head\",\"fault\":{\"type\":\"foreignFile\",\"content\":\"\"}}]");
              return oneLake.to(
                  oneLake
                      .landingZone()
                      .url()
                      .withSegments(List.of("Files", "LandingZone", "a-file")));
            },
            "is a file. Give the URL of the folder",
            List.of("'landingZoneUrl'"),
            "token",
            "head"));
  }

  private static List<Row> service() {
    return List.of(
        again(
            "paused capacity, as 503",
            status("head", 503, "CapacityNotActive"),
            "The Fabric capacity behind workspace",
            List.of("is paused", "Resume it", "503"),
            "token",
            "head"),
        again(
            "paused capacity, as 404",
            status("head", 404, "CapacityNotActive"),
            "The Fabric capacity behind workspace",
            List.of("is paused", "404"),
            "token",
            "head"),
        again(
            "paused capacity, as 404 that only its body explains",
            fault(
                "any",
                "{\"type\":\"status\",\"code\":404,\"errorCode\":\"CapacityNotActive\",\"codeInHeader\":false}"),
            "The Fabric capacity behind workspace",
            List.of("is paused", "404"),
            "token",
            "head",
            "list"),
        again(
            "throttled, 429",
            fault(
                "head",
                "{\"type\":\"status\",\"code\":429,\"errorCode\":\"TooManyRequests\",\"headers\":{\"Retry-After\":\"7\"}}"),
            "OneLake asks to slow down",
            List.of("429", "wait 7 s", "'maxConcurrentUploads'"),
            "token",
            "head"),
        again(
            "throttled, 503",
            status("head", 503, "ServerBusy"),
            "OneLake asks to slow down",
            List.of("503 ServerBusy"),
            "token",
            "head"),
        again(
            "500 with a time-out inside OneLake",
            status("head", 500, "OperationTimedOut"),
            "OneLake failed to serve the request",
            List.of("500 OperationTimedOut", "capacity"),
            "token",
            "head"),
        again(
            "500",
            status("head", 500, "InternalError"),
            "OneLake failed to serve the request",
            List.of("500 InternalError"),
            "token",
            "head"),
        again(
            "408",
            status("head", 408, "RequestTimeout"),
            "OneLake failed to serve the request",
            List.of("408"),
            "token",
            "head"),
        again(
            "502",
            status("head", 502, "BadGateway"),
            "OneLake failed to serve the request",
            List.of("502"),
            "token",
            "head"),
        again(
            "504",
            status("head", 504, "GatewayTimeout"),
            "OneLake failed to serve the request",
            List.of("504"),
            "token",
            "head"),
        again(
            "connection reset",
            fault("head", "{\"type\":\"before\"}"),
            "the connection broke",
            List.of("Check firewall and proxy"),
            "token",
            "head"));
  }

  private static List<Row> network() {
    return List.of(
        again(
            "unknown host",
            () ->
                oneLake.to(
                    LandingZoneUrl.parse(
                            oneLake
                                .connection
                                .landingZoneUrl()
                                .replace("//localhost:", "//no-such-host.invalid:"),
                            HostPolicy.parse(
                                oneLake
                                    .connection
                                    .host()
                                    .replace("localhost", "no-such-host.invalid")))
                        .url()),
            "the host's name is not known",
            List.of("no-such-host.invalid", "'proxy'"),
            "token"),
        again(
            "nothing listens",
            () -> {
              String other = "localhost:" + freePort();
              return oneLake.to(
                  LandingZoneUrl.parse(
                          oneLake
                              .connection
                              .landingZoneUrl()
                              .replace(oneLake.connection.host(), other),
                          HostPolicy.parse(other))
                      .url());
            },
            "nothing answers there",
            List.of("'proxy'"),
            "token"),
        through(
            oneLake,
            "certificate of an authority that is not trusted",
            () -> untrusting(oneLake.landingZone()),
            "the connection is not trusted",
            List.of("unable to find valid certification path", "'trustedCertificates'")),
        through(
            tunnel,
            "certificate of another host",
            () -> tunnel.byRealNames(),
            "Something else answers under this name",
            List.of("login.microsoftonline.com")),
        through(
            expired,
            "expired certificate, or a clock that is ahead",
            () -> expired.landingZone(),
            "Set this machine's clock right if it is wrong",
            List.of("the connection is not trusted", "NotAfter")),
        through(
            notYetValid,
            "certificate not valid yet, or a clock that is behind",
            () -> notYetValid.landingZone(),
            "Set this machine's clock right if it is wrong",
            List.of("the connection is not trusted", "NotBefore")),
        through(
            inspected,
            "proxy that inspects TLS, its authority not trusted",
            () -> inspected.byRealNames(),
            "the connection is not trusted",
            List.of("'trustedCertificates'", "login.microsoftonline.com")),
        through(
            tunnel,
            "proxy that wants other words",
            () ->
                tunnel
                    .byRealNames()
                    .withProxy(
                        ProxyServer.parse(
                            tunnel.proxy().url().replaceAll("//[^@]*@", "//me:CANARY@"))),
            "asks for a user and a password, or for others",
            List.of("407", "'proxy'", "http://user:password@host:port")),
        through(
            tunnel,
            "proxy that wants a user and gets none",
            () ->
                tunnel
                    .byRealNames()
                    .withProxy(
                        ProxyServer.parse(tunnel.proxy().url().replaceAll("//[^@]*@", "//"))),
            "asks for a user and a password, or for others",
            List.of("407", "'proxy'")),
        through(
            blocked,
            "proxy that lets nobody through",
            () -> blocked.byRealNames(),
            "does not let the connection through",
            List.of("HTTP 403", "login.microsoftonline.com", "'proxy'")),
        once(
            "a portal that answers",
            fault("head", "{\"type\":\"html200\"}"),
            "Something between here and OneLake answered",
            List.of("x-ms-request-id", oneLake.connection.host(), "'proxy'"),
            "token",
            "head"),
        once(
            "a proxy that blocks with a page",
            fault("head", "{\"type\":\"html\",\"code\":403}"),
            "Something between here and OneLake answered",
            List.of("HTTP 403", "'proxy'"),
            "token",
            "head"),
        once(
            "a portal in front of Entra",
            fault("token", "{\"type\":\"html200\"}"),
            "Something between here and Microsoft Entra answered",
            List.of("localhost", "'proxy'"),
            "token"),
        once(
            "a redirect",
            fault("head", "{\"type\":\"redirect\",\"location\":\"https://elsewhere.example/\"}"),
            "answered with a redirect",
            List.of("never followed", "'proxy'"),
            "token",
            "head"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void endsInOneErrorThatNamesWhatToChange(Row row) throws Exception {
    OneLakeConnection connection = row.cause().bringAbout();
    row.server().forgetRequests();
    VirtualTime time = new VirtualTime();
    List<Finding> findings = check(connection, time, RetryPolicy.SET_UP);
    Finding last = findings.get(findings.size() - 1);
    assertThat(findings.stream().filter(finding -> !finding.passed())).containsExactly(last);
    assertThat(last.message())
        .contains(row.phrase())
        .contains(row.names())
        .doesNotContain(CANARY)
        .doesNotContain("\n")
        .endsWith(last.message().strip());
    assertThat(time.slept()).isLessThanOrEqualTo(MINUTE);
    List<String> operations = row.server().operations();
    if (row.triedForAMinute()) {
      assertThat(time.slept()).isGreaterThan(MINUTE.dividedBy(3));
      assertThat(operations).startsWith(row.requests().toArray(String[]::new));
    } else {
      assertThat(time.slept()).isZero();
      assertThat(operations).isEqualTo(row.requests());
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isOnThePageForTroubleshooting(Row row) throws IOException {
    assertThat(Files.readString(PAGE).replaceAll("\\s+", " ")).contains(row.phrase());
  }

  @Test
  void asksForTokensOfOneLakeAloneWhateverAServerWants() throws Exception {
    OneLakeConnection connection =
        fault(
                "head",
                "{\"type\":\"challenge\",\"resource\":\"https://graph.microsoft.com\",\"tenant\":\""
                    + GUID
                    + "\"}")
            .bringAbout();
    oneLake.forgetRequests();
    check(connection, new VirtualTime(), RetryPolicy.SET_UP);
    assertThat(oneLake.requests())
        .filteredOn(request -> request.get("operation").asText().equals("token"))
        .hasSize(2)
        .allSatisfy(
            request -> {
              assertThat(request.get("path").asText()).contains(oneLake.connection.tenantId());
              assertThat(request.get("form").get("scope").asText())
                  .startsWith("https://storage.azure.com/.default");
            });
  }

  @Test
  void looksAtTheClocksWhenATokenIsRefused() throws Exception {
    OneLakeConnection connection = status("head", 401, "InvalidAuthenticationInfo").bringAbout();
    Clock late = Clock.offset(Clock.systemUTC(), Duration.ofHours(-2));
    List<Finding> findings = check(connection, new VirtualTime(), RetryPolicy.SET_UP, late);
    assertThat(findings.get(1).message())
        .contains("This machine's clock is ")
        .contains(" minutes behind that of " + oneLake.connection.host())
        .contains("Set this machine's clock right");
    assertThat(Files.readString(PAGE)).contains("This machine's clock is");
  }

  @Test
  void hasALimitForAServerThatSaysNothing() throws Exception {
    OneLakeConnection connection =
        fault("head", "{\"type\":\"hang\",\"millis\":30000}")
            .bringAbout()
            .withTryTimeout(Duration.ofSeconds(1));
    List<Finding> findings =
        check(connection, new VirtualTime(), RetryPolicy.within(Duration.ofMillis(1)));
    assertThat(findings.get(1).message())
        .contains("no complete answer within 1 s")
        .contains("'tryTimeoutInSeconds'");
    assertThat(Files.readString(PAGE)).contains("no complete answer within");
  }

  @Test
  void refusesWhatCannotBeRightBeforeAnythingIsSent() {
    oneLake.forgetRequests();
    assertThatThrownBy(() -> new TenantId("not a tenant"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("not a tenant");
    assertThatThrownBy(
            () ->
                LandingZoneUrl.parse(
                    "https://onelake.dfs.fabric.microsoft.com/Sales/" + GUID + "/Files/LandingZone",
                    HostPolicy.oneLakeOnly()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("GUID");
    assertThat(oneLake.requests()).isEmpty();
  }

  @Test
  void worksThroughAProxyThatInspectsTlsOnceItsAuthorityIsTrusted() throws Exception {
    OneLakeConnection connection =
        inspected.byRealNames().withTrustedCertificates(inspected.proxy().caCertificate());
    inspected.forgetRequests();
    assertThat(check(connection, new VirtualTime(), RetryPolicy.SET_UP)).allMatch(Finding::passed);
    assertThat(inspected.operations()).containsExactly("token", "head");
    assertThat(inspected.requests().toString()).doesNotContainIgnoringCase("proxy-authorization");
  }

  @Test
  void worksThroughAProxyThatTunnels() throws Exception {
    OneLakeConnection connection =
        tunnel.landingZone().withProxy(ProxyServer.parse(tunnel.proxy().url()));
    tunnel.forgetRequests();
    assertThat(check(connection, new VirtualTime(), RetryPolicy.SET_UP)).allMatch(Finding::passed);
    assertThat(tunnel.operations()).containsExactly("token", "head");
  }

  @Test
  void saysWhichProxyDoesNotAnswer() throws Exception {
    String gone = "127.0.0.1:" + freePort();
    List<Finding> findings =
        check(
            oneLake.landingZone().withProxy(ProxyServer.parse("http://me:CANARY@" + gone)),
            new VirtualTime(),
            RetryPolicy.within(Duration.ofMillis(1)));
    assertThat(findings.get(0).message())
        .contains("proxy http://" + gone + " does not answer")
        .doesNotContain(CANARY);
    assertThat(Files.readString(PAGE)).contains("does not answer");
  }

  private static Cause entra(int status, String code) {
    return fault(
        "token", "{\"type\":\"status\",\"code\":" + status + ",\"errorCode\":\"" + code + "\"}");
  }

  private static Cause status(String operation, int status, String code) {
    return fault(
        operation, "{\"type\":\"status\",\"code\":" + status + ",\"errorCode\":\"" + code + "\"}");
  }

  /** A fault that does not end; one of any operation spares the sign-in. */
  private static Cause fault(String operation, String fault) {
    return () -> {
      List<String> operations =
          operation.equals("any") ? List.of("head", "list") : List.of(operation);
      for (String each : operations) {
        oneLake.faults("[{\"operation\":\"" + each + "\",\"times\":1000,\"fault\":" + fault + "}]");
      }
      return oneLake.landingZone();
    };
  }

  private static OneLakeConnection as(String tenant, String client) {
    OneLakeConnection right = oneLake.landingZone();
    return OneLakeConnection.of(
            right.url(),
            new Credentials.ClientSecret(
                new TenantId(tenant), client, Secret.of(oneLake.connection.clientSecret())))
        .withAuthorityHost(right.authorityHost())
        .withTrustedCertificates(oneLake.connection.caCertificate());
  }

  private static OneLakeConnection untrusting(OneLakeConnection right) {
    return OneLakeConnection.of(right.url(), right.credentials())
        .withAuthorityHost(right.authorityHost());
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static List<Finding> check(
      OneLakeConnection connection, VirtualTime time, RetryPolicy policy)
      throws InterruptedException {
    return check(connection, time, policy, Clock.systemUTC());
  }

  private static List<Finding> check(
      OneLakeConnection connection, VirtualTime time, RetryPolicy policy, Clock clock)
      throws InterruptedException {
    ProxyChoice proxy = ProxyChoice.of(connection.proxy(), Map.of());
    Optional<SSLContext> trust = connection.trustedCertificates().map(TrustedCertificates::context);
    try (DfsClient client =
        new AzureDfsClient(
            connection,
            proxy,
            HttpClients.create(trust, proxy, connection.tryTimeout()),
            HttpClients.create(trust, proxy, connection.tryTimeout()),
            clock,
            time)) {
      return new SetupCheck(connection, new Retries(time, () -> 0.5), policy)
          .run(client, Retries.FailureListener.NONE);
    }
  }

  /** Time that passes only while somebody sleeps. Confined to one caller at a time. */
  private static final class VirtualTime implements Retries.Time {
    private long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void sleep(Duration duration) {
      nanos += duration.toNanos();
    }

    Duration slept() {
      return Duration.ofNanos(nanos);
    }
  }
}
