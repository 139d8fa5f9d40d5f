package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.bytes;
import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers mean, with a server that says whatever a test wants. */
class AnswersTest {
  private static final String FILE = "Files/LandingZone/T/f";

  private final ScriptedHttp entra = new ScriptedHttp();
  private final ScriptedHttp oneLake = new ScriptedHttp();
  private DfsClient client;

  @BeforeEach
  void open() {
    entra.raw(200, "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"access_token\":\"TOKEN\"}");
    client = client(Duration.ofSeconds(60));
  }

  private DfsClient client(Duration limit) {
    OneLakeConnection connection =
        OneLakeConnection.of(
                OneLakeUrl.parse(
                    "https://onelake.dfs.fabric.microsoft.com/w/i.MirroredDatabase/Files/LandingZone",
                    HostPolicy.oneLakeOnly()),
                new Credentials.ClientSecret(
                    new TenantId("contoso.com"), "client", Secret.of("CANARY")))
            .withTryTimeout(limit);
    return new AzureDfsClient(
        connection, direct(), entra, oneLake, Clock.systemUTC(), Retries.Time.SYSTEM);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "create, 400, InvalidUri, BAD_REQUEST, false, false",
    "create, 403, AuthorizationFailure, FORBIDDEN, false, false",
    "create, 404, FilesystemNotFound, CONTAINER_NOT_FOUND, false, false",
    "create, 404, WorkspaceNotFound, CONTAINER_NOT_FOUND, false, false",
    "create, 404, PathNotFound, NOT_FOUND, false, false",
    "create, 408, '', TRANSIENT, true, true",
    "create, 409, PathAlreadyExists, ALREADY_EXISTS, false, false",
    "create, 409, LeaseIdMissing, CONFLICT, false, false",
    "create, 412, ConditionNotMet, CONDITION_NOT_MET, false, false",
    "create, 429, TooManyRequests, THROTTLED, true, false",
    "create, 500, OperationTimedOut, TRANSIENT, true, true",
    "create, 501, NotImplemented, BAD_REQUEST, false, true",
    "create, 502, '', TRANSIENT, true, true",
    "create, 503, ServerBusy, THROTTLED, true, true",
    "create, 503, '', TRANSIENT, true, true",
    "create, 503, CapacityNotActive, CAPACITY_PAUSED, true, true",
    "create, 504, '', TRANSIENT, true, true",
    "create, 599, '', TRANSIENT, true, true",
    "rename, 400, InvalidRenameSourcePath, BAD_REQUEST, false, false",
    "rename, 403, AuthorizationFailure, FORBIDDEN, false, true",
    "rename, 404, SourcePathNotFound, SOURCE_NOT_FOUND, false, true",
    "rename, 404, PathNotFound, SOURCE_NOT_FOUND, false, true",
    "rename, 404, RenameDestinationParentPathNotFound, PARENT_NOT_FOUND, false, true",
    "rename, 409, PathAlreadyExists, ALREADY_EXISTS, false, true",
    "rename, 412, ConditionNotMet, CONDITION_NOT_MET, false, true",
    "rename, 429, '', THROTTLED, true, false",
    "rename, 500, InternalError, TRANSIENT, true, true",
    "flush, 400, InvalidFlushPosition, INVALID_FLUSH_POSITION, false, false"
  })
  void meansOfAnAnswer(
      String operation, int status, String code, Kind kind, boolean passing, boolean unknown) {
    oneLake.oneLake(
        status, "{\"error\":{\"code\":\"" + code + "\",\"message\":\"why\\nRequestId:1\"}}");
    DfsException failure =
        failure(
            () -> {
              switch (operation) {
                case "create" -> client.create(FILE, true);
                case "rename" -> client.renameIfAbsent(FILE, FILE + "2");
                default -> client.flush(FILE, 1, true);
              }
            });
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.transientFault()).isEqualTo(passing);
    assertThat(failure.outcomeUnknown()).isEqualTo(unknown);
    assertThat(failure.errorCode()).isEqualTo(code);
    assertThat(failure)
        .hasMessageContaining("onelake.dfs.fabric.microsoft.com")
        .hasMessageContaining("HTTP " + status)
        .hasMessageContaining("why")
        .hasMessageNotContaining("TOKEN");
  }

  @Test
  void takesOnlyOneLakesWordThatAFileIsAbsent() throws Exception {
    oneLake.oneLake(404, "", "x-ms-error-code", "PathNotFound");
    assertThat(client.head(FILE)).isEmpty();
    oneLake.oneLake(404, "");
    assertThat(client.head(FILE)).isEmpty();
    oneLake.raw(404, "<html>");
    assertThat(failure(() -> client.head(FILE)).kind()).isEqualTo(Kind.NOT_ONELAKE);
    oneLake.raw(404, "", "x-ms-request-id", "r1");
    assertThat(failure(() -> client.head(FILE)).kind()).isEqualTo(Kind.NOT_ONELAKE);
    oneLake.oneLake(404, "", "x-ms-error-code", "WorkspaceNotFound");
    assertThat(failure(() -> client.head(FILE)).kind()).isEqualTo(Kind.CONTAINER_NOT_FOUND);
  }

  @Test
  void takesAGatewaysFailureAsPassing() {
    oneLake.raw(502, "<html>bad gateway</html>");
    DfsException failure = failure(() -> client.create(FILE, true));
    assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT);
    assertThat(failure.outcomeUnknown()).isTrue();
    oneLake.raw(403, "<html>blocked</html>");
    assertThat(failure(() -> client.create(FILE, true)).kind()).isEqualTo(Kind.NOT_ONELAKE);
  }

  @Test
  void readsNoMoreThanItAskedFor() {
    oneLake.oneLake(206, "x".repeat(70_000), "Content-Range", "bytes 0-9/10");
    assertThat(failure(() -> client.read(FILE, 0, 10)).kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
    oneLake.oneLake(206, "x".repeat(11), "Content-Range", "bytes 0-10/11");
    assertThat(failure(() -> client.read(FILE, 0, 10)).kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
    oneLake.oneLake(206, "x", "Content-Range", "bytes 7-7/11");
    assertThat(failure(() -> client.read(FILE, 0, 10)).kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
    oneLake.oneLake(200, "x");
    assertThat(failure(() -> client.read(FILE, 5, 10)).kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
  }

  @Test
  void cutsAWholeFileDownToTheRange() throws Exception {
    oneLake.oneLake(200, "0123456789ABC");
    assertThat(client.read(FILE, 0, 4))
        .isEqualTo("0123".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    assertThat(oneLake.requests.get(0).getHeaders().getValue(HttpHeaderName.RANGE))
        .isEqualTo("bytes=0-3");
    assertThat(oneLake.requests.get(0).getUrl())
        .hasToString("https://onelake.dfs.fabric.microsoft.com/w/i.MirroredDatabase/" + FILE);
  }

  @Test
  void stopsReadingAnAnswerWithoutEnd() {
    InputStream zeros =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            return length;
          }
        };
    oneLake.stream(500, zeros);
    assertThat(failure(() -> client.create(FILE, true)).kind()).isEqualTo(Kind.UNEXPECTED_ANSWER);
    oneLake.stream(200, zeros);
    assertThat(failure(() -> client.list("Files", false, entry -> {})).kind())
        .isEqualTo(Kind.UNEXPECTED_ANSWER);
  }

  @Test
  void stopsWaitingForAnAnswerThatStalls() {
    client.close();
    client = client(Duration.ofMillis(400));
    CountDownLatch closed = new CountDownLatch(1);
    InputStream silent =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              closed.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return read();
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    oneLake.stream(500, silent);
    DfsException failure = failure(() -> client.create(FILE, true));
    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure.outcomeUnknown()).isTrue();
  }

  @Test
  void looksIntoNoErrorBodyOfAnotherForm() {
    for (String body :
        List.of(
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><Error><Code>Evil</Code></Error>",
            "{\"error\":" + "[".repeat(50_000),
            "{\"error\":{\"code\":1e999999999,\"message\":{}}}",
            "{\"error\"",
            "{",
            "[]",
            "null")) {
      oneLake.oneLake(400, body);
      DfsException failure = failure(() -> client.create(FILE, true));
      assertThat(failure.kind()).as(body).isEqualTo(Kind.BAD_REQUEST);
      assertThat(failure.errorCode()).as(body).isEmpty();
    }
  }

  @Test
  void makesTheServersTextSafeForALog() {
    oneLake.oneLake(
        400,
        "{\"error\":{\"code\":\"A\\u001b[31m\\u202eB\",\"message\":\"x\\r2026 ERROR admin ok Bearer abc.def sig=SECRET\"}}");
    DfsException failure = failure(() -> client.create(FILE, true));
    assertThat(failure.getMessage().codePoints())
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    assertThat(failure.getMessage()).doesNotContain("SECRET").doesNotContain("abc.def");
    assertThat(failure.errorCode()).isEqualTo("A\\u001b[31m\\u202eB");
  }

  @Test
  void deletesInAsManyRoundsAsItTakes() throws Exception {
    oneLake.oneLake(200, "", "x-ms-continuation", "more");
    oneLake.oneLake(200, "", "x-ms-continuation", "more");
    oneLake.oneLake(200, "");
    client.delete("Files/LandingZone/T", true);
    assertThat(oneLake.requests).hasSize(3);
    assertThat(oneLake.requests.get(2).getUrl().getQuery()).contains("continuation=more");
  }

  @Test
  void followsAListingToItsLastPage() throws Exception {
    String item = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    oneLake.oneLake(
        200, page(item + "/Files/T/1", item + "/Files/T/2"), "x-ms-continuation", "a+b/c==");
    oneLake.oneLake(200, page());
    List<PathEntry> entries = new ArrayList<>();
    client.list("Files/T", false, entries::add);
    assertThat(entries).extracting(PathEntry::path).containsExactly("Files/T/1", "Files/T/2");
    assertThat(oneLake.requests).hasSize(2);
    assertThat(oneLake.requests.get(1).getUrl().getQuery()).contains("continuation=a%2Bb/c%3D%3D");
  }

  @Test
  void refusesAListingThatNamesAPathElsewhere() {
    oneLake.oneLake(200, page("i.MirroredDatabase/Files/Other/1"));
    assertThat(failure(() -> client.list("Files/T", false, entry -> {})).kind())
        .isEqualTo(Kind.UNEXPECTED_ANSWER);
    oneLake.oneLake(200, "{\"paths\":17}");
    assertThat(failure(() -> client.list("Files/T", false, entry -> {})).kind())
        .isEqualTo(Kind.UNEXPECTED_ANSWER);
  }

  @Test
  void handsOnWhatAListenerThrows() {
    oneLake.oneLake(200, page("i/Files/T/1"));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () ->
                    client.list(
                        "Files/T",
                        false,
                        entry -> {
                          throw new IllegalStateException("mine");
                        })))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("mine");
  }

  @Test
  void doesNotAskForTokensOverAndOverWhenNoTokenIsTaken() {
    entra.raw(200, "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"access_token\":\"TOKEN2\"}");
    for (int i = 0; i < 8; i++) {
      oneLake.oneLake(401, "", "x-ms-error-code", "InvalidAuthenticationInfo");
    }
    for (int i = 0; i < 7; i++) {
      assertThat(failure(() -> client.create(FILE, true)).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }
    assertThat(entra.requests).hasSize(2);
    assertThat(oneLake.requests).hasSize(8);
  }

  @Test
  void sendsTheTokenToOneLakeAndTheSecretToEntraAlone() throws Exception {
    oneLake.oneLake(201, "");
    oneLake.oneLake(202, "");
    client.create(FILE, true);
    client.append(FILE, 0, bytes("abc"), AppendMode.APPEND_FLUSH_CLOSE);
    assertThat(entra.requests).hasSize(1);
    assertThat(entra.requests.get(0).getUrl().toString())
        .startsWith("https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token");
    assertThat(entra.requests.get(0).getBodyAsBinaryData().toString()).contains("CANARY");
    for (var request : oneLake.requests) {
      assertThat(request.getUrl().getHost()).isEqualTo("onelake.dfs.fabric.microsoft.com");
      assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION))
          .isEqualTo("Bearer TOKEN");
      assertThat(request.getHeaders().toString()).doesNotContain("CANARY");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401, AADSTS7000215, SIGN_IN_REFUSED, false",
    "401, AADSTS7000222, SIGN_IN_REFUSED, false",
    "400, AADSTS90002, SIGN_IN_REFUSED, false",
    "400, AADSTS700016, SIGN_IN_REFUSED, false",
    "400, AADSTS90033, TRANSIENT, true",
    "429, AADSTS429, THROTTLED, true",
    "503, AADSTS90033, TRANSIENT, true"
  })
  void tellsSignInFailuresApart(int status, String code, Kind kind, boolean passing) {
    ScriptedHttp fresh = new ScriptedHttp();
    fresh.raw(
        status,
        "{\"error\":\"invalid_client\",\"error_description\":\""
            + code
            + ": It\\u0027s wrong. Trace ID: 1 Correlation ID: 2\",\"error_codes\":[1]}");
    TokenSource tokens =
        new TokenSource(
            new SignIn(
                new Credentials.ClientSecret(
                    new TenantId("contoso.com"), "client", Secret.of("CANARY")),
                io.corehub.onelake.AuthorityHost.PUBLIC,
                new Transport(fresh, direct(), Duration.ofSeconds(5), deadlines()),
                Clock.systemUTC()),
            Clock.systemUTC(),
            Retries.Time.SYSTEM);
    DfsException failure = failure(tokens::get);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.transientFault()).isEqualTo(passing);
    assertThat(failure.errorCode()).isEqualTo(code);
    assertThat(failure.operation()).isEqualTo("sign-in");
    assertThat(failure.getMessage())
        .contains("login.microsoftonline.com")
        .contains("It's wrong.")
        .doesNotContain("Trace")
        .doesNotContain("CANARY");
    assertThat(fresh.requests).hasSize(1);
  }

  private static ProxyChoice direct() {
    return ProxyChoice.of(java.util.Optional.empty(), java.util.Map.of());
  }

  static java.util.concurrent.ScheduledExecutorService deadlines() {
    return java.util.concurrent.Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          return thread;
        });
  }

  private static String page(String... names) {
    StringBuilder json = new StringBuilder("{\"paths\":[");
    for (String name : names) {
      json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
          .append("{\"name\":\"")
          .append(name)
          .append(
              "\",\"contentLength\":\"3\",\"etag\":\"0x1\",\"lastModified\":\"Sun, 01 Mar 2026 10:00:00 GMT\"}");
    }
    return json.append("]}").toString();
  }
}
