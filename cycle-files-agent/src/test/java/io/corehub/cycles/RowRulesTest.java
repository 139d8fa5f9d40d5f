package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What stands in the rows of data files, read off CSV lines without header. */
class RowRulesTest {

  private static final TableSchema ORDERS = orders(List.of("id"));
  private static final TableSchema KEYLESS = orders(List.of());
  private static final Optional<SequencePrefix> INCREMENTAL = Optional.empty();
  private static final String P02 = "00000000100000000102";

  private static TableSchema orders(List<String> key) {
    return new TableSchema(
        TableId.of("sales", "orders"),
        List.of(
            Column.of("id", ColumnType.of(Kind.INT)),
            Column.of("status", ColumnType.of(Kind.STRING)),
            Column.of("due", ColumnType.of(Kind.LOCAL_DATE))),
        key,
        1);
  }

  private static SourceRow row(int id, String status) {
    return row(ORDERS, id, status);
  }

  private static SourceRow row(TableSchema schema, int id, Object status) {
    return SourceRow.of(schema, id, status, null);
  }

  private static SourceCommit commit(long position, SourceChange... changes) {
    return new SourceCommit(
        new Commit(
            new SourcePosition("t", position, ""),
            Optional.of(Instant.parse("2026-11-29T10:00:05.123456Z")),
            Optional.of("tx" + position),
            Optional.of("ann")),
        List.of(changes));
  }

  private static RowRules rules(TableSchema schema, ColumnChoices choices) {
    return new RowRules(
        TableShape.of(schema, choices, DataFormat.CSV),
        () -> {},
        RowLimit.ofHeap(Runtime.getRuntime().maxMemory()));
  }

  private static List<String> lines(TableSchema schema, ColumnChoices choices, CycleRows... rows)
      throws IOException {
    MemorySink sink = new MemorySink();
    TableShape shape = TableShape.of(schema, choices, DataFormat.CSV);
    EncodingChoices bare = new EncodingChoices(false, EncodingChoices.USUAL.parquet());
    try (DataFileWriter writer = DataFileWriter.open(shape, bare, sink)) {
      for (CycleRows run : rows) {
        writer.append(run);
      }
      writer.finish("x", 1, 1);
    }
    return new String(sink.bytes(), StandardCharsets.UTF_8).lines().toList();
  }

  /** All changes of the commits, in the order of their events. */
  private static List<String> written(
      TableSchema schema,
      ColumnChoices choices,
      BeforeImage before,
      Optional<SequencePrefix> prefix,
      SourceCommit... commits)
      throws IOException {
    CommitBatch batch = CommitBatches.of(List.of(commits), before);
    NumberedCommits numbered = new NumberedCommits(batch.commits(), 0);
    CycleRows[] rows = new CycleRows[batch.events().size()];
    for (int i = 0; i < rows.length; i++) {
      RowChanges changes = (RowChanges) batch.events().get(i);
      rows[i] =
          rules(changes.rows().schema(), choices)
              .changes(changes, 0, changes.rowCount(), numbered, prefix);
    }
    return lines(schema, choices, rows);
  }

  private static String s(long order, long row) {
    return Sequence.of(order, row).toString();
  }

  @Test
  void insertsUpdatesAndDeletes() throws IOException {
    assertThat(
            written(
                ORDERS,
                ColumnChoices.USUAL,
                BeforeImage.FULL,
                INCREMENTAL,
                commit(101, new SourceChange.Insert(row(1, "NEW"))),
                commit(
                    102,
                    new SourceChange.Update(row(1, "NEW"), row(1, "PAID")),
                    new SourceChange.Delete(row(2, "OLD")))))
        .containsExactly(
            "\"I\",\"" + s(101, 1) + "\",\"1\",\"NEW\",,,,",
            "\"U\",\"" + s(102, 1) + "\",\"1\",\"PAID\",,\"1\",\"NEW\",",
            "\"D\",\"" + s(102, 2) + "\",\"2\",\"OLD\",,,,");
  }

