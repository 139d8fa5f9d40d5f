package io.corehub.fabric.mirroring;

import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.storage.probe.Verdict;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Probes of what tables Fabric takes: publishes a file in a table of its own for each, so that one
 * that is refused does not stand in the way of the others. Confined to one caller at a time.
 */
final class LimitProbes {

  static final Set<FabricProbe> ALL =
      EnumSet.range(FabricProbe.TAKES_COLUMN_NAMES, FabricProbe.TAKES_NULL_KEYS);

  /** Columns of the wide table: as many as Fabric's SQL endpoint shows of a table. */
  static final int WIDE = 1_024;

  /** What the agent lets pass, and other systems stumble over. */
  static final List<String> NAMES =
      List.of(
          "a b",
          "a.b",
          "a,b;c=d",
          "{a}(b)[c]<d>",
          "a/b\\c",
          "`a` \"b\" 'c'",
          "a\tb\nc",
          "50%25 +#?&*|",
          "größe 表 \uD83D\uDE00",
          "1st",
          "x".repeat(128));

  private static final String KEY = "k";

  private final Supplier<ScratchTable> tables;
  private final Map<FabricProbe, ScratchTable> published = new EnumMap<>(FabricProbe.class);

  /**
   * Probes.
   *
   * @param tables makes a table for each, which the caller takes away
   */
  LimitProbes(Supplier<ScratchTable> tables) {
    this.tables = tables;
  }

  /** Publishes the file of each, for Fabric to take while others are waited for. */
  void publish() throws InterruptedException {
    publish(FabricProbe.TAKES_COLUMN_NAMES, NAMES);
    publish(
        FabricProbe.TAKES_WIDE_TABLES,
        IntStream.rangeClosed(1, WIDE).mapToObj(n -> "c" + n).toList());
    ScratchTable keyed = table(FabricProbe.TAKES_NULL_KEYS);
    keyed.declareKey(KEY);
    ColumnBatchBuilder rows = ScratchTable.rows(List.of(KEY, FileSchema.MARKER));
    rows.setInt(1, ChangeReader.UPSERT);
    rows.endRow();
    keyed.publishFirst(rows.build());
  }

  private void publish(FabricProbe probe, List<String> columns) throws InterruptedException {
    ScratchTable table = table(probe);
    ColumnBatchBuilder rows = ScratchTable.rows(columns);
    for (int column = 0; column < columns.size(); column++) {
      rows.setLong(column, column);
    }
    rows.endRow();
    table.publishFirst(rows.build());
  }

  private ScratchTable table(FabricProbe probe) throws InterruptedException {
    ScratchTable table = tables.get();
    published.put(probe, table);
    table.folder().make();
    return table;
  }

  /**
   * What Fabric says of the table of a probe.
   *
   * @param reports of all tables
   * @return empty while it says nothing that decides
   */
  Optional<Verdict> verdict(FabricProbe probe, Monitoring monitoring, List<TableReport> reports) {
    return Stream.ofNullable(published.get(probe))
        .flatMap(table -> monitoring.find(table.table(), reports).stream())
        .flatMap(report -> verdict(report).stream())
        .findFirst();
  }

  private static Optional<Verdict> verdict(TableReport report) {
    if (report.status().failed()) {
      return Optional.of(
          new Verdict.Refuted(
              "Fabric stopped the table: "
                  + report.status().word()
                  + " "
                  + report.status().error()));
    }
    boolean taken = report.operations().orElse(0) > 0 || report.lastSync().isPresent();
    return taken ? Optional.of(new Verdict.Held()) : Optional.empty();
  }
}
