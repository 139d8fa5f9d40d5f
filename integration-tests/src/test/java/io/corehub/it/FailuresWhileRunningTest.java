package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue of OneLake's errors, met by a hub that is already writing. */
class FailuresWhileRunningTest {

  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
  private static final String LINES =
      "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}\n"
          + "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}\n"
          + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":1}}]}\n";

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;
  private Pipeline pipeline;
  private long before;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    pipeline = new Pipeline(directory, emulator).lines(LINES).set("writePartnerEvents", "false");
    before = emulator.requests().size();
  }

  @AfterEach
  void clear() throws Exception {
    emulator.clearFaults();
    try (Stream<Path> landed = Files.walk(emulator.landingZone())) {
      for (Path path : landed.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(emulator.landingZone())) {
          Files.delete(path);
        }
      }
    }
  }

  private long count(String operation) throws Exception {
    return emulator.requests().stream()
        .skip(before)
        .filter(request -> request.get("operation").asText().equals(operation))
        .count();
  }

  private void fault(String operation, int times, String fault) throws Exception {
    emulator.addFaults(
        "[{\"operation\":\"" + operation + "\",\"times\":" + times + ",\"fault\":" + fault + "}]");
  }

  private static String status(int code, String errorCode, boolean applied) {
    return "{\"type\":\"status\",\"code\":"
        + code
        + ",\"errorCode\":\""
        + errorCode
        + "\",\"applied\":"
        + applied
        + "}";
  }

  private void assertMirroredOnce() throws Exception {
    assertThat(
            Hub.run("mirrored", emulator.directory().toString(), "--table", "log")
                .succeeded()
                .output()
                .strip())
        .isEqualTo("{\"n\":1}");
  }

  @Test
  void aMissingRightToWriteStopsTheTableWithTheWordsOfTheCheck() throws Exception {
    fault("create", 99, status(403, "Forbidden", false));
    Hub.Result result = Hub.run("run", pipeline.write()).exited(1);
    assertThat(result.errors())
        .contains("Table log: App " + emulator.get("clientId") + " may not use workspace '")
        .contains("Add it to the workspace as Contributor under Manage access")
        .doesNotContain("\tat ");
    assertThat(count("create")).isEqualTo(1);
  }

  @Test
  void aRefusedTokenIsReplacedOnce() throws Exception {
    fault("create", 1, status(401, "InvalidAuthenticationInfo", false));
    Hub.run("run", pipeline.write()).succeeded();
    assertThat(count("token")).isEqualTo(2);
    assertMirroredOnce();
  }

  /**
   * An answer that a table's first request of this kind meets.
   *
   * @param applied whether the request was carried out all the same
   */
  private record Answer(String operation, int code, String errorCode, boolean applied) {}

  @Test
  void whatPassesOrWasDoneAllTheSameIsMirroredOnce() throws Exception {
    List<Answer> answers =
        List.of(
            new Answer("create", 503, "CapacityNotActive", false),
            new Answer("create", 404, "CapacityNotActive", false),
            new Answer("create", 429, "TooManyRequests", false),
            new Answer("append", 503, "ServerBusy", false),
            new Answer("append", 500, "OperationTimedOut", true),
            new Answer("rename", 502, "BadGateway", false),
            new Answer("rename", 504, "GatewayTimeout", true),
            new Answer("rename", 408, "RequestTimeout", true),
            new Answer("rename", 500, "InternalError", true),
            new Answer("rename", 404, "SourcePathNotFound", true),
            new Answer("rename", 409, "PathAlreadyExists", true),
            new Answer("rename", 412, "ConditionNotMet", true),
            new Answer("rename", 403, "Forbidden", true));
    StringBuilder lines = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Answer answer = answers.get(i);
      lines.append(
          LINES
              .replace("\"log\"", "\"t" + i + "\"")
              .replace("\"position\":1", "\"position\":" + (i + 1)));
      expected.add("{\"table\":\"t" + i + "\",\"row\":{\"n\":1}}");
      emulator.addFaults(
          "[{\"operation\":\""
              + answer.operation()
              + "\",\"path\":\"/**/t"
              + i
              + "/*\",\"fault\":"
              + status(answer.code(), answer.errorCode(), answer.applied())
              + "}]");
    }
    Hub.run("run", pipeline.lines(lines.toString()).write()).succeeded();
    assertThat(emulator.firedFaults()).isEqualTo(answers.size());
    assertThat(Hub.run("mirrored", emulator.directory().toString()).succeeded().output().lines())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void aPausedCapacityDegradesAndIsWaitedFor() throws Exception {
    fault("create", 99_999, status(503, "CapacityNotActive", false));
    try (Hub.Running hub = Hub.start(Map.of(), "run", pipeline.hub("web: { port: 0 }").write())) {
      hub.awaitErrors("http://127.0.0.1:");
      Matcher address = ADDRESS.matcher(hub.errors());
      assertThat(address.find()).isTrue();
      String base = address.group();
      Await.until(
          "the table is degraded and says why",
          () -> {
            String health = get(base + "/health");
            return health.contains("\"degraded\"")
                && health.contains("The Fabric capacity behind workspace");
          },
          hub::errors);
      emulator.clearFaults();
      hub.await().succeeded();
    }
    assertThat(count("create")).isGreaterThan(1);
    assertMirroredOnce();
  }

  @Test
  void aFiniteSourceGivesUpAfterTheBudgetAndSaysWhy() throws Exception {
    fault("create", 99_999, status(503, "CapacityNotActive", false));
    Hub.Result result = Hub.run("run", pipeline.set("retryBudgetSeconds", 2).write()).exited(1);
    assertThat(result.errors())
        .contains("The Fabric capacity behind workspace")
        .contains("is paused")
        .doesNotContain("\tat ");
  }

  @Test
  void somebodyElsesFileIsAConflictThatNamesIt() throws Exception {
    String content = Base64.getEncoder().encodeToString("not ours".getBytes());
    fault("rename", 1, "{\"type\":\"foreignFile\",\"content\":\"" + content + "\"}");
    Hub.Result result = Hub.run("run", pipeline.write()).exited(1);
    assertThat(result.errors())
        .contains("Table log")
        .contains(".parquet")
        .contains("left as it is");
  }

  @Test
  void aProxyThatAnswersStopsTheTableWithTheWordsOfTheCheck() throws Exception {
    fault("create", 99, "{\"type\":\"html\",\"code\":403}");
    Hub.Result result = Hub.run("run", pipeline.write()).exited(1);
    assertThat(result.errors()).contains("Something between here and OneLake answered");
  }

  private static String get(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
