package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of managed identities, as Azure's machines and App Service give them out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagedIdentityEndpointTest {
  private static final String MACHINE =
      "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com";
  private static final String APP_SERVICE =
      "/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com";

  @TempDir static Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private OneLakeEmulator emulator;
  private EmulatorConnection c;

  @BeforeAll
  void start() throws Exception {
    emulator = OneLakeEmulator.start(EmulatorOptions.in(directory).build());
    c = emulator.connection();
  }

  @AfterEach
  void clear() {
    emulator.clearFaults();
  }

  @AfterAll
  void stop() throws Exception {
    emulator.close();
  }

  @Test
  void givesAMachineATokenForItsIdentityOrTheNamedOne() throws Exception {
    for (String identity : new String[] {"", "&client_id=" + c.clientId()}) {
      JsonNode answer = body(200, get(MACHINE + identity, "Metadata", "true"));
      assertThat(answer.get("client_id").asText()).isEqualTo(c.clientId());
      assertThat(answer.get("expires_on").asLong())
          .isBetween(Instant.now().getEpochSecond(), Instant.now().getEpochSecond() + 3_601);
      assertThat(answer.get("access_token").asText()).isNotEmpty();
    }
  }

  @Test
  void givesAnAppServiceATokenForItsHeader() throws Exception {
    body(200, get(APP_SERVICE, "X-IDENTITY-HEADER", c.managedIdentityHeader()));
    body(401, get(APP_SERVICE, "X-IDENTITY-HEADER", "other"));
    assertThat(emulator.requests()).doesNotContain(c.managedIdentityHeader());
  }

  @Test
  void refusesWhatAzureRefuses() throws Exception {
    body(400, get(MACHINE, "Accept", "*/*"));
    body(400, get(MACHINE.replace("2018-02-01", "2017-01-01"), "Metadata", "true"));
    body(400, get(MACHINE.replace("storage.azure", "graph.microsoft"), "Metadata", "true"));
    JsonNode unknown =
        body(400, get(MACHINE + "&client_id=" + UUID.randomUUID(), "Metadata", "true"));
    assertThat(unknown.get("error_description").asText()).isEqualTo("Identity not found");
    body(404, get("/" + c.workspaceId(), "Metadata", "true"));
    body(404, get("/_emulator/requests", "Metadata", "true"));
  }

  @Test
  void failsByTheRulesForTokens() throws Exception {
    emulator.addFaults(
        "[{\"operation\":\"token\",\"path\":\"/metadata/**\",\"fault\":{\"type\":\"status\",\"code\":503}}]");
    JsonNode failed = body(503, get(MACHINE, "Metadata", "true"));
    assertThat(failed.get("error").asText()).isNotEmpty();
    body(200, get(MACHINE, "Metadata", "true"));
  }

  private HttpResponse<String> get(String path, String header, String value) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(c.managedIdentityEndpoint() + path))
            .header(header, value)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode body(int status, HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return EmulatorClient.JSON.readTree(answer.body());
  }
}
