package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.PublishedFile;
import io.corehub.agent.PublishedFile.Kind;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableShape.TargetColumn;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an agent tells of its work is what it did. */
interface ProgressContract {

  AgentBench bench();

  @Test
  default void everyFileIsToldOnceWithItsRows() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withRowsPerFile(10), ORDERS, LOG);

    session.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 30));
    session.apply(insertsAt(11, 13, LOG));
    session.flush();
    session.apply(insertsAt(40, 44, ORDERS));
    session.flush();

    RecordingListener listener = session.listener();
    assertThat(told(listener, ORDERS, Kind.SNAPSHOT)).isEqualTo(30);
    assertThat(told(listener, ORDERS, Kind.CHANGES)).isEqualTo(5);
    assertThat(told(listener, LOG, Kind.CHANGES)).isEqualTo(3);
    assertThat(told(listener, LOG, Kind.SNAPSHOT)).isZero();
    assertThat(listener.files()).allMatch(file -> file.bytes() > 0 && !file.name().isEmpty());
    assertThat(listener.files())
        .extracting(file -> file.table() + "/" + file.name())
        .doesNotHaveDuplicates();
    assertThat(listener.files())
        .extracting(file -> file.position().timeline())
        .containsOnly(SourceCommit.TIMELINE);
    assertThat(listener.snapshots()).containsExactly("shop.orders s1 begun", "shop.orders s1 done");
  }

  private static long told(RecordingListener listener, TableSchema table, Kind kind) {
    return listener.files().stream()
        .filter(file -> file.table().equals(table.table()) && file.kind() == kind)
        .mapToLong(PublishedFile::rows)
        .sum();
  }

  @Test
  default void theShapeOfATableIsToldAndEveryChangeOfIt() throws InterruptedException {
    TableSchema wider = SchemaContract.withColumn(ORDERS, "note");
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    session.apply(insertsAt(1, 2, ORDERS));
    session.apply(SourceCommit.at(3, new Insert(SourceRow.of(wider, 3, "row 3", "noted"))));
    session.flush();

    List<TableShape> shapes = session.listener().shapes();
    assertThat(shapes).extracting(shape -> shape.source().columns().size()).containsExactly(2, 3);
    TableShape last = shapes.get(1);
    assertThat(last.table()).isEqualTo(ORDERS.table());
    assertThat(last.location()).matches("(https|abfss|file):.+");
    assertThat(last.columns())
        .extracting(TargetColumn::source)
        .contains(Optional.of("id"), Optional.of("text"), Optional.of("note"));
    assertThat(last.columns()).noneMatch(column -> column.type().isBlank());
  }

  @Test
  default void aSnapshotThatIsGivenUpIsToldAsSuch() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    SnapshotWriter writer = session.beginSnapshot(ORDERS, "s1", 10);

    writer.abort();
    session.flush();

    assertThat(session.listener().snapshots())
        .containsExactly("shop.orders s1 begun", "shop.orders s1 given up");
  }
}
