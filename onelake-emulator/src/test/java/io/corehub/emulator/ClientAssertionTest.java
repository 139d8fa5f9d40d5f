package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientAssertionCredentialBuilder;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Signing in by certificate and by federated token, rightly and wrongly. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientAssertionTest {
  private static final TokenRequestContext STORAGE =
      new TokenRequestContext().addScopes("https://storage.azure.com/.default");

  @TempDir static Path directory;
  private OneLakeEmulator emulator;
  private EmulatorConnection c;
  private EmulatorClient client;
  private PrivateKey key;
  private String thumbprint;

  @BeforeAll
  void start() throws Exception {
    emulator = OneLakeEmulator.start(EmulatorOptions.in(directory).build());
    c = emulator.connection();
    client = new EmulatorClient(c);
    String pem = Files.readString(c.clientCertificate());
    key =
        KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(block(pem, "PRIVATE KEY")));
    byte[] certificate = block(pem, "CERTIFICATE");
    assertThat(
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate))
                .getPublicKey()
                .getAlgorithm())
        .isEqualTo("RSA");
    thumbprint = encoded(MessageDigest.getInstance("SHA-256").digest(certificate));
  }

  @AfterAll
  void stop() throws Exception {
    emulator.close();
  }

  @Test
  void takesTheCertificateFromMicrosoftsClient() {
    assertThat(
            atEmulator(new ClientCertificateCredentialBuilder())
                .pemCertificate(c.clientCertificate().toString())
                .build()
                .getTokenSync(STORAGE)
                .getToken())
        .isNotEmpty();
  }

  @Test
  void takesTheFederatedTokenFromMicrosoftsClient() throws Exception {
    String token = federated();
    assertThat(
            atEmulator(new ClientAssertionCredentialBuilder())
                .clientAssertion(() -> token)
                .build()
                .getTokenSync(STORAGE)
                .getToken())
        .isNotEmpty();
  }

  @Test
  void takesAnAssertionThatIsRight() throws Exception {
    assertThat(request(signed(key, claims())).statusCode()).isEqualTo(200);
  }

  @Test
  void refusesAnAssertionWithOneThingWrong() throws Exception {
    assertRefused(700023, signed(key, with("aud", c.authorityHost() + "other/oauth2/v2.0/token")));
    assertRefused(700021, signed(key, with("iss", "11111111-2222-3333-4444-555555555555")));
    assertRefused(700021, signed(key, with("sub", "11111111-2222-3333-4444-555555555555")));
    long now = Instant.now().getEpochSecond();
    assertRefused(700024, signed(key, with("exp", now - 3_600)));
    assertRefused(700024, signed(key, with("nbf", now + 3_600)));
    KeyPairGenerator other = KeyPairGenerator.getInstance("RSA");
    other.initialize(2048);
    assertRefused(700027, signed(other.generateKeyPair().getPrivate(), claims()));
    String right = thumbprint;
    try {
      thumbprint = encoded(new byte[32]);
      assertRefused(700027, signed(key, claims()));
    } finally {
      thumbprint = right;
    }
    assertRefused(50027, "no.token");
    assertRefused(50027, "a.b.c");
  }

  @Test
  void refusesAForeignOrForgedFederatedToken() throws Exception {
    String[] parts = federated().split("\\.", -1);
    JsonNode claims = EmulatorClient.JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
    String foreign =
        encoded(
            claims
                .toString()
                .replace(claims.get("iss").asText(), "https://elsewhere.example/")
                .getBytes(StandardCharsets.UTF_8));
    assertRefused(700211, parts[0] + "." + foreign + "." + parts[2]);
    String forged =
        encoded(
            claims
                .toString()
                .replace(claims.get("sub").asText(), "system:serviceaccount:other:one")
                .getBytes(StandardCharsets.UTF_8));
    assertRefused(5000223, parts[0] + "." + forged + "." + parts[2]);
  }

  @Test
  void keepsAssertionsOutOfTheRequestLog() throws Exception {
    String assertion = signed(key, claims());
    request(assertion);
    assertThat(emulator.requests()).contains("client_assertion_type").doesNotContain(assertion);
  }

  private <B extends AadCredentialBuilderBase<B>> B atEmulator(B builder) {
    return builder
        .authorityHost(c.authorityHost())
        .disableInstanceDiscovery()
        .tenantId(c.tenantId())
        .clientId(c.clientId())
        .httpClient(client.azureHttp());
  }

  private String federated() throws Exception {
    return Files.readString(c.federatedTokenFile()).strip();
  }

  private Map<String, Object> claims() {
    long now = Instant.now().getEpochSecond();
    return new TreeMap<>(
        Map.of(
            "aud",
            c.authorityHost() + c.tenantId() + "/oauth2/v2.0/token",
            "iss",
            c.clientId(),
            "sub",
            c.clientId(),
            "nbf",
            now,
            "exp",
            now + 600));
  }

  private Map<String, Object> with(String claim, Object value) {
    Map<String, Object> claims = claims();
    claims.put(claim, value);
    return claims;
  }

  private String signed(PrivateKey by, Map<String, Object> claims) throws Exception {
    String content =
        encoded(
                EmulatorClient.JSON.writeValueAsBytes(
                    Map.of("alg", "RS256", "x5t#S256", thumbprint)))
            + "."
            + encoded(EmulatorClient.JSON.writeValueAsBytes(claims));
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(by);
    signature.update(content.getBytes(StandardCharsets.US_ASCII));
    return content + "." + encoded(signature.sign());
  }

  private HttpResponse<String> request(String assertion) throws Exception {
    return client.tokenRequest(
        c.tenantId(),
        "grant_type=client_credentials&client_id="
            + c.clientId()
            + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            + "&client_assertion="
            + URLEncoder.encode(assertion, StandardCharsets.UTF_8)
            + "&scope=https%3A%2F%2Fstorage.azure.com%2F.default");
  }

  private void assertRefused(int code, String assertion) throws Exception {
    HttpResponse<String> answer = request(assertion);
    assertThat(answer.statusCode()).as(answer.body()).isIn(400, 401);
    JsonNode body = EmulatorClient.JSON.readTree(answer.body());
    assertThat(body.path("error_codes").path(0).asInt()).as(answer.body()).isEqualTo(code);
  }

  private static byte[] block(String pem, String label) {
    String begin = "-----BEGIN " + label + "-----";
    int from = pem.indexOf(begin) + begin.length();
    return Base64.getMimeDecoder().decode(pem.substring(from, pem.indexOf("-----END", from)));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
