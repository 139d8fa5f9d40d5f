package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.bytes;
import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

/** The guards around the storage library, each against a server that misbehaves in one way. */
class GuardsTest {
  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;

  private DfsClient client;
  private String file;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory);
  }

  @AfterAll
  static void stop() throws IOException {
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
  void close() {
    oneLake.clearFaults();
    client.close();
  }

  /** One request of the port. */
  interface Operation {
    void on(DfsClient client, String file) throws InterruptedException;
  }

  static final Map<String, Operation> OPERATIONS =
      Map.of(
          "head", (c, f) -> c.head(f),
          "list", (c, f) -> c.list(f.substring(0, f.lastIndexOf('/')), false, e -> {}),
          "create", (c, f) -> c.create(f + "2", true),
          "append", (c, f) -> c.append(f, 10, bytes("x"), AppendMode.APPEND),
          "flush", (c, f) -> c.flush(f, 11, true),
          "rename", (c, f) -> c.renameIfAbsent(f, f + "3"),
          "get", (c, f) -> c.read(f, 0, 5),
          "delete", (c, f) -> c.delete(f, false));

  static Stream<Arguments> operations() {
    return OPERATIONS.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  private static boolean changes(String operation) {
    return !operation.equals("head") && !operation.equals("list") && !operation.equals("get");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void retriesNothingByItself(String name, Operation operation) {
    oneLake.fault(name, "{\"type\":\"status\",\"code\":503,\"errorCode\":\"ServerBusy\"}");
    DfsException failure = failure(() -> operation.on(client, file));
    assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(failure.transientFault()).isTrue();
    assertThat(failure.outcomeUnknown()).isEqualTo(changes(name));
    assertThat(failure.status()).hasValue(503);
    assertThat(oneLake.requests()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void takesNoPageOfAPortalForAnAnswer(String name, Operation operation) {
    oneLake.fault(name, "{\"type\":\"html200\"}");
    DfsException failure = failure(() -> operation.on(client, file));
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ONELAKE);
    assertThat(failure.outcomeUnknown()).isEqualTo(changes(name));
    assertThat(failure).hasMessageContaining("localhost").hasMessageContaining("x-ms-request-id");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void followsNoRedirectAndDoesNotRepeatItsTarget(String name, Operation operation) {
    oneLake.fault(name, "{\"type\":\"redirect\",\"location\":\"https://evil.example/x\"}");
    DfsException failure = failure(() -> operation.on(client, file));
    assertThat(failure.kind()).isEqualTo(Kind.NOT_ONELAKE);
    assertThat(failure.transientFault()).isFalse();
    assertThat(failure.getMessage()).contains("redirect").doesNotContain("evil");
    assertThat(oneLake.requests()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void sendsOnceMoreWithAFreshTokenAfterA401(String name, Operation operation) throws Exception {
    oneLake.fault(
        name, "{\"type\":\"status\",\"code\":401,\"errorCode\":\"InvalidAuthenticationInfo\"}");
    operation.on(client, file);
    assertThat(oneLake.operations()).containsExactly(name, "token", name);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void asksForNoOtherTokenThanOneLakes(String name, Operation operation) throws Exception {
    oneLake.fault(
        name,
        "{\"type\":\"challenge\",\"resource\":\"https://graph.microsoft.com\",\"tenant\":\"00000000-0000-0000-0000-00000000dead\"}");
    operation.on(client, file);
    assertThat(oneLake.operations()).containsExactly(name, "token", name);
    var token = oneLake.requests().get(1);
    assertThat(token.get("form").get("scope").asText())
        .contains("https://storage.azure.com/.default")
        .doesNotContain("graph");
    assertThat(token.get("path").asText())
        .contains(oneLake.connection.tenantId())
        .doesNotContain("dead");
  }

  @Test
  void givesUpEveryOperationWhenTheTimeLimitIsReached() throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    try (DfsClient impatient =
        AzureDfsClient.open(oneLake.landingZone().withTryTimeout(Duration.ofSeconds(3)))) {
      impatient.head(file);
      Map<String, Future<DfsException>> failures = new TreeMap<>();
      for (Map.Entry<String, Operation> operation : OPERATIONS.entrySet()) {
        oneLake.fault(operation.getKey(), "{\"type\":\"hang\",\"millis\":30000}");
        failures.put(
            operation.getKey(),
            pool.submit(() -> failure(() -> operation.getValue().on(impatient, file))));
      }
      for (Map.Entry<String, Future<DfsException>> entry : failures.entrySet()) {
        DfsException failure = entry.getValue().get(20, TimeUnit.SECONDS);
        assertThat(failure.kind()).as(entry.getKey()).isEqualTo(Kind.TIMEOUT);
        assertThat(failure.transientFault()).isTrue();
        assertThat(failure.outcomeUnknown()).isEqualTo(changes(entry.getKey()));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void reportsALostAnswerAsUnknown(String name, Operation operation) {
    // A lost answer to GET or HEAD is asked for again by the Java HTTP client, which is harmless.
    oneLake.faults(
        "[{\"operation\":\"" + name + "\",\"nth\":1,\"times\":9,\"fault\":{\"type\":\"after\"}}]");
    DfsException failure = failure(() -> operation.on(client, file));
    assertThat(failure.kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(failure.transientFault()).isTrue();
    assertThat(failure.outcomeUnknown()).isEqualTo(changes(name));
    if (changes(name)) {
      assertThat(oneLake.operations()).containsExactly(name);
    }
  }

  @Test
  void tellsHowLongTheServerAsksToWait() {
    oneLake.fault("create", throttled("\"Retry-After\":\"7\""));
    assertThat(failure(() -> client.create(file + "a", true)).retryAfter())
        .contains(Duration.ofSeconds(7));

    oneLake.fault("create", throttled("\"x-ms-retry-after-ms\":\"1250\",\"Retry-After\":\"9\""));
    assertThat(failure(() -> client.create(file + "a", true)).retryAfter())
        .contains(Duration.ofMillis(1250));

    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(90));
    oneLake.fault("create", throttled("\"Retry-After\":\"" + date + "\""));
    assertThat(failure(() -> client.create(file + "a", true)).retryAfter().orElseThrow())
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(91));

    oneLake.fault("create", throttled("\"Retry-After\":\"soon\""));
    assertThat(failure(() -> client.create(file + "a", true)).retryAfter()).isEmpty();
  }

  private static String throttled(String headers) {
    return "{\"type\":\"status\",\"code\":429,\"errorCode\":\"TooManyRequests\",\"headers\":{"
        + headers
        + "}}";
  }

  @Test
  void refusesASuccessThatIgnoredOurCondition() {
    oneLake.fault(
        "rename",
        "{\"type\":\"status\",\"code\":201,\"errorCode\":\"\",\"applied\":true,\"headers\":{\"x-ms-rejected-headers\":\"x-ms-owner,If-None-Match\"}}");
    DfsException failure = failure(() -> client.renameIfAbsent(file, file + "3"));
    assertThat(failure.kind()).isEqualTo(Kind.CONDITION_IGNORED);
    assertThat(failure.transientFault()).isFalse();
    assertThat(failure.outcomeUnknown()).isTrue();
  }

  @Test
  void flushesOnItsOwnWhereCloseIsNotTakenWithAnAppend() throws Exception {
    oneLake.fault(
        "append",
        "{\"type\":\"status\",\"code\":400,\"errorCode\":\"InvalidQueryParameterValue\"}");
    client.create(file + "4", true);
    client.append(file + "4", 0, bytes("abc"), AppendMode.APPEND_FLUSH_CLOSE);
    client.create(file + "5", true);
    client.append(file + "5", 0, bytes("abc"), AppendMode.APPEND_FLUSH_CLOSE);
    assertThat(oneLake.operations())
        .containsExactly("create", "append", "append", "flush", "create", "append", "flush");
    assertThat(client.head(file + "5").orElseThrow().length()).isEqualTo(3);
  }

  @Test
  void saysCapacityPausedWhateverTheStatus() {
    oneLake.fault("head", "{\"type\":\"status\",\"code\":404,\"errorCode\":\"CapacityNotActive\"}");
    DfsException failure = failure(() -> client.head(file));
    assertThat(failure.kind()).isEqualTo(Kind.CAPACITY_PAUSED);
    assertThat(failure.transientFault()).isTrue();
  }

  @Test
  void signsInOnceForAllThreads() throws Exception {
    try (DfsClient fresh = oneLake.client()) {
      ExecutorService pool = Executors.newFixedThreadPool(16);
      CountDownLatch go = new CountDownLatch(1);
      Future<?>[] calls = new Future<?>[16];
      for (int i = 0; i < calls.length; i++) {
        calls[i] =
            pool.submit(
                () -> {
                  go.await();
                  return fresh.head(file);
                });
      }
      go.countDown();
      for (Future<?> call : calls) {
        call.get(30, TimeUnit.SECONDS);
      }
      pool.shutdown();
    }
    assertThat(oneLake.operations()).filteredOn("token"::equals).hasSize(1);
    assertThat(oneLake.operations()).filteredOn("head"::equals).hasSize(16);
  }

  @Test
  void asksForNoTokenAgainWhileSignInFails() throws Exception {
    try (DfsClient wrong =
        AzureDfsClient.open(oneLake.withSecret(oneLake.landingZone().url(), "wrong"))) {
      for (int i = 0; i < 5; i++) {
        DfsException failure = failure(() -> wrong.head(file));
        assertThat(failure.kind()).isEqualTo(Kind.SIGN_IN_REFUSED);
        assertThat(failure.operation()).isEqualTo("sign-in");
        assertThat(failure.errorCode()).isEqualTo("AADSTS7000215");
        assertThat(failure.transientFault()).isFalse();
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(failure.getMessage()).doesNotContain("wrong");
      }
    }
    assertThat(oneLake.operations()).containsExactly("token");
  }

  @Test
  void sendsOneTokenRequestWhenEntraFails() throws Exception {
    oneLake.fault("token", "{\"type\":\"status\",\"code\":503,\"errorCode\":\"90033\"}");
    try (DfsClient fresh = oneLake.client()) {
      DfsException failure = failure(() -> fresh.head(file));
      assertThat(failure.operation()).isEqualTo("sign-in");
      assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT);
      assertThat(failure(() -> fresh.head(file)).retryAfter().orElseThrow())
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
    }
    assertThat(oneLake.operations()).containsExactly("token");
  }

  @Test
  void takesNoPageOfAPortalForAToken() throws Exception {
    oneLake.fault("token", "{\"type\":\"html200\"}");
    try (DfsClient fresh = oneLake.client()) {
      DfsException failure = failure(() -> fresh.head(file));
      assertThat(failure.operation()).isEqualTo("sign-in");
      assertThat(failure.kind()).isEqualTo(Kind.NOT_ONELAKE);
    }
    assertThat(oneLake.operations()).containsExactly("token");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void endsACallThatIsInterrupted(String name, Operation operation) throws Exception {
    oneLake.fault(name, "{\"type\":\"hang\",\"millis\":30000}");
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    Thread caller = new Thread(() -> outcome.set(catchThrowable(() -> operation.on(client, file))));
    caller.start();
    while (oneLake.operations().isEmpty()) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    caller.join(10_000);
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void trustsOnlyTheRuntimesCertificatesUnlessToldOtherwise() throws Exception {
    var trusting = oneLake.landingZone();
    var plain =
        new io.corehub.onelake.OneLakeConnection(
            trusting.url(),
            trusting.credentials(),
            trusting.authorityHost(),
            java.util.Optional.empty(),
            java.util.Optional.empty(),
            Duration.ofSeconds(5));
    try (DfsClient distrusting = AzureDfsClient.open(plain)) {
      DfsException failure = failure(() -> distrusting.head(file));
      assertThat(failure.kind()).isEqualTo(Kind.TLS);
      assertThat(failure.transientFault()).isFalse();
    }
    assertThat(oneLake.requests()).isEmpty();
  }
}
