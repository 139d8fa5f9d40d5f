package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged hub sends to a host that asks it to slow down, by that host's own log. */
@Tag("alone")
class ThrottlingTest {

  private static final int TABLES = 6;
  private static final int COMMITS = 36;

  /** Requests that were on their way when the answer came. */
  private static final Duration ON_THE_WAY = Duration.ofMillis(700);

  /** What a busy machine adds to a pause. */
  private static final Duration BUSY = Duration.ofMillis(1500);

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;
  private int before;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @BeforeEach
  void remember() throws Exception {
    before = emulator.requests().size();
  }

  @AfterEach
  void clear() throws Exception {
    emulator.clearFaults();
  }

  /** Commits to all tables in turn for some seconds, each in a file of its own. */
  private Pipeline busy(String prefix) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int t = 0; t < TABLES; t++) {
      String table = prefix + t;
      lines
          .append("{\"kind\":\"table\",\"table\":\"" + table + "\",\"columns\":[")
          .append("{\"name\":\"n\",\"type\":\"INT\"}]}\n")
          .append("{\"kind\":\"snapshotEnd\",\"table\":\"" + table + "\"}\n");
    }
    for (int i = 1; i <= COMMITS; i++) {
      lines
          .append("{\"kind\":\"pause\",\"millis\":100}\n")
          .append("{\"kind\":\"commit\",\"position\":" + i + ",\"changes\":[{\"op\":\"insert\",")
          .append("\"table\":\"" + prefix + i % TABLES + "\",\"after\":{\"n\":" + i + "}}]}\n");
    }
    return new Pipeline(directory, emulator)
        .lines(lines.toString())
        .set("cdcBatchMaxSeconds", 0)
        .set("monitoringSeconds", 1);
  }

  private List<JsonNode> storage() throws Exception {
    return emulator.requests().stream()
        .skip(before)
        .filter(request -> !request.get("operation").asText().equals("token"))
        .toList();
  }

  private long tokens() throws Exception {
    return emulator.requests().stream()
        .skip(before)
        .filter(request -> request.get("operation").asText().equals("token"))
        .count();
  }

  private static Instant at(JsonNode request) {
    return Instant.parse(request.get("at").asText());
  }

  private static JsonNode refused(List<JsonNode> requests) {
    return requests.stream()
        .filter(request -> request.get("status").asInt() == 429)
        .findFirst()
        .orElseThrow();
  }

  /** Nobody asked for anything in between, and then it went on in time. */
  private void assertSilence(Instant refused, Instant until, Duration asked) throws Exception {
    List<Instant> later =
        storage().stream().map(ThrottlingTest::at).filter(at -> at.isAfter(refused)).toList();
    assertThat(later)
        .as("requests between the refusal and %s", until)
        .noneMatch(at -> at.isAfter(refused.plus(ON_THE_WAY)) && at.isBefore(until));
    Instant next = later.stream().filter(at -> !at.isBefore(until)).findFirst().orElseThrow();
    assertThat(Duration.between(until, next)).isLessThanOrEqualTo(asked.dividedBy(10).plus(BUSY));
  }

  private long appends(String table) throws Exception {
    return storage().stream()
        .filter(request -> request.get("operation").asText().equals("append"))
        .filter(request -> request.get("path").asText().contains("/" + table + "/"))
        .count();
  }

  private void throttle(String path, int nth, String header, String value) throws Exception {
    emulator.addFaults(
        "[{\"operation\":\"append\",\"path\":\"/**/"
            + path
            + "/*\",\"nth\":"
            + nth
            + ",\"fault\":{\"type\":\"status\",\"code\":429,\"errorCode\":\"TooManyRequests\",\"headers\":{\""
            + header
            + "\":\""
            + value
            + "\"}}}]");
  }

  private void assertAllMirrored(String prefix) throws Exception {
    long rows =
        Hub.run("mirrored", emulator.directory().toString())
            .succeeded()
            .output()
            .lines()
            .filter(row -> row.contains("\"table\":\"" + prefix))
            .count();
    assertThat(rows).isEqualTo(COMMITS);
  }

  @Test
  void secondsAreWaitedForByAllTables() throws Exception {
    throttle("seconds1", 3, "Retry-After", "4");
    Hub.run("run", busy("seconds").write()).succeeded();
    Instant refused = at(refused(storage()));
    assertSilence(refused, refused.plusSeconds(4), Duration.ofSeconds(4));
    assertAllMirrored("seconds");
  }

  @Test
  void millisecondsAreWaitedForByAllTables() throws Exception {
    throttle("millis1", 3, "x-ms-retry-after-ms", "2500");
    Hub.run("run", busy("millis").write()).succeeded();
    Instant refused = at(refused(storage()));
    assertSilence(refused, refused.plusMillis(2500), Duration.ofMillis(2500));
    assertAllMirrored("millis");
  }

  @Test
  void aDateIsWaitedForByAllTables() throws Exception {
    try (Hub.Running hub = Hub.start(Map.of(), "run", busy("date").write())) {
      Await.until("a file has landed", () -> appends("date1") > 0, hub::errors);
      Instant until = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
      throttle(
          "date1",
          1,
          "Retry-After",
          DateTimeFormatter.RFC_1123_DATE_TIME.format(until.atOffset(ZoneOffset.UTC)));
      hub.await().succeeded();
      Instant refused = at(refused(storage()));
      assertSilence(refused, until, Duration.between(refused, until));
    }
    assertAllMirrored("date");
  }

  @Test
  void anExpiredSecretIsTriedOnceForAllTables() throws Exception {
    emulator.addFaults(
        """
        [{"operation":"append","path":"/**/secret*/*","nth":3,"times":999,
          "fault":{"type":"status","code":401,"errorCode":"InvalidAuthenticationInfo"}},
         {"operation":"token","nth":2,"times":999,
          "fault":{"type":"status","code":401,"errorCode":"7000222"}}]
        """);
    Hub.Result result = Hub.run("run", busy("secret").write()).exited(1);
    assertThat(result.errors()).contains("secret").contains("expired").doesNotContain("\tat ");
    assertThat(tokens()).as("one sign-in, and one that is refused").isEqualTo(2);
  }

  @Test
  void aSignInThatFailsForAWhileIsNotAskedForByEachTable() throws Exception {
    emulator.addFaults(
        """
        [{"operation":"append","path":"/**/entra*/*","nth":3,"times":999,
          "fault":{"type":"status","code":401,"errorCode":"InvalidAuthenticationInfo"}},
         {"operation":"token","nth":2,"times":999,
          "fault":{"type":"status","code":503,"errorCode":"90033"}}]
        """);
    Hub.run("run", busy("entra").set("retryBudgetSeconds", 8).write()).exited(1);
    assertThat(tokens()).as("one sign-in, and one that fails").isEqualTo(2);
  }
}
