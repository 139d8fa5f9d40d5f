package io.corehub.hub.debezium;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A real PostgreSQL with logical replication, and sources that read from it. */
final class PostgresUnderTest implements AutoCloseable {

  private final EmbeddedPostgres postgres;
  private final Path spools;

  PostgresUnderTest(Path spools) throws IOException {
    this.spools = spools;
    this.postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("wal_level", "logical")
            .setServerConfig("fsync", "off")
            .start();
  }

  Connection connect() throws SQLException {
    return postgres.getPostgresDatabase().getConnection();
  }

  void sql(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Settings of a source with a slot and publication of its own, for tables of one schema. */
  Map<String, String> settings(String schema) {
    Map<String, String> values = new HashMap<>();
    values.put("hostname", "127.0.0.1");
    values.put("port", Integer.toString(postgres.getPort()));
    values.put("database", "postgres");
    values.put("username", "postgres");
    values.put("slotName", "slot_" + schema);
    values.put("publicationName", "pub_" + schema);
    values.put("schemas", schema);
    return values;
  }

  Running start(Map<String, String> values, RecordingSink sink, long memoryBytes) {
    return start(values, sink, memoryBytes, BeforeImage.FULL, table -> true);
  }

  Running start(
      Map<String, String> values,
      RecordingSink sink,
      long memoryBytes,
      BeforeImage beforeImage,
      Predicate<TableId> selected) {
    return new Running(source(values, sink.confirmed(), memoryBytes, beforeImage, selected), sink);
  }

  /** A source that does not run. */
  Source source(Map<String, String> values) {
    return source(values, Optional.empty(), 1 << 20, BeforeImage.FULL, table -> true);
  }

  private Source source(
      Map<String, String> values,
      Optional<SourcePosition> confirmed,
      long memoryBytes,
      BeforeImage beforeImage,
      Predicate<TableId> selected) {
    PostgresSourceProvider provider = new PostgresSourceProvider();
    SourceContext context =
        new SourceContext(
            "test",
            spools,
            confirmed,
            beforeImage,
            selected,
            memoryBytes,
            Instant::now,
            Meters.NONE);
    return provider.create(provider.settings().parse(values), context);
  }

  /** What the server says of its version. */
  String version() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW server_version")) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** A source running in a thread of its own. */
  static final class Running implements AutoCloseable {
    private final Source source;
    private final Thread thread;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Running(Source source, RecordingSink sink) {
      this.source = source;
      this.thread =
          new Thread(
              () -> {
                try {
                  source.run(sink);
                } catch (Throwable e) {
                  failure.set(e);
                }
              },
              "source under test");
      thread.start();
    }

    void confirm(Optional<SourcePosition> position) {
      position.ifPresent(source::confirmed);
    }

    boolean ended() {
      return !thread.isAlive();
    }

    /** Why it ended; waits for it. */
    Throwable failure() throws InterruptedException {
      thread.join(60_000);
      return failure.get();
    }

    @Override
    public void close() {
      source.stop();
      try {
        thread.join(60_000);
      } catch (InterruptedException e) {
        throw new AssertionError("Interrupted while the source stops", e);
      }
      if (thread.isAlive()) {
        throw new AssertionError("The source does not stop");
      }
      source.close();
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
