package io.corehub.hub.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.TableOutline;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresSourceTest {

  @TempDir private static Path spools;
  private static PostgresUnderTest postgres;

  @BeforeAll
  static void start() throws Exception {
    postgres = new PostgresUnderTest(spools);
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void tellsItsVersionBeforeItRuns() throws Exception {
    try (Source source = postgres.source(postgres.settings("version"))) {
      assertThat(source.version()).isEqualTo(postgres.version());
    }
  }

  @Test
  void handsOverWhatItsTablesHoldWithoutLeavingAnything() throws Exception {
    postgres.sql(
        "CREATE SCHEMA held",
        "CREATE TABLE held.t (id int PRIMARY KEY, text text)",
        "CREATE TABLE held.empty (id int PRIMARY KEY)",
        "INSERT INTO held.t SELECT i, 'text ' || i FROM generate_series(1, 5000) i");
    RecordingSink sink = new RecordingSink();
    try (Source source = postgres.source(postgres.settings("held"))) {
      source.contents(sink);
    }
    assertThat(sink.rows(TableId.of("held", "t"))).hasSize(5000);
    assertThat(sink.snapshotFinished(TableId.of("held", "t"))).isTrue();
    assertThat(sink.snapshotFinished(TableId.of("held", "empty"))).isTrue();
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet left =
            statement.executeQuery(
                "SELECT (SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                    + postgres.settings("held").get("slotName")
                    + "') + (SELECT count(*) FROM pg_publication_tables WHERE schemaname = 'held')")) {
      left.next();
      assertThat(left.getInt(1)).isZero();
    }
  }

  /** The positions by which an agent tells changes captured while loading from later ones. */
  @Test
  void tellsWhatWasCapturedDuringASnapshotAndWhatIsBacklog() throws Exception {
    postgres.sql(
        "CREATE SCHEMA phases",
        "CREATE TABLE phases.a (id int PRIMARY KEY)",
        "CREATE TABLE phases.b (id int PRIMARY KEY)",
        "INSERT INTO phases.a VALUES (1)",
        "INSERT INTO phases.b VALUES (1)");
    TableId a = TableId.of("phases", "a");
    TableId b = TableId.of("phases", "b");
    RecordingSink sink = new RecordingSink();
    AtomicInteger pages = new AtomicInteger();
    sink.onPage(() -> insert("phases.a", 10 + pages.incrementAndGet()));
    Map<String, String> settings = postgres.settings("phases");
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      sink.await("the backlog", s -> s.commits().size() == 2 || running.ended());
      assertThat(sink.backlogEnd(b)).isEqualTo(sink.backlogEnd(a));
      insert("phases.a", 20);
      sink.await("a later change", s -> s.commits().size() == 3 || running.ended());
    }

    List<SourcePosition> commits =
        sink.commits().stream().map(received -> received.commit().position()).toList();
    SnapshotEnd first = sink.snapshotEnd(a).orElseThrow();
    SourcePosition captured = first.capturedUpTo().orElseThrow();
    assertThat(first.backlog()).isTrue();
    assertThat(commits.get(0).isAfter(captured)).as("captured while it was loaded").isFalse();
    assertThat(commits.get(1).isAfter(captured)).as("while the other was loaded").isTrue();
    SourcePosition backlog = sink.backlogEnd(a).orElseThrow();
    assertThat(commits.get(1).isAfter(backlog)).as("backlog").isFalse();
    assertThat(commits.get(2).isAfter(backlog)).as("caught up").isTrue();

    sink.restart();
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      sink.await(
          "the next run's backlog",
          s -> s.backlogEnd(a).orElseThrow().isAfter(backlog) || running.ended());
    }
  }

  private void insert(String table, int id) {
    try {
      postgres.sql("INSERT INTO " + table + " VALUES (" + id + ")");
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void listsTheTablesOfItsSchemasAndNothingElse() throws Exception {
    postgres.sql(
        "CREATE SCHEMA listed",
        "CREATE SCHEMA unlisted",
        "CREATE TABLE listed.\"Od.d Name\" (a text, gone int, \"Id\" int, b int, PRIMARY KEY (b, \"Id\"))",
        "ALTER TABLE listed.\"Od.d Name\" DROP COLUMN gone",
        "CREATE TABLE listed.keyless (a text)",
        "CREATE VIEW listed.view AS SELECT 1 AS one",
        "CREATE SEQUENCE listed.sequence",
        "CREATE TABLE unlisted.t (id int PRIMARY KEY)");
    Map<String, String> settings = postgres.settings("listed");
    try (Source source = postgres.source(settings)) {
      assertThat(source.tables().orElseThrow())
          .containsExactlyInAnyOrder(
              new TableOutline(
                  TableId.of("listed", "Od.d Name"), List.of("a", "Id", "b"), List.of("Id", "b")),
              new TableOutline(TableId.of("listed", "keyless"), List.of("a"), List.of()));
    }
    settings.put("schemalessSchema", "listed");
    try (Source source = postgres.source(settings)) {
      assertThat(source.tables().orElseThrow())
          .extracting(TableOutline::table)
          .containsExactlyInAnyOrder(TableId.of("Od.d Name"), TableId.of("keyless"));
    }
  }

  @Test
  void saysWhyItsTablesCannotBeListed() {
    Map<String, String> settings = postgres.settings("listed");
    settings.put("database", "nowhere");
    try (Source source = postgres.source(settings)) {
      assertThatExceptionOfType(SourceException.class)
          .isThrownBy(source::tables)
          .withMessageContaining("its tables cannot be listed")
          .withMessageContaining("Check the name of the database");
    }
  }

  @Test
  void saysWhyTheVersionIsNotToBeHad() {
    Map<String, String> settings = postgres.settings("version");
    settings.put("database", "nowhere");
    try (Source source = postgres.source(settings)) {
      assertThatExceptionOfType(SourceException.class)
          .isThrownBy(source::version)
          .withMessageContaining("it cannot be asked for its version")
          .withMessageContaining("Check the name of the database");
    }
  }

  /**
   * Four transactions whose rows lie mixed in the log, and a pipeline that dies after each commit:
   * the position of one must never swallow rows of the next.
   */
  @Test
  void losesAndDoublesNothingWhenKilledBetweenInterleavedTransactions() throws Exception {
    postgres.sql(
        "CREATE SCHEMA mixed",
        "CREATE TABLE mixed.rows (text text)",
        "CREATE TABLE mixed.empty (id int PRIMARY KEY)",
        "INSERT INTO mixed.rows VALUES ('before')");
    TableId rows = TableId.of("mixed", "rows");
    RecordingSink sink = new RecordingSink();
    Map<String, String> settings = postgres.settings("mixed");
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      sink.await("the snapshot", s -> s.snapshotFinished(rows) || running.ended());
    }
    assertThat(sink.snapshotFinished(TableId.of("mixed", "empty"))).isTrue();
    assertThat(sink.warnings()).anyMatch(w -> w.contains("\"mixed\".\"rows\" has no primary key"));
    try (Connection one = postgres.connect();
        Connection two = postgres.connect()) {
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      for (int round = 0; round < 2; round++) {
        execute(one, "INSERT INTO mixed.rows VALUES ('first " + round + "')");
        execute(two, "INSERT INTO mixed.rows VALUES ('second " + round + "')");
        two.commit();
        execute(one, "INSERT INTO mixed.rows VALUES ('first again " + round + "')");
        one.commit();
      }
    }
    int taken = 0;
    while (taken < 4) {
      sink.restart();
      sink.failAfter(1);
      int before = sink.commits().size();
      try (var running = postgres.start(settings, sink, 1 << 20)) {
        sink.await("one more commit", s -> s.commits().size() > before || running.ended());
        running.confirm(sink.confirmed());
        if (taken < 3) {
          assertThat(running.failure()).isInstanceOf(InterruptedException.class);
        }
      }
      taken += sink.commits().size() - before;
    }
    assertThat(sink.rows(rows))
        .containsExactly(
            "{text=before}",
            "{text=first 0}",
            "{text=first 1}",
            "{text=first again 0}",
            "{text=first again 1}",
            "{text=second 0}",
            "{text=second 1}");
  }

  @Test
  @Tag("full")
  void followsUpdatesDeletesKeysAndAnAddedColumn() throws Exception {
    postgres.sql(
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.t (id int PRIMARY KEY, long text, n int)",
        "ALTER TABLE shop.t REPLICA IDENTITY FULL",
        "INSERT INTO shop.t SELECT i, repeat(md5(i::text), 500), i FROM generate_series(1, 3) i");
    TableId table = TableId.of("shop", "t");
    RecordingSink sink = new RecordingSink();
    try (var running = postgres.start(postgres.settings("shop"), sink, 1 << 20)) {
      sink.await("the snapshot", s -> s.snapshotFinished(table) || running.ended());
      postgres.sql(
          "UPDATE shop.t SET n = n + 10 WHERE id = 1",
          "UPDATE shop.t SET id = 22 WHERE id = 2",
          "DELETE FROM shop.t WHERE id = 3",
          "BEGIN; INSERT INTO shop.t VALUES (4, 'x', 4); ALTER TABLE shop.t ADD COLUMN more"
              + " numeric(5,2); INSERT INTO shop.t VALUES (5, 'y', 5, 1.5); COMMIT");
      sink.await("the last row", s -> s.rows(table).size() == 4 || running.ended());
    }
    assertThat(sink.rows(table))
        .hasSize(4)
        .anyMatch(row -> row.startsWith("{id=1, long=c4ca4238") && row.endsWith("n=11}"))
        .anyMatch(row -> row.startsWith("{id=22, long=c81e728d") && row.endsWith("n=2}"))
        .contains("{id=4, long=x, n=4}", "{id=5, long=y, more=1.50, n=5}");
    assertThat(sink.declarations()).endsWith("shop.t v2");
  }

  @Test
  @Tag("full")
  void marksUnchangedLongValuesOfUpdatesAsNotSent() throws Exception {
    postgres.sql(
        "CREATE SCHEMA toast",
        "CREATE TABLE toast.t (id int PRIMARY KEY, long text, bytes bytea, list int[], n int)",
        "ALTER TABLE toast.t ALTER long SET STORAGE EXTERNAL",
        "ALTER TABLE toast.t ALTER bytes SET STORAGE EXTERNAL",
        "ALTER TABLE toast.t ALTER list SET STORAGE EXTERNAL",
        "INSERT INTO toast.t VALUES (1, repeat('x', 9000), decode(repeat('ff', 9000), 'hex'),"
            + " array_fill(7, ARRAY[3000]), 1)");
    TableId table = TableId.of("toast", "t");
    RecordingSink sink = new RecordingSink();
    try (var running = postgres.start(postgres.settings("toast"), sink, 1 << 20)) {
      sink.await("the snapshot", s -> s.snapshotFinished(table) || running.ended());
      postgres.sql("UPDATE toast.t SET n = 2");
      sink.await(
          "the update",
          s -> s.commits().stream().anyMatch(c -> !c.rows().isEmpty()) || running.ended());
    }
    assertThat(sink.commits().stream().flatMap(c -> c.rows().stream()))
        .containsExactly(
            "UPDATE_AFTER toast.t {bytes=null, id=1, list=null, long=null, n=2}"
                + "[long, bytes, list]");
    assertThat(sink.warnings()).anyMatch(w -> w.contains("REPLICA IDENTITY FULL"));
  }

  @Test
  @Tag("full")
  void letsTheServerForgetItsLogAlthoughNoCapturedTableChanges() throws Exception {
    postgres.sql(
        "CREATE SCHEMA idle",
        "CREATE SCHEMA busy",
        "CREATE TABLE idle.t (id int PRIMARY KEY)",
        "CREATE TABLE busy.t (id int PRIMARY KEY)");
    RecordingSink sink = new RecordingSink();
    try (var running = postgres.start(postgres.settings("idle"), sink, 1 << 20)) {
      sink.await(
          "the snapshot", s -> s.snapshotFinished(TableId.of("idle", "t")) || running.ended());
      postgres.sql("INSERT INTO busy.t SELECT generate_series(1, 50000)");
      long target = query("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
      AtomicLong slot = new AtomicLong();
      sink.await(
          "the slot moves on",
          s -> {
            running.confirm(s.confirmed());
            slot.set(
                query(
                    "SELECT confirmed_flush_lsn - '0/0'::pg_lsn FROM pg_replication_slots"
                        + " WHERE slot_name = 'slot_idle'"));
            return slot.get() >= target || running.ended();
          });
      assertThat(slot.get()).isGreaterThanOrEqualTo(target);
    }
  }

  private static long query(String sql) {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Tag("full")
  void refusesToGoOnWhenTheSlotIsGone() throws Exception {
    postgres.sql("CREATE SCHEMA gone", "CREATE TABLE gone.t (id int PRIMARY KEY)");
    RecordingSink sink = new RecordingSink();
    Map<String, String> settings = postgres.settings("gone");
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      sink.await(
          "the snapshot", s -> s.snapshotFinished(TableId.of("gone", "t")) || running.ended());
      postgres.sql("INSERT INTO gone.t VALUES (1)");
      sink.await("a commit", s -> s.confirmed().isPresent() || running.ended());
    }
    postgres.sql("SELECT pg_drop_replication_slot('slot_gone')");
    sink.restart();
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      assertThat(running.failure())
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("replication slot 'slot_gone' no longer exists");
    }
    sink.forgetConfirmed();
    try (var running = postgres.start(settings, sink, 1 << 20)) {
      assertThat(running.failure())
          .as("the hub lost its state, but the table stands in the target")
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("replication slot 'slot_gone' no longer exists");
    }
    assertThat(query("SELECT count(*) FROM pg_replication_slots WHERE slot_name = 'slot_gone'"))
        .isZero();
  }

  @Test
  @Tag("full")
  void stopsOneTableForANumberThatIsNone() throws Exception {
    postgres.sql(
        "CREATE SCHEMA nan",
        "CREATE TABLE nan.bad (id int PRIMARY KEY, n numeric(5,2))",
        "CREATE TABLE nan.good (id int PRIMARY KEY)",
        "INSERT INTO nan.bad VALUES (1, 'NaN')");
    RecordingSink sink = new RecordingSink();
    try (var running = postgres.start(postgres.settings("nan"), sink, 1 << 20)) {
      sink.await(
          "the other snapshot",
          s -> s.snapshotFinished(TableId.of("nan", "good")) || running.ended());
    }
    assertThat(sink.stopped()).hasSize(1);
    assertThat(sink.stopped().get(0)).hasMessageContaining("nan.bad.n");
  }

  @Test
  @Tag("full")
  void handsOverATransactionLargerThanItsMemory() throws Exception {
    postgres.sql("CREATE SCHEMA large", "CREATE TABLE large.t (id int PRIMARY KEY, text text)");
    TableId table = TableId.of("large", "t");
    RecordingSink sink = new RecordingSink();
    try (var running = postgres.start(postgres.settings("large"), sink, 1 << 20)) {
      sink.await("the snapshot", s -> s.snapshotFinished(table) || running.ended());
      postgres.sql("INSERT INTO large.t SELECT i, 'text ' || i FROM generate_series(1, 200000) i");
      sink.await(
          "the commit",
          s -> s.commits().stream().anyMatch(c -> !c.rows().isEmpty()) || running.ended());
    }
    assertThat(sink.parts()).isGreaterThan(3);
    assertThat(sink.rows(table)).hasSize(200_000);
  }
}
