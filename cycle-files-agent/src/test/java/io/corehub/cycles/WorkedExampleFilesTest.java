package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.cycles.CycleLayout.Choices;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The files of the worked example, byte for byte: two tables, three cycles, an incremental job with
 * before images and headers.
 */
class WorkedExampleFilesTest {

  private static final TableSchema ORDERS =
      new TableSchema(
          TableId.of("sales", "orders"),
          List.of(
              Column.of("order_id", ColumnType.of(Kind.INT)),
              Column.of("status", ColumnType.of(Kind.STRING)),
              Column.of("amount", ColumnType.decimal(10, 2))),
          List.of("order_id"),
          1);
  private static final TableSchema CUSTOMERS =
      new TableSchema(
          TableId.of("sales", "customers"),
          List.of(
              Column.of("customer_id", ColumnType.of(Kind.INT)),
              Column.of("name", ColumnType.of(Kind.STRING))),
          List.of("customer_id"),
          1);

  private static final String ORDERS_HEADER =
      "\"CDC_OPERATION_TYPE\",\"CDC_SORTABLE_SEQUENCE\",\"order_id\",\"status\",\"amount\","
          + "\"order_id_OLD\",\"status_OLD\",\"amount_OLD\"\n";
  private static final String CONTENTS_HEADER =
      "\"table_name\",\"cycle_name\",\"cycle_path\",\"start_sequence\",\"end_sequence\",\"inserts\","
          + "\"updates\",\"deletes\",\"schema_version\",\"schema_path\"\n";
  private static final String COMPLETED_HEADER =
      "\"cycle_name\",\"start_time\",\"end_time\",\"current_sequence\",\"contents_path\","
          + "\"reason\"\n";

  private final CycleLayout layout = CycleLayout.of(Choices.usual("sales_cdc", DataFormat.CSV));

  private static SourceRow order(int id, String status, String amount) {
    return SourceRow.of(ORDERS, id, status, amount);
  }

  private static SourceRow customer(String name) {
    return SourceRow.of(CUSTOMERS, 7, name);
  }

  private static SourceCommit commit(long position, SourceChange... changes) {
    return new SourceCommit(Commit.at(new SourcePosition("t", position, "")), List.of(changes));
  }

