package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.cyclereader.CycleRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hub is killed again and again while it writes streams as cycle files: into a Lakehouse and an
 * ADLS-shaped file system at any request, into a local folder at any file. Combined jobs end with
 * the source's rows, incremental ones hold each change once.
 */
class CyclesKillLoopTest implements KillLoop.Kind {

  private static final int MOST_FILES = 60;

  @TempDir Path directory;

  /** Where a stream goes, by its number: each place with each load type and format. */
  private enum Place {
    LAKEHOUSE,
    ADLS,
    FOLDER;

    static Place of(KillLoop.Stream stream) {
      return values()[number(stream) % values().length];
    }
  }

  @Test
  void nothingIsLostOrDoubledOverAFewKills() throws Exception {
    new KillLoop(directory, this).kill(4);
  }

  @Test
  @Tag("full")
  void nothingIsLostOrDoubledOverManyKills() throws Exception {
    new KillLoop(directory, this).kill(KillLoop.MANY);
  }

  private static int number(KillLoop.Stream stream) {
    return Integer.parseInt(stream.name().substring(1));
  }

  private static boolean combined(KillLoop.Stream stream) {
    return number(stream) / 3 % 2 == 0;
  }

  @Override
  public String configure(Emulator emulator, KillLoop.Stream stream) throws Exception {
    String target =
        switch (Place.of(stream)) {
          case LAKEHOUSE -> emulator.targetSettings("storageUrl", "lakehouseFilesUrl");
          case ADLS -> emulator.targetSettings("storageUrl", "adlsUrl");
          case FOLDER -> "        storageUrl: file:out\n";
        };
    return new Pipeline(stream.home(), "cycle-files", target)
        .lines(withPauses(stream.changes().lines()))
        .set("connectionFolder", "cdc")
        .set("taskTargetDirectory", stream.name())
        .set("loadType", combined(stream) ? "COMBINED" : "INCREMENTAL")
        .set("outputFormat", stream.random().nextBoolean() ? "CSV" : "PARQUET")
        .set("schemaFileForParquet", "true")
        .set("addDirectoryTags", stream.random().nextBoolean())
        .set("cycleChangeLimit", 10)
        .set("maxFileRows", 20)
        .write();
  }

  /** A cycle that ends by its rows lasts a second. */
  private static List<String> withPauses(List<String> lines) {
    List<String> paused = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      paused.add(lines.get(i));
      if (i % 25 == 24) {
        paused.add("{\"kind\":\"pause\",\"millis\":1100}");
      }
    }
    return paused;
  }

  @Override
  public KillLoop.Trap trap(Emulator emulator, KillLoop.Stream stream) throws Exception {
    if (Place.of(stream) != Place.FOLDER) {
      return KillLoop.Kind.super.trap(emulator, stream);
    }
    Path out = stream.home().resolve("out");
    long enough = files(out) + 1 + stream.random().nextInt(MOST_FILES);
    return new KillLoop.Trap() {
      @Override
      public boolean struck() throws IOException {
        return files(out) >= enough;
      }

      @Override
      public void clear() {}
    };
  }

  private static long files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).count();
    } catch (java.io.UncheckedIOException e) {
      // A temporary file went while the folder was read.
      return 0;
    }
  }

  private static Path connectionFolder(Emulator emulator, KillLoop.Stream stream)
      throws IOException {
    return switch (Place.of(stream)) {
      case LAKEHOUSE -> emulator.lakehouseFiles().resolve("cdc");
      case ADLS -> connectionFolderIn(emulator.directory(), stream.name());
      case FOLDER -> stream.home().resolve("out/cdc");
    };
  }

  private static Path connectionFolderIn(Path root, String job) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> path.endsWith(Path.of("cdc", job)))
          .findFirst()
          .orElseThrow()
          .getParent();
    }
  }

  @Override
  public void judge(Emulator emulator, KillLoop.Stream stream) throws Exception {
    Path folder = connectionFolder(emulator, stream);
    List<CycleRow> rows = ConsumedCycles.rows(folder, stream.name());
    if (combined(stream)) {
      assertThat(ConsumedCycles.tables(rows, table -> table.contains("keyed")))
          .isEqualTo(stream.changes().expected());
    } else {
      assertThat(changes(rows)).isEqualTo(expectedChanges(stream));
    }
    ConsumedCycles.assertWritten(folder.resolve(stream.name()));
  }

  @Override
  public void clear(Emulator emulator) {
    // Each stream has a job folder of its own.
  }

  /** Position, operation and row of every change, by table. */
  private static Map<String, List<String>> changes(List<CycleRow> rows) {
    Map<String, List<String>> changes = new TreeMap<>();
    for (CycleRow row : rows) {
      changes
          .computeIfAbsent(row.table(), table -> new ArrayList<>())
          .add(
              Long.parseLong(row.sequence().substring(0, 20))
                  + " "
                  + row.operation()
                  + " "
                  + row.row().orElseThrow());
    }
    return changes;
  }

  private static Map<String, List<String>> expectedChanges(KillLoop.Stream stream)
      throws IOException {
    Map<String, List<String>> changes = new TreeMap<>();
    for (String line : stream.changes().lines()) {
      JsonNode commit = Emulator.JSON.readTree(line);
      for (JsonNode change : commit.path("changes")) {
        String op = change.get("op").asText();
        changes
            .computeIfAbsent(change.get("table").asText(), table -> new ArrayList<>())
            .add(
                commit.get("position").asLong()
                    + " "
                    + op.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                    + " "
                    + change.get(op.equals("delete") ? "before" : "after"));
      }
    }
    return changes;
  }
}
