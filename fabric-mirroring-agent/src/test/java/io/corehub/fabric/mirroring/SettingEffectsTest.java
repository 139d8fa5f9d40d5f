package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static io.corehub.fabric.mirroring.PublishingTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every setting does something: another value makes the agent behave otherwise. */
class SettingEffectsTest {

  /** Names the settings whose effect a test shows; those of tables begin with {@code table.}. */
  @Retention(RetentionPolicy.RUNTIME)
  private @interface Shows {
    String[] value();
  }

  private static final String AGENT = "fabric-mirroring-agent/src/test/java/io/corehub/fabric/";
  private static final String CLIENT = "onelake-client/src/test/java/io/corehub/onelake/";
  private static final String HUB = "integration-tests/src/test/java/io/corehub/it/";

  /** Settings whose effect a test elsewhere shows: the file, and the test in it. */
  private static final Map<String, String> ELSEWHERE = elsewhere();

  private static Map<String, String> elsewhere() {
    Map<String, String> tests = new LinkedHashMap<>();
    tests.put("username", CLIENT + "azure/SetupCheckTest.java namesAnUnknownClient");
    tests.put("password", CLIENT + "azure/SetupCheckTest.java namesAWrongSecretWithoutShowingIt");
    tests.put("tenantId", CLIENT + "azure/SetupCheckTest.java namesAnUnknownTenant");
    tests.put(
        "credential",
        CLIENT + "azure/SignInTest.java asksThePlatformForTheTokenOfAManagedIdentity");
    tests.put(
        "clientCertificate",
        CLIENT + "azure/SignInTest.java signsInWithACertificateOutOfAPemOrPfxFile");
    tests.put(
        "clientCertificatePassword",
        AGENT + "mirroring/SignInSettingsTest.java aCertificateReachesTheCode");
    tests.put(
        "federatedTokenFile",
        CLIENT + "azure/SignInTest.java signsInWithTheFederatedTokenThatIsThereNow");
    tests.put("authorityHost", CLIENT + "ValuesTest.java takesMicrosoftsAuthoritiesAndAllowedOnes");
    tests.put("allowedHosts", CLIENT + "ValuesTest.java allowsExactHostsAndPorts");
    tests.put(
        "trustedCertificates",
        CLIENT + "azure/GuardsTest.java trustsOnlyTheRuntimesCertificatesUnlessToldOtherwise");
    tests.put(
        "monitoringSeconds", AGENT + "mirroring/FabricWatchTest.java doesNotLookWhenSwitchedOff");
    tests.put(
        "notConsumingSeconds",
        AGENT
            + "mirroring/FabricWatchTest.java"
            + " filesThatWaitTooLongWhileNothingMovesAreToldOnceAndTheEndToo");
    tests.put("proxy", CLIENT + "azure/ProxyTest.java prefersTheSettingAndFallsBackToTheRuntime");
    tests.put("emitFlushWithClose", HUB + "UploadSettingsTest.java filesAreClosedUnlessToldNotTo");
    tests.put("tryTimeoutInSeconds", HUB + "UploadSettingsTest.java aRequestThatHangsIsGivenUp");
    tests.put(
        "keyChangeMaxRows",
        AGENT + "mirroring/RowsTest.java aCommitTooLargeForItsNetEffectStopsTheTable");
    tests.put(
        "timeAs", AGENT + "mirroring/RowsTest.java timesAndLocalTimestampsFollowTheirSettings");
    tests.put(
        "localTimestampAs",
        AGENT + "mirroring/RowsTest.java timesAndLocalTimestampsFollowTheirSettings");
    tests.put(
        "unrepresentableValues",
        AGENT + "mirroring/RowsTest.java valuesThatCannotBeHeldAreTreatedAsThePolicySays");
    tests.put(
        "stoppedTablePolicy", AGENT + "mirroring/RowsTest.java aReleasedStopLetsThePositionGoOn");
    tests.put(
        "snapshotPublishing",
        AGENT
            + "mirroring/StagedSnapshotTest.java"
            + " nothingIsVisibleBeforeTheEndAndNothingButTheFilesIsLeft");
    tests.put(
        "table.snapshotPublishing",
        AGENT + "mirroring/StagedSnapshotTest.java aTableMayHaveItsOwnWay");
    tests.put(
        "table.timeAs",
        AGENT + "mirroring/RowsTest.java aTableMayHaveItsOwnRulesForTimesAndLocalTimestamps");
    tests.put(
        "table.localTimestampAs",
        AGENT + "mirroring/RowsTest.java aTableMayHaveItsOwnRulesForTimesAndLocalTimestamps");
    tests.put(
        "table.snapshotOntoExistingTable",
        AGENT + "mirroring/OpeningTest.java appendAndUpsertGoOnInTheSameFolder");
    return tests;
  }

