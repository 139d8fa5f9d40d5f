package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two tables that would lie in one directory: the one that is at work goes on. */
class ClashingTablesTest {

  @ParameterizedTest
  @ValueSource(strings = {"archive", "zoo"})
  void theOneThatComesLaterIsRefusedWhateverItsName(String schema) throws InterruptedException {
    TableSchema twin =
        new TableSchema(
            TableId.of(schema, "Orders"), ORDERS.columns(), ORDERS.keyColumns(), ORDERS.version());
    try (Job job = new Job()) {
      job.start(ORDERS);

      TableProgress refused =
          job.agent.addTable(new TableSpec(twin, CycleSettings.TABLE.parse(Map.of())));

      assertThat(refused)
          .isInstanceOfSatisfying(
              TableProgress.Stopped.class,
              stopped -> {
                assertThat(stopped.reason().code()).isEqualTo(ErrorCode.NAME_REFUSED);
                assertThat(stopped.reason())
                    .hasMessageContaining("sales.orders")
                    .hasMessageContaining(schema + ".Orders")
                    .hasMessageContaining("{SchemaName}");
              });
      job.apply(SourceCommit.at(101, new Insert(SourceRow.of(ORDERS, 1, "NEW", "10.00"))));
      job.agent.flush();
      assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
    }
  }
}
