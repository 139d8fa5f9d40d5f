package io.corehub.lineage;

import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableShape.TargetColumn;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.observe.SourceOrigin;
import io.corehub.agent.settings.Secret;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.openlineage.client.OpenLineage.RunEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values the tests of lineage share. */
final class LineageBench {

  static final String TENANT = "68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c";
  static final String WORKSPACE = "d1f6473b-9f7a-4352-940b-a8d74461d3fc";
  static final String ITEM = "d75873bd-716b-4378-a37e-864c76fc9b3b";
  static final String ZONE =
      "https://onelake.dfs.fabric.microsoft.com/" + WORKSPACE + "/" + ITEM + "/Files/LandingZone";
  static final Instant START = Instant.parse("2026-11-29T10:00:00Z");
  static final TableId ORDERS = TableId.of("sales", "orders");
  static final SourceOrigin POSTGRES =
      new SourceOrigin(
          "postgresql",
          Optional.of("jdbc:postgresql://db.example.com:5432/shop"),
          Optional.of("public"));
  static final SourceOrigin STREAM =
      new SourceOrigin("change-stream", Optional.empty(), Optional.empty());

  private LineageBench() {}

  /** A clock that a test turns. */
  static final class TestClock implements InstantSource {
    private Instant now = START;

    @Override
    public synchronized Instant instant() {
      return now;
    }

    synchronized void pass(long seconds) {
      now = now.plusSeconds(seconds);
    }

    synchronized void passMillis(long millis) {
      now = now.plusMillis(millis);
    }
  }

  static Map<String, String> settings(String... pairs) {
    Map<String, String> values = new HashMap<>(Map.of("enabled", "true"));
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return values;
  }

  static ObservedPipeline pipeline(SourceOrigin source, Path memory, InstantSource clock) {
    return new ObservedPipeline(
        "core-hub",
        "shop",
        source,
        Map.of("tenantId", TENANT),
        List.of(new Secret("MARKER-SECRET")),
        memory,
        clock);
  }

  static LineageConfig config(String... pairs) {
    return LineageConfig.of(
        LineageSettings.ALL.parse(settings(pairs)),
        pipeline(POSTGRES, Path.of("unused"), InstantSource.system()));
  }

  static TableShape shape(TableId table, String... columns) {
    List<Column> source =
        List.of(columns).stream()
            .map(name -> Column.of(name, ColumnType.of(ColumnType.Kind.LONG)))
            .toList();
    List<TargetColumn> target =
        List.of(columns).stream()
            .map(name -> new TargetColumn(name, "long", Optional.of(name)))
            .toList();
    String folder = table.schema().map(schema -> "/" + schema + ".schema").orElse("");
    return new TableShape(
        new TableSchema(table, source, List.of(), columns.length),
        ZONE + folder + "/" + table.name(),
        target);
  }

  static SourcePosition position() {
    return new SourcePosition("timeline-1", 7, "");
  }

  static SnapshotStart snapshotStart() {
    return new SnapshotStart("s1", position());
  }

  static PublishedFile changes(TableId table, long rows) {
    return file(table, PublishedFile.Kind.CHANGES, rows);
  }

  static PublishedFile snapshot(TableId table, long rows) {
    return file(table, PublishedFile.Kind.SNAPSHOT, rows);
  }

  private static PublishedFile file(TableId table, PublishedFile.Kind kind, long rows) {
    return new PublishedFile(table, kind, "f", rows, 100 * rows, position());
  }

  /** Type, job and rows of an event, in one line. */
  static String line(RunEvent event) {
    String rows =
        event.getOutputs().stream()
            .filter(out -> out.getOutputFacets() != null)
            .map(out -> out.getOutputFacets().getOutputStatistics())
            .filter(statistics -> statistics != null)
            .map(s -> " " + s.getRowCount() + " rows in " + s.getFileCount())
            .findFirst()
            .orElse("");
    return event.getEventType() + " " + event.getJob().getName() + rows;
  }

  static String line(Emission emission) {
    return emission.type()
        + " "
        + emission.run().job().name()
        + (emission.statistics().isNone()
            ? ""
            : " " + emission.statistics().rows() + " rows in " + emission.statistics().files());
  }
}
