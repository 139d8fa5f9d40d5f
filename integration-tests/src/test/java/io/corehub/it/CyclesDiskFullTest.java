package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.cyclereader.CycleRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No room for the files of a cycle in a local folder: writing is repeated and the person told, no
 * half of a cycle is ever visible, and once there is room each row is there once.
 */
class CyclesDiskFullTest {

  private static final int ONE_MEGABYTE = 2_048;
  private static final int SMALL = 10;
  private static final int LARGE = 2_000;

  @TempDir Path directory;

  /** A cycle that fits, and behind it one whose file does not. */
  private Pipeline pipeline() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add(DiskFullTest.table("t"));
    lines.add(DiskFullTest.commit(1, 1, SMALL, 1));
    lines.add("{\"kind\":\"pause\",\"millis\":1100}");
    lines.add(DiskFullTest.commit(2, SMALL + 1, SMALL + LARGE, 400));
    return new Pipeline(directory, "cycle-files", "        storageUrl: file:out\n")
        .lines(lines)
        .set("connectionFolder", "cdc")
        .set("cycleChangeLimit", SMALL)
        .set("retryBudgetSeconds", 1);
  }

  private List<String> ids() throws Exception {
    List<CycleRow> rows = ConsumedCycles.rows(directory.resolve("out/cdc"), "shop");
    return rows.stream().map(row -> row.row().orElseThrow().get("id").asText()).toList();
  }

  private static List<String> numbers(int to) {
    return IntStream.rangeClosed(1, to).mapToObj(Integer::toString).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CSV", "PARQUET"})
  void whatIsVisibleIsWholeAndTheRestComesOnceThereIsRoom(String format) throws Exception {
    String config =
        pipeline()
            .set("outputFormat", format)
            .set("parquetCompression", "NONE")
            .set("schemaFileForParquet", true)
            .write();
    try (Hub.Running full = Hub.startWithSmallFiles(ONE_MEGABYTE, Map.of(), "run", config)) {
      full.awaitErrors("is it full");
      assertThat(full.errors())
          .contains("Requests have failed for")
          .contains("go on being repeated")
          .contains("File too large")
          .doesNotContain("\tat ");
      full.stop();
    }
    assertThat(ids()).containsExactlyElementsOf(numbers(SMALL));
    ConsumedCycles.assertWritten(directory.resolve("out/cdc/shop"));

    Hub.run("run", config).succeeded();

    assertThat(ids()).containsExactlyElementsOf(numbers(SMALL + LARGE));
    assertThat(ConsumedCycles.assertWritten(directory.resolve("out/cdc/shop"))).isEmpty();
  }

  @Test
  void aProcessThatIsKilledMeanwhileLeavesNothingInTheWay() throws Exception {
    String config = pipeline().set("maxFileRows", 650).write();
    try (Hub.Running full = Hub.startWithSmallFiles(ONE_MEGABYTE, Map.of(), "run", config)) {
      full.awaitErrors("is it full");
      full.killAtOnce();
    }
    assertThat(ids()).containsExactlyElementsOf(numbers(SMALL));

    Hub.run("run", config).succeeded();

    assertThat(ids()).containsExactlyElementsOf(numbers(SMALL + LARGE));
    assertThat(ConsumedCycles.assertWritten(directory.resolve("out/cdc/shop"))).isEmpty();
  }
}
