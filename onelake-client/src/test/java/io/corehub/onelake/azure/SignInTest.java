package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.onelake.Advice;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import io.corehub.onelake.TestCertificates;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Every way to sign in but the client secret, which the other tests use. */
class SignInTest {
  private static final String PFX_PASSWORD = "pfx-password-canary";

  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;
  private static TenantId tenant;
  private static String clientId;
  private static Path pem;
  private static Path pfx;

  @BeforeAll
  static void start() throws Exception {
    oneLake = new EmulatedOneLake(directory.resolve("onelake"));
    tenant = new TenantId(oneLake.connection.tenantId());
    clientId = oneLake.connection.clientId();
    pem = oneLake.connection.clientCertificate();
    pfx = asPfx(pem);
  }

  @AfterAll
  static void stop() throws Exception {
    oneLake.close();
  }

  @BeforeEach
  void forget() {
    oneLake.forgetRequests();
  }

  @AfterEach
  void clear() {
    oneLake.clearFaults();
  }

  @Test
  void signsInWithACertificateOutOfAPemOrPfxFile() throws Exception {
    for (Credentials.Certificate credentials : List.of(certificate(pem), certificate(pfx))) {
      oneLake.forgetRequests();
      try (DfsClient client = AzureDfsClient.open(connection(credentials))) {
        assertThat(client.head("Files/LandingZone")).isPresent();
        client.head("Files/LandingZone");
      }
      assertThat(oneLake.operations()).containsExactly("token", "head", "head");
      JsonNode form = oneLake.requests().get(0).get("form");
      assertThat(form.get("scope").asText()).contains(SignIn.SCOPE);
      assertThat(form.get("client_assertion_type").asText()).contains("jwt-bearer");
    }
  }

