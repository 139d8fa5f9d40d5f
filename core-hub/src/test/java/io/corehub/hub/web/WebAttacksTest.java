package io.corehub.hub.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.settings.Secret;
import io.corehub.hub.config.WebConfig;
import io.corehub.hub.pipeline.PipelineStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a hostile page, or a hostile neighbour, may send: byte by byte over real sockets. */
class WebAttacksTest {

  /** Stands on every page that tells anything. */
  private static final String TOLD = "canary";

  private static final String TOKEN = "kN8-door/token+0=";

  private final PrometheusMeters meters = new PrometheusMeters();
  private final AtomicInteger asked = new AtomicInteger();
  private WebServer server;

  @BeforeEach
  void start() {
    server = on(WebConfig.DEFAULT_HOST);
  }

  private WebServer on(String host) {
    return on(new WebConfig(host, 0));
  }

  private WebServer on(WebConfig config) {
    return WebServer.start(
        config,
        meters,
        TOLD,
        () -> {
          asked.incrementAndGet();
          return List.of(
              new PipelineStatus(
                  TOLD,
                  PipelineStatus.Phase.RUNNING,
                  Optional.empty(),
                  Optional.of(new SourcePosition("line", 42, "")),
                  List.of(),
                  Map.of()));
        });
  }

  @AfterEach
  void stop() {
    server.close();
    meters.close();
  }

  private int port() {
    return URI.create(server.url()).getPort();
  }

  /** Sends bytes and reads until the server ends the connection. */
  private String answer(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String answer(String method, String target, String... headers) throws IOException {
    return answer(
        method
            + " "
            + target
            + " HTTP/1.1\r\n"
            + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList())
            + "Connection: close\r\n\r\n");
  }

  private static int status(String answer) {
    assertThat(answer).startsWith("HTTP/1.1 ");
    return Integer.parseInt(answer.substring(9, 12));
  }

