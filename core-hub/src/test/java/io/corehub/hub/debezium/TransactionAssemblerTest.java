package io.corehub.hub.debezium;

import static io.corehub.hub.debezium.Records.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.table.TableId;
import io.corehub.hub.debezium.CapturedTable.Traits;
import io.corehub.hub.debezium.Records.Transaction;
import io.corehub.hub.source.SourceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionAssemblerTest {

  private static final TableId A = TableId.of("s", "a");

  private final Records records = new Records();
  private final RecordingSink sink = new RecordingSink();
  private final UnavailableValue unavailable = new UnavailableValue("not sent");
  private final CapturedTables tables = new CapturedTables();

  @TempDir private Path spools;

  private TransactionAssembler assembler(long memoryBytes, BeforeImage wanted, boolean fullOldRows)
      throws InterruptedException {
    for (String name : List.of("a", "b")) {
      CapturedTable table =
          new CapturedTable(
              TableId.of("s", name), unavailable, () -> new Traits(true, fullOldRows));
      tables.add("s", name, table);
      table.declare(table.mapping(Records.ROW, Records.KEY).schema(), sink);
    }
    return new TransactionAssembler(
        "timeline", 0, tables, sink, spools, memoryBytes, new RowWriter(wanted));
  }

  private static List<String> rowsOf(RecordingSink sink, int commit) {
    return sink.commits().get(commit).rows();
  }

  @Test
  void handsATransactionOverAtItsEndWithThePositionOfTheEnd() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      assembler.accept(records.change(t, "a", "c", null, row(1, "x")));
      assembler.flush();
      assertThat(sink.commits()).isEmpty();
      assembler.accept(records.heartbeat(5));
      assembler.flush();
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(sink.commits()).hasSize(1);
    assertThat(sink.commits().get(0).commit().position().order()).isEqualTo(5000);
    assertThat(sink.commits().get(0).commit().transactionId()).contains("7");
    assertThat(rowsOf(sink, 0)).containsExactly("INSERT s.a {id=1, text=x}");
  }

  @Test
  void keepsAnUpdateOfTheKeyTogether() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.FULL, true)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      ChangeRecord deleted = records.change(t, "a", "d", row(1, "x"), null);
      deleted.record().headers().addString("__debezium.newkey", "2");
      assembler.accept(deleted);
      ChangeRecord inserted = records.change(t, "a", "c", null, row(2, "x"));
      inserted.record().headers().addString("__debezium.oldkey", "1");
      assembler.accept(inserted);
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(rowsOf(sink, 0))
        .containsExactly("UPDATE_BEFORE s.a {id=1, text=x}", "UPDATE_AFTER s.a {id=2, text=x}");
  }

  @Test
  void sendsOnlyTheKeyOfOldRowsWhenTheSourceHasNoMore() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.FULL, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      assembler.accept(records.change(t, "a", "u", null, row(1, "y")));
      assembler.accept(records.change(t, "a", "d", row(1, "ignored"), null));
      assembler.accept(records.change(t, "a", "t", null, null));
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(rowsOf(sink, 0))
        .containsExactly(
            "UPDATE_AFTER s.a {id=1, text=y}", "DELETE s.a {id=1, text=null}", "TRUNCATE s.a");
  }

  @Test
  void marksValuesThatWereNotSent() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      assembler.accept(records.change(t, "a", "u", null, row(1, "not sent")));
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(rowsOf(sink, 0)).containsExactly("UPDATE_AFTER s.a {id=1, text=null}[text]");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void followsANewShapeInTheMiddleOfATransaction(boolean large) throws Exception {
    int before = large ? 800 : 2;
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      for (int i = 0; i < before; i++) {
        assembler.accept(records.change(t, "a", "c", null, row(i, "x")));
      }
      Struct wide = new Struct(Records.WIDER_ROW).put("id", -1).put("text", "x").put("more", 5L);
      assembler.accept(records.change(t, "a", "c", null, wide));
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(sink.declarations()).containsExactly("s.a v1", "s.b v1", "s.a v2");
    assertThat(rowsOf(sink, 0)).hasSize(before + 1).endsWith("INSERT s.a {id=-1, more=5, text=x}");
  }

  @Test
  void refusesATransactionThatDidNotArriveWhole() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      ChangeRecord lost = records.change(t, "a", "c", null, row(1, "x"));
      assertThat(lost.kind()).isEqualTo(ChangeRecord.Kind.INSERT);
      assembler.accept(records.change(t, "b", "c", null, row(1, "x")));
      ChangeRecord end = records.end(t, 5000);
      assertThatThrownBy(() -> assembler.accept(end))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("Transaction 7 did not arrive whole");
      assembler.flush();
    }
    assertThat(sink.commits()).isEmpty();
  }

  @Test
  void dropsWhatComesAgainAfterAReconnection() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction first = new Transaction(1);
      assembler.accept(records.begin(first));
      assembler.accept(records.change(first, "a", "c", null, row(1, "x")));
      ChangeRecord end = records.end(first, 5000);
      assembler.accept(end);
      Transaction cut = new Transaction(2);
      assembler.accept(records.begin(cut));
      assembler.accept(records.change(cut, "a", "c", null, row(2, "x")));
      assembler.flush();

      Transaction again = new Transaction(1);
      assembler.accept(records.begin(again));
      assembler.accept(records.change(again, "a", "c", null, row(1, "x")));
      assembler.accept(end);
      Transaction whole = new Transaction(2);
      assembler.accept(records.begin(whole));
      assembler.accept(records.change(whole, "a", "c", null, row(2, "x")));
      assembler.accept(records.change(whole, "a", "c", null, row(3, "x")));
      assembler.accept(records.end(whole, 6000));
      assembler.flush();
    }
    assertThat(sink.rows(A)).containsExactly("{id=1, text=x}", "{id=2, text=x}", "{id=3, text=x}");
    assertThat(sink.commits()).hasSize(2);
  }

  @Test
  void movesOnBehindTransactionsWithoutCapturedRowsButNeverInsideOne() throws Exception {
    try (TransactionAssembler assembler = assembler(1 << 20, BeforeImage.KEY, false)) {
      Transaction empty = new Transaction(1);
      assembler.accept(records.begin(empty));
      assembler.accept(records.end(empty, 4000));
      assembler.flush();
      assertThat(sink.commits()).isEmpty();
      Transaction open = new Transaction(2);
      assembler.accept(records.begin(open));
      assembler.moveOn(9000);
      assertThat(sink.commits()).isEmpty();
      assembler.accept(records.end(open, 4500));
      assembler.moveOn(0);
      assertThat(sink.confirmed().orElseThrow().order()).isEqualTo(4500);
      assembler.moveOn(9000);
      assertThat(sink.confirmed().orElseThrow().order()).isEqualTo(9000);
      assembler.moveOn(9000);
    }
    assertThat(sink.commits()).hasSize(2).allMatch(commit -> commit.rows().isEmpty());
  }

  @Test
  void spoolsALargeTransactionToAPrivateFileAndDeletesIt() throws Exception {
    int rows = 60_000;
    try (TransactionAssembler assembler = assembler(100_000, BeforeImage.KEY, false)) {
      Transaction t = new Transaction(7);
      assembler.accept(records.begin(t));
      for (int i = 0; i < rows; i++) {
        assembler.accept(records.change(t, "a", "c", null, row(i, i % 7 == 0 ? null : "x" + i)));
      }
      try (Stream<Path> files = Files.list(spools)) {
        List<Path> spooled = files.toList();
        assertThat(spooled).hasSize(1);
        assertThat(Files.getPosixFilePermissions(spooled.get(0)))
            .extracting(Enum::name)
            .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
      }
      assembler.accept(records.end(t, 5000));
      assembler.flush();
    }
    assertThat(sink.commits()).hasSize(1);
    assertThat(sink.parts()).isGreaterThan(1);
    assertThat(rowsOf(sink, 0)).hasSize(rows);
    assertThat(rowsOf(sink, 0).get(59_998)).isEqualTo("INSERT s.a {id=59998, text=x59998}");
    assertThat(rowsOf(sink, 0).get(7)).isEqualTo("INSERT s.a {id=7, text=null}");
    assertThat(spoolFiles()).isZero();
  }

  private long spoolFiles() throws IOException {
    try (Stream<Path> files = Files.list(spools)) {
      return files.count();
    }
  }

  /** Whatever the mixture of transactions, heartbeats and batches: commits by their ends, whole. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void handsOverEveryMixtureWholeAndInOrder(long seed) throws Exception {
    Random random = new Random(seed);
    List<List<String>> expected = new ArrayList<>();
    try (TransactionAssembler assembler =
        assembler(random.nextBoolean() ? 1 << 20 : 50_000, BeforeImage.KEY, false)) {
      Deque<Transaction> waiting = new ArrayDeque<>();
      for (int i = 1; i <= 30; i++) {
        waiting.add(new Transaction(i));
      }
      List<Transaction> open = new ArrayList<>();
      List<List<String>> openRows = new ArrayList<>();
      long order = 1_000_000;
      int id = 0;
      while (!waiting.isEmpty() || !open.isEmpty()) {
        int dice = random.nextInt(100);
        if (dice < 10 && !waiting.isEmpty()) {
          Transaction t = waiting.poll();
          open.add(t);
          openRows.add(new ArrayList<>());
          assembler.accept(records.begin(t));
        } else if (dice < 20) {
          assembler.accept(records.heartbeat(dice));
        } else if (dice < 30) {
          assembler.flush();
        } else if (dice < 38 && !open.isEmpty()) {
          int chosen = random.nextInt(open.size());
          order += 1 + random.nextInt(100);
          assembler.accept(records.end(open.remove(chosen), order));
          List<String> rows = openRows.remove(chosen);
          if (!rows.isEmpty()) {
            expected.add(rows.stream().sorted().toList());
          }
        } else if (!open.isEmpty()) {
          int chosen = random.nextInt(open.size());
          int many = random.nextInt(40) == 0 ? 2000 : 1 + random.nextInt(5);
          for (int i = 0; i < many; i++) {
            String table = random.nextBoolean() ? "a" : "b";
            assembler.accept(
                records.change(open.get(chosen), table, "c", null, row(++id, "t" + id)));
            openRows.get(chosen).add("INSERT s." + table + " {id=" + id + ", text=t" + id + "}");
          }
        }
      }
      assembler.flush();
    }
    assertThat(sink.commits().stream().map(c -> c.rows().stream().sorted().toList()).toList())
        .as("seed %d", seed)
        .isEqualTo(expected);
    assertThat(spoolFiles()).isZero();
  }
}
