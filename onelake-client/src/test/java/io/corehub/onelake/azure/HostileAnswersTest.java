package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.azure.RawServer.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Answers made to exhaust or mislead, over real sockets, to every operation and to the sign-in:
 * each ends as a failure of the request, soon, and after few of its bytes were taken.
 */
class HostileAnswersTest {
  private static final String FILE = "Files/LandingZone/T/f";
  private static final long MIB = 1 << 20;

  /** What sockets and the HTTP client hold between a server and the limit of what is read. */
  private static final long IN_BETWEEN = 40 * MIB;

  private static final Duration SOON = Duration.ofSeconds(4);

  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;
  private static RawServer hostile;
  private static OneLakeConnection toHostileOneLake;
  private static OneLakeConnection toHostileEntra;

  @BeforeAll
  static void start() throws Exception {
    oneLake = new EmulatedOneLake(directory.resolve("good"));
    RawServer.Shown shown = RawServer.Shown.selfSigned(directory, "-ext", "san=dns:localhost");
    hostile = RawServer.overTls(shown, Answer.of(""));
    Path trusted =
        Files.writeString(
            directory.resolve("trusted.pem"),
            Files.readString(oneLake.connection.caCertificate()) + Files.readString(shown.pem()),
            StandardCharsets.US_ASCII);
    HostPolicy hosts = HostPolicy.parse(hostile.authority() + "," + oneLake.connection.host());
    String url = oneLake.connection.landingZoneUrl();
    toHostileOneLake =
        oneLake
            .to(
                LandingZoneUrl.parse(url.replaceFirst("localhost:\\d+", hostile.authority()), hosts)
                    .url())
            .withTrustedCertificates(trusted)
            .withTryTimeout(SOON);
    toHostileEntra =
        oneLake
            .landingZone()
            .withAuthorityHost(AuthorityHost.parse("https://" + hostile.authority(), hosts))
            .withTrustedCertificates(trusted)
            .withTryTimeout(SOON);
  }

  @AfterAll
  static void stop() throws IOException {
    hostile.close();
    oneLake.close();
  }

  private static String head(String status, String... headers) {
    return "HTTP/1.1 "
        + status
        + "\r\nx-ms-request-id: 1\r\nx-ms-version: 2021-06-08\r\n"
        + String.join("", Stream.of(headers).map(header -> header + "\r\n").toList());
  }

  /**
   * A head and then blocks of the same bytes, as many as the client takes and no more than told.
   */
  private static Answer then(String head, String block, long most) {
    return out -> {
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      byte[] bytes = block.getBytes(StandardCharsets.ISO_8859_1);
      for (long written = 0; written < most; written += bytes.length) {
        out.write(bytes);
      }
    };
  }

  private static final String ZEROS = "0".repeat(64 << 10);

  /** Answers to any request, by name. */
  private static Map<String, Answer> bombs() {
    Map<String, Answer> bombs = new LinkedHashMap<>();
    long large = 100 * MIB;
    bombs.put(
        "100 MB of success",
        then(head("200 OK", "Content-Length: " + large) + "\r\n", ZEROS, large));
    bombs.put(
        "100 MB of failure",
        then(head("500 Oops", "Content-Length: " + large) + "\r\n", ZEROS, large));
    bombs.put(
        "a body without end",
        then(
            head("200 OK", "Transfer-Encoding: chunked") + "\r\n",
            "10000\r\n" + ZEROS + "\r\n",
            3 * large));
    bombs.put("a body until the connection ends", then(head("200 OK") + "\r\n", ZEROS, large));
    bombs.put(
        "a chunk longer than a number",
        then(
            head("200 OK", "Transfer-Encoding: chunked") + "\r\nfffffffffffffffff\r\n",
            ZEROS,
            large));
    bombs.put("a header without end", then(head("200 OK") + "x-a: ", ZEROS, large));
    bombs.put(
        "headers without end",
        then(head("200 OK"), "x-header-of-no-use: 0123456789\r\n".repeat(1000), large));
    bombs.put("a status line without end", then("HTTP/1.1 200 ", ZEROS, large));
    bombs.put("no HTTP", then("", "\0\1\2\3 what is this\n", 40));
    bombs.put(
        "interim answers without end",
        then("", "HTTP/1.1 102 Processing\r\n\r\n".repeat(1000), large));
    bombs.put(
        "a length below zero",
        then(head("200 OK", "Content-Length: -1") + "\r\n", ZEROS, 2 * ZEROS.length()));
    return bombs;
  }

  static Stream<Arguments> everywhere() {
    return bombs().entrySet().stream().map(bomb -> Arguments.of(bomb.getKey(), bomb.getValue()));
  }

  /** HEAD has no body; what follows it is never read. */
  private static boolean harmless(String operation, String bomb) {
    return operation.equals("head") && !bomb.matches(".*(header|status|HTTP|interim|below).*");
  }