  /** A cycle's files by path, from the commits it holds. */
  private Map<String, String> cycle(
      String openedAt, String endedAt, EndReason reason, Sequence current, SourceCommit... commits)
      throws IOException {
    CycleName cycle = CycleName.next(Instant.parse(openedAt), Optional.empty());
    Map<String, String> files = new LinkedHashMap<>();
    CommitBatch batch = CommitBatches.of(List.of(commits), BeforeImage.FULL);
    NumberedCommits numbered = new NumberedCommits(batch.commits(), 0);
    List<DataFileFacts> facts = new ArrayList<>();
    for (TableEvent event : batch.events()) {
      RowChanges changes = (RowChanges) event;
      TableShape shape =
          TableShape.of(changes.rows().schema(), ColumnChoices.USUAL, DataFormat.CSV);
      MemorySink sink = new MemorySink();
      String path = layout.dataFile(changes.table(), cycle, 1);
      try (DataFileWriter writer = DataFileWriter.open(shape, EncodingChoices.USUAL, sink)) {
        writer.append(
            new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()))
                .changes(changes, 0, changes.rowCount(), numbered, Optional.empty()));
        facts.add(writer.finish(path, 1, 1));
      }
      files.put(path, text(sink.bytes()));
    }
    files.put(
        layout.contentsFile(cycle),
        text(ContentsFile.bytes(cycle, facts, layout, PathStyle.RELATIVE, false, false)));
    files.put(
        layout.completedFile(cycle),
        text(
            new CompletedFile(
                    cycle,
                    Instant.parse(openedAt),
                    Instant.parse(endedAt),
                    current,
                    layout.contentsFile(cycle),
                    reason)
                .bytes()));
    return files;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void theFirstCycleHoldsBothTablesAndTheEmptyText() throws IOException {
    assertThat(
            cycle(
                "2026-11-29T10:00:05Z",
                "2026-11-29T10:00:40Z",
                EndReason.NORMAL_COMMIT,
                Sequence.of(103, 2),
                commit(
                    101,
                    new SourceChange.Insert(order(1, "NEW", "10.00")),
                    new SourceChange.Insert(customer("Ann"))),
                commit(
                    102,
                    new SourceChange.Update(order(1, "NEW", "10.00"), order(1, "PAID", "10.00"))),
                commit(
                    103,
                    new SourceChange.Insert(order(2, "NEW", "5.50")),
                    new SourceChange.Update(customer("Ann"), customer("")))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "sales_cdc/data/customers/data/2026-11-29-10-00-05/customers_20261129100005.csv",
                "\"CDC_OPERATION_TYPE\",\"CDC_SORTABLE_SEQUENCE\",\"customer_id\",\"name\","
                    + "\"customer_id_OLD\",\"name_OLD\"\n"
                    + "\"I\",\"00000000000000000101000000000002\",\"7\",\"Ann\",,\n"
                    + "\"U\",\"00000000000000000103000000000002\",\"7\",\"\",\"7\",\"Ann\"\n",
                "sales_cdc/data/orders/data/2026-11-29-10-00-05/orders_20261129100005.csv",
                ORDERS_HEADER
                    + "\"I\",\"00000000000000000101000000000001\",\"1\",\"NEW\",\"10.00\",,,\n"
                    + "\"U\",\"00000000000000000102000000000001\",\"1\",\"PAID\",\"10.00\","
                    + "\"1\",\"NEW\",\"10.00\"\n"
                    + "\"I\",\"00000000000000000103000000000001\",\"2\",\"NEW\",\"5.50\",,,\n",
                "sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv",
                CONTENTS_HEADER
                    + "\"customers\",\"2026-11-29-10-00-05\","
                    + "\"sales_cdc/data/customers/data/2026-11-29-10-00-05\","
                    + "\"00000000000000000101000000000002\",\"00000000000000000103000000000002\","
                    + "\"1\",\"1\",\"0\",\"1\","
                    + "\"sales_cdc/data/customers/schema/V1/customers.schema\"\n"
                    + "\"orders\",\"2026-11-29-10-00-05\","
                    + "\"sales_cdc/data/orders/data/2026-11-29-10-00-05\","
                    + "\"00000000000000000101000000000001\",\"00000000000000000103000000000001\","
                    + "\"2\",\"1\",\"0\",\"1\","
                    + "\"sales_cdc/data/orders/schema/V1/orders.schema\"\n",
                "sales_cdc/cycle/completed/2026-11-29-10-00-05/Cycle-20261129100005.csv",
                COMPLETED_HEADER
                    + "\"2026-11-29-10-00-05\",\"2026-11-29T10:00:05.000Z\","
                    + "\"2026-11-29T10:00:40.000Z\",\"00000000000000000103000000000002\","
                    + "\"sales_cdc/cycle/contents/2026-11-29-10-00-05/"
                    + "Cycle-contents-20261129100005.csv\",\"NORMAL_COMMIT\"\n"));
  }

  @Test
  void theSecondCycleHoldsADeletedRow() throws IOException {
    assertThat(
            cycle(
                "2026-11-29T10:00:41Z",
                "2026-11-29T10:01:41Z",
                EndReason.NORMAL_EXPIRY,
                Sequence.of(104, 1),
                commit(104, new SourceChange.Delete(order(2, "NEW", "5.50")))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "sales_cdc/data/orders/data/2026-11-29-10-00-41/orders_20261129100041.csv",
                ORDERS_HEADER
                    + "\"D\",\"00000000000000000104000000000001\",\"2\",\"NEW\",\"5.50\",,,\n",
                "sales_cdc/cycle/contents/2026-11-29-10-00-41/Cycle-contents-20261129100041.csv",
                CONTENTS_HEADER
                    + "\"orders\",\"2026-11-29-10-00-41\","
                    + "\"sales_cdc/data/orders/data/2026-11-29-10-00-41\","
                    + "\"00000000000000000104000000000001\",\"00000000000000000104000000000001\","
                    + "\"0\",\"0\",\"1\",\"1\","
                    + "\"sales_cdc/data/orders/schema/V1/orders.schema\"\n",
                "sales_cdc/cycle/completed/2026-11-29-10-00-41/Cycle-20261129100041.csv",
                COMPLETED_HEADER
                    + "\"2026-11-29-10-00-41\",\"2026-11-29T10:00:41.000Z\","
                    + "\"2026-11-29T10:01:41.000Z\",\"00000000000000000104000000000001\","
                    + "\"sales_cdc/cycle/contents/2026-11-29-10-00-41/"
                    + "Cycle-contents-20261129100041.csv\",\"NORMAL_EXPIRY\"\n"));
  }

  @Test
  void theThirdCycleTellsNullFromEmpty() throws IOException {
    assertThat(
            cycle(
                "2026-11-29T10:06:00Z",
                "2026-11-29T10:07:00Z",
                EndReason.NORMAL_EXPIRY,
                Sequence.of(106, 1),
                commit(106, new SourceChange.Insert(order(3, null, "1.00")))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "sales_cdc/data/orders/data/2026-11-29-10-06-00/orders_20261129100600.csv",
                ORDERS_HEADER + "\"I\",\"00000000000000000106000000000001\",\"3\",,\"1.00\",,,\n",
                "sales_cdc/cycle/contents/2026-11-29-10-06-00/Cycle-contents-20261129100600.csv",
                CONTENTS_HEADER
                    + "\"orders\",\"2026-11-29-10-06-00\","
                    + "\"sales_cdc/data/orders/data/2026-11-29-10-06-00\","
                    + "\"00000000000000000106000000000001\",\"00000000000000000106000000000001\","
                    + "\"1\",\"0\",\"0\",\"1\","
                    + "\"sales_cdc/data/orders/schema/V1/orders.schema\"\n",
                "sales_cdc/cycle/completed/2026-11-29-10-06-00/Cycle-20261129100600.csv",
                COMPLETED_HEADER
                    + "\"2026-11-29-10-06-00\",\"2026-11-29T10:06:00.000Z\","
                    + "\"2026-11-29T10:07:00.000Z\",\"00000000000000000106000000000001\","
                    + "\"sales_cdc/cycle/contents/2026-11-29-10-06-00/"
                    + "Cycle-contents-20261129100600.csv\",\"NORMAL_EXPIRY\"\n"));
  }
}