  @Test
  void aChangedKeyIsOneUpdate() throws IOException {
    for (BeforeImage before : new BeforeImage[] {BeforeImage.FULL, BeforeImage.KEY}) {
      assertThat(
              written(
                  ORDERS,
                  ColumnChoices.USUAL,
                  before,
                  INCREMENTAL,
                  commit(7, new SourceChange.Update(row(1, "NEW"), row(5, "PAID")))))
          .containsExactly(
              "\"U\",\""
                  + s(7, 1)
                  + "\",\"5\",\"PAID\",,\"1\","
                  + (before == BeforeImage.FULL ? "\"NEW\"" : "")
                  + ",");
    }
  }

  @Test
  void anUpdateThatTellsNoOldRowTellsItsKey() throws IOException {
    assertThat(
            written(
                ORDERS,
                ColumnChoices.USUAL,
                BeforeImage.KEY,
                INCREMENTAL,
                commit(7, new SourceChange.Update(row(1, "NEW"), row(1, "PAID"))),
                commit(8, new SourceChange.Delete(row(1, "PAID")))))
        .containsExactly(
            "\"U\",\"" + s(7, 1) + "\",\"1\",\"PAID\",,\"1\",,",
            "\"D\",\"" + s(8, 1) + "\",\"1\",,,,,");
  }

  @Test
  void withoutBeforeImagesTheOldKeyIsStillWritten() throws IOException {
    ColumnChoices choices =
        new ColumnChoices("INFA_", "_BEFORE", false, false, false, false, TypeRules.DEFAULTS);
    assertThat(TableShape.of(ORDERS, choices, DataFormat.CSV).all())
        .extracting(ShapeColumn::name)
        .containsExactly(
            "INFA_OPERATION_TYPE", "INFA_SORTABLE_SEQUENCE", "id", "status", "due", "id_BEFORE");
    assertThat(
            written(
                ORDERS,
                choices,
                BeforeImage.FULL,
                INCREMENTAL,
                commit(7, new SourceChange.Update(row(1, "NEW"), row(5, "PAID")))))
        .containsExactly("\"U\",\"" + s(7, 1) + "\",\"5\",\"PAID\",,\"1\"");
    assertThat(
            written(
                KEYLESS,
                choices,
                BeforeImage.FULL,
                INCREMENTAL,
                commit(
                    7, new SourceChange.Update(row(KEYLESS, 1, "NEW"), row(KEYLESS, 5, "PAID")))))
        .containsExactly("\"U\",\"" + s(7, 1) + "\",\"5\",\"PAID\",");
  }

  @Test
  void metadataColumnsTellTheTransaction() throws IOException {
    ColumnChoices choices =
        new ColumnChoices("CDC_", "_OLD", true, true, true, true, TypeRules.DEFAULTS);
    assertThat(TableShape.of(ORDERS, choices, DataFormat.CSV).all().subList(0, 5))
        .extracting(ShapeColumn::name)
        .containsExactly(
            "CDC_OPERATION_TYPE",
            "CDC_SORTABLE_SEQUENCE",
            "CDC_OPERATION_TIME",
            "CDC_OPERATION_OWNER",
            "CDC_TRANSACTION_ID");
    CommitBatch batch =
        new CommitBatch(
            List.of(Commit.at(new SourcePosition("t", 9, ""))),
            CommitBatches.of(
                    List.of(commit(9, new SourceChange.Insert(row(2, "X")))), BeforeImage.FULL)
                .events(),
            true);
    RowChanges unknown = (RowChanges) batch.events().get(0);
    assertThat(
            written(
                ORDERS,
                choices,
                BeforeImage.FULL,
                INCREMENTAL,
                commit(
                    7, new SourceChange.Insert(row(1, "A")), new SourceChange.Insert(row(2, "B"))),
                commit(8, new SourceChange.Insert(row(3, "C")))))
        .containsExactly(
            "\"I\",\"" + s(7, 1) + "\",\"20261129100005123456\",\"ann\",\"tx7\",\"1\",\"A\",,,,",
            "\"I\",\"" + s(7, 2) + "\",\"20261129100005123456\",\"ann\",\"tx7\",\"2\",\"B\",,,,",
            "\"I\",\"" + s(8, 1) + "\",\"20261129100005123456\",\"ann\",\"tx8\",\"3\",\"C\",,,,");
    assertThat(
            lines(
                ORDERS,
                choices,
                rules(ORDERS, choices)
                    .changes(unknown, 0, 1, new NumberedCommits(batch.commits(), 0), INCREMENTAL)))
        .containsExactly("\"I\",\"" + s(9, 1) + "\",,,,\"2\",\"X\",,,,");
  }

