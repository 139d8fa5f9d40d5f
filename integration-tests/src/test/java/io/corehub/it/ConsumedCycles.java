package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.verify.FolderFiles;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.CycleReader;
import io.corehub.cyclereader.CycleRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A consumer of a job's completed cycles that stops at everything a change must not meet: an insert
 * over a row of its key, an update or delete of a row that is not as its old values say.
 */
final class ConsumedCycles {

  private ConsumedCycles() {}

  /** All rows of a job, by cycle, table and sequence. */
  static List<CycleRow> rows(Path connectionFolder, String job) throws IOException {
    List<CycleRow> rows = new ArrayList<>();
    try (FolderFiles files = new FolderFiles(connectionFolder)) {
      new CycleReader(files, CycleDirectories.usual(job)).read(Optional.empty(), rows::add);
    }
    return rows;
  }

  /** What the verifier says of a job: no error. Remarks are returned. */
  static List<String> assertWritten(Path jobFolder) throws InterruptedException {
    return Hub.run("verify-cycles", jobFolder.toString()).succeeded().output().lines().toList();
  }

  /**
   * The rows of each table in the end, as JSON texts, sorted.
   *
   * @param keyed whether a table has a key, its column {@code id}
   */
  static Map<String, List<String>> tables(List<CycleRow> rows, Predicate<String> keyed) {
    Map<String, List<ObjectNode>> tables = new TreeMap<>();
    Map<String, String> sequences = new TreeMap<>();
    for (CycleRow row : rows) {
      String last = sequences.put(row.table(), row.sequence());
      assertThat(last == null || last.compareTo(row.sequence()) < 0)
          .as("%s comes after %s", row, last)
          .isTrue();
      apply(
          row,
          tables.computeIfAbsent(row.table(), table -> new ArrayList<>()),
          keyed.test(row.table()));
    }
    Map<String, List<String>> texts = new TreeMap<>();
    tables.forEach(
        (table, all) -> texts.put(table, all.stream().map(JsonNode::toString).sorted().toList()));
    return texts;
  }

  private static void apply(CycleRow row, List<ObjectNode> table, boolean keyed) {
    switch (row.operation()) {
      case "T" -> table.clear();
      case "I", "Y" -> insert(row, table, keyed);
      case "U" -> {
        assertThat(table.remove(row.before().orElseThrow())).as("there for %s", row).isTrue();
        insert(row, table, keyed);
      }
      case "D" ->
          assertThat(table.remove(row.row().orElseThrow())).as("there for %s", row).isTrue();
      case "X" ->
          table.removeIf(
              there -> keyed ? sameKey(there, row) : there.equals(row.row().orElseThrow()));
      default -> throw new AssertionError(row.toString());
    }
  }

  private static void insert(CycleRow row, List<ObjectNode> table, boolean keyed) {
    assertThat(keyed && table.stream().anyMatch(there -> sameKey(there, row)))
        .as("no row of the key of %s", row)
        .isFalse();
    table.add(row.row().orElseThrow());
  }

  private static boolean sameKey(ObjectNode there, CycleRow row) {
    return there.get("id").equals(row.row().orElseThrow().get("id"));
  }
}