  @Test
  void signsInWithTheFederatedTokenThatIsThereNow() throws Exception {
    Path file = directory.resolve("token");
    Files.writeString(file, "e30.e30.e30");
    OneLakeConnection connection =
        connection(new Credentials.WorkloadIdentity(tenant, clientId, file));
    SignIn signIn = signIn(connection);
    assertThat(failure(signIn::get).errorCode()).isEqualTo("AADSTS700211");
    // The platform renews the file while the process runs.
    Files.copy(oneLake.connection.federatedTokenFile(), file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(signIn.get().value()).isNotEmpty();
  }

  @Test
  void asksThePlatformForTheTokenOfAManagedIdentity() {
    ScriptedHttp platform = new ScriptedHttp();
    platform.raw(
        200,
        "{\"access_token\":\"T-canary\",\"expires_on\":\"4102444800\",\"resource\":\"r\",\"token_type\":\"Bearer\"}");
    String id = UUID.randomUUID().toString();
    TokenSource.Grant grant = managed(platform, Optional.of(id)).get();
    assertThat(grant.value()).isEqualTo("T-canary");
    assertThat(grant.expires().getEpochSecond()).isEqualTo(4_102_444_800L);
    HttpRequest request = platform.requests.get(0);
    assertThat(request.getUrl().toString())
        .startsWith("http://169.254.169.254/metadata/identity/oauth2/token?")
        .contains("client_id=" + id)
        .contains("resource=https")
        .contains("storage.azure.com");
    assertThat(request.getHeaders().getValue(HttpHeaderName.fromString("Metadata")))
        .isEqualTo("true");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "400, SIGN_IN_REFUSED, false",
    "403, SIGN_IN_REFUSED, false",
    "404, TRANSIENT, true",
    "410, TRANSIENT, true",
    "429, THROTTLED, true",
    "500, TRANSIENT, true"
  })
  void tellsThePlatformsRefusalsApartWithOneRequestEach(int status, Kind kind, boolean passing) {
    ScriptedHttp platform = new ScriptedHttp();
    platform.raw(
        status, "{\"error\":\"invalid_request\",\"error_description\":\"Identity not found\"}");
    DfsException failure =
        failure(managed(platform, Optional.of(UUID.randomUUID().toString()))::get);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.transientFault()).isEqualTo(passing);
    assertThat(failure.operation()).isEqualTo("sign-in");
    assertThat(failure).hasMessageContaining("Identity not found");
    assertThat(platform.requests).hasSize(1);
  }

  @Test
  void saysThatAzureArcIsNotSupported() {
    ScriptedHttp platform = new ScriptedHttp();
    platform.raw(401, "", "WWW-Authenticate", "Basic realm=/var/opt/azcmagent/tokens/1.key");
    assertThat(failure(managed(platform, Optional.of(UUID.randomUUID().toString()))::get))
        .hasMessageContaining("Azure Arc")
        .hasMessageContaining("certificate");
    assertThat(platform.requests).hasSize(1);
  }

  @Test
  void takesNoPageForAToken() {
    ScriptedHttp platform = new ScriptedHttp();
    platform.raw(200, "<html></html>");
    DfsException failure =
        failure(managed(platform, Optional.of(UUID.randomUUID().toString()))::get);
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ONELAKE);
    assertThat(advice(new Credentials.ManagedIdentity(Optional.empty()), failure))
        .contains("no managed identity");
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/metadata, false",
    "https://169.254.169.254/metadata, false",
    "http://169.254.169.254.example.com/, false",
    "http://169.254.169.254@example.com/, false",
    "http://user@localhost/, false",
    "http://10.0.0.4/msi/token, false",
    "http://169.254.129.5:8081/msi/token, true",
    "http://127.0.0.1:41741/msi/token, true",
    "http://localhost:12356/msi/token, true"
  })
  void asksNobodyButThisMachinesOwnPlatform(String url, boolean asked) {
    ScriptedHttp platform = new ScriptedHttp();
    platform.raw(200, "{}");
    ManagedIdentityClient client =
        new ManagedIdentityClient(transport(platform), Clock.systemUTC());
    HttpRequest request = new HttpRequest(com.azure.core.http.HttpMethod.GET, url);
    if (asked) {
      assertThat(client.sendSync(request, com.azure.core.util.Context.NONE).getStatusCode())
          .isEqualTo(200);
    } else {
      assertThat(failure(() -> client.sendSync(request, com.azure.core.util.Context.NONE)))
          .hasMessageContaining("AZURE_POD_IDENTITY_AUTHORITY_HOST");
      assertThat(platform.requests).isEmpty();
    }
  }

  @Test
  void namesACertificateThatIsNotTheApps() throws Exception {
    Path other = TestCertificates.pfx(directory.resolve("other.pfx"), PFX_PASSWORD, "RSA");
    Credentials credentials = certificate(other);
    DfsException failure = failure(signIn(connection(credentials))::get);
    assertThat(failure.errorCode()).isEqualTo("AADSTS700027");
    assertThat(advice(credentials, failure)).contains(clientId).contains("Upload it");
  }

  @Test
  void namesAFileThatIsGone() {
    Credentials certificate = certificate(directory.resolve("gone.pem"));
    DfsException failure = failure(signIn(connection(certificate))::get);
    assertThat(failure.kind()).isEqualTo(Kind.SIGN_IN_REFUSED);
    assertThat(advice(certificate, failure))
        .startsWith("Client certificate")
        .contains("gone.pem")
        .contains("does not exist");
    Credentials workload =
        new Credentials.WorkloadIdentity(tenant, clientId, directory.resolve("gone"));
    assertThat(advice(workload, failure(signIn(connection(workload))::get)))
        .startsWith("Federated token file")
        .contains("does not exist");
    assertThat(oneLake.requests()).isEmpty();
  }

  @Test
  void givesAdviceForAPlatformWithoutIdentity() {
    Credentials credentials = new Credentials.ManagedIdentity(Optional.of("id-1"));
    assertThat(
            advice(
                credentials,
                DfsException.of(Kind.SIGN_IN_REFUSED, "sign-in")
                    .status(400)
                    .build("HTTP 400: Identity not found")))
        .contains("managed identity id-1")
        .contains("Assign that identity")
        .contains("Identity not found");
    assertThat(
            advice(
                credentials,
                DfsException.of(Kind.HOST_UNREACHABLE, "sign-in").build("nothing answers there.")))
        .contains("nothing answers there.")
        .contains("choose another credential");
  }

  @Test
  void failsByTheFaultsOfTokens() {
    oneLake.fault("token", "{\"type\":\"status\",\"code\":503,\"errorCode\":\"AADSTS90033\"}");
    DfsException failure = failure(signIn(connection(certificate(pem)))::get);
    assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT);
    assertThat(oneLake.operations()).containsExactly("token");
  }

  @Test
  void showsNoPasswordKeyOrTokenAnywhere() throws Exception {
    String token = Files.readString(oneLake.connection.federatedTokenFile()).strip();
    String key = Files.readString(pem).lines().skip(5).findFirst().orElseThrow();
    List<String> canaries =
        List.of(
            PFX_PASSWORD,
            "wrong-canary",
            "T-canary",
            key,
            token,
            token.substring(token.lastIndexOf('.') + 1));
    List<Credentials> all =
        List.of(
            certificate(pem),
            certificate(pfx),
            new Credentials.Certificate(
                tenant, clientId, pfx, Optional.of(Secret.of("wrong-canary"))),
            new Credentials.WorkloadIdentity(
                tenant, clientId, oneLake.connection.federatedTokenFile()),
            new Credentials.WorkloadIdentity(tenant, clientId, pem));
    // The tests' configuration keeps the last two quiet.
    List<Logger> loggers =
        Stream.of(org.slf4j.Logger.ROOT_LOGGER_NAME, "com.azure", "com.microsoft")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();
    List<Level> levels = loggers.stream().map(Logger::getLevel).toList();
    Logger root = loggers.get(0);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    List<String> texts = new ArrayList<>();
    log.start();
    Appender<ILoggingEvent> console = root.getAppender("console");
    root.detachAppender(console);
    root.addAppender(log);
    loggers.forEach(logger -> logger.setLevel(Level.TRACE));
    try {
      for (Credentials credentials : all) {
        SignIn signIn = signIn(connection(credentials));
        texts.add(credentials + " " + connection(credentials));
        outcome(signIn, texts);
        oneLake.fault("token", "{\"type\":\"status\",\"code\":400,\"errorCode\":\"AADSTS700027\"}");
        outcome(signIn, texts);
        oneLake.clearFaults();
      }
      ScriptedHttp platform = new ScriptedHttp();
      platform.raw(200, "{\"access_token\":\"T-canary\",\"expires_on\":\"4102444800\"}");
      outcome(managed(platform, Optional.of(UUID.randomUUID().toString())), texts);
    } finally {
      for (int i = 0; i < levels.size(); i++) {
        loggers.get(i).setLevel(levels.get(i));
      }
      root.detachAppender(log);
      root.addAppender(console);
    }
    for (ILoggingEvent event : log.list) {
      texts.add(event.getFormattedMessage());
      if (event.getThrowableProxy() != null) {
        texts.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
    }
    assertThat(log.list).isNotEmpty();
    for (String canary : canaries) {
      String base64 = Base64.getEncoder().encodeToString(canary.getBytes(StandardCharsets.UTF_8));
      assertThat(texts).noneMatch(text -> text.contains(canary) || text.contains(base64));
    }
  }

  private static void outcome(SignIn signIn, List<String> texts) {
    try {
      texts.add(signIn.get().toString());
    } catch (DfsException e) {
      for (Throwable at = e; at != null; at = at.getCause()) {
        texts.add(at.toString());
      }
    }
  }

  private static Credentials.Certificate certificate(Path file) {
    return new Credentials.Certificate(
        tenant,
        clientId,
        file,
        file.toString().endsWith(".pfx") ? Optional.of(Secret.of(PFX_PASSWORD)) : Optional.empty());
  }

  private static OneLakeConnection connection(Credentials credentials) {
    OneLakeConnection usual = oneLake.landingZone();
    return OneLakeConnection.of(usual.url(), credentials)
        .withAuthorityHost(usual.authorityHost())
        .withTrustedCertificates(usual.trustedCertificates().orElseThrow())
        .withTryTimeout(usual.tryTimeout());
  }

  private static SignIn signIn(OneLakeConnection connection) {
    return new SignIn(
        connection.credentials(),
        connection.authorityHost(),
        transport(
            HttpClients.create(
                connection.trustedCertificates().map(TrustedCertificates::context),
                ProxyChoice.none(),
                connection.tryTimeout())),
        Clock.systemUTC());
  }

  private static SignIn managed(ScriptedHttp platform, Optional<String> clientId) {
    return new SignIn(
        new Credentials.ManagedIdentity(clientId),
        AuthorityHost.PUBLIC,
        transport(platform),
        Clock.systemUTC());
  }

  private static Transport transport(com.azure.core.http.HttpClient http) {
    return new Transport(
        http, ProxyChoice.none(), java.time.Duration.ofSeconds(10), AnswersTest.deadlines());
  }

  private static String advice(Credentials credentials, DfsException failure) {
    return Advice.of(connection(credentials)).of(failure);
  }

  private static Path asPfx(Path pem) throws Exception {
    String text = Files.readString(pem);
    String begin = "-----BEGIN PRIVATE KEY-----";
    byte[] encoded =
        Base64.getMimeDecoder()
            .decode(text.substring(begin.length(), text.indexOf("-----END PRIVATE KEY-----")));
    PrivateKey key =
        KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    Path certificateOnly = directory.resolve("certificate.pem");
    Files.writeString(certificateOnly, text.substring(text.indexOf("-----BEGIN CERTIFICATE-----")));
    Certificate certificate;
    try (InputStream in = Files.newInputStream(certificateOnly)) {
      certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("own", key, PFX_PASSWORD.toCharArray(), new Certificate[] {certificate});
    Path file = directory.resolve("client.pfx");
    try (var out = Files.newOutputStream(file)) {
      store.store(out, PFX_PASSWORD.toCharArray());
    }
    return file;
  }
}