  @Test
  void everySettingHasATestOfItsEffect() throws IOException {
    Set<String> shown = new TreeSet<>(ELSEWHERE.keySet());
    for (Method method : getClass().getDeclaredMethods()) {
      Shows shows = method.getAnnotation(Shows.class);
      if (shows != null) {
        shown.addAll(List.of(shows.value()));
      }
    }
    Set<String> settings = new TreeSet<>();
    MirroringSettings.AGENT.settings().forEach(setting -> settings.add(setting.name()));
    for (Setting<?> setting : MirroringSettings.TABLE.settings()) {
      settings.add("table." + setting.name());
    }

    assertThat(shown)
        .as("settings with a test of their effect: here, or named in ELSEWHERE")
        .isEqualTo(settings);
    for (Map.Entry<String, String> test : ELSEWHERE.entrySet()) {
      String[] place = test.getValue().split(" ", 2);
      assertThat(Files.readString(Path.of("..", place[0])))
          .as("the test of %s", test.getKey())
          .contains("void " + place[1] + "(");
    }
  }

  // --- where ------------------------------------------------------------------------------------

  @Test
  @Shows("landingZoneUrl")
  void theLandingZoneUrlSaysWhereToWrite() throws InterruptedException {
    String url =
        "https://westeurope-onelake.dfs.fabric.microsoft.com"
            + "/55555555-5555-5555-5555-555555555555/66666666-6666-6666-6666-666666666666/"
            + AgentRun.ROOT;
    try (AgentRun run = new AgentRun().with("landingZoneUrl", url).open(LOG)) {
      assertThat(run.connection().url().toString()).isEqualTo(url);
    }
  }

  @Test
  @Shows({"host", "workspace", "mirroredDatabase"})
  void withoutAUrlItsPartsSayWhereToWrite() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.settings.remove("landingZoneUrl");
      run.with("host", "https://westeurope-onelake.dfs.fabric.microsoft.com")
          .with("workspace", "Sales")
          .with("mirroredDatabase", "Shop")
          .open(LOG);

