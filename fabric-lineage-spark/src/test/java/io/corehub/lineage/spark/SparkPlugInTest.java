package io.corehub.lineage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.OpenLineage.DatasetFacets;
import io.openlineage.client.OpenLineage.OutputDataset;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import io.openlineage.client.OpenLineageClientUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plug-in in a real Spark session with OpenLineage's own listener. Microsoft's connector is not
 * public: what it does is done here by hand, a read over its kind of URL and a save of files with
 * its options.
 */
@Tag("full")
class SparkPlugInTest {

  private static final String TENANT = "68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c";
  private static final String WORKSPACE = "d1f6473b-9f7a-4352-940b-a8d74461d3fc";
  private static final String ITEM = "d75873bd-716b-4378-a37e-864c76fc9b3b";
  private static final String ADDRESS =
      "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q.datawarehouse.fabric.microsoft.com";
  private static final String GUEST =
      "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q-jh0bi.datawarehouse.fabric.microsoft.com";
  private static final String NAMESPACE = "fabric-warehouse://" + ADDRESS;

  @TempDir Path directory;

  private interface Job {
    void run(SparkSession spark) throws Exception;
  }

  private List<RunEvent> events(Map<String, String> configuration, Job job) throws Exception {
    Path file = directory.resolve("events.jsonl");
    try (Connection memory = StandInDriver.memory();
        Statement sql = memory.createStatement()) {
      sql.execute("CREATE SCHEMA IF NOT EXISTS raw");
      sql.execute("CREATE TABLE IF NOT EXISTS raw.orders (id INT, amount INT)");
      sql.execute("DELETE FROM raw.orders");
      sql.execute("INSERT INTO raw.orders VALUES (1, 10), (2, 20)");
    }
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.extraListeners", "io.openlineage.spark.agent.OpenLineageSparkListener")
            .config("spark.openlineage.transport.type", "transform")
            .config(
                "spark.openlineage.transport.transformerClass",
                "io.corehub.lineage.spark.FabricEventTransformer")
            .config("spark.openlineage.transport.transport.type", "file")
            .config("spark.openlineage.transport.transport.location", file.toString());
    configuration.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    try {
      job.run(spark);
    } finally {
      spark.stop();
    }
    return Files.readAllLines(file).stream().map(OpenLineageClientUtils::runEventFromJson).toList();
  }

