package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenRequestContext;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EntraEndpointTest {
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

  @AfterAll
  void stop() throws Exception {
    emulator.close();
  }

  private void assertRefused(String tenant, String form, int status, String error, int code)
      throws Exception {
    HttpResponse<String> response = client.tokenRequest(tenant, form);
    JsonNode body = EmulatorClient.JSON.readTree(response.body());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(body.path("error").asText()).isEqualTo(error);
    assertThat(body.path("error_codes").path(0).asInt()).isEqualTo(code);
    assertThat(body.path("error_description").asText()).startsWith("AADSTS" + code + ": ");
    assertThat(response.body()).doesNotContain(c.clientSecret());
  }

  @Test
  void refusesAsEntraDoes() throws Exception {
    String form = client.form();
    assertRefused(
        c.tenantId(), form.replace(c.clientSecret(), "wrong"), 401, "invalid_client", 7000215);
    assertRefused(
        c.tenantId(),
        form.replace(c.clientId(), UUID.randomUUID().toString()),
        400,
        "unauthorized_client",
        700016);
    assertRefused(UUID.randomUUID().toString(), form, 400, "invalid_request", 90002);
    assertRefused("no%20tenant", form, 400, "invalid_request", 900023);
    assertRefused(
        c.tenantId(),
        form.replace("storage.azure", "graph.microsoft"),
        400,
        "invalid_resource",
        500011);
    assertRefused(
        c.tenantId(),
        form.replace("client_credentials", "password"),
        400,
        "unsupported_grant_type",
        70003);
    assertRefused(c.tenantId(), form.replace("client_secret", "x"), 401, "invalid_client", 7000216);
    assertRefused(c.tenantId(), "", 400, "invalid_request", 900144);
  }

  @Test
  void servesTheIdentityClientAndItsErrors() {
    TokenRequestContext storage =
        new TokenRequestContext().addScopes("https://storage.azure.com/.default");
    assertThat(client.credential().getTokenSync(storage).getToken()).isNotEmpty();
    assertThatThrownBy(
            () -> client.credential(c.tenantId(), c.clientId(), "wrong").getTokenSync(storage))
        .hasStackTraceContaining("AADSTS7000215");
  }
}