  @Test
  void loadRowsAndTheirTruncationHaveTheLoadsTimeAndNothingElse() throws IOException {
    ColumnChoices choices =
        new ColumnChoices("CDC_", "_OLD", true, true, true, true, TypeRules.DEFAULTS);
    RowRules rules = rules(ORDERS, choices);
    Instant at = Instant.parse("2026-11-29T10:00:00Z");
    assertThat(
            lines(
                ORDERS,
                choices,
                rules.beginLoad(new SequencePrefix(1, 1, Phase.TRUNCATION), 100, at),
                rules.load(
                    ColumnBatches.of(row(1, "A"), row(2, null)),
                    new SequencePrefix(1, 1, Phase.LOAD),
                    100,
                    1,
                    at)))
        .containsExactly(
            "\"T\",\"00000000100000000100" + s(100, 0) + "\",\"20261129100000000000\",,,,,,,,",
            "\"I\",\""
                + "00000000100000000101"
                + s(100, 1)
                + "\",\"20261129100000000000\",,,\"1\",\"A\",,,,",
            "\"I\",\""
                + "00000000100000000101"
                + s(100, 2)
                + "\",\"20261129100000000000\",,,\"2\",,,,,");
  }

  @Test
  void changesDuringTheLoadAreXAndY() throws IOException {
    assertThat(
            written(
                ORDERS,
                ColumnChoices.USUAL,
                BeforeImage.FULL,
                Optional.of(new SequencePrefix(1, 1, Phase.DURING_LOAD)),
                commit(
                    104,
                    new SourceChange.Insert(row(1, "NEW")),
                    new SourceChange.Update(row(1, "NEW"), row(1, "PAID"))),
                commit(
                    105,
                    new SourceChange.Update(row(1, "PAID"), row(2, "PAID")),
                    new SourceChange.Delete(row(2, "PAID")))))
        .containsExactly(
            "\"X\",\"" + P02 + s(104, 1) + "\",\"1\",,,,,",
            "\"Y\",\"" + P02 + s(104, 2) + "\",\"1\",\"NEW\",,,,",
            "\"X\",\"" + P02 + s(104, 3) + "\",\"1\",,,,,",
            "\"Y\",\"" + P02 + s(104, 4) + "\",\"1\",\"PAID\",,,,",
            "\"X\",\"" + P02 + s(105, 1) + "\",\"1\",,,,,",
            "\"X\",\"" + P02 + s(105, 2) + "\",\"2\",,,,,",
            "\"Y\",\"" + P02 + s(105, 3) + "\",\"2\",\"PAID\",,,,",
            "\"X\",\"" + P02 + s(105, 4) + "\",\"2\",\"PAID\",,,,");
  }

  @Test
  void withoutAKeyAnXIsTheWholeRow() throws IOException {
    assertThat(
            written(
                KEYLESS,
                ColumnChoices.USUAL,
                BeforeImage.FULL,
                Optional.of(new SequencePrefix(1, 1, Phase.DURING_LOAD)),
                commit(
                    104, new SourceChange.Update(row(KEYLESS, 1, "NEW"), row(KEYLESS, 1, "PAID")))))
        .containsExactly(
            "\"X\",\"" + P02 + s(104, 1) + "\",\"1\",\"NEW\",,,,",
            "\"Y\",\"" + P02 + s(104, 2) + "\",\"1\",\"PAID\",,,,");
  }

