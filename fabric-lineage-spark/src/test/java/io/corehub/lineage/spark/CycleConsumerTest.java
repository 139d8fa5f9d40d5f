package io.corehub.lineage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The consumer of cycle files in Spark SQL works as its page has it. It is here because this is the
 * module with a Spark; what needs Delta, which it lacks, is parsed alone.
 */
@Tag("full")
class CycleConsumerTest {

  private static final Path PAGE = Path.of("..", "docs", "cycle-files.md");
  private static final String HEADER =
      "\"CDC_OPERATION_TYPE\",\"CDC_SORTABLE_SEQUENCE\",\"order_id\",\"status\",\"amount\","
          + "\"order_id_OLD\",\"status_OLD\",\"amount_OLD\"\n";

  @TempDir Path directory;

  private static List<String> blocks() throws IOException {
    String page = Files.readString(PAGE);
    String section =
        page.substring(page.indexOf("\n### In Spark\n"), page.indexOf("\n### In Java\n"));
    Matcher block = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL).matcher(section);
    return block.results().map(found -> found.group(1)).collect(Collectors.toList());
  }

  private static List<String> statements(String script) {
    String code =
        script.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    return Stream.of(code.split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .collect(Collectors.toList());
  }

  private void cycle(String name, boolean completed, String rows) throws IOException {
    Path job = directory.resolve("Files/cdc/sales_cdc");
    String digits = name.replace("-", "");
    Path data = Files.createDirectories(job.resolve("data/orders/data/" + name));
    Files.writeString(data.resolve("orders_" + digits + ".csv"), HEADER + rows);
    if (completed) {
      Path folder = Files.createDirectories(job.resolve("cycle/completed/" + name));
      Files.writeString(
          folder.resolve("Cycle-" + digits + ".csv"),
          "\"cycle_name\",\"start_time\",\"end_time\",\"current_sequence\",\"contents_path\","
              + "\"reason\"\n\""
              + name
              + "\",\"\",\"\",\"\",\"\",\"NORMAL_COMMIT\"\n");
    }
  }

  @Test
  void lastChangesAreThoseOfCompletedCyclesBehindTheLastOne() throws Exception {
    cycle(
        "2026-11-29-10-00-05",
        true,
        "\"I\",\"00000000000000000101000000000001\",\"1\",\"NEW\",\"10.00\",,,\n"
            + "\"U\",\"00000000000000000102000000000001\",\"1\",\"PA\"\"ID\n,\",\"10.00\","
            + "\"1\",\"NEW\",\"10.00\"\n"
            + "\"I\",\"00000000000000000103000000000001\",\"2\",,\"5.50\",,,\n");
    cycle(
        "2026-11-29-10-00-41",
        true,
        "\"U\",\"00000000000000000104000000000001\",\"3\",\"\",\"5.50\",\"2\",,\"5.50\"\n");
    cycle("2026-11-29-10-06-00", false, "\"D\",\"00000000000000000106000000000001\",\"1\",,,,,\n");
    List<String> blocks = blocks();
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .getOrCreate();
    try {
      assertThat(changes(spark, blocks.get(0), "''"))
          .containsExactly("1 U PA\"ID\n, 10.00", "2 D null null", "3 U  5.50");
      assertThat(changes(spark, blocks.get(0), "'2026-11-29-10-00-05'"))
          .containsExactly("2 D null null", "3 U  5.50");
      for (String statement : statements(blocks.get(1))) {
        assertThat(spark.sessionState().sqlParser().parsePlan(statement).toString())
            .contains("MergeIntoTable");
      }
    } finally {
      spark.stop();
    }
  }

  private List<String> changes(SparkSession spark, String script, String lastCycle) {
    for (String statement : statements(script)) {
      spark.sql(
          statement
              .replace("'Files/", "'" + directory + "/Files/")
              .replace("lastCycle = ''", "lastCycle = " + lastCycle));
    }
    return spark
        .sql("SELECT order_id, op, status, amount FROM last_changes ORDER BY order_id")
        .collectAsList()
        .stream()
        .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2) + " " + row.get(3))
        .collect(Collectors.toList());
  }
}
