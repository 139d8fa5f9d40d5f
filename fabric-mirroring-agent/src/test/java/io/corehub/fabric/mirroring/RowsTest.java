package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {

  private static SourceRow row(int id, String text) {
    return SourceRow.of(ORDERS, id, text);
  }

  private static List<Integer> markers(AgentRun run, TableSchema table) {
    List<Integer> markers = new ArrayList<>();
    run.tables.files(table.table()).values().forEach(file -> markers.addAll(file.markers()));
    return markers;
  }

  private static final SourceCommit[] HISTORY = {
    SourceCommit.at(1, new Insert(row(1, "a"))),
    SourceCommit.at(2, new Update(row(1, "a"), row(1, "b"))),
    SourceCommit.at(3, new Update(row(1, "b"), row(2, "b"))),
    SourceCommit.at(4, new Delete(row(2, "b"))),
  };

  @Test
  void singleCommitsCarryInsertUpdateAndDelete() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(HISTORY);

      assertThat(markers(run, ORDERS)).containsExactly(0, 1, 2, 0, 2);
    }
  }

  @Test
  void singleCommitsCarryUpsertsWhenAskedTo() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("useUpsertRowMarker", "true").open(ORDERS)) {
      run.publish(HISTORY);

      assertThat(markers(run, ORDERS)).containsExactly(4, 4, 2, 4, 2);
    }
  }

  @Test
  void collectedCommitsCarryUpserts() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchMaxSeconds", "60").open(ORDERS)) {
      run.publish(HISTORY);

      assertThat(markers(run, ORDERS)).containsExactly(4, 4, 2, 4, 2);
      assertThat(run.tables.names(ORDERS.table())).hasSize(1);
    }
  }

  @Test
  void keylessTablesAppend() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchMaxSeconds", "60").open(LOG)) {
      run.publish(
          insert(LOG, 1),
          SourceCommit.at(
              2, new Update(SourceRow.of(LOG, 1, "row 1"), SourceRow.of(LOG, 1, "new"))));

      assertThat(markers(run, LOG)).containsExactly(0, 0);
    }
  }

  @Test
  void theMarkerIsTheLastColumnAndSnapshotsHaveNone() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 0, AgentRun.rows(ORDERS, 1, 2));
      run.publish(insert(ORDERS, 3));

      List<List<String>> columns =
          run.tables.files(ORDERS.table()).values().stream()
              .map(file -> file.schema().getFields().stream().map(Type::getName).toList())
              .toList();
      assertThat(columns)
          .containsExactly(List.of("id", "text"), List.of("id", "text", "__rowMarker__"));
      assertThat(run.tables.files(ORDERS.table()).values())
          .allSatisfy(
              file ->
                  assertThat(file.schema().getFields())
                      .allMatch(field -> field.isRepetition(Type.Repetition.OPTIONAL)));
    }
  }

  @Test
  void rowsThatSwapTheirKeysKeepTheirContents() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(
          SourceCommit.at(1, new Insert(row(1, "a")), new Insert(row(2, "b"))),
          SourceCommit.at(
              2, new Update(row(1, "a"), row(2, "a")), new Update(row(2, "b"), row(1, "b"))));

      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().rows())
          .containsExactlyInAnyOrder(row(2, "a").view(), row(1, "b").view());
    }
  }

  @Test
  void aCommitTooLargeForItsNetEffectStopsTheTable() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("keyChangeMaxRows", "2").open(ORDERS)) {
      run.publish(SourceCommit.at(1, new Insert(row(1, "a")), new Insert(row(2, "b"))));
      run.apply(
          SourceCommit.at(
              2, new Update(row(1, "a"), row(2, "a")), new Update(row(2, "b"), row(1, "b"))));

      assertThat(run.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE))
          .hasMessageContaining("keyChangeMaxRows");
    }
  }

  /** A source may deliver old rows of some changes whole and of others only the key. */
  @Test
  void aRowInsertedAndDeletedBehindAKeyChangeIsGoneThoughOnlyItsKeyIsTold()
      throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(SourceCommit.at(1, new Insert(row(1, "a")), new Insert(row(2, "b"))));

      SourceCommit whole =
          SourceCommit.at(
              2,
              new Update(row(1, "a"), row(2, "a")),
              new Update(row(2, "b"), row(1, "b")),
              new Insert(row(9, "short")));
      SourceCommit keyOnly = SourceCommit.at(2, new Delete(row(9, "short")));
      CommitBatch first = CommitBatches.of(List.of(whole), BeforeImage.FULL);
      CommitBatch second = CommitBatches.of(List.of(keyOnly), BeforeImage.KEY);
      List<TableEvent> events = new ArrayList<>(first.events());
      events.addAll(second.events());
      run.agent().apply(new CommitBatch(first.commits(), events, true));
      run.agent().flush();

      assertThat(run.tables.rows(ORDERS.table()))
          .contains(Rows.ofSource(List.of(row(2, "a"), row(1, "b"))));
    }
  }

  @Test
  @Timeout(60)
  void thousandsOfRowsToldByTheirKeyBehindAKeyChangeTakeNoTimeEach() throws InterruptedException {
    int rows = 40_000;
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      List<SourceChange> changes = new ArrayList<>();
      changes.add(new Update(row(1, "a"), row(2, "a")));
      changes.add(new Update(row(2, "b"), row(1, "b")));
      AgentRun.rows(ORDERS, 10, rows).forEach(row -> changes.add(new Insert(row)));
      List<SourceChange> ends = new ArrayList<>();
      AgentRun.rows(ORDERS, 11, rows).forEach(row -> ends.add(new Delete(row)));
      run.publish(SourceCommit.at(1, new Insert(row(1, "a")), new Insert(row(2, "b"))));

      CommitBatch first =
          CommitBatches.of(
              List.of(SourceCommit.at(2, changes.toArray(SourceChange[]::new))), BeforeImage.FULL);
      CommitBatch second =
          CommitBatches.of(
              List.of(SourceCommit.at(2, ends.toArray(SourceChange[]::new))), BeforeImage.KEY);
      List<TableEvent> events = new ArrayList<>(first.events());
      events.addAll(second.events());
      run.agent().apply(new CommitBatch(first.commits(), events, true));
      run.agent().flush();

      LandedFile last =
          run.tables.files(ORDERS.table()).values().stream().skip(1).findFirst().orElseThrow();
      assertThat(last.rows()).hasSize(rows - 10 + 3);
      assertThat(last.markers()).filteredOn(marker -> marker == 4).hasSize(3);
    }
  }

  @Test
  void aNullKeyIsRefusedAndEarlierCommitsAreKept() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchMaxSeconds", "60").open(ORDERS)) {
      run.publish(
          insert(ORDERS, 1),
          SourceCommit.at(2, new Insert(SourceRow.of(ORDERS, null, "x"))),
          insert(ORDERS, 3));

      assertThat(run.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE))
          .hasMessageContaining("key id=NULL (text=x): key column 'id' is NULL")
          .extracting(TableStoppedException::code)
          .isEqualTo(ErrorCode.VALUE_REFUSED);
      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(1);
      assertThat(run.listener.lastConfirmed()).contains(SourceCommit.positionAt(1));
    }
  }

  @Test
  void aReleasedStopLetsThePositionGoOn() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("stoppedTablePolicy", "release").open(ORDERS, LOG)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(ORDERS, null, "x"))), insert(LOG, 2));

      run.listener.awaitConfirmed(SourceCommit.positionAt(2), AgentRun.PATIENCE);
    }
  }

  @Test
  void anUndeliveredCellIsFilledFromTheWholeOldRow() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      SourceRow undelivered = row(1, "").with(1, SourceRow.UNDELIVERED);
      run.publish(
          SourceCommit.at(1, new Insert(row(1, "a"))),
          SourceCommit.at(2, new Update(row(1, "a"), undelivered)));

      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().rows())
          .containsExactly(row(1, "a").view());
    }
  }

  private static TableSchema of(Column column) {
    return new TableSchema(
        TableId.of("t"),
        List.of(Column.of("id", ColumnType.of(Kind.INT)), column),
        List.of("id"),
        1);
  }

  static Stream<Arguments> conversions() {
    return Stream.of(
        Arguments.of(ColumnType.of(Kind.INT), "smallint", 7, "7"),
        Arguments.of(ColumnType.of(Kind.INT), "smallint", 70_000, null),
        Arguments.of(ColumnType.of(Kind.INT), "long", 7, "7"),
        Arguments.of(ColumnType.of(Kind.LONG), "int", 7L, "7"),
        Arguments.of(ColumnType.of(Kind.LONG), "int", 1L << 40, null),
        Arguments.of(ColumnType.of(Kind.LONG), "double", 7L, "7.0"),
        Arguments.of(ColumnType.of(Kind.LONG), "double", (1L << 53) + 1, null),
        Arguments.of(ColumnType.of(Kind.LONG), "string", -5L, "-5"),
        Arguments.of(ColumnType.of(Kind.DOUBLE), "float", 0.5, "0.5"),
        Arguments.of(ColumnType.of(Kind.DOUBLE), "float", 0.1, null),
        Arguments.of(ColumnType.of(Kind.DOUBLE), "string", Double.NaN, "NaN"),
        Arguments.of(ColumnType.decimal(10, 2), "bigdecimal(5,1)", "12.50", "12.5"),
        Arguments.of(ColumnType.decimal(10, 2), "bigdecimal(5,1)", "12.55", null),
        Arguments.of(ColumnType.decimal(10, 2), "string", "12.50", "12.50"),
        Arguments.of(ColumnType.of(Kind.BIG_DECIMAL), "bigdecimal(10,3)", "1.5", "1.5"),
        Arguments.of(ColumnType.of(Kind.BIG_DECIMAL), "bigdecimal(3,3)", "1.5", null),
        Arguments.of(ColumnType.of(Kind.BIG_DECIMAL), "string", "1.50", "1.50"),
        Arguments.of(ColumnType.of(Kind.BOOLEAN), "int", true, "1"),
        Arguments.of(ColumnType.of(Kind.LOCAL_DATE), "string", 0, "1970-01-01"),
        Arguments.of(ColumnType.of(Kind.LOCAL_DATE), "datetime", 1, "1970-01-02T00:00"),
        Arguments.of(ColumnType.of(Kind.LOCAL_TIME), "string", 1L, "00:00:00.000001"),
        Arguments.of(ColumnType.of(Kind.LOCAL_DATE_TIME), "timestamp", 0L, "1970-01-01T00:00:00Z"),
        Arguments.of(ColumnType.of(Kind.OFFSET_DATE_TIME), "string", 0L, "1970-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @MethodSource("conversions")
  void targetTypesTakeValuesExactlyOrNotAtAll(
      ColumnType type, String target, Object value, String expected) throws InterruptedException {
    TableSchema table = of(new Column("value", type, true, Optional.of(TargetType.parse(target))));
    try (AgentRun run = new AgentRun().open(table)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(table, 1, value))));

      if (expected == null) {
        assertThat(run.listener.awaitStop(table.table(), AgentRun.PATIENCE))
            .hasMessageContaining("'value'")
            .hasMessageContaining("id=1");
      } else {
        assertThat(run.tables.rows(table.table()).orElseThrow().rows())
            .containsExactly(new Row(Map.of("id", "1", "value", expected)));
      }
    }
  }

  static Stream<Arguments> unrepresentable() {
    return Stream.of(
        Arguments.of(Kind.STRING, "a\uD800", "a\uFFFD"),
        Arguments.of(Kind.LOCAL_DATE, ColumnType.INFINITE_DATE, "9999-12-31"),
        Arguments.of(Kind.LOCAL_TIME, 86_400_000_000L, "23:59:59.999999"),
        Arguments.of(Kind.OFFSET_TIME, ColumnType.END_OF_DAY, "23:59:59.999999Z"),
        Arguments.of(Kind.OFFSET_TIME, ColumnType.END_OF_DAY + 79_200_000_000L, "21:59:59.999999Z"),
        Arguments.of(
            Kind.LOCAL_DATE_TIME,
            ColumnType.endOfDay(86_400_000_000L),
            "1970-01-01T23:59:59.999999"),
        Arguments.of(
            Kind.OFFSET_DATE_TIME,
            ColumnType.endOfDay(3_600_000_000L),
            "1970-01-01T00:59:59.999999Z"),
        Arguments.of(
            Kind.LOCAL_DATE_TIME,
            ColumnType.endOfDay(253_402_300_800_000_000L),
            "9999-12-31T23:59:59.999999"),
        Arguments.of(
            Kind.LOCAL_DATE_TIME,
            ColumnType.endOfDay(-70_000_000_000_000_000L),
            "0001-01-01T00:00"),
        Arguments.of(
            Kind.OFFSET_DATE_TIME, ColumnType.MINUS_INFINITE_TIMESTAMP, "0001-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @MethodSource("unrepresentable")
  void valuesThatCannotBeHeldAreTreatedAsThePolicySays(Kind kind, Object value, String nearest)
      throws InterruptedException {
    TableSchema table = of(Column.of("value", ColumnType.of(kind)));
    SourceCommit commit = SourceCommit.at(1, new Insert(SourceRow.of(table, 1, value)));
    try (AgentRun stop = new AgentRun().open(table);
        AgentRun nulled = new AgentRun().with("unrepresentableValues", "null").open(table);
        AgentRun replaced = new AgentRun().with("unrepresentableValues", "replace").open(table)) {
      stop.publish(commit);
      nulled.publish(commit);
      replaced.publish(commit);

      assertThat(stop.listener.awaitStop(table.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.VALUE_REFUSED);
      assertThat(nulled.tables.rows(table.table()).orElseThrow().rows())
          .containsExactly(new Row(Map.of("id", "1")));
      assertThat(replaced.tables.rows(table.table()).orElseThrow().rows())
          .containsExactly(new Row(Map.of("id", "1", "value", nearest)));
      assertThat(nulled.counted).containsEntry("values.replaced", 1.0);
      assertThat(replaced.counted).containsEntry("values.replaced", 1.0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "replace"})
  void aValueOfAKeyIsNeverReplaced(String policy) throws InterruptedException {
    TableSchema table =
        new TableSchema(
            TableId.of("t"),
            List.of(Column.of("day", ColumnType.of(Kind.LOCAL_DATE))),
            List.of("day"),
            1);
    try (AgentRun run = new AgentRun().with("unrepresentableValues", policy).open(table)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(table, ColumnType.INFINITE_DATE))));

      assertThat(run.listener.awaitStop(table.table(), AgentRun.PATIENCE))
          .hasMessageContaining("day=infinity")
          .hasMessageContaining("a value of a key is never replaced");
    }
  }

  static Stream<Arguments> heldAsText() {
    return Stream.of(
        Arguments.of(Kind.LOCAL_DATE, ColumnType.INFINITE_DATE, "infinity"),
        Arguments.of(Kind.LOCAL_DATE, 2_932_897, "+10000-01-01"),
        Arguments.of(Kind.LOCAL_TIME, ColumnType.END_OF_DAY, "24:00:00"),
        Arguments.of(Kind.LOCAL_DATE_TIME, ColumnType.MINUS_INFINITE_TIMESTAMP, "-infinity"),
        Arguments.of(
            Kind.LOCAL_DATE_TIME, ColumnType.endOfDay(5_097_600_000_000L), "1970-02-28T24:00:00"),
        Arguments.of(Kind.OFFSET_DATE_TIME, ColumnType.MINUS_INFINITE_TIMESTAMP, "-infinity"),
        Arguments.of(Kind.OFFSET_DATE_TIME, ColumnType.INFINITE_TIMESTAMP, "infinity"),
        Arguments.of(Kind.OFFSET_DATE_TIME, 253_402_300_800_000_000L, "+10000-01-01T00:00:00Z"),
        Arguments.of(Kind.OFFSET_TIME, ColumnType.END_OF_DAY, null),
        Arguments.of(Kind.OFFSET_DATE_TIME, ColumnType.endOfDay(0), null));
  }

  @ParameterizedTest
  @MethodSource("heldAsText")
  void textHoldsDatesAndTimesThatFabricsOwnTypesCannot(Kind kind, Object value, String expected)
      throws InterruptedException {
    TableSchema table =
        of(new Column("value", ColumnType.of(kind), true, Optional.of(TargetType.parse("string"))));
    try (AgentRun run = new AgentRun().open(table)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(table, 1, value))));

      if (expected == null) {
        assertThat(run.listener.awaitStop(table.table(), AgentRun.PATIENCE))
            .hasMessageContaining("24:00 that is ");
      } else {
        assertThat(run.tables.rows(table.table()).orElseThrow().rows())
            .containsExactly(new Row(Map.of("id", "1", "value", expected)));
      }
    }
  }

  @Test
  void decimalsWithoutPrecisionNeedATargetType() throws InterruptedException {
    TableSchema table = of(Column.of("value", ColumnType.of(Kind.BIG_DECIMAL)));
    TableSchema wide = of(Column.of("value", ColumnType.decimal(39, 0)));
    try (AgentRun run = new AgentRun().open(table);
        AgentRun other = new AgentRun().open(wide)) {
      assertThat(((TableProgress.Stopped) run.progress(table)).reason())
          .hasMessageContaining("bigdecimal(p,s)");
      assertThat(((TableProgress.Stopped) other.progress(wide)).reason())
          .hasMessageContaining("1 to 38");
    }
  }

  @Test
  void columnNamesThatFabricWouldConfuseAreRefused() throws InterruptedException {
    TableSchema twins =
        new TableSchema(
            TableId.of("twins"),
            List.of(
                Column.of("Id", ColumnType.of(Kind.INT)), Column.of("ID", ColumnType.of(Kind.INT))),
            List.of(),
            1);
    TableSchema marker = of(Column.of("__ROWMARKER__", ColumnType.of(Kind.INT)));
    TableSchema half =
        new TableSchema(
            TableId.of("half"),
            List.of(Column.of("a\ud800", ColumnType.of(Kind.INT))),
            List.of(),
            1);
    TableSchema none = new TableSchema(TableId.of("none"), List.of(), List.of(), 1);
    try (AgentRun run = new AgentRun().open(twins, marker, half, none)) {
      assertThat(stop(run, twins)).hasMessageContaining("'Id' and 'ID' differ only by case");
      assertThat(stop(run, marker)).hasMessageContaining("'__ROWMARKER__'");
      assertThat(stop(run, half)).hasMessageContaining("'a\\ud800' holds half a surrogate pair");
      assertThat(stop(run, none)).hasMessageContaining("Table none has no columns");
    }
  }

  private static TableStoppedException stop(AgentRun run, TableSchema table) {
    return ((TableProgress.Stopped) run.progress(table)).reason();
  }

  @Test
  void aNewColumnThatDiffersOnlyByCaseFromAnOldOneStopsTheTable() throws InterruptedException {
    TableSchema added =
        new TableSchema(
            ORDERS.table(),
            List.of(
                ORDERS.columns().get(0),
                ORDERS.columns().get(1),
                Column.of("TEXT", ColumnType.of(Kind.INT))),
            List.of("id"),
            2);
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(
          insert(ORDERS, 1), SourceCommit.at(2, new Insert(SourceRow.of(added, 2, "b", 3))));

      assertThat(run.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE))
          .hasMessageContaining("'text' and 'TEXT' differ only by case");
      assertThat(run.tables.names(ORDERS.table())).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1024, 5000})
  void wideTablesAreWrittenColumnByColumn(int columns) throws InterruptedException {
    List<Column> all = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      all.add(Column.of("c" + i, ColumnType.of(Kind.values()[1 + i % 4])));
    }
    TableSchema wide = new TableSchema(TableId.of("wide"), all, List.of("c0"), 1);
    SourceRow row = SourceRow.of(wide, new Object[columns]).with(0, 7).with(columns - 1, 1.5);
    try (AgentRun run = new AgentRun().open(wide)) {
      run.snapshot(wide, "s", 0, List.of(row));
      run.publish(SourceCommit.at(1, new Update(row, row.with(1, 9L))));

      assertThat(run.tables.rows(wide.table())).contains(Rows.ofSource(List.of(row.with(1, 9L))));
      assertThat(run.tables.files(wide.table()).values())
          .extracting(file -> file.schema().getFieldCount())
          .containsExactly(columns, columns + 1);
    }
  }

  @Test
  void timesAndLocalTimestampsFollowTheirSettings() throws InterruptedException {
    TableSchema table =
        new TableSchema(
            TableId.of("t"),
            List.of(
                Column.of("at", ColumnType.of(Kind.LOCAL_TIME)),
                Column.of("on", ColumnType.of(Kind.LOCAL_DATE_TIME))),
            List.of(),
            1);
    try (AgentRun run =
        new AgentRun()
            .with("timeAs", "string")
            .with("localTimestampAs", "utc-timestamp")
            .open(table)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(table, 0L, 0L))));

      assertThat(run.tables.rows(table.table()).orElseThrow().rows())
          .containsExactly(new Row(Map.of("at", "00:00:00", "on", "1970-01-01T00:00:00Z")));
    }
  }

  @Test
  void aTableMayHaveItsOwnRulesForTimesAndLocalTimestamps() throws InterruptedException {
    TableSchema table =
        new TableSchema(
            TableId.of("t"),
            List.of(
                Column.of("at", ColumnType.of(Kind.LOCAL_TIME)),
                Column.of("on", ColumnType.of(Kind.LOCAL_DATE_TIME))),
            List.of(),
            1);
    try (AgentRun run =
        new AgentRun()
            .with("timeAs", "string")
            .withTable("timeAs", "time")
            .withTable("localTimestampAs", "string")
            .open(table)) {
      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(table, 0L, 0L))));

      MessageType written = run.tables.files(table.table()).values().iterator().next().schema();
      assertThat(written.getType("at").getLogicalTypeAnnotation())
          .isInstanceOf(LogicalTypeAnnotation.TimeLogicalTypeAnnotation.class);
      assertThat(written.getType("on").getLogicalTypeAnnotation())
          .isEqualTo(LogicalTypeAnnotation.stringType());
    }
  }

  @Test
  void aCommitLargerThanAFileIsCutAndTheCutsAreInTheChain() throws InterruptedException {
    SourceCommit big =
        SourceCommit.at(
            1,
            AgentRun.rows(LOG, 1, 25).stream()
                .map(Insert::new)
                .toArray(io.corehub.testkit.SourceChange[]::new));
    try (AgentRun run = new AgentRun().with("cdcBatchRows", "10").open(LOG)) {
      run.publish(big);

      List<ChainEntry.Changes> contents =
          run.tables.files(LOG.table()).values().stream()
              .map(file -> (ChainEntry.Changes) file.chain().content())
              .toList();
      assertThat(contents).extracting(ChainEntry.Changes::toRows).containsExactly(10L, 20L, 25L);
      assertThat(contents)
          .extracting(ChainEntry.Changes::complete)
          .containsExactly(false, false, true);
    }
  }

  /** Sizes of the files that commits of so many rows make; the clock never closes one. */
  private static List<Integer> filesOf(int limit, int... commits) throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchMaxSeconds", "3600")) {
      run.with("cdcBatchRows", Integer.toString(limit)).open(LOG);
      int id = 0;
      for (int i = 0; i < commits.length; i++) {
        int from = id + 1;
        id += commits[i];
        run.apply(
            SourceCommit.at(
                i + 1,
                AgentRun.rows(LOG, from, id).stream()
                    .map(Insert::new)
                    .toArray(io.corehub.testkit.SourceChange[]::new)));
      }
      run.agent().flush();
      assertThat(run.tables.rows(LOG.table())).contains(Rows.ofSource(AgentRun.rows(LOG, 1, id)));
      return run.tables.files(LOG.table()).values().stream().map(f -> f.rows().size()).toList();
    }
  }

  @Test
  void theCommitThatReachesTheLimitOfRowsEndsItsFile() throws InterruptedException {
    assertThat(filesOf(3, 1, 1, 1, 1, 1, 1, 1)).containsExactly(3, 3, 1);
    assertThat(filesOf(7, 5, 5, 5)).containsExactly(10, 5);
    assertThat(filesOf(7, 5, 7, 1)).containsExactly(12, 1);
    assertThat(filesOf(7, 20)).containsExactly(7, 7, 6);
    assertThat(filesOf(7, 5, 20)).containsExactly(12, 7, 6);
  }
}
