package io.corehub.hub.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Meters;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.config.ObserverConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.config.TablePattern;
import io.corehub.hub.config.TableSelection;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.SourceProvider;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.stream.ChangeStreamProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline between a change-stream file and an agent that keeps what it is told. */
@Timeout(60)
class PipelineTest {

  private static final String T = table("t");
  private static final String U = table("u");

  @TempDir Path directory;
  private final ScriptedAgent agent = new ScriptedAgent();
  private final List<TableSelection.Rule> rules = new ArrayList<>();
  private StateDirectory state;

  @BeforeEach
  void lock() {
    state = StateDirectory.lock(directory.resolve("state"));
  }

  @AfterEach
  void free() {
    state.close();
  }

  private static String table(String name) {
    return "{\"kind\":\"table\",\"table\":\""
        + name
        + "\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"},{\"name\":\"w\",\"type\":\"INT\"}],\"primaryKey\":[\"n\"]}";
  }

  private static String page(String name, int value) {
    return "{\"kind\":\"snapshot\",\"table\":\"" + name + "\",\"rows\":[{\"n\":" + value + "}]}";
  }

  private static String end(String name) {
    return "{\"kind\":\"snapshotEnd\",\"table\":\"" + name + "\"}";
  }

  private static String commit(int position, String... tables) {
    List<String> changes = new ArrayList<>();
    for (String name : tables) {
      changes.add(
          "{\"op\":\"insert\",\"table\":\"" + name + "\",\"after\":{\"n\":" + position + "}}");
    }
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":["
        + String.join(",", changes)
        + "]}";
  }

  private static final String FLUSHED_HERE = "{\"kind\":\"pause\",\"millis\":0}";

  private List<ObserverConfig> observers = List.of();

  private Pipeline pipeline(String... lines) throws Exception {
    Path file = directory.resolve("s.changes.jsonl");
    Files.write(file, List.of(lines));
    return pipeline(new ChangeStreamProvider(), Map.of("files", file.toString()));
  }

  private Pipeline pipeline(SourceProvider source, Map<String, String> settings) {
    return new Pipeline(
        new PipelineConfig(
            "shop",
            "shop",
            source,
            source.settings().parse(settings),
            agent,
            agent.descriptor().settings().parse(Map.of()),
            new TableSelection(rules, agent.descriptor().tableSettings().parse(Map.of())),
            observers),
        "test-hub",
        state,
        InstantSource.system(),
        Meters.NONE);
  }

  private Pipeline run(String... lines) throws Exception {
    Pipeline pipeline = pipeline(lines);
    pipeline.start();
    assertThat(pipeline.awaitEnd(Duration.ofSeconds(50))).isTrue();
    return pipeline;
  }

  private void rule(String pattern, boolean exclude, String... columns) {
    rule(pattern, exclude, Map.of(), columns);
  }

  private void rule(
      String pattern, boolean exclude, Map<String, TargetType> targetTypes, String... columns) {
    rules.add(
        new TableSelection.Rule(
            TablePattern.parse(pattern),
            exclude,
            List.of(columns),
            targetTypes,
            agent.descriptor().tableSettings().parse(Map.of())));
  }

