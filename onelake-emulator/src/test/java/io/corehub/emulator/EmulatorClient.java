package io.corehub.emulator;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.file.datalake.DataLakeFileSystemClient;
import com.azure.storage.file.datalake.DataLakeServiceClientBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Microsoft's clients and a bare HTTP client for one emulator, trusting only its certificate. */
final class EmulatorClient {
  static final ObjectMapper JSON = new ObjectMapper();

  final EmulatorConnection connection;
  final String landingZone;
  private final SSLContext tls;
  private final java.net.http.HttpClient http;

  EmulatorClient(EmulatorConnection connection) throws Exception {
    this.connection = connection;
    this.landingZone = connection.mirroredDatabaseId() + "/Files/LandingZone";
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(connection.caCertificate())) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    tls = SSLContext.getInstance("TLS");
    tls.init(null, managers.getTrustManagers(), null);
    http = builder().build();
  }

  private java.net.http.HttpClient.Builder builder() {
    return java.net.http.HttpClient.newBuilder()
        .sslContext(tls)
        .version(java.net.http.HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10));
  }

  HttpClient azureHttp() {
    return new JdkHttpClientBuilder(builder()).build();
  }

  TokenCredential credential() {
    return credential(connection.tenantId(), connection.clientId(), connection.clientSecret());
  }

  TokenCredential credential(String tenant, String client, String secret) {
    return new ClientSecretCredentialBuilder()
        .authorityHost(connection.authorityHost())
        .disableInstanceDiscovery()
        .tenantId(tenant)
        .clientId(client)
        .clientSecret(secret)
        .httpClient(azureHttp())
        .build();
  }

  DataLakeFileSystemClient workspace() {
    return fileSystem(connection.workspaceId());
  }

  DataLakeFileSystemClient fileSystem(String name) {
    return new DataLakeServiceClientBuilder()
        .endpoint("https://" + connection.host())
        .credential(credential())
        .httpClient(azureHttp())
        .retryOptions(
            new RequestRetryOptions(
                RetryPolicyType.FIXED, 1, Duration.ofSeconds(20), null, null, null))
        .buildClient()
        .getFileSystemClient(name);
  }

  String token() throws Exception {
    return JSON.readTree(tokenRequest(connection.tenantId(), form()).body())
        .path("access_token")
        .asText();
  }

  String form() {
    return "grant_type=client_credentials&client_id="
        + connection.clientId()
        + "&client_secret="
        + connection.clientSecret()
        + "&scope="
        + URLEncoder.encode("https://storage.azure.com/.default", StandardCharsets.UTF_8);
  }

  HttpResponse<String> tokenRequest(String tenant, String form) throws Exception {
    return send(
        HttpRequest.newBuilder(
                URI.create(connection.authorityHost() + tenant + "/oauth2/v2.0/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form)));
  }

  /** A request to a path below {@code https://host/}, with a good token and version. */
  HttpRequest.Builder dfs(String pathAndQuery) throws Exception {
    return bare(pathAndQuery)
        .header("Authorization", "Bearer " + token())
        .header("x-ms-version", "2021-06-08");
  }

  HttpRequest.Builder bare(String pathAndQuery) {
    return HttpRequest.newBuilder(URI.create("https://" + connection.host() + "/" + pathAndQuery))
        .timeout(Duration.ofSeconds(20));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try {
      return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
          .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : e;
    }
  }

  HttpResponse<String> put(String pathAndQuery, String... headers) throws Exception {
    HttpRequest.Builder request = dfs(pathAndQuery).PUT(HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  HttpResponse<String> append(String path, long position, String content, boolean flush)
      throws Exception {
    return send(
        dfs(path + "?action=append&position=" + position + (flush ? "&flush=true&close=true" : ""))
            .method("PATCH", HttpRequest.BodyPublishers.ofString(content)));
  }

  HttpResponse<String> flush(String path, long position) throws Exception {
    return send(
        dfs(path + "?action=flush&position=" + position + "&close=true")
            .method("PATCH", HttpRequest.BodyPublishers.noBody()));
  }

  HttpResponse<String> get(String pathAndQuery, String... headers) throws Exception {
    HttpRequest.Builder request = dfs(pathAndQuery).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  HttpResponse<String> head(String path) throws Exception {
    return send(dfs(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
  }

  HttpResponse<String> delete(String pathAndQuery) throws Exception {
    return send(dfs(pathAndQuery).DELETE());
  }

  /** A path below the landing zone, by GUIDs. */
  String path(String below) {
    return connection.workspaceId() + "/" + landingZone + "/" + below;
  }

  static String errorCode(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body()).path("error").path("code").asText();
  }

  HttpResponse<String> control(String method, String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(connection.controlUrl() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  void addFault(String rule) throws Exception {
    HttpResponse<String> response = control("POST", "/faults", "[" + rule + "]");
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.body());
    }
  }

  JsonNode requests() throws Exception {
    return JSON.readTree(control("GET", "/requests", "").body());
  }
}
