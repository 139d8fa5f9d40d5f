package io.corehub.it.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.AgentContext;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.RecordingListener;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that hangs or fails does not slow the others down. */
@Tag("full")
class IsolationTest {

  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final int COMMITS = 150;
  private static final int COMMIT_EVERY_MILLIS = 100;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"hang\",\"millis\":40000}",
        "{\"type\":\"before\"}",
        "{\"type\":\"status\",\"code\":500,\"errorCode\":\"OperationTimedOut\"}",
        "{\"type\":\"status\",\"code\":403,\"errorCode\":\"AuthorizationFailure\"}"
      })
  void otherTablesArePublishedInTimeWhileOneHangsOrFails(String fault) throws Exception {
    TargetAgentProvider provider =
        ServiceLoader.load(TargetAgentProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.descriptor().id().equals("fabric-open-mirroring"))
            .findFirst()
            .orElseThrow();
    try (Emulators emulators = new Emulators(directory);
        Emulators.Lent lent = emulators.lend(false)) {
      Map<String, String> settings = PointRun.settings(lent.emulator().connection());
      settings.put("cdcBatchMaxSeconds", Long.toString(WINDOW.toSeconds()));
      settings.put("tryTimeoutInSeconds", "600");
      try (TargetAgent agent =
          provider.create(
              provider.descriptor().settings().parse(settings),
              new AgentContext(
                  "isolation",
                  1,
                  "testkit",
                  "1",
                  new RecordingListener(),
                  InstantSource.system(),
                  Meters.NONE))) {
        agent.open(
            SourceHistory.tables().stream()
                .map(
                    table ->
                        new TableSpec(table, provider.descriptor().tableSettings().parse(Map.of())))
                .toList(),
            ResumePoint.NONE);
        for (TableSchema table : SourceHistory.tables()) {
          agent
              .beginSnapshot(table.table(), new SnapshotStart("first", SourceCommit.positionAt(0)))
              .finish();
        }
        lent.emulator()
            .addFaults(
                "[{\"operation\":\"rename\",\"path\":\"/**/log/*\",\"times\":100000,"
                    + "\"fault\":"
                    + fault
                    + "}]");
        Instant began = Instant.now();
        for (int order = 1; order <= COMMITS; order++) {
          agent.apply(
              CommitBatches.of(
                  List.of(
                      SourceCommit.at(
                          order,
                          new Insert(SourceRow.of(SourceHistory.LOG, order, "log")),
                          new Insert(SourceRow.of(SourceHistory.ORDERS, order, "order")))),
                  provider.descriptor().beforeImage()));
          // The source's pace.
          TimeUnit.MILLISECONDS.sleep(COMMIT_EVERY_MILLIS);
        }
        assertInTime(new ObjectMapper().readTree(lent.emulator().requests()), began);
        lent.emulator().clearFaults();
      }
    }
  }

  /** While commits keep coming, the time between two files is the delay of the first row of one. */
  private static void assertInTime(JsonNode requests, Instant began) {
    List<Instant> published = new ArrayList<>();
    published.add(began);
    Duration upload = Duration.ZERO;
    Instant created = began;
    int held = 0;
    for (JsonNode request : requests) {
      Instant at = Instant.parse(request.get("at").asText());
      String operation = request.get("operation").asText();
      boolean orders = request.get("path").asText().contains("/orders/");
      if (at.isBefore(began)) {
        continue;
      }
      if (operation.equals("rename") && !orders) {
        held++;
      } else if (operation.equals("create") && orders) {
        created = at;
      } else if (operation.equals("rename")) {
        published.add(at);
        Duration took = Duration.between(created, at);
        upload = took.compareTo(upload) > 0 ? took : upload;
      }
    }
    assertThat(held).as("renames that hang or fail").isPositive();
    Duration longest = Duration.ZERO;
    for (int i = 1; i < published.size(); i++) {
      Duration gap = Duration.between(published.get(i - 1), published.get(i));
      longest = gap.compareTo(longest) > 0 ? gap : longest;
    }
    assertThat(published).hasSizeGreaterThan(5);
    assertThat(longest).isLessThan(WINDOW.multipliedBy(2).plus(upload));
  }
}
