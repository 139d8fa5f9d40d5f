package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent deletes nothing but what it uploaded itself, and names of any length harm nobody. */
class LeastPrivilegeTest {

  private static final TableSchema ORDERS = table("orders", "id");

  private static TableSchema table(String name, String column) {
    return new TableSchema(
        TableId.of(name), List.of(Column.of(column, ColumnType.of(Kind.INT))), List.of(column), 1);
  }

  private static SourceCommit insert(TableSchema table, int id) {
    return SourceCommit.at(id, new Insert(SourceRow.of(table, id)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"streamed", "staged"})
  void onlyOwnUploadsAreDeleted(String publishing) throws Exception {
    AgentRun first = new AgentRun().with("snapshotPublishing", publishing);
    AgentRun second;
    try (first) {
      first.open(ORDERS);
      first.snapshot(ORDERS, "s1", 1, List.of(SourceRow.of(ORDERS, 1)));
      for (Operation operation : List.of(Operation.APPEND, Operation.FLUSH, Operation.RENAME)) {
        first.script.fail(operation, "orders", false, 1, DfsException.Kind.BAD_REQUEST, false);
      }
      first.script.fail(Operation.RENAME, "orders", true, 1, DfsException.Kind.TIMEOUT, true);
      first.survives(() -> first.publish(insert(ORDERS, 2)));
      first.script.dieAfter(4);
      first.survives(() -> first.publish(insert(ORDERS, 3)));
      second = first.successor();
      second.now.set(second.now.get().plus(Duration.ofDays(2)));
      try (second) {
        second.open(ORDERS);
        assertThat(second.progress(ORDERS)).isNotInstanceOf(TableProgress.Stopped.class);
        second.publish(insert(ORDERS, 3), insert(ORDERS, 4));
      }
    }
    // Nobody waits for a leftover to be deleted; the end of an agent does.
    List<String> deleted = Stream.of(first, second).flatMap(run -> deletes(run).stream()).toList();
    assertThat(deleted).isNotEmpty().allMatch(name -> name.startsWith("DELETE _"));
  }

  private static List<String> deletes(AgentRun run) {
    return run.script.take().stream().filter(request -> request.startsWith("DELETE")).toList();
  }

  @Test
  void namesOfAMegabyteStopTheirTablesAloneInAShortMessage() throws Exception {
    String huge = "x".repeat(1 << 20);
    TableSchema hugeTable = table(huge, "id");
    TableSchema hugeColumn = table("wide", huge);
    try (AgentRun run = new AgentRun().open(ORDERS, hugeTable, hugeColumn)) {
      run.apply(insert(ORDERS, 1), insert(hugeColumn, 2), insert(hugeTable, 3));
      run.agent().flush();
      assertThat(run.tables.rows(ORDERS.table())).isPresent();
      for (TableStoppedException stop : run.listener.stoppedTables()) {
        assertThat(stop.getMessage().length()).isLessThan(2_000);
      }
    }
  }
}