  @Test
  void inEveryOtherPhaseChangesAreWhatTheyAre() throws IOException {
    for (Phase phase : new Phase[] {Phase.BACKLOG, Phase.CDC}) {
      SequencePrefix prefix = new SequencePrefix(3, 2, phase);
      assertThat(
              written(
                  ORDERS,
                  ColumnChoices.USUAL,
                  BeforeImage.FULL,
                  Optional.of(prefix),
                  commit(107, new SourceChange.Update(row(1, "NEW"), row(1, "PAID")))))
          .containsExactly("\"U\",\"" + prefix + s(107, 1) + "\",\"1\",\"PAID\",,\"1\",\"NEW\",");
    }
  }

  @Test
  void rowNumbersRunOverAllTablesOfATransactionAndAllItsParts() throws IOException {
    TableSchema customers =
        new TableSchema(
            TableId.of("customers"),
            List.of(Column.of("id", ColumnType.of(Kind.INT))),
            List.of(),
            1);
    SourceCommit commit =
        commit(
            101,
            new SourceChange.Insert(row(1, "A")),
            new SourceChange.Insert(SourceRow.of(customers, 7)),
            new SourceChange.Insert(row(2, "B")),
            new SourceChange.Truncate(ORDERS),
            new SourceChange.Insert(row(3, "C")));
    NumberedCommits[] numbered = new NumberedCommits[1];
    List<CycleRows> rows = new ArrayList<>();
    long before = 0;
    for (CommitBatch part : CommitBatches.parts(commit, 3, BeforeImage.FULL)) {
      numbered[0] = new NumberedCommits(part.commits(), before);
      for (TableEvent event : part.events()) {
        if (event instanceof RowChanges changes) {
          rows.add(
              rules(changes.rows().schema(), ColumnChoices.USUAL)
                  .changes(changes, 0, changes.rowCount(), numbered[0], INCREMENTAL));
        } else {
          rows.add(rules(ORDERS, ColumnChoices.USUAL).truncation(numbered[0], 0, INCREMENTAL));
        }
      }
      before = numbered[0].rows(0);
    }
    assertThat(rows)
        .extracting(CycleRows::firstSequence)
        .containsExactly(s(101, 1), s(101, 3), s(101, 4), s(101, 5));
    assertThat(rows.get(0).lastSequence()).isEqualTo(s(101, 2));
    assertThat(before).isEqualTo(5);
    assertThat(lines(ORDERS, ColumnChoices.USUAL, rows.get(2)))
        .containsExactly("\"T\",\"" + s(101, 4) + "\",,,,,,");
  }

  @Test
  void whatIsSkippedIsNumberedAllTheSame() {
    SourceCommit commit =
        commit(
            7,
            new SourceChange.Insert(row(1, "A")),
            new SourceChange.Update(row(1, "A"), row(2, "B")),
            new SourceChange.Delete(row(2, "B")));
    CommitBatch batch = CommitBatches.of(List.of(commit), BeforeImage.FULL);
    RowChanges changes = (RowChanges) batch.events().get(0);
    for (Phase phase : new Phase[] {Phase.CDC, Phase.DURING_LOAD}) {
      NumberedCommits written = new NumberedCommits(batch.commits(), 0);
      CycleRows rows =
          rules(ORDERS, ColumnChoices.USUAL)
              .changes(
                  changes,
                  0,
                  changes.rowCount(),
                  written,
                  Optional.of(new SequencePrefix(1, 1, phase)));
      NumberedCommits skipped = new NumberedCommits(batch.commits(), 0);
      skipped.skip(changes, 0, changes.rowCount(), phase == Phase.DURING_LOAD);
      assertThat(skipped.rows(0)).isEqualTo(written.rows(0)).isEqualTo(rows.count());
    }
  }