  @Test
  void snapshotThenChangesThenFlushAndStoredPosition() throws Exception {
    Pipeline pipeline = run(T, page("t", 1), end("t"), commit(5, "t"), commit(6, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(agent.log)
        .containsExactly(
            "open first ",
            "add t [n, w]",
            "begin t #1@0",
            "page t [1]",
            "finish t",
            "apply 5 6; t [5, 6]",
            "flush",
            "close");
    PipelineState stored = state.stateOf("shop").read();
    assertThat(stored.confirmed()).contains(new SourcePosition("shop", 6, ""));
    assertThat(stored.agent().text()).isEqualTo("s6");
    assertThat(pipeline.status().phase()).isEqualTo(PipelineStatus.Phase.DONE);
  }

  @Test
  void nextStartContinuesBehindTheStoredPositionWithAGreaterEpoch() throws Exception {
    run(T, end("t"), commit(5, "t"));
    long firstEpoch = agent.context().epoch();
    agent.log.clear();
    agent.progress.put(
        "t", new TableProgress.ChangesPublished(new SourcePosition("shop", 5, ""), true));

    run(T, end("t"), commit(5, "t"), commit(7, "t"));

    assertThat(agent.log)
        .containsExactly("open 5 s5", "add t [n, w]", "apply 7; t [7]", "flush", "close");
    assertThat(agent.context().epoch()).isGreaterThan(firstEpoch);
  }

  @Test
  void finishedSnapshotIsNotSentAgainEvenWithoutState() throws Exception {
    agent.progress.put(
        "t", new TableProgress.SnapshotFinished("1", new SourcePosition("shop", 0, "")));

    run(T, page("t", 1), end("t"), commit(1, "t"));

    assertThat(agent.log)
        .containsExactly("open first ", "add t [n, w]", "apply 1; t [1]", "flush", "close");
  }

  @Test
  void unfinishedSecondSnapshotIsSentAgainWithoutTheFirst() throws Exception {
    agent.progress.put("t", new TableProgress.SnapshotUnfinished("2"));

    run(T, page("t", 1), end("t"), commit(1, "t"), page("t", 2), end("t"));

    assertThat(agent.log).contains("begin t #2@1", "page t [2]").doesNotContain("begin t #1@0");
  }

  @Test
  void commitsWaitForTheSnapshotTheyTouch() throws Exception {
    run(
        T,
        U,
        page("t", 1),
        commit(1, "u"),
        FLUSHED_HERE,
        commit(2, "t", "u"),
        commit(3, "u"),
        FLUSHED_HERE,
        page("t", 9),
        end("t"),
        commit(4, "t"));

    assertThat(agent.log).contains("add t [n, w]", "add u [n, w]");
    assertThat(agent.log)
        .filteredOn(line -> !line.startsWith("add "))
        .containsExactly(
            "open first ",
            "begin t #1@0",
            "apply 1; u [1]",
            "page t [1]",
            "page t [9]",
            "finish t",
            "apply 2 3; t [2]; u [2, 3]",
            "apply 4; t [4]",
            "flush",
            "close");
  }

  @Test
  void changesTheSnapshotHoldsAreLeftOut() throws Exception {
    run(
        T,
        "{\"kind\":\"snapshot\",\"table\":\"t\",\"position\":5,\"rows\":[{\"n\":1}]}",
        commit(4, "t"),
        end("t"),
        commit(5, "t"),
        commit(6, "t"));

    assertThat(agent.log).contains("apply 4").contains("apply 5 6; t [6]");
  }

  @Test
  void valueThatDoesNotFitASnapshotStopsTheTableAndTellsTheAgent() throws Exception {
    Pipeline pipeline =
        run(
            T,
            U,
            "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"n\":1},{\"n\":3000000000}]}",
            end("t"),
            commit(1, "t", "u"),
            commit(2, "u"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(agent.log)
        .contains("abort t", "apply 1 2; t unreadable; u [1, 2]", "flush")
        .doesNotContain("finish t");
    assertThat(pipeline.status().tables())
        .singleElement()
        .satisfies(
            table -> {
              assertThat(table.state()).isEqualTo(TableStatus.State.STOPPED);
              assertThat(table.problem().orElse("")).contains("3000000000", "'n'", "INT");
            });
    assertThat(pipeline.status().healthy()).isFalse();
  }

  @Test
  void refusedSnapshotStopsItsTableAlone() throws Exception {
    agent.refusedSnapshots.add("t");

    Pipeline pipeline = run(T, U, page("t", 1), end("t"), page("u", 1), end("u"), commit(1, "u"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(agent.log).contains("finish u", "apply 1; u [1]", "flush");
  }

  @Test
  void malformedLinePublishesWhatCameBeforeAndDropsTheOpenSnapshot() throws Exception {
    Pipeline pipeline =
        run(T, U, page("t", 1), commit(1, "u"), commit(2, "t", "u"), "nonsense", commit(3, "u"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem().orElse("")).contains("s.changes.jsonl, line 6");
    assertThat(agent.log)
        .contains("abort t", "apply 1 2; u [1, 2]", "flush")
        .doesNotContain("finish t");
    assertThat(state.stateOf("shop").read().confirmed().orElseThrow().order()).isEqualTo(2);
  }

  @Test
  void repairedFileGivesTheDroppedTableItsSnapshotAndAllItsChanges() throws Exception {
    run(T, U, page("t", 1), commit(1, "u"), commit(2, "t", "u"), "nonsense");
    agent.log.clear();
    agent.progress.put("t", new TableProgress.SnapshotUnfinished("1"));
    agent.progress.put(
        "u", new TableProgress.ChangesPublished(new SourcePosition("shop", 2, ""), true));

    Pipeline pipeline =
        run(T, U, page("t", 1), commit(1, "u"), commit(2, "t", "u"), end("t"), commit(3, "u"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(agent.log)
        .contains("finish t", "apply 2; t [2]", "apply 3; u [3]")
        .noneMatch(line -> line.contains("u [1") || line.contains("u [2"));
    assertThat(state.stateOf("shop").read().confirmed().orElseThrow().order()).isEqualTo(3);
  }

  @Test
  void tablesAndColumnsAreSelected() throws Exception {
    rule("t", false, "w", "n");
    rule("u", true);

    run(T, U, page("u", 1), end("u"), commit(1, "t", "u"));

    assertThat(agent.log)
        .containsExactly("open first ", "add t [n, w]", "apply 1; t [1]", "flush", "close");
  }

  /** Each look at a table takes some round trips: a restart must not pay them in a row. */
  @Test
  void tablesDeclaredTogetherAreOpenedTogether() throws Exception {
    int together = 16;
    agent.openedTogether = new CountDownLatch(together);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < together; i++) {
      lines.add(table("t" + i));
    }
    lines.add(commit(1, "t0", "t15"));

    Pipeline pipeline = run(lines.toArray(String[]::new));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(agent.log).contains("apply 1; t0 [1]; t15 [1]");
  }

  @Test
  void aTableThatIsBeingOpenedDoesNotKeepAPipelineFromStopping() throws Exception {
    agent.openedTogether = new CountDownLatch(2);
    Pipeline pipeline = pipeline(T, commit(1, "t"));
    pipeline.start();
    agent.awaitOpening();

    pipeline.stop();

    assertThat(pipeline.awaitEnd(Duration.ofSeconds(30))).isTrue();
    assertThat(pipeline.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(agent.log).noneMatch(line -> line.startsWith("apply"));
  }

  @Test
  void whatGoesWrongWithOpeningATableEndsThePipeline() throws Exception {
    agent.failsToAdd = new ActionRequiredException(ErrorCode.INTERNAL, "No table can be opened.");

    Pipeline pipeline = run(T, commit(1, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem()).contains("No table can be opened.");
    assertThat(agent.log).noneMatch(line -> line.startsWith("apply"));
  }

  @Test
  void theAgentKnowsWhichTablesAreLeftOut() throws Exception {
    rule("u", true);

    run(T, U, commit(1, "t", "u"));

    assertThat(agent.context().selected().test(TableId.of("t"))).isTrue();
    assertThat(agent.context().selected().test(TableId.of("u"))).isFalse();
  }

  @Test
  void columnsMustHoldTheKey() throws Exception {
    rule("t", false, "w");

    Pipeline pipeline = run(T, commit(1, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().tables().get(0).problem().orElse(""))
        .contains("'n', a column of its primary key");
    assertThat(agent.log).contains("apply 1; t unreadable");
  }

  @Test
  void targetTypesOfTheConfigurationReachTheAgent() throws Exception {
    rule("t", false, Map.of("w", TargetType.parse("string")), "n", "w");

    run(T, commit(1, "t"));

    assertThat(agent.log).contains("add t [n, w as string]", "apply 1; t [1]");
  }

  @Test
  void aTargetTypeOfAColumnThatIsNotThereStopsTheTable() throws Exception {
    rule("t", false, Map.of("wx", TargetType.parse("string")));

    Pipeline pipeline = run(T, commit(1, "t"));

    assertThat(pipeline.status().tables().get(0).problem().orElse(""))
        .contains("'targetTypes' of table t names 'wx'", "Did you mean 'w'?");
  }

  @Test
  void namedTableTheSourceLacksIsTold() throws Exception {
    rule("t", false);
    rule("nowhere", false);

    Pipeline pipeline = run(T, commit(1, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem().orElse("")).contains("nowhere").contains("[t]");
    assertThat(agent.log).contains("apply 1; t [1]", "flush");
  }

  @Test
  void missingFileFailsBeforeTheAgentIsOpened() throws Exception {
    Pipeline pipeline = pipeline();
    Files.delete(directory.resolve("s.changes.jsonl"));
    pipeline.start();
    assertThat(pipeline.awaitEnd(Duration.ofSeconds(50))).isTrue();

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem().orElse("")).contains("does not exist");
    assertThat(agent.log).isEmpty();
  }

  @Test
  void agentLearnsTheVersionOfTheSource() throws Exception {
    Pipeline pipeline = pipeline(new VersionedSource(() -> "16.4"), Map.of());
    pipeline.start();
    assertThat(pipeline.awaitEnd(Duration.ofSeconds(50))).isTrue();

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(agent.context().sourceType()).isEqualTo("versioned");
    assertThat(agent.context().sourceVersion()).isEqualTo("16.4");
  }

  @Test
  void sourceThatCannotBeAskedFailsBeforeTheAgentIsOpened() throws Exception {
    Pipeline pipeline =
        pipeline(
            new VersionedSource(
                () -> {
                  throw new SourceException("Nobody answers. Start the server.");
                }),
            Map.of());
    pipeline.start();
    assertThat(pipeline.awaitEnd(Duration.ofSeconds(50))).isTrue();

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem()).contains("Nobody answers. Start the server.");
    assertThat(agent.log).isEmpty();
  }

  @Test
  void agentThatCannotOpenFailsThePipeline() throws Exception {
    agent.failsToOpen = new ActionRequiredException(ErrorCode.SIGN_IN, "Wrong secret.");
    assertThat(run(T).outcome()).isEqualTo(Outcome.ACTION_REQUIRED);

    agent.failsToOpen = new IllegalStateException("defect");
    assertThat(run(T).outcome()).isEqualTo(Outcome.UNEXPECTED);
  }

  @Test
  void stopPublishesWhatWasReadAndGivesUpTheRest() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    Pipeline pipeline =
        pipeline(
            T,
            U,
            commit(1, "u"),
            page("t", 1),
            commit(2, "t"),
            "{\"kind\":\"pause\",\"millis\":600000}");
    pipeline.start();
    while (!agent.log.contains("page t [1]")) {
      assertThat(held.await(10, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();
    }
    pipeline.stop();

    assertThat(pipeline.awaitEnd(Duration.ofSeconds(20))).isTrue();
    assertThat(pipeline.outcome()).isEqualTo(Outcome.STOPPED);
    assertThat(agent.log)
        .containsSubsequence("apply 1; u [1]", "abort t", "flush", "close")
        .noneMatch(line -> line.startsWith("apply 2"));
    assertThat(state.stateOf("shop").read().confirmed().orElseThrow().order()).isEqualTo(1);
  }

  @Test
  void finiteSourceEndsWhenTheTargetStaysAway() throws Exception {
    agent.degraded = true;

    Pipeline pipeline = run(T, "{\"kind\":\"pause\",\"millis\":600000}");

    assertThat(pipeline.outcome()).isEqualTo(Outcome.ACTION_REQUIRED);
    assertThat(pipeline.status().problem().orElse(""))
        .contains("took no file of table t for 1 seconds", "It is away.");
  }

  @Test
  void anObserverIsToldWhatTheAgentTellsAndHowThePipelineEnded() throws Exception {
    RecordingObserver observer = new RecordingObserver(() -> {});
    observers = List.of(observer.config());

    Pipeline pipeline = run(T, commit(5, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(observer.told()).startsWith("started").endsWith("ended", "closed");
  }

  @Test
  void anObserverIsToldWhyThePipelineFailedAndWhichTableStopped() throws Exception {
    RecordingObserver observer = new RecordingObserver(() -> {});
    observers = List.of(observer.config());
    rule("t", false, "w");

    run(T, "nonsense");

    assertThat(observer.told()).contains("stopped t");
    assertThat(observer.told().get(observer.told().size() - 2))
        .startsWith("ended ")
        .contains("line 2");
  }

  @Test
  void anObserverThatFailsIsLetGoOfAndThePipelineGoesOn() throws Exception {
    RecordingObserver failing =
        new RecordingObserver(
            () -> {
              throw new IllegalStateException("no");
            });
    RecordingObserver other = new RecordingObserver(() -> {});
    observers = List.of(failing.config(), other.config());

    Pipeline pipeline = run(T, commit(5, "t"));

    assertThat(pipeline.outcome()).isEqualTo(Outcome.DONE);
    assertThat(failing.told()).containsExactly("started");
    assertThat(other.told()).endsWith("ended", "closed");
  }

  @Test
  void anObserverThatIsMissingALibraryIsLetGoOf() throws Exception {
    RecordingObserver failing =
        new RecordingObserver(
            () -> {
              throw new NoClassDefFoundError("org/apache/kafka");
            });
    observers = List.of(failing.config());

    assertThat(run(T, commit(5, "t")).outcome()).isEqualTo(Outcome.DONE);
  }
}