  private static DfsException ended(String what, GuardsTest.Operation operation, DfsClient client) {
    long began = System.nanoTime();
    DfsException failure = failure(() -> operation.on(client, FILE));
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .as(what)
        .isLessThan(SOON.plusSeconds(16));
    assertThat(hostile.sentBytes()).as(what + ": bytes taken").isLessThan(IN_BETWEEN);
    assertThat(failure.getMessage()).as(what).hasSizeLessThan(1_000).doesNotContain("00000000000");
    return failure;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everywhere")
  void endsEveryOperationSoonAndSmall(String name, Answer bomb) throws Exception {
    try (DfsClient client = AzureDfsClient.open(toHostileOneLake)) {
      for (Map.Entry<String, GuardsTest.Operation> operation : GuardsTest.OPERATIONS.entrySet()) {
        hostile.answer(bomb);
        String what = operation.getKey() + " and " + name;
        if (harmless(operation.getKey(), name)) {
          continue;
        }
        DfsException failure = ended(what, operation.getValue(), client);
        assertThat(failure.kind())
            .as(what + ": " + failure)
            .isIn(Kind.UNEXPECTED_ANSWER, Kind.CONNECTION_LOST, Kind.TIMEOUT, Kind.TRANSIENT);
        boolean changes = !Set.of("head", "list", "get").contains(operation.getKey());
        assertThat(failure.outcomeUnknown()).as(what + ": " + failure).isEqualTo(changes);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everywhere")
  void endsTheSignInSoonAndSmall(String name, Answer bomb) {
    hostile.answer(bomb);
    try (DfsClient client = AzureDfsClient.open(toHostileEntra)) {
      DfsException failure = ended("sign-in and " + name, (c, f) -> c.head(f), client);
      assertThat(failure.operation()).isEqualTo("sign-in");
    }
  }

  private static String compressed(int zeros) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(new byte[zeros]);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void asksForNoCompressionAndUnpacksNone() throws Exception {
    String bomb = compressed((int) (60 * MIB));
    hostile.answer(
        Answer.of(
            head(
                    "206 Partial Content",
                    "Content-Encoding: gzip",
                    "Content-Range: bytes 0-9/10",
                    "Content-Length: " + bomb.length())
                + "\r\n"
                + bomb));
    try (DfsClient client = AzureDfsClient.open(toHostileOneLake)) {
      assertThat(client.read(FILE, 0, bomb.length())).hasSize(bomb.length());
    }
    hostile.answer(
        Answer.of(
            head("200 OK", "Content-Encoding: gzip", "Content-Length: " + bomb.length())
                + "\r\n"
                + bomb));
    try (DfsClient client = AzureDfsClient.open(toHostileOneLake)) {
      assertThat(failure(() -> client.list("Files", false, entry -> {})).kind())
          .isEqualTo(Kind.UNEXPECTED_ANSWER);
    }
    assertThat(hostile.requests())
        .isNotEmpty()
        .noneMatch(request -> request.toLowerCase(Locale.ROOT).contains("accept-encoding"));
  }

  private static Answer json(String status, String body) {
    return Answer.of(
        head(status, "Content-Type: application/json", "Content-Length: " + body.length())
            + "\r\n"
            + body);
  }

  private static final String DEEP = "[".repeat(100_000);

  static Stream<String> listings() {
    return Stream.of(
        "{\"paths\":" + DEEP,
        "{\"paths\":[{\"name\":" + DEEP + "]".repeat(100_000) + "}]}",
        "{\"paths\":[{\"more\":" + "{\"a\":".repeat(100_000),
        "{\"paths\":[{\"name\":\"i/Files/x\",\"contentLength\":1e999999999}]}",
        "{\"paths\":[{\"name\":\"i/Files/x\",\"contentLength\":\"" + "9".repeat(100_000) + "\"}]}",
        "{\"paths\":[{\"name\":\"i/Files/x\",\"lastModified\":\"" + "9".repeat(100_000) + "\"}]}",
        "{\"paths\":[{\"name\":\"i/Files/\u00c3\u0028\u00ff\",\"contentLength\":\"x\"}]}",
        "{\"paths\":[{\"name\":\"i/Files/x\",\"contentLength\":\"-1\"}]}",
        "{\"paths\":[null,17]}",
        "{\"paths\":[{}]}",
        "[]",
        "\0\0\0\0",
        "{");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("listings")
  void takesNoSenselessListing(String body) {
    hostile.answer(json("200 OK", body));
    try (DfsClient client = AzureDfsClient.open(toHostileOneLake)) {
      DfsException failure = failure(() -> client.list("Files", false, entry -> {}));
      assertThat(failure.kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
      assertThat(failure.getMessage()).hasSizeLessThan(1_000);
    }
  }

  static Stream<String> tokens() {
    String start = "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"access_token\":";
    return Stream.of(
        DEEP,
        "{\"access_token\":" + DEEP,
        start + DEEP,
        start + "\"LEAKED\",\"more\":" + "{\"a\":".repeat(100_000),
        start + "\"LEAKED\\r\\nx-evil: 1\"}",
        start + "\"LEAKED\\u0000\"}",
        start + "\"LEAKED\\ud800\"}",
        start + "{}}",
        start + "\"\"}",
        start + "null}",
        "{\"token_type\":\"Bearer\",\"expires_in\":1e999999999,\"access_token\":\"LEAKED\"}",
        "{\"token_type\":\"Bearer\",\"expires_in\":-1,\"access_token\":\"LEAKED\"}",
        "{\"token_type\":\"Bearer\",\"expires_in\":\"soon\",\"access_token\":\"LEAKED\"}",
        "{");
  }

  /** Whatever became of it: nothing but a failure of ours, and no part of a token in it. */
  @ParameterizedTest(name = "{index}")
  @MethodSource("tokens")
  void makesNoUseOfASenselessToken(String body) {
    hostile.answer(json("200 OK", body));
    try (DfsClient client = AzureDfsClient.open(toHostileEntra)) {
      DfsException failure = failure(() -> client.head(FILE));
      for (Throwable at = failure; at != null; at = at.getCause()) {
        assertThat(String.valueOf(at.getMessage())).doesNotContain("LEAKED");
      }
      assertThat(failure.getMessage()).hasSizeLessThan(1_000);
    }
  }
}
