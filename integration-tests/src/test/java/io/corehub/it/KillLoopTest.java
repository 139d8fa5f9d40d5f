package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hub is killed again and again while it mirrors streams into landing zones. */
class KillLoopTest implements KillLoop.Kind {

  @TempDir Path directory;

  @Test
  void nothingIsLostOrDoubledOverAFewKills() throws Exception {
    new KillLoop(directory, this).kill(3);
  }

  @Test
  @Tag("full")
  void nothingIsLostOrDoubledOverManyKills() throws Exception {
    new KillLoop(directory, this).kill(KillLoop.MANY);
  }

  @Override
  public String configure(Emulator emulator, KillLoop.Stream stream) throws Exception {
    return new Pipeline(stream.home(), emulator)
        .lines(stream.changes().lines())
        .set("tryTimeoutInSeconds", 10)
        .set("writePartnerEvents", "false")
        .set("cdcBatchMaxSeconds", stream.random().nextInt(2))
        .set("cdcBatchRows", 10)
        .set("snapshotPublishing", stream.random().nextBoolean() ? "staged" : "streamed")
        .write();
  }

  @Override
  public void judge(Emulator emulator, KillLoop.Stream stream) throws Exception {
    Map<String, List<String>> mirrored = new TreeMap<>();
    for (MirroredTable table : MirroredTables.below(emulator.directory()).all()) {
      assertThat(table.problem()).as(table.name()).isEmpty();
      StringBuilder rows = new StringBuilder();
      table.writeJsonRows(rows);
      mirrored.put(table.name(), rows.toString().lines().sorted().toList());
    }
    assertThat(mirrored).isEqualTo(stream.changes().expected());
    emulator.assertLandedWell();
  }

  @Override
  public void clear(Emulator emulator) throws IOException {
    Path zone = emulator.landingZone();
    try (Stream<Path> landed = Files.walk(zone)) {
      for (Path path : landed.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(zone)) {
          Files.delete(path);
        }
      }
    }
  }
}