      assertThat(run.connection().url().toString())
          .isEqualTo(
              "https://westeurope-onelake.dfs.fabric.microsoft.com/Sales/Shop.MirroredDatabase/"
                  + AgentRun.ROOT);
    }
  }

  @Test
  @Shows("customPrefix")
  void thePrefixIsAFolderAboveTheTables() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("customPrefix", "eu.schema").open(LOG)) {
      run.publish(insert(LOG, 1));

      List<String> files = new ArrayList<>();
      run.fileSystem.client().list(AgentRun.ROOT, true, entry -> files.add(entry.path()));
      assertThat(files)
          .contains(AgentRun.ROOT + "/eu.schema/" + FolderName.of(LOG.table()) + "/" + number(1));
    }
  }

  private static String number(long seq) {
    return FileName.numbered(seq);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Shows("writePartnerEvents")
  void partnerEventsAreWrittenOrNot(boolean written) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("writePartnerEvents", "" + written).open(LOG)) {
      run.publish(insert(LOG, 1));

      assertThat(run.fileSystem.client().head(AgentRun.ROOT + "/_partnerEvents.json").isPresent())
          .isEqualTo(written);
    }
  }

  // --- change files -----------------------------------------------------------------------------

  /** A run whose files no clock closes. */
  private static AgentRun collecting() throws InterruptedException {
    return new AgentRun().with("cdcBatchMaxSeconds", "3600");
  }

  private static List<Integer> fileRows(AgentRun run, TableSchema table) {
    return run.tables.files(table.table()).values().stream().map(f -> f.rows().size()).toList();
  }

  @Test
  @Shows("cdcBatchMaxSeconds")
  void theWindowCollectsCommitsForItsTime() throws InterruptedException {
    SourceCommit[] commits = {insert(LOG, 1), insert(LOG, 2), insert(LOG, 3)};
    try (AgentRun none = new AgentRun().open(LOG)) {
      assertThat(fileRows(none.publish(commits), LOG)).containsExactly(1, 1, 1);
    }
    try (AgentRun long_ = collecting().open(LOG)) {
      assertThat(fileRows(long_.publish(commits), LOG)).containsExactly(3);
    }
    try (AgentRun second = new AgentRun().with("cdcBatchMaxSeconds", "1").open(LOG)) {
      second.apply(commits);
      second.listener.awaitConfirmed(SourceCommit.positionAt(3), AgentRun.PATIENCE);
      assertThat(fileRows(second, LOG)).containsExactly(3);
    }
  }

  @Test
  @Shows("cdcBatchRows")
  void rowsCloseAFile() throws InterruptedException {
    try (AgentRun run = collecting().with("cdcBatchRows", "2").open(LOG)) {
      run.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3), insert(LOG, 4), insert(LOG, 5));

      assertThat(fileRows(run, LOG)).containsExactly(2, 2, 1);
    }
  }

  private static SourceCommit large(TableSchema table, int id, int characters) {
    Random random = new Random(id);
    StringBuilder text = new StringBuilder(characters);
    for (int i = 0; i < characters; i++) {
      text.append((char) ('!' + random.nextInt(64)));
    }
    return SourceCommit.at(id, new Insert(SourceRow.of(table, id, text.toString())));
  }

  @Test
  @Shows("cdcBatchMaxMb")
  void megabytesCloseAFile() throws InterruptedException {
    SourceCommit[] commits = {
      large(LOG, 1, 400_000), large(LOG, 2, 400_000), large(LOG, 3, 400_000)
    };
    try (AgentRun run = collecting().open(LOG)) {
      assertThat(fileRows(run.publish(commits), LOG)).containsExactly(3);
    }
    try (AgentRun run = collecting().with("cdcBatchMaxMb", "1").open(LOG)) {
      assertThat(fileRows(run.publish(commits), LOG)).containsExactly(2, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Shows("useUpsertRowMarker")
  void singleCommitsAreUpsertsOrInsertsAndUpdates(boolean upserts) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("useUpsertRowMarker", "" + upserts).open(ORDERS)) {
      SourceRow before = SourceRow.of(ORDERS, 1, "row 1");
      run.publish(
          insert(ORDERS, 1), SourceCommit.at(2, new Update(before, SourceRow.of(ORDERS, 1, "b"))));

      List<Integer> markers = new ArrayList<>();
      run.tables.files(ORDERS.table()).values().forEach(file -> markers.addAll(file.markers()));
      assertThat(markers).isEqualTo(upserts ? List.of(4, 4) : List.of(0, 1));
    }
  }

  // --- uploads ----------------------------------------------------------------------------------

  /** Counts requests that are under way at the same time. */
  private static final class Meeting {
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch met;

    /** Requests wait for each other until so many are there; 1 for nobody. */
    Meeting(int together) {
      met = new CountDownLatch(together);
    }

    void visit() throws InterruptedException {
      most.accumulateAndGet(present.incrementAndGet(), Math::max);
      met.countDown();
      boolean complete = met.await(AgentRun.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      present.decrementAndGet();
      assertThat(complete).as("requests are under way at the same time").isTrue();
    }
  }

  /** The most uploads of two tables under way together, when so many wait for each other. */
  private static int together(int awaited, String setting, String value)
      throws InterruptedException {
    try (AgentRun run = new AgentRun().with(setting, value)) {
      Meeting meeting = new Meeting(awaited);
      run.script.always(Operation.APPEND, "00000000", meeting::visit);
      run.open(LOG, ORDERS);
      for (int id = 1; id <= 8; id += 2) {
        run.apply(large(LOG, id, 700_000), large(ORDERS, id + 1, 700_000));
      }
      run.agent().flush();
      assertThat(run.listener.stoppedTables()).isEmpty();
      return meeting.most.get();
    }
  }

  @Test
  @Shows("maxConcurrentUploads")
  void filesInFlightAreBounded() throws InterruptedException {
    assertThat(together(2, "maxConcurrentUploads", "0")).isGreaterThan(1);
    assertThat(together(1, "maxConcurrentUploads", "1")).isEqualTo(1);
  }

  @Test
  @Shows("uploadMemoryBudgetMb")
  void memoryOfFilesInFlightIsBounded() throws InterruptedException {
    assertThat(together(2, "uploadMemoryBudgetMb", "256")).isGreaterThan(1);
    assertThat(together(1, "uploadMemoryBudgetMb", "1")).isEqualTo(1);
  }

  private static long appends(String blockMegabytes) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("uploadBlockSizeMb", blockMegabytes).open(LOG)) {
      run.publish(large(LOG, 1, 2_000_000));
      return run.script.take().stream().filter(r -> r.startsWith("APPEND")).count();
    }
  }

  @Test
  @Shows("uploadBlockSizeMb")
  void aFileIsAppendedInBlocksOfTheirSize() throws InterruptedException {
    assertThat(appends("8")).isEqualTo(1);
    assertThat(appends("1")).isEqualTo(2);
  }

  private static int blocksTogether(int awaited, String concurrency) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("uploadBlockConcurrency", concurrency)) {
      Meeting meeting = new Meeting(awaited);
      // The first block goes alone: it makes the file.
      run.script.before(Operation.APPEND, "00000000", () -> {});
      run.script.always(Operation.APPEND, "00000000", meeting::visit);
      run.with("uploadBlockSizeMb", "1").open(LOG);
      run.publish(large(LOG, 1, 5_000_000));
      return meeting.most.get();
    }
  }

  @Test
  @Shows("uploadBlockConcurrency")
  void blocksOfAFileInFlightAreBounded() throws InterruptedException {
    assertThat(blocksTogether(2, "4")).isGreaterThan(1);
    assertThat(blocksTogether(1, "1")).isEqualTo(1);
  }

  @Test
  @Shows("retryBudgetSeconds")
  void theHostIsToldWhenRequestsHaveFailedForTheBudget() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("retryBudgetSeconds", "1").open(LOG)) {
      run.script.always(
          Operation.RENAME,
          "00000000",
          () -> {
            if (run.listener.warnings().isEmpty()) {
              throw unavailable();
            }
          });
      run.publish(insert(LOG, 1));
      assertThat(run.listener.warnings()).singleElement().asString().contains("1 s");
    }
    try (AgentRun run = new AgentRun().with("retryBudgetSeconds", "600").open(LOG)) {
      AtomicInteger left = new AtomicInteger(9);
      run.script.always(
          Operation.RENAME,
          "00000000",
          () -> {
            if (left.getAndDecrement() > 0) {
              throw unavailable();
            }
          });
      run.publish(insert(LOG, 1));
      assertThat(run.listener.warnings()).isEmpty();
    }
  }

  private static DfsException unavailable() {
    return DfsException.of(DfsException.Kind.TRANSIENT, "rename").build("503 as the test wants");
  }

  // --- Parquet ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"SNAPPY", "ZSTD", "GZIP", "UNCOMPRESSED"})
  @Shows("parquetCompression")
  void filesAreCompressedAsAsked(String codec) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("parquetCompression", codec).open(LOG)) {
      run.snapshot(LOG, "s1", 1, AgentRun.rows(LOG, 1, 3));
      run.publish(insert(LOG, 4));

      assertThat(run.tables.files(LOG.table()).values())
          .hasSize(2)
          .allSatisfy(
              file ->
                  assertThat(file.groups().get(0).getColumns())
                      .allSatisfy(column -> assertThat(column.getCodec().name()).isEqualTo(codec)));
    }
  }

  private static List<Long> groups(String rowsPerGroup) throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      if (!rowsPerGroup.isEmpty()) {
        run.with("parquetRowGroupRows", rowsPerGroup);
      }
      run.open(LOG);
      run.snapshot(LOG, "s1", 1, AgentRun.rows(LOG, 1, 1_200));
      return run.tables.files(LOG.table()).get(number(1)).groups().stream()
          .map(group -> group.getRowCount())
          .toList();
    }
  }

  @Test
  @Shows("parquetRowGroupRows")
  void rowGroupsHaveTheirRows() throws InterruptedException {
    assertThat(groups("")).containsExactly(1_200L);
    assertThat(groups("500")).containsExactly(500L, 500L, 200L);
  }

  @Test
  @Shows("table.parquetMaxRowCount")
  void aSnapshotFileIsClosedAtItsRows() throws InterruptedException {
    try (AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "2").open(LOG)) {
      run.snapshot(LOG, "s1", 1, AgentRun.rows(LOG, 1, 5));

      assertThat(fileRows(run, LOG)).containsExactly(2, 2, 1);
    }
  }

  // --- when something does not fit --------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"restart", "stop"})
  @Shows("interruptedSnapshot")
  void anInterruptedSnapshotStartsOverOrStopsItsTable(String choice) throws InterruptedException {
    try (AgentRun first = new AgentRun().withTable("parquetMaxRowCount", "1").open(LOG)) {
      SnapshotWriter writer = first.begin(LOG, "s1", 10);
      writer.write(ColumnBatches.of(LOG, AgentRun.rows(LOG, 1, 2)));
      long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
      while (first.tables.names(LOG.table()).isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }

      AgentRun second = first.successor().with("interruptedSnapshot", choice);
      try (second) {
        second.open(LOG);
        if (choice.equals("stop")) {
          assertThatThrownBy(() -> second.begin(LOG, "s2", 10))
              .isInstanceOf(TableStoppedException.class)
              .hasMessageContaining("interruptedSnapshot");
        } else {
          second.snapshot(LOG, "s2", 10, AgentRun.rows(LOG, 1, 2));
          assertThat(fileRows(second, LOG)).containsExactly(1, 1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  @Shows("recreateWaitSeconds")
  void fabricIsWaitedForAsLongAsAsked(int seconds) throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.snapshot(LOG, "s1", 10, AgentRun.rows(LOG, 1, 2));
      AgentRun second =
          first
              .successor()
              .with("recreateWaitSeconds", "" + seconds)
              .withTable("snapshotOntoExistingTable", "recreate");
      try (second) {
        second.open(LOG);
        DfsClient fabric = second.fileSystem.client();
        fabric.createDirectory("Files/Monitoring");
        put(
            second,
            "Files/Monitoring/tables.json",
            "{\"tables\":[{\"sourceSchemaName\":\"shop\",\"sourceTableName\":\"log\"}]}");
        AtomicInteger looks = new AtomicInteger();
        second.script.onSleep(looks::incrementAndGet);

        assertThatThrownBy(() -> second.begin(LOG, "s2", 20))
            .isInstanceOf(TableStoppedException.class)
            .hasMessageContaining("after " + seconds + " s");
        // One wait is for an earlier run to be shut out.
        assertThat(looks.get()).isEqualTo(1 + seconds / 2);
        assertThat(second.listener.awaitStop(LOG.table(), Duration.ofSeconds(30)).code())
            .isEqualTo(ErrorCode.TARGET_UNAVAILABLE);
      }
    }
  }
}
