package io.corehub.hub.compare;

import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.emulator.CanonicalValue;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import io.corehub.emulator.RowChecksum;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.pipeline.SourceReading;
import io.corehub.hub.source.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the tables of a pipeline: the source read anew, the target worked out from all files of
 * its landing zone. Writes nothing on either side. Stateless.
 */
public final class PipelineComparison {

  private static final String FIRST_FILES_GONE =
      "Fabric has deleted the table's first files, so its rows cannot be worked out from the landing"
          + " zone any more, and this version does not read the item's Tables folder. Count the rows"
          + " at the mirrored database's SQL endpoint";

  private PipelineComparison() {}

  /**
   * Compares.
   *
   * @param pipeline the pipeline
   * @param landed the files of its landing zone
   * @param scratch existing private directory for the time of the comparison; takes a copy of the
   *     landing zone
   * @return a line for each table of the source that the configuration selects
   * @throws IOException if the landing zone cannot be read
   * @throws io.corehub.hub.source.SourceException if the source cannot be read
   * @throws InterruptedException if interrupted
   */
  public static Comparison of(PipelineConfig pipeline, TargetFiles landed, Path scratch)
      throws IOException, InterruptedException {
    Path spool = scratch.resolve("spool");
    PrivateFiles.createDirectories(spool);
    SourceTables source = new SourceTables();
    SourceReading.of(pipeline, spool, source)
        .forEach((table, why) -> source.of(table).unknown(why));
    Path zone = Files.createDirectories(scratch.resolve("Files").resolve("LandingZone"));
    LandedCopy copy = new LandedCopy(landed, zone);
    copy.run();
    MirroredTables mirrored = MirroredTables.below(scratch);
    List<Comparison.Line> lines = new ArrayList<>();
    for (Map.Entry<String, SummedTable> entry : source.all().entrySet()) {
      SummedTable table = entry.getValue();
      lines.add(
          new Comparison.Line(
              entry.getKey(), table.side(), mirrored(entry.getKey(), table, mirrored, copy)));
    }
    return new Comparison(lines);
  }

  private static Optional<Comparison.Side> mirrored(
      String name, SummedTable table, MirroredTables tables, LandedCopy copy) throws IOException {
    if (copy.beginsLate(folder(name))) {
      return Optional.of(new Comparison.Side(0, "-", Optional.of(FIRST_FILES_GONE)));
    }
    Optional<MirroredTable> found = tables.find(name);
    return found.isPresent() ? Optional.of(summed(table.columns(), found.get())) : Optional.empty();
  }

  private static Comparison.Side summed(Map<String, ColumnType> columns, MirroredTable table)
      throws IOException {
    List<String> shared = table.columns().stream().filter(columns::containsKey).toList();
    int[] indexes = shared.stream().mapToInt(table.columns()::indexOf).toArray();
    List<ColumnType> types = shared.stream().map(columns::get).toList();
    RowChecksum sum = new RowChecksum();
    table.forEachRow(
        row -> {
          @Nullable Object[] values = new @Nullable Object[indexes.length];
          for (int i = 0; i < indexes.length; i++) {
            values[i] = CellValues.as(types.get(i), CanonicalValue.of(row[indexes[i]]));
          }
          sum.add(shared, values);
        });
    return new Comparison.Side(sum.rows(), sum.toString(), table.problem());
  }

  private static String folder(String table) {
    TableId id = TableId.parse(table);
    return id.schema().map(schema -> schema + ".schema/").orElse("") + id.name();
  }
}