  @Test
  void aPartOfARunIsWrittenAlone() throws IOException {
    CommitBatch batch =
        CommitBatches.of(
            List.of(
                commit(7, new SourceChange.Insert(row(1, "A"))),
                commit(8, new SourceChange.Update(row(1, "A"), row(1, "B"))),
                commit(9, new SourceChange.Delete(row(1, "B")))),
            BeforeImage.FULL);
    RowChanges changes = (RowChanges) batch.events().get(0);
    NumberedCommits numbered = new NumberedCommits(batch.commits(), 0);
    CycleRows rows =
        rules(ORDERS, ColumnChoices.USUAL).changes(changes, 1, 3, numbered, INCREMENTAL);
    assertThat(lines(ORDERS, ColumnChoices.USUAL, rows))
        .containsExactly("\"U\",\"" + s(8, 1) + "\",\"1\",\"B\",,\"1\",\"A\",");
    assertThat(rows.counts()).isEqualTo(new RowCounts(0, 1, 0, 0, 0, 0));
    assertThat(numbered.rows(0)).isZero();
    assertThat(numbered.rows(1)).isEqualTo(1);
  }

  @Test
  void anUndeliveredCellHasTheValueOfTheWholeOldRow() throws IOException {
    SourceChange update =
        new SourceChange.Update(row(1, "NEW"), row(ORDERS, 1, SourceRow.UNDELIVERED));
    assertThat(
            written(ORDERS, ColumnChoices.USUAL, BeforeImage.FULL, INCREMENTAL, commit(7, update)))
        .containsExactly("\"U\",\"" + s(7, 1) + "\",\"1\",\"NEW\",,\"1\",\"NEW\",");
    CommitBatch batch =
        CommitBatches.of(
            List.of(commit(6, new SourceChange.Insert(row(4, "A"))), commit(7, update)),
            BeforeImage.KEY);
    RowChanges changes = (RowChanges) batch.events().get(0);
    NumberedCommits numbered = new NumberedCommits(batch.commits(), 0);
    RowRules rules = rules(ORDERS, ColumnChoices.USUAL);
    assertThatThrownBy(() -> rules.changes(changes, 0, changes.rowCount(), numbered, INCREMENTAL))
        .isInstanceOfSatisfying(
            RefusedValueException.class,
            refused -> {
              assertThat(refused.row()).isEqualTo(1);
              TableStoppedException stop = refused.stop(changes.rows());
              assertThat(stop.code()).isEqualTo(ErrorCode.VALUE_REFUSED);
              assertThat(stop)
                  .hasMessageContainingAll(
                      "Table sales.orders, key id=1", "column 'status'", "did not deliver");
            });
    assertThat(numbered.rows(0)).isZero();
  }

  @Test
  void aValueThatCannotBeWrittenIsNamedWithItsRow() {
    SourceRow endless = SourceRow.of(ORDERS, 9, "A", ColumnType.INFINITE_DATE);
    SourceRow fine = SourceRow.of(ORDERS, 9, "A", LocalDate.EPOCH);
    RowRules rules = rules(ORDERS, ColumnChoices.USUAL);
    for (SourceChange change :
        List.of(
            new SourceChange.Insert(endless),
            new SourceChange.Delete(endless),
            new SourceChange.Update(endless, fine),
            new SourceChange.Update(fine, endless))) {
      CommitBatch batch =
          CommitBatches.of(
              List.of(commit(6, new SourceChange.Insert(row(4, "A"))), commit(7, change)),
              BeforeImage.FULL);
      RowChanges changes = (RowChanges) batch.events().get(0);
      assertThatThrownBy(
              () ->
                  rules.changes(
                      changes,
                      0,
                      changes.rowCount(),
                      new NumberedCommits(batch.commits(), 0),
                      INCREMENTAL))
          .isInstanceOfSatisfying(
              RefusedValueException.class,
              refused ->
                  assertThat(refused.stop(changes.rows()))
                      .hasMessageContainingAll("key id=9", "column 'due'", "infinity"));
    }
  }
}