  private static Map<String, String> notebook(String... more) {
    Map<String, String> configuration = new HashMap<>();
    configuration.put("trident.tenant.id", TENANT);
    configuration.put("trident.workspace.id", WORKSPACE);
    configuration.put("trident.workspace.name", "sales-analytics");
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(more[i], more[i + 1]);
    }
    return configuration;
  }

  private static Dataset<Row> read(SparkSession spark, String host, String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("url", "jdbc:sqlserver://" + host + ":1433;database=wh_primary");
    all.put("driver", StandInDriver.class.getName());
    all.put("dbtable", "raw.orders");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return spark.read().format("jdbc").options(all).load();
  }

  private void write(Dataset<Row> rows, String table, String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("dbtable", table);
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    rows.write()
        .format("parquet")
        .options(all)
        .mode("overwrite")
        .save(directory.resolve("staging/" + table).toString());
  }

  /** The last event of the job that saved the files. */
  private static RunEvent ofSave(List<RunEvent> events) {
    return events.stream()
        .filter(event -> event.getEventType() == EventType.COMPLETE)
        .filter(event -> event.getJob().getName().contains("insert_into_hadoop_fs"))
        .reduce((first, second) -> second)
        .orElseThrow(
            () ->
                new AssertionError(
                    events.stream()
                        .map(e -> e.getEventType() + " " + e.getJob().getName())
                        .toList()));
  }

  @Test
  void aReadAndAWriteAreReportedAsTheTables() throws Exception {
    List<RunEvent> events =
        events(
            notebook(),
            spark ->
                write(
                    read(
                        spark,
                        ADDRESS.replace(".data", ".z8b.data"),
                        "WorkspaceId",
                        WORKSPACE,
                        "DatawarehouseId",
                        ITEM),
                    "wh_primary.raw.copies",
                    "DatawarehouseId",
                    ITEM));

    RunEvent save = ofSave(events);
    assertThat(save.getInputs()).hasSize(1);
    assertThat(save.getInputs().get(0).getNamespace()).isEqualTo(NAMESPACE);
    assertThat(save.getInputs().get(0).getName()).isEqualTo("wh_primary.raw.orders");
    assertFacets(save.getInputs().get(0).getFacets(), "orders");
    assertThat(save.getOutputs()).hasSize(1);
    OutputDataset output = save.getOutputs().get(0);
    assertThat(output.getNamespace()).isEqualTo(NAMESPACE);
    assertThat(output.getName()).isEqualTo("wh_primary.raw.copies");
    assertFacets(output.getFacets(), "copies");
    assertThat(output.getFacets().getLifecycleStateChange()).isNull();
    assertThat(output.getOutputFacets().getOutputStatistics().getRowCount()).isEqualTo(2);
    assertThat(output.getFacets().getSchema().getFields())
        .extracting(field -> field.getName().toLowerCase(java.util.Locale.ROOT))
        .containsExactly("id", "amount");
    assertNoTraceOfTheFolder();
  }

  private static void assertFacets(DatasetFacets facets, String table) {
    String location =
        "abfss://"
            + WORKSPACE
            + "@onelake.dfs.fabric.microsoft.com/"
            + ITEM
            + "/Tables/raw/"
            + table;
    assertThat(facets.getSymlinks().getIdentifiers()).hasSize(1);
    assertThat(facets.getSymlinks().getIdentifiers().get(0).getName())
        .isEqualTo(ITEM + "/Tables/raw/" + table);
    assertThat(facets.getAdditionalProperties().get("fabric_onelake").getAdditionalProperties())
        .containsEntry("location", location)
        .containsEntry("workspaceId", WORKSPACE)
        .containsEntry("workspaceName", "sales-analytics")
        .containsEntry("itemId", ITEM)
        .containsEntry("itemName", "wh_primary")
        .containsEntry("itemType", "Warehouse");
  }

  private void assertNoTraceOfTheFolder() throws IOException {
    for (String line : Files.readAllLines(directory.resolve("events.jsonl"))) {
      RunEvent event = OpenLineageClientUtils.runEventFromJson(line);
      assertThat(event.getOutputs()).noneMatch(output -> output.getName().contains("staging"));
      assertThat(line).doesNotContain("corehub_staged").doesNotContain("corehub-no-output");
    }
  }

  @Test
  void aWriteWhoseAddressIsNotFabricsHasNoOutput() throws Exception {
    List<RunEvent> events =
        events(
            notebook("spark.datawarehouse.wh_primary.sqlendpoint", GUEST),
            spark -> write(read(spark, ADDRESS), "wh_primary.raw.copies"));

    assertThat(ofSave(events).getOutputs()).isEmpty();
    assertThat(ofSave(events).getInputs()).hasSize(1);
    assertNoTraceOfTheFolder();
  }

  @Test
  void aGuestAddressKeepsItsSqlServerName() throws Exception {
    List<RunEvent> events =
        events(
            Map.of(),
            spark -> read(spark, GUEST).write().parquet(directory.resolve("plain").toString()));

    RunEvent save = ofSave(events);
    assertThat(save.getInputs().get(0).getNamespace())
        .startsWith("sqlserver://")
        .contains("-jh0bi");
    assertThat(save.getOutputs()).hasSize(1);
    assertThat(save.getOutputs().get(0).getName()).endsWith("plain");
  }

  @Test
  void theIntegrationsOwnSwitchLeavesTheFacetOut() throws Exception {
    List<RunEvent> events =
        events(
            notebook("spark.openlineage.facets.fabric_onelake.disabled", "true"),
            spark -> write(read(spark, ADDRESS), "wh_primary.raw.copies", "DatawarehouseId", ITEM));

    assertThat(ofSave(events).getOutputs().get(0).getFacets().getSymlinks()).isNotNull();
    assertThat(Files.readString(directory.resolve("events.jsonl")))
        .doesNotContain("fabric_onelake");
  }
}
