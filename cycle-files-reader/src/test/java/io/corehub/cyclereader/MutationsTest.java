package io.corehub.cyclereader;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.verify.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to a good tree is found. */
class MutationsTest {

  /** What a manifest tells that nothing else in the tree does. */
  private static final List<String> ONLY_THERE =
      List.of("\"pipeline\":\"shop\"", "\"token\":\"\"", "\"schemaHash\":\"h\"", "\"phase\":4");

  static Stream<Supplier<MemoryFiles>> trees() {
    return Stream.of(GoodJob::incremental, GoodJob::combined);
  }

  private static List<Violation> found(MemoryFiles files) throws Exception {
    return new CycleVerifier(GoodJob.DIRECTORIES).verify(files);
  }

  @ParameterizedTest
  @MethodSource("trees")
  void everyMissingFileIsFound(Supplier<MemoryFiles> tree) throws Exception {
    for (String path : tree.get().paths()) {
      List<Violation> found = found(tree.get().remove(path));
      assertThat(found).as("without %s", path).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("trees")
  void everyMissingFileButTheNewestCompletedOneIsAnError(Supplier<MemoryFiles> tree)
      throws Exception {
    Set<String> paths = tree.get().paths();
    String newest =
        paths.stream().filter(p -> p.contains("/completed/")).reduce((a, b) -> b).orElseThrow();
    for (String path : paths) {
      boolean oldest = path.equals(GoodJob.completed(1));
      boolean error =
          found(tree.get().remove(path)).stream()
              .anyMatch(v -> v.severity() == Violation.Severity.ERROR);
      assertThat(error || path.equals(newest) || oldest).as("without %s", path).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("trees")
  void aChangedByteOfDataIsFound(Supplier<MemoryFiles> tree) throws Exception {
    changeBytes(tree, 7);
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("trees")
  void everyChangedByteOfDataIsFound(Supplier<MemoryFiles> tree) throws Exception {
    changeBytes(tree, 1);
  }

  private static void changeBytes(Supplier<MemoryFiles> tree, int step) throws Exception {
    for (String path : tree.get().paths()) {
      if (!path.endsWith(".csv")) {
        continue;
      }
      byte[] bytes = tree.get().bytes(path);
      for (int at = bytes.length % step; at < bytes.length; at += step) {
        if (mayGoOn(tree.get().text(path), at)) {
          continue;
        }
        byte[] changed = bytes.clone();
        changed[at] ^= 1;
        assertThat(found(tree.get().put(path, changed)))
            .as("%s, byte %d of %s", path, at, new String(bytes))
            .isNotEmpty();
      }
    }
  }

  /** In a combined job a commit may have rows that are withheld, behind the last one written. */
  private static boolean mayGoOn(String text, int at) {
    int row = text.indexOf(GoodJob.s(104, 2)) + GoodJob.s(104, 2).length() - 12;
    int last = text.indexOf(GoodJob.s(106, 1)) + GoodJob.s(106, 1).length() - 12;
    return text.contains("BACKLOG_COMPLETED") && at >= row && at < row + 12
        || text.contains("NORMAL_EXPIRY") && at >= last && at < last + 12;
  }

  @Test
  void everyChangeOfAManifestThatTheTreeTellsElsewhereIsFound() throws Exception {
    String path = GoodJob.manifest(2);
    String text = GoodJob.incremental().text(path);
    for (int at = 0; at < text.length(); at++) {
      if (onlyThere(text, at)) {
        continue;
      }
      String changed =
          text.substring(0, at) + (char) (text.charAt(at) ^ 1) + text.substring(at + 1);
      assertThat(found(GoodJob.incremental().put(path, changed)))
          .as("character %d, '%s', of %s", at, text.charAt(at), text)
          .isNotEmpty();
    }
  }

  private static boolean onlyThere(String text, int at) {
    for (String part : ONLY_THERE) {
      for (int from = text.indexOf(part); from >= 0; from = text.indexOf(part, from + 1)) {
        if (at >= from && at < from + part.length()) {
          return true;
        }
      }
    }
    // The state of a table that has no rows in the cycle, and how far another one is ahead.
    int customers = text.indexOf("\"sales.customers\"");
    int ahead = text.indexOf("\"sales.orders\"") + "\"sales.orders\"".length();
    return (at >= customers && at < text.indexOf("\"sales.orders\""))
        || (at > ahead && at < text.indexOf("},\"files\""))
        || text.charAt(at) == '\n';
  }

  @ParameterizedTest
  @MethodSource("trees")
  void everyFileCutShortIsFound(Supplier<MemoryFiles> tree) throws Exception {
    Random random = new Random(1);
    for (String path : tree.get().paths()) {
      byte[] bytes = tree.get().bytes(path);
      int length = random.nextInt(bytes.length - 1);
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThat(found(tree.get().put(path, cut))).as("%s cut to %d", path, length).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("trees")
  void everyExtraFileIsFound(Supplier<MemoryFiles> tree) throws Exception {
    List<String> extras = new ArrayList<>();
    for (String path : tree.get().paths()) {
      extras.add(Folder.parent(path) + "/extra");
      extras.add(Folder.parent(path) + "/_extra");
      if (path.contains("/data/2026")) {
        extras.add(path.replace(".csv", "_0002.csv"));
        extras.add(path.replace(".csv", ".parquet"));
        extras.add(path.replace("orders_", "ordres_").replace("customers_", "costumers_"));
      }
    }
    for (String extra : extras) {
      assertThat(found(tree.get().put(extra, "x"))).as("with %s", extra).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("trees")
  void aCycleThatIsRemovedFromTheMiddleLeavesAGap(Supplier<MemoryFiles> tree) throws Exception {
    MemoryFiles files = tree.get();
    for (String path : tree.get().paths()) {
      if (path.contains(GoodJob.CYCLES.get(1))) {
        files.remove(path);
      }
    }
    assertThat(found(files)).extracting(Violation::rule).contains(CycleRule.GAP.id());
  }

  @Test
  void cyclesThatRetentionRemovedAreARemark() throws Exception {
    MemoryFiles files = GoodJob.incremental();
    for (String path : GoodJob.incremental().paths()) {
      if (path.contains(GoodJob.CYCLES.get(0))) {
        files.remove(path);
      }
    }
    assertThat(found(files))
        .extracting(Violation::rule)
        .containsExactly(CycleRule.EARLIER_REMOVED.id());
  }

  @Test
  void anAcceptedRollbackIsARemark() throws Exception {
    MemoryFiles files =
        GoodJob.incremental()
            .edit(GoodJob.manifest(3), GoodJob.CYCLES.get(1), "2026-11-29-10-01-00")
            .edit(GoodJob.manifest(3), "]}\n", "],\"rollback\":true}\n");
    assertThat(found(files))
        .extracting(Violation::rule)
        .containsExactly(CycleRule.EARLIER_REMOVED.id());
  }

  @Test
  void cyclesOfOneWriterUnderTheNamesOfAnotherAreFound() throws Exception {
    MemoryFiles files = GoodJob.incremental();
    String reused = "dt=" + GoodJob.CYCLES.get(1);
    files.put(
        GoodJob.contents(2).replace(GoodJob.CYCLES.get(1) + "/", reused + "/"),
        files.text(GoodJob.contents(2)));
    assertThat(found(files)).extracting(Violation::rule).contains(CycleRule.NAME_REUSED.id());
  }
}