  private static String head(String answer) {
    return answer.substring(0, answer.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
  }

  @Test
  void listensOnTheLoopbackAddressAlone() throws Exception {
    assertThat(server.url()).startsWith("http://127.0.0.1:");
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          try (Socket socket = new Socket()) {
            assertThat(
                    org.assertj.core.api.Assertions.catchThrowable(
                        () -> socket.connect(new InetSocketAddress(address, port()), 2_000)))
                .as("%s", address)
                .isInstanceOf(IOException.class);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]:80"})
  void answersToItsOwnNames(String host) throws IOException {
    assertThat(answer("GET", "/health", "Host: " + host)).contains(TOLD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "localhost@evil.example",
        "evil.example#localhost",
        "localhost.",
        "0",
        "2130706433",
        "[::ffff:7f00:1]",
        "\u00ff"
      })
  void answersToNoOtherName(String host) throws IOException {
    for (String path : List.of("/", "/health", "/metrics", "/none")) {
      String answer = answer("GET", path, "Host: " + host);
      assertThat(status(answer)).isIn(400, 421);
      assertThat(answer).doesNotContain(TOLD);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void takesTheHostFromNowhereElse() throws IOException {
    String ours = "Host: localhost";
    String theirs = "Host: evil.example";
    for (String answer :
        List.of(
            answer("GET", "/health"),
            answer("GET", "/health", "Host:"),
            answer("GET", "/health", ours, theirs),
            answer("GET", "/health", theirs, ours),
            answer(
                "GET",
                "/health",
                theirs,
                "X-Forwarded-Host: localhost",
                "Forwarded: host=localhost"),
            answer("GET", "http://evil.example/health", ours),
            answer("GET", "http://evil.example/health", theirs),
            answer("GET /health HTTP/1.0\r\n\r\n"))) {
      assertThat(status(answer)).as(answer).isIn(400, 421);
      assertThat(answer).doesNotContain(TOLD);
    }
    assertThat(asked).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "X"})
  void takesNoMethodThatCouldChangeAnything(String method) throws IOException {
    for (String path : List.of("/", "/health", "/metrics")) {
      String answer =
          answer(
              method,
              path,
              "Host: localhost",
              "Content-Type: application/json",
              "X-Echo: " + TOLD,
              "Content-Length: 0");
      assertThat(status(answer)).as(answer).isIn(400, 404, 405, 501);
      assertThat(answer).doesNotContain(TOLD);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void letsNoOtherOriginRead() throws IOException {
    String origin = "Origin: https://evil.example";
    for (String answer :
        List.of(
            answer(
                "OPTIONS",
                "/health",
                "Host: localhost",
                origin,
                "Access-Control-Request-Method: GET"),
            answer("GET", "/health", "Host: localhost", origin),
            answer("GET", "/", "Host: localhost", origin, "Cookie: a=b"))) {
      assertThat(head(answer)).doesNotContain("access-control-").doesNotContain("set-cookie");
    }
  }

  @Test
  void everyAnswerCarriesTheHeadersThatBindABrowser() throws IOException {
    for (String answer :
        List.of(
            answer("GET", "/", "Host: localhost"),
            answer("GET", "/health", "Host: localhost"),
            answer("GET", "/metrics", "Host: localhost"),
            answer("GET", "/none", "Host: localhost"),
            answer("POST", "/", "Host: localhost", "Content-Length: 0"),
            answer("GET", "/", "Host: evil.example"))) {
      assertThat(head(answer))
          .contains(
              "content-security-policy: default-src 'none'",
              "x-content-type-options: nosniff",
              "referrer-policy: no-referrer",
              "cache-control: no-store")
          .doesNotContain("server:", "x-powered-by:");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../../../../../etc/passwd",
        "/..%2f..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..;/..;/etc/passwd",
        "//etc/passwd",
        "/..\\..\\..\\etc\\passwd",
        "/etc/passwd%00.html",
        "/%c0%ae%c0%ae/etc/passwd",
        "file:///etc/passwd",
        "/WEB-INF/web.xml",
        "/logback.xml",
        "/<script>alert(1)</script>",
        "*",
        "etc/passwd"
      })
  void servesNoFile(String target) throws IOException {
    String answer = answer("GET", target, "Host: localhost");
    assertThat(status(answer)).as(answer).isIn(400, 404, 421);
    assertThat(answer).doesNotContain("root:", "<configuration", TOLD);
    if (answer.contains("<script>")) {
      assertThat(head(answer)).contains("content-type: text/plain");
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void refusesRequestsThatAreReadInTwoWays() throws IOException {
    for (String answer :
        List.of(
            answer(
                "GET /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n"
                    + "Host: localhost\r\nConnection: close\r\n\r\n"),
            answer(
                "GET /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
                    + "Content-Length: 5\r\nConnection: close\r\n\r\nabcde"),
            answer("GET", "/none", "Host: localhost", "Content-Length: -1"),
            answer("GET", "/none", "Host : localhost"),
            answer("GET", "/none", "Host: localhost", " folded: 1"),
            answer("GET /health\r\n\r\n"))) {
      assertThat(answer).doesNotContain("200 OK", TOLD);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void readsNoRequestWithoutEnd() throws IOException {
    for (String start :
        List.of("GET /", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "GET / HTTP/1.1\r\n", "")) {
      String more = start.endsWith("\r\n") ? "X-Of-No-Use: 1\r\n".repeat(500) : "a".repeat(8_000);
      long sent = 0;
      try (Socket socket = new Socket("127.0.0.1", port())) {
        OutputStream out = socket.getOutputStream();
        out.write(start.getBytes(StandardCharsets.US_ASCII));
        while (sent < 64 << 20) {
          out.write(more.getBytes(StandardCharsets.US_ASCII));
          sent += more.length();
        }
      } catch (SocketException hungUp) {
        // As it should.
      }
      assertThat(sent).as(start).isLessThan(64 << 20);
    }
    assertThat(answer("GET", "/health", "Host: localhost")).contains(TOLD);
  }

  @Test
  void aLargeBodyIsNotWaitedFor() throws IOException {
    String answer =
        answer(
            "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n"
                + "Connection: close\r\n\r\n");
    assertThat(status(answer)).isIn(404, 405, 413);
  }

  @Test
  void moreRequestsThanTheHubCanBeBotheredWithAreTurnedAway() throws IOException {
    String one = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    int many = WebServer.REQUESTS_AT_ONCE + 200;
    StringBuilder all = new StringBuilder();
    IntStream.range(0, many).forEach(i -> all.append(one));
    long began = System.nanoTime();
    String answers =
        answer(all + "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    double seconds = (System.nanoTime() - began) / 1e9;
    int answered = answers.split("HTTP/1.1 200 OK", -1).length - 1;
    int turnedAway = answers.split("HTTP/1.1 429 ", -1).length - 1;
    assertThat(answered)
        .isBetween(
            WebServer.REQUESTS_AT_ONCE,
            (int) (WebServer.REQUESTS_AT_ONCE + WebServer.REQUESTS_PER_SECOND * seconds) + 1);
    assertThat(answered + turnedAway).isBetween(many, many + 1);
    if (turnedAway > 0) {
      assertThat(answers.toLowerCase(Locale.ROOT)).contains("retry-after: 1");
    }
    assertThat(asked).hasValue(answered);
  }

  @Test
  void onEveryAddressItStillAnswersToNoForeignName() throws IOException {
    server.close();
    server = on(open("0.0.0.0"));
    assertThat(answer("GET", "/health", "Host: 192.0.2.7:80", bearer(TOKEN))).contains(TOLD);
    for (String host :
        List.of("evil.example", "192.0.2.7.evil.example", "1.2.3.4.5", "0x7f.1", "evil")) {
      assertThat(status(answer("GET", "/health", "Host: " + host, bearer(TOKEN))))
          .as(host)
          .isEqualTo(421);
    }
  }

  private static WebConfig open(String host) {
    return new WebConfig(host, 0, Optional.of(new Secret(TOKEN)));
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static String basic(String userAndPassword) {
    byte[] bytes = userAndPassword.getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "::",
        "",
        "192.0.2.7",
        "evil.example",
        "127.0.0.1.evil.example",
        "127.1.evil"
      })
  void listensWhereOthersCanAskOnlyWithAToken(String host) {
    assertThatExceptionOfType(WebException.class)
        .isThrownBy(() -> on(host).close())
        .withMessageContaining("'" + host + "'")
        .withMessageContaining("hub.web.token")
        .withNoCause();
  }

  @Test
  void withATokenItAnswersNobodyWhoDoesNotShowIt() throws IOException {
    server.close();
    server = on(open("0.0.0.0"));
    List<List<String>> without =
        List.of(
            List.of(),
            List.of("Authorization:"),
            List.of("Authorization: Bearer"),
            List.of(bearer("")),
            List.of("Authorization: " + TOKEN),
            List.of("Authorization: Digest " + TOKEN),
            List.of("Authorization: Bearer" + TOKEN),
            List.of(bearer(TOKEN.substring(1))),
            List.of(bearer(TOKEN.substring(0, TOKEN.length() - 1))),
            List.of(bearer(TOKEN + "x")),
            List.of(bearer(TOKEN.toUpperCase(Locale.ROOT))),
            List.of(bearer("***")),
            List.of(basic("admin:admin")),
            List.of(basic(TOKEN + ":")),
            List.of(basic(TOKEN)),
            List.of(basic("x:" + TOKEN + ":")),
            List.of("Authorization: Basic \u00ff%%%"),
            List.of("Cookie: token=" + TOKEN),
            List.of("X-Forwarded-For: 127.0.0.1"),
            List.of("Proxy-Authorization: Bearer " + TOKEN));
    for (String path : List.of("/", "/health", "/metrics", "/none", "/?token=" + TOKEN)) {
      for (List<String> headers : without) {
        List<String> all = new ArrayList<>(headers);
        all.add("Host: localhost");
        String answer = answer("GET", path, all.toArray(String[]::new));
        assertThat(status(answer)).as("%s %s", path, headers).isEqualTo(401);
        assertThat(head(answer))
            .contains("www-authenticate: basic realm=", "content-security-policy:");
        assertThat(answer).doesNotContain(TOLD, TOKEN);
      }
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void withATokenItAnswersWhoShowsIt() throws IOException {
    for (String host : List.of("0.0.0.0", WebConfig.DEFAULT_HOST)) {
      server.close();
      server = on(open(host));
      for (String shown :
          List.of(
              bearer(TOKEN),
              "authorization: bearer " + TOKEN,
              basic("prometheus:" + TOKEN),
              basic(":" + TOKEN))) {
        for (String path : List.of("/", "/health")) {
          assertThat(answer("GET", path, "Host: localhost", shown)).as(shown).contains(TOLD);
        }
      }
      assertThat(status(answer("GET", "/health", "Host: localhost"))).isEqualTo(401);
    }
  }

  @Test
  void whoGuessesTokensIsTurnedAwayLikeAnybody() throws IOException {
    server.close();
    server = on(open("0.0.0.0"));
    String one = "GET /health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n";
    String answers =
        answer(
            one.repeat(WebServer.REQUESTS_AT_ONCE + 400)
                + "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answers).contains("HTTP/1.1 401 ", "HTTP/1.1 429 ");
  }
}
