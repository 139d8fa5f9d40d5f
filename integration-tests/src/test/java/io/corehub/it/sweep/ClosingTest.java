package io.corehub.it.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ResumePoint;
import io.corehub.agent.TargetAgentProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code close} returns within 30 seconds whatever the agent is at, ends the calls that wait, and
 * leaves no thread behind ({@link ProcessRun} looks).
 */
@Tag("full")
class ClosingTest {

  @TempDir Path directory;
  private Emulators emulators;
  private final TargetAgentProvider provider =
      ServiceLoader.load(TargetAgentProvider.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(found -> found.descriptor().id().equals("fabric-open-mirroring"))
          .findFirst()
          .orElseThrow();

  @BeforeEach
  void prepare() {
    emulators = new Emulators(directory);
  }

  @AfterEach
  void close() throws Exception {
    emulators.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "list", "create", "append", "flush", "rename"})
  void closeEndsInTimeWhileARequestHangs(String operation) throws Exception {
    try (Emulators.Lent lent = emulators.lend(false)) {
      lent.emulator()
          .addFaults(
              "[{\"operation\":\""
                  + operation
                  + "\",\"times\":1000,\"fault\":{\"type\":\"hang\",\"millis\":40000}}]");
      Map<String, String> settings = new HashMap<>();
      settings.putAll(PointRun.settings(lent.emulator().connection()));
      settings.put("tryTimeoutInSeconds", "600");

      ProcessRun.End end =
          new ProcessRun(provider, settings, Map.of(), "hanging-" + operation, true)
              .closedWhen(
                  () -> lent.emulator().faults().matches(".*\"fired\":[1-9].*"),
                  1,
                  ResumePoint.NONE,
                  SourceHistory.COMMITS,
                  Optional.empty());

      assertThat(end.stored().confirmed().map(p -> p.order()).orElse(0L))
          .isLessThan(SourceHistory.COMMITS);
    }
  }

  @Test
  void closeEndsInTimeWhileFabricIsWaitedFor() throws Exception {
    try (Emulators.Lent lent = emulators.lendThatReplicatesOnce()) {
      Map<String, String> settings = new HashMap<>();
      settings.putAll(PointRun.settings(lent.emulator().connection()));
      settings.put("recreateWaitSeconds", "600");
      ProcessRun.End loaded =
          new ProcessRun(provider, settings, Map.of(), "waiting-1", true)
              .run(1, ResumePoint.NONE, SourceHistory.FIRST_PART, Optional.empty());
      assertThat(loaded.stop()).isEmpty();
      lent.emulator().replicateNow();

      ProcessRun.End waiting =
          new ProcessRun(
                  provider,
                  settings,
                  Map.of("snapshotOntoExistingTable", "recreate"),
                  "waiting-1",
                  true)
              .closedWhen(
                  () -> lent.emulator().requests().contains("\"operation\":\"delete\""),
                  2,
                  loaded.stored(),
                  SourceHistory.COMMITS,
                  Optional.of((long) SourceHistory.FIRST_PART));

      assertThat(waiting.stored().confirmed()).isEqualTo(loaded.stored().confirmed());
    }
  }
}
