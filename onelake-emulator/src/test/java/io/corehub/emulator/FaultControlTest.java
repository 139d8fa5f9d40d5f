package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every fault, and how rules count. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultControlTest {
  @TempDir static Path directory;
  private OneLakeEmulator emulator;
  private EmulatorClient client;
  private EmulatorConnection c;

  @BeforeAll
  void start() throws Exception {
    emulator = OneLakeEmulator.start(EmulatorOptions.in(directory).build());
    client = new EmulatorClient(emulator.connection());
    c = emulator.connection();
  }

  @AfterEach
  void clear() throws Exception {
    assertThat(client.control("DELETE", "/faults", "").statusCode()).isEqualTo(204);
  }

  @AfterAll
  void stop() throws Exception {
    emulator.close();
  }

  private void fault(String operation, String fault) throws Exception {
    client.addFault("{\"operation\":\"" + operation + "\",\"fault\":" + fault + "}");
  }

  private String written(String name, String content) throws Exception {
    String path = client.path(name);
    client.put(path + "?resource=file");
    if (!content.isEmpty()) {
      client.append(path, 0, content, true);
    }
    return path;
  }

  private HttpResponse<String> rename(String from, String to) throws Exception {
    return client.put(
        client.path(to) + "?mode=legacy",
        "x-ms-rename-source",
        "/" + client.path(from),
        "If-None-Match",
        "*");
  }

  private int status(String name) throws Exception {
    return client.head(client.path(name)).statusCode();
  }

  private JsonNode lastRequest(String operation) throws Exception {
    JsonNode found = null;
    for (JsonNode request : client.requests()) {
      if (request.path("operation").asText().equals(operation)) {
        found = request;
      }
    }
    return found;
  }

  @Test
  void beforeClosesAndDoesNothing() throws Exception {
    fault("create", "{\"type\":\"before\"}");
    assertThatThrownBy(() -> client.put(client.path("before?resource=file")))
        .isInstanceOf(IOException.class);
    assertThat(status("before")).isEqualTo(404);
    assertThat(client.put(client.path("before?resource=file")).statusCode()).isEqualTo(201);
    assertThat(lastRequest("create").path("status").asInt()).isEqualTo(201);
  }

  @Test
  void afterDoesItAndLosesTheAnswer() throws Exception {
    written("after/a", "x");
    fault("rename", "{\"type\":\"after\"}");
    assertThatThrownBy(() -> rename("after/a", "after/b")).isInstanceOf(IOException.class);
    assertThat(lastRequest("rename").path("fault").asText()).isEqualTo("after");
    assertThat(lastRequest("rename").path("status").isNull()).isTrue();
    assertThat(status("after/b")).isEqualTo(200);
    HttpResponse<String> again = rename("after/a", "after/b");
    assertThat(again.statusCode()).isEqualTo(404);
    assertThat(EmulatorClient.errorCode(again)).isEqualTo("SourcePathNotFound");
  }

  @Test
  void lateHappensWhetherOrNotTheClientWaits() throws Exception {
    written("late/a", "x");
    fault("rename", "{\"type\":\"late\",\"millis\":700}");
    assertThatThrownBy(
            () ->
                client.send(
                    client
                        .dfs(client.path("late/b?mode=legacy"))
                        .header("x-ms-rename-source", "/" + client.path("late/a"))
                        .timeout(Duration.ofMillis(150))
                        .PUT(java.net.http.HttpRequest.BodyPublishers.noBody())))
        .isInstanceOf(java.net.http.HttpTimeoutException.class);
    assertThat(status("late/b")).isEqualTo(404);
    clear();
    await(() -> status("late/b") == 200);
    assertThat(status("late/a")).isEqualTo(404);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    boolean holds = condition.holds();
    while (!holds && System.nanoTime() < deadline) {
      holds = condition.holds();
    }
    assertThat(holds).isTrue();
  }

  @Test
  void statusAnswersWithItsHeadersAndMayApply() throws Exception {
    fault(
        "create",
        "{\"type\":\"status\",\"code\":503,\"errorCode\":\"ServerBusy\",\"headers\":{\"Retry-After\":\"3\"}}");
    HttpResponse<String> busy = client.put(client.path("status?resource=file"));
    assertThat(busy.statusCode()).isEqualTo(503);
    assertThat(EmulatorClient.errorCode(busy)).isEqualTo("ServerBusy");
    assertThat(busy.headers().firstValue("retry-after")).hasValue("3");
    assertThat(busy.headers().firstValue("x-ms-request-id")).isPresent();
    assertThat(status("status")).isEqualTo(404);

    fault(
        "create",
        "{\"type\":\"status\",\"code\":500,\"errorCode\":\"OperationTimedOut\",\"applied\":true}");
    assertThat(client.put(client.path("status?resource=file")).statusCode()).isEqualTo(500);
    assertThat(status("status")).isEqualTo(200);
  }

  @Test
  void statusOnATokenSpeaksAsEntra() throws Exception {
    fault("token", "{\"type\":\"status\",\"code\":401,\"errorCode\":\"AADSTS7000222\"}");
    HttpResponse<String> refused = client.tokenRequest(c.tenantId(), client.form());
    assertThat(refused.statusCode()).isEqualTo(401);
    JsonNode body = EmulatorClient.JSON.readTree(refused.body());
    assertThat(body.path("error").asText()).isEqualTo("invalid_client");
    assertThat(body.path("error_description").asText()).startsWith("AADSTS7000222: ");
  }

  @Test
  void resetBreaksAnUploadInTheMiddle() throws Exception {
    String path = written("reset", "");
    fault("append", "{\"type\":\"reset\",\"afterBytes\":1000}");
    assertThatThrownBy(() -> client.append(path, 0, "x".repeat(3_000_000), false))
        .isInstanceOf(IOException.class);
    assertThat(lastRequest("append").path("bytes").asLong()).isEqualTo(1000);
    assertThat(client.append(path, 0, "again", true).statusCode()).isEqualTo(202);
    assertThat(client.get(path).body()).isEqualTo("again");
  }

  @Test
  void resetBreaksADownloadInTheMiddle() throws Exception {
    String path = written("reset-get", "0123456789".repeat(1000));
    fault("get", "{\"type\":\"reset\",\"afterBytes\":100}");
    assertThatThrownBy(() -> client.get(path)).isInstanceOf(IOException.class);
    assertThat(client.get(path).body()).hasSize(10_000);
  }

  @Test
  void hangHoldsAndThenCarriesOut() throws Exception {
    fault("create", "{\"type\":\"hang\",\"millis\":400}");
    long started = System.nanoTime();
    assertThat(client.put(client.path("hang?resource=file")).statusCode()).isEqualTo(201);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(390));
  }

  @Test
  void slowMovesBytesAtItsRate() throws Exception {
    String path = written("slow", "");
    fault("append", "{\"type\":\"slow\",\"bytesPerSecond\":20000}");
    long started = System.nanoTime();
    assertThat(client.append(path, 0, "x".repeat(10_000), true).statusCode()).isEqualTo(202);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(450));
    assertThat(client.get(path).body()).hasSize(10_000);
  }

  @Test
  void shortStoresLessThanItSays() throws Exception {
    String path = written("short", "");
    fault("append", "{\"type\":\"short\"}");
    assertThat(client.append(path, 0, "abcdef", false).statusCode()).isEqualTo(202);
    assertThat(EmulatorClient.errorCode(client.flush(path, 6))).isEqualTo("InvalidFlushPosition");
    assertThat(client.append(path, 0, "abcdef", false).statusCode()).isEqualTo(202);
    assertThat(client.flush(path, 6).statusCode()).isEqualTo(200);

    String other = written("short-flush", "");
    fault("append", "{\"type\":\"short\"}");
    HttpResponse<String> flushed = client.append(other, 0, "abcdef", true);
    assertThat(flushed.statusCode()).isEqualTo(400);
    assertThat(EmulatorClient.errorCode(flushed)).isEqualTo("InvalidFlushPosition");
  }

  @Test
  void html200LooksLikeASuccessOfSomebodyElse() throws Exception {
    fault("create", "{\"type\":\"html200\"}");
    HttpResponse<String> portal = client.put(client.path("html?resource=file"));
    assertThat(portal.statusCode()).isEqualTo(200);
    assertThat(portal.headers().firstValue("content-type").orElseThrow()).startsWith("text/html");
    assertThat(portal.headers().firstValue("x-ms-request-id")).isEmpty();
    assertThat(status("html")).isEqualTo(404);
  }

  @Test
  void htmlIsAPageOfAProxyThatBlocks() throws Exception {
    fault("create", "{\"type\":\"html\",\"code\":403}");
    HttpResponse<String> page = client.put(client.path("blocked?resource=file"));
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.headers().firstValue("content-type").orElseThrow()).startsWith("text/html");
    assertThat(page.headers().firstValue("x-ms-request-id")).isEmpty();
    assertThat(client.control("POST", "/faults", "{\"fault\":{\"type\":\"html\"}}").statusCode())
        .isEqualTo(400);
  }

  @Test
  void statusReadsAsTheServiceWouldPutIt() throws Exception {
    fault("create", "{\"type\":\"status\",\"code\":403,\"errorCode\":\"Forbidden\"}");
    HttpResponse<String> forbidden = client.put(client.path("status?resource=file"));
    assertThat(forbidden.headers().firstValue("x-ms-error-code")).contains("Forbidden");
    assertThat(forbidden.body())
        .contains("User is not authorized to perform current operation for workspace '")
        .contains(c.workspaceId())
        .contains(c.mirroredDatabaseId());
    fault(
        "create",
        "{\"type\":\"status\",\"code\":404,\"errorCode\":\"CapacityNotActive\",\"codeInHeader\":false}");
    HttpResponse<String> paused = client.put(client.path("status?resource=file"));
    assertThat(paused.headers().firstValue("x-ms-error-code")).isEmpty();
    assertThat(EmulatorClient.errorCode(paused)).isEqualTo("CapacityNotActive");
    fault("token", "{\"type\":\"status\",\"code\":401,\"errorCode\":\"AADSTS7000222\"}");
    JsonNode expired =
        EmulatorClient.JSON.readTree(client.tokenRequest(c.tenantId(), client.form()).body());
    assertThat(expired.path("error").asText()).isEqualTo("invalid_client");
    assertThat(expired.path("error_description").asText())
        .startsWith("AADSTS7000222: The provided client secret keys for app '" + c.clientId())
        .contains("Trace ID: ");
    assertThat(expired.path("error_codes").path(0).asLong()).isEqualTo(7000222);
  }

  @Test
  void redirectAndChallengePointElsewhere() throws Exception {
    fault("create", "{\"type\":\"redirect\",\"location\":\"https://localhost:1/x\"}");
    HttpResponse<String> redirect = client.put(client.path("elsewhere?resource=file"));
    assertThat(redirect.statusCode()).isEqualTo(307);
    assertThat(redirect.headers().firstValue("location")).hasValue("https://localhost:1/x");
    fault(
        "create",
        "{\"type\":\"challenge\",\"resource\":\"https://graph.microsoft.com\",\"tenant\":\"other\"}");
    HttpResponse<String> challenge = client.put(client.path("elsewhere?resource=file"));
    assertThat(challenge.statusCode()).isEqualTo(401);
    assertThat(challenge.headers().firstValue("www-authenticate").orElseThrow())
        .contains("/other/oauth2/authorize", "resource_id=https://graph.microsoft.com");
  }

  @Test
  void foreignFilesAppearJustBefore() throws Exception {
    written("foreign/_1", "mine");
    String content = Base64.getEncoder().encodeToString("theirs".getBytes(StandardCharsets.UTF_8));
    fault("rename", "{\"type\":\"foreignFile\",\"content\":\"" + content + "\"}");
    HttpResponse<String> refused = rename("foreign/_1", "foreign/1");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(EmulatorClient.errorCode(refused)).isEqualTo("PathAlreadyExists");
    assertThat(client.get(client.path("foreign/1")).body()).isEqualTo("theirs");
  }

  @Test
  void rulesCountTheirOwnRequestsAndTheFirstDueFires() throws Exception {
    client.addFault(
        "{\"operation\":\"any\",\"path\":\"**/counted/*\",\"nth\":2,\"times\":2,\"fault\":{\"type\":\"status\",\"code\":500}}");
    client.addFault(
        "{\"operation\":\"create\",\"path\":\"**/LandingZone/counted/**\",\"fault\":{\"type\":\"status\",\"code\":501}}");
    String path = client.path("counted/a?resource=file");
    assertThat(client.put(path).statusCode()).isEqualTo(501);
    assertThat(client.put(path).statusCode()).isEqualTo(500);
    assertThat(status("counted/a")).isEqualTo(500);
    assertThat(client.put(path).statusCode()).isEqualTo(201);
    assertThat(client.put(client.path("counted/deep/b?resource=file")).statusCode()).isEqualTo(201);
    JsonNode rules = EmulatorClient.JSON.readTree(client.control("GET", "/faults", "").body());
    assertThat(rules.path(0).path("seen").asInt()).isEqualTo(4);
    assertThat(rules.path(0).path("fired").asInt()).isEqualTo(2);
    assertThat(rules.path(1).path("seen").asInt()).isEqualTo(4);
    assertThat(rules.path(1).path("fired").asInt()).isEqualTo(1);
    assertThat(rules.path(1).path("fault").path("type").asText()).isEqualTo("status");
  }

  @Test
  void pathsMatchDecodedAndTokensByTheirTenant() throws Exception {
    client.addFault(
        "{\"operation\":\"create\",\"path\":\"/*/*/Files/LandingZone/My Orders/*\",\"fault\":{\"type\":\"status\",\"code\":503}}");
    String encoded =
        c.workspaceId() + "/" + (client.landingZone + "/My%20Orders/1").replace("/", "%2F");
    assertThat(client.put(encoded + "?resource=file").statusCode()).isEqualTo(503);
    client.addFault(
        "{\"operation\":\"token\",\"path\":\"/"
            + c.tenantId()
            + "/**\",\"fault\":{\"type\":\"status\",\"code\":503,\"errorCode\":\"90033\"}}");
    assertThat(client.tokenRequest(c.tenantId(), client.form()).statusCode()).isEqualTo(503);
  }

  @Test
  void badRulesAreRefusedWithTheReason() throws Exception {
    List<List<String>> bad =
        List.of(
            List.of("{\"operation\":\"move\",\"fault\":{\"type\":\"before\"}}", "move"),
            List.of("{\"operation\":\"any\",\"fault\":{\"type\":\"explode\"}}", "explode"),
            List.of("{\"operation\":\"any\",\"fault\":{\"type\":\"hang\"}}", "millis"),
            List.of("{\"operation\":\"any\",\"nth\":0,\"fault\":{\"type\":\"before\"}}", "nth"),
            List.of("{\"operation\":\"any\",\"nht\":1,\"fault\":{\"type\":\"before\"}}", "nht"),
            List.of("nonsense", "JSON"));
    for (List<String> rule : bad) {
      HttpResponse<String> refused = client.control("POST", "/faults", "[" + rule.get(0) + "]");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains(rule.get(1));
    }
    assertThat(client.control("GET", "/faults", "").body()).isEqualTo("[]");
  }

  @Test
  void theLogTellsEveryRequestWithoutSecrets() throws Exception {
    String path = written("log/my%20file", "12345");
    JsonNode append = lastRequest("append");
    assertThat(append.path("id").asLong()).isPositive();
    assertThat(append.path("at").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(append.path("method").asText()).isEqualTo("PATCH");
    assertThat(append.path("path").asText()).isEqualTo("/" + client.path("log/my file"));
    assertThat(append.path("rawPath").asText()).isEqualTo("/" + path);
    assertThat(append.path("query").path("position").asText()).isEqualTo("0");
    assertThat(append.path("query").path("flush").asText()).isEqualTo("true");
    assertThat(append.path("headers").path("x-ms-version").asText()).isEqualTo("2021-06-08");
    assertThat(append.path("bytes").asLong()).isEqualTo(5);
    assertThat(append.path("status").asInt()).isEqualTo(202);
    assertThat(append.path("fault").isNull()).isTrue();
    JsonNode token = lastRequest("token");
    assertThat(token.path("form").path("scope").asText())
        .isEqualTo("https://storage.azure.com/.default");
    String all = client.control("GET", "/requests", "").body();
    assertThat(all).doesNotContain(c.clientSecret(), "Bearer ", "client_secret");
  }

  @Test
  void theDescriptionFileHoldsWhatClientsNeed() throws Exception {
    JsonNode json = EmulatorClient.JSON.readTree(directory.resolve("emulator.json").toFile());
    assertThat(json.properties().stream().map(java.util.Map.Entry::getKey))
        .containsExactlyInAnyOrder(
            "landingZoneUrl",
            "lakehouseFilesUrl",
            "adlsUrl",
            "workspaceId",
            "workspaceName",
            "mirroredDatabaseId",
            "mirroredDatabaseName",
            "lakehouseId",
            "lakehouseName",
            "authorityHost",
            "tenantId",
            "clientId",
            "clientSecret",
            "clientCertificate",
            "federatedTokenFile",
            "managedIdentityEndpoint",
            "managedIdentityHeader",
            "caCertificate",
            "controlUrl");
    assertThat(json.path("landingZoneUrl").asText())
        .isEqualTo(
            "https://"
                + c.host()
                + "/"
                + c.workspaceId()
                + "/"
                + c.mirroredDatabaseId()
                + "/Files/LandingZone");
    assertThat(Path.of(json.path("caCertificate").asText()))
        .isRegularFile()
        .isEqualTo(directory.resolve(".emulator/ca.pem"));
    assertThat(Path.of(json.path("clientCertificate").asText())).isRegularFile();
    assertThat(Path.of(json.path("federatedTokenFile").asText())).isRegularFile();
    assertThat(c.toString()).doesNotContain(c.clientSecret(), c.managedIdentityHeader());
  }

  @Test
  void aSecondEmulatorInTheSameDirectoryIsRefused() {
    assertThatThrownBy(() -> OneLakeEmulator.start(EmulatorOptions.in(directory).build()))
        .hasMessageContaining("Another emulator uses " + directory);
    assertThat(Files.exists(directory.resolve("emulator.json"))).isTrue();
  }
}
