package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.bytes;
import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers that try to lead token, secret or data to somebody else: redirects of every kind and
 * demands for other credentials, on every operation and on the sign-in. Nobody but the two servers
 * that were configured is ever connected to.
 */
class MisleadingAnswersTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;
  private static Stranger stranger;

  private DfsClient client;
  private String file;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory);
    stranger = new Stranger();
  }

  @AfterAll
  static void stop() throws IOException {
    stranger.close();
    oneLake.close();
  }

  @BeforeEach
  void open() throws InterruptedException {
    client = oneLake.signedIn();
    file = "Files/LandingZone/T" + UUID.randomUUID() + "/f";
    client.create(file, true);
    client.append(file, 0, bytes("0123456789"), AppendMode.APPEND_FLUSH);
    client.append(file, 10, bytes("x"), AppendMode.APPEND);
    oneLake.forgetRequests();
  }

  @AfterEach
  void close() throws Exception {
    oneLake.clearFaults();
    client.close();
    assertThat(stranger.connections()).as("connections to a stranger").isZero();
  }

  static Stream<Arguments> operations() {
    return GuardsTest.operations();
  }

  private static List<String> locations() {
    return List.of(
        "https://localhost:" + stranger.port() + "/x",
        "http://localhost:" + stranger.port() + "/x",
        "//localhost:" + stranger.port() + "/x",
        "https://" + oneLake.connection.host() + "/somewhere/else",
        "/somewhere/else",
        "");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void followsNoRedirectOfAnyKind(String name, GuardsTest.Operation operation) {
    for (int status : List.of(300, 301, 302, 303, 305, 307, 308)) {
      for (String location : locations()) {
        answers(name, status, "Location", location);
        oneLake.forgetRequests();
        DfsException failure = failure(() -> operation.on(client, file));
        assertThat(failure.kind()).as("%d to %s", status, location).isEqualTo(Kind.NOT_ONELAKE);
        assertThat(failure.getMessage())
            .contains("redirect", String.valueOf(status))
            .doesNotContain("somewhere", String.valueOf(stranger.port()));
        assertThat(oneLake.operations()).containsExactly(name);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void takesTheSecretToNoOtherSignIn(int status) throws Exception {
    for (String location : locations()) {
      answers("token", status, "Location", location);
      oneLake.forgetRequests();
      try (DfsClient fresh = oneLake.client()) {
        DfsException failure = failure(() -> fresh.head(file));
        assertThat(failure.operation()).isEqualTo("sign-in");
        assertThat(failure.transientFault()).isFalse();
        assertThat(failure.getMessage()).doesNotContain("somewhere");
        assertThat(oneLake.operations()).as(location).containsExactly("token");
      }
    }
  }

  private static List<String> challenges() {
    String evil = "https://localhost:" + stranger.port();
    String dead = "/00000000-0000-0000-0000-00000000dead/oauth2/authorize";
    return List.of(
        "Bearer authorization_uri=" + evil + dead + " resource_id=https://graph.microsoft.com",
        "Bearer authorization_uri=\"" + evil + dead + "\", resource_id=\"https://vault.azure.net\"",
        "Bearer authorization_uri=https://login.microsoftonline.com" + dead,
        "Bearer authorization=\"" + evil + "\", scope=\"https://graph.microsoft.com/.default\"",
        "Bearer realm=\"\", claims=\"eyJhY2Nlc3NfdG9rZW4iOnt9fQ==\", error=\"insufficient_claims\"",
        "Basic realm=\"OneLake\"",
        "Digest realm=\"x\", nonce=\"y\"",
        "Negotiate",
        "NTLM",
        "Bearer",
        "x".repeat(8000));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void givesNobodyAnotherCredential(String name, GuardsTest.Operation operation) throws Exception {
    boolean all = name.equals("append") || name.equals("head");
    for (String challenge : all ? challenges() : challenges().subList(0, 3)) {
      oneLake.clearFaults();
      // As often as it is tried: the answer to the fresh token is the same.
      rule(name, 401, 9, "WWW-Authenticate", challenge);
      try (DfsClient fresh = oneLake.client()) {
        oneLake.forgetRequests();
        DfsException failure = failure(() -> operation.on(fresh, file));
        assertThat(failure.kind()).as(challenge).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(failure.getMessage())
            .doesNotContain("dead", "graph", "vault", String.valueOf(stranger.port()));
        assertThat(oneLake.operations()).containsExactly("token", name, "token", name);
        for (JsonNode request : oneLake.requests()) {
          if (request.get("operation").asText().equals("token")) {
            assertThat(request.get("form").get("scope").asText())
                .contains(SignIn.SCOPE)
                .doesNotContain("graph", "vault");
            assertThat(request.get("path").asText()).contains(oneLake.connection.tenantId());
          }
        }
      }
    }
  }

  @Test
  void answersNoChallengeOfTheSignIn() throws Exception {
    for (String challenge : challenges()) {
      oneLake.clearFaults();
      rule("token", 401, 9, "WWW-Authenticate", challenge);
      oneLake.forgetRequests();
      try (DfsClient fresh = oneLake.client()) {
        DfsException failure = failure(() -> fresh.head(file));
        assertThat(failure.operation()).isEqualTo("sign-in");
        assertThat(oneLake.operations()).as(challenge).containsExactly("token");
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void takesNoServerForAProxy(String name, GuardsTest.Operation operation) {
    answers(name, 407, "Proxy-Authenticate", "Basic realm=\"proxy\"");
    DfsException failure = failure(() -> operation.on(client, file));
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ONELAKE);
    assertThat(oneLake.operations()).containsExactly(name);
  }

  private static void answers(String operation, int status, String header, String value) {
    oneLake.clearFaults();
    rule(operation, status, 1, header, value);
  }

  private static void rule(String operation, int status, int times, String header, String value) {
    ObjectNode rule = JSON.createObjectNode().put("operation", operation).put("times", times);
    ObjectNode fault = rule.putObject("fault");
    fault.put("type", "status").put("code", status).put("errorCode", "InvalidAuthenticationInfo");
    fault.putObject("headers").put(header, value);
    oneLake.faults(JSON.createArrayNode().add(rule).toString());
  }

  /** Somebody who is never to be spoken to. Thread-safe. */
  private static final class Stranger implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0);
    private final AtomicInteger connections = new AtomicInteger();

    Stranger() throws IOException {
      Thread accepting = new Thread(this::accept, "stranger");
      accepting.setDaemon(true);
      accepting.start();
    }

    int port() {
      return server.getLocalPort();
    }

    /** Connections so far; one of ours, made now, proves that all before it were counted. */
    int connections() throws IOException {
      try (Socket own = new Socket("localhost", port())) {
        own.getInputStream().read();
        return connections.decrementAndGet();
      }
    }

    private void accept() {
      while (!server.isClosed()) {
        try (Socket caller = server.accept()) {
          connections.incrementAndGet();
          caller.shutdownOutput();
        } catch (IOException e) {
          if (!server.isClosed()) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
