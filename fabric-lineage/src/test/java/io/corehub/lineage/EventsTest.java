package io.corehub.lineage;

import static io.corehub.lineage.LineageBench.ITEM;
import static io.corehub.lineage.LineageBench.ORDERS;
import static io.corehub.lineage.LineageBench.POSTGRES;
import static io.corehub.lineage.LineageBench.START;
import static io.corehub.lineage.LineageBench.STREAM;
import static io.corehub.lineage.LineageBench.WORKSPACE;
import static io.corehub.lineage.LineageBench.shape;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableShape.TargetColumn;
import io.corehub.agent.observe.SourceOrigin;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import io.openlineage.client.OpenLineageClientUtils;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in an event. */
class EventsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ADDRESS =
      "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q.datawarehouse.fabric.microsoft.com";
  private static final Run PIPELINE =
      new Run(UUID.fromString("01a228e0-83bf-7781-93c3-15ee3c8fc348"), JobKey.of("shop"));
  private static final Versions VERSIONS = new Versions("1.2.3", "1.55.0");
  private static final String[] NAMED = {"mirroredDatabaseName", "mirror_shop"};

  private static String json(Emission emission, SourceOrigin origin, String... settings) {
    LineageConfig config = LineageBench.config(settings);
    RunEvent event =
        new EventFactory(config, origin, PIPELINE, VERSIONS).event(config.jobNamespace(), emission);
    return OpenLineageClientUtils.toJson(event);
  }

  private static JsonNode event(TableShape shape, SourceOrigin origin, String... settings)
      throws IOException {
    return JSON.readTree(json(emission(EventType.RUNNING, shape), origin, settings));
  }

  private static Emission emission(EventType type, TableShape shape) {
    Run run =
        new Run(UUID.randomUUID(), JobKey.of("shop", shape.table(), "dbo", JobKey.Kind.CHANGES));
    return Emission.of(
            type, run, START, Optional.of(new TableFacts(shape.table(), Optional.of(shape), "tl")))
        .with(new Statistics(10, 2048, 1));
  }

  private static TableShape orders() {
    TableSchema source =
        new TableSchema(
            ORDERS,
            List.of(
                Column.of("id", ColumnType.of(ColumnType.Kind.LONG)),
                Column.of("amount", ColumnType.decimal(12, 2))),
            List.of("id"),
            1);
    return new TableShape(
        source,
        LineageBench.ZONE + "/sales.schema/orders",
        List.of(
            new TargetColumn("id", "long", Optional.of("id")),
            new TargetColumn("amount", "decimal(12,2)", Optional.of("amount")),
            new TargetColumn("dropped", "string", Optional.empty())));
  }

  @Test
  void aTableJoinsSourceAndTargetByTheNamesOfBothSides() throws IOException {
    JsonNode event = event(orders(), POSTGRES, NAMED);

    assertThat(event.at("/job/namespace").asText()).isEqualTo("core-hub");
    assertThat(event.at("/job/name").asText()).isEqualTo("shop.sales.orders");
    assertThat(event.at("/inputs")).hasSize(1);
    assertThat(event.at("/outputs")).hasSize(1);
    assertThat(event.at("/inputs/0/namespace").asText())
        .isEqualTo("postgres://db.example.com:5432");
    assertThat(event.at("/inputs/0/name").asText()).isEqualTo("shop.sales.orders");
    assertThat(event.at("/outputs/0/namespace").asText())
        .isEqualTo("fabric-warehouse://" + ADDRESS);
    assertThat(event.at("/outputs/0/name").asText()).isEqualTo("mirror_shop.sales.orders");
    JsonNode link = event.at("/outputs/0/facets/symlinks/identifiers/0");
    assertThat(link.path("namespace").asText())
        .isEqualTo("abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com");
    assertThat(link.path("name").asText()).isEqualTo(ITEM + "/Tables/sales/orders");
    assertThat(link.path("type").asText()).isEqualTo("LOCATION");
  }

  @Test
  void theFacetsSayWhatIsKnown() throws IOException {
    JsonNode event = event(orders(), POSTGRES, NAMED);

    JsonNode out = event.at("/outputs/0/facets");
    assertThat(out.at("/schema/fields"))
        .extracting(
            f ->
                f.path("name").asText()
                    + " "
                    + f.path("type").asText()
                    + " "
                    + f.path("ordinal_position").asInt())
        .containsExactly("id long 1", "amount decimal(12,2) 2", "dropped string 3");
    assertThat(event.at("/inputs/0/facets/schema/fields"))
        .extracting(f -> f.path("name").asText() + " " + f.path("type").asText())
        .containsExactly("id LONG", "amount BIG_DECIMAL(12,2)");
    JsonNode columns = out.at("/columnLineage/fields");
    assertThat(columns.properties()).extracting(e -> e.getKey()).containsExactly("id", "amount");
    JsonNode amount = columns.at("/amount/inputFields/0");
    assertThat(amount.path("namespace").asText()).isEqualTo("postgres://db.example.com:5432");
    assertThat(amount.path("name").asText()).isEqualTo("shop.sales.orders");
    assertThat(amount.path("field").asText()).isEqualTo("amount");
    assertThat(amount.at("/transformations/0/subtype").asText()).isEqualTo("IDENTITY");
    assertThat(out.at("/storage/storageLayer").asText()).isEqualTo("delta");
    assertThat(out.at("/dataSource/name").asText()).isEqualTo("mirror_shop");
    assertThat(event.at("/inputs/0/facets/dataSource/uri").asText())
        .isEqualTo("postgres://db.example.com:5432/shop");
    JsonNode statistics = event.at("/outputs/0/outputFacets/outputStatistics");
    assertThat(statistics.path("rowCount").asLong()).isEqualTo(10);
    assertThat(statistics.path("size").asLong()).isEqualTo(2048);
    assertThat(statistics.path("fileCount").asLong()).isEqualTo(1);
    JsonNode job = event.at("/job/facets/jobType");
    assertThat(job.path("processingType").asText()).isEqualTo("STREAMING");
    assertThat(job.at("/emissionPattern/windowDuration").asLong()).isEqualTo(60);
    assertThat(event.at("/run/facets/parent/run/runId").asText())
        .isEqualTo(PIPELINE.id().toString());
    assertThat(event.at("/run/facets/processing_engine/openlineageAdapterVersion").asText())
        .isEqualTo("1.55.0");
  }

  @Test
  void theOneLakeFacetIsThatOfTheSpecification() throws IOException {
    JsonNode facet = event(orders(), POSTGRES, NAMED).at("/outputs/0/facets/fabric_onelake");

    assertThat(facet.path("_schemaURL").asText())
        .isEqualTo("https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetFacet");
    ((com.fasterxml.jackson.databind.node.ObjectNode) facet)
        .remove(List.of("_producer", "_schemaURL"));
    assertThat(facet)
        .isEqualTo(
            JSON.readTree(
                "{\"location\":\"abfss://"
                    + WORKSPACE
                    + "@onelake.dfs.fabric.microsoft.com/"
                    + ITEM
                    + "/Tables/sales/orders\",\"workspaceId\":\""
                    + WORKSPACE
                    + "\",\"itemId\":\""
                    + ITEM
                    + "\",\"itemName\":\"mirror_shop\",\"itemType\":\"MirroredDatabase\"}"));
  }

  @Test
  void facetAndColumnsCanBeSwitchedOff() throws IOException {
    JsonNode event =
        event(
            orders(),
            POSTGRES,
            "mirroredDatabaseName",
            "mirror_shop",
            "fabricFacet",
            "false",
            "columnLineage",
            "false");

    assertThat(event.at("/outputs/0/facets").has("fabric_onelake")).isFalse();
    assertThat(event.at("/outputs/0/facets").has("columnLineage")).isFalse();
    assertThat(event.at("/outputs/0/facets").has("symlinks")).isTrue();
  }

  @Test
  void aTargetWithoutAnAddressGivesAnEventWithItsInputAlone() throws IOException {
    TableShape named =
        new TableShape(
            orders().source(),
            "https://onelake.dfs.fabric.microsoft.com/Sales/m.MirroredDatabase/Files/LandingZone/t",
            orders().columns());

    JsonNode event = event(named, POSTGRES);

    assertThat(event.at("/inputs")).hasSize(1);
    assertThat(event.at("/outputs")).isEmpty();
  }

  @Test
  void withoutTheDatabasesNameTheFolderIsTheDataset() throws IOException {
    JsonNode event = event(orders(), POSTGRES);

    assertThat(event.at("/outputs/0/name").asText()).isEqualTo(ITEM + "/Tables/sales/orders");
    assertThat(event.at("/outputs/0/facets").has("symlinks")).isFalse();
    assertThat(event.at("/outputs/0/facets/fabric_onelake").has("itemName")).isFalse();
    assertThat(event.at("/outputs/0/facets/fabric_onelake/workspaceId").asText())
        .isEqualTo(WORKSPACE);
  }

  @Test
  void aTableWithoutSchemaIsInTheDefaultOneAtTheTargetAndInItsOwnAtTheSource() throws IOException {
    JsonNode event = event(shape(TableId.of("Orders"), "id"), POSTGRES, NAMED);

    assertThat(event.at("/job/name").asText()).isEqualTo("shop.dbo.Orders");
    assertThat(event.at("/inputs/0/name").asText()).isEqualTo("shop.public.Orders");
    assertThat(event.at("/outputs/0/name").asText()).isEqualTo("mirror_shop.dbo.Orders");
  }

  @Test
  void aChangeStreamIsNamedByItsTimeline() throws IOException {
    JsonNode event = event(orders(), STREAM, NAMED);

    assertThat(event.at("/inputs/0/namespace").asText()).isEqualTo("change-stream://tl");
    assertThat(event.at("/inputs/0/name").asText()).isEqualTo("sales.orders");
  }

  @Test
  void filesOfALakehouseAreNamedByTheirPath() throws IOException {
    TableShape files =
        new TableShape(
            orders().source(),
            "https://onelake.dfs.fabric.microsoft.com/"
                + WORKSPACE
                + "/"
                + ITEM
                + "/Files/cdc/shop/data/sales.orders",
            orders().columns());

    JsonNode event = event(files, POSTGRES);

    assertThat(event.at("/outputs/0/name").asText())
        .isEqualTo(ITEM + "/Files/cdc/shop/data/sales.orders");
    assertThat(event.at("/outputs/0/facets/fabric_onelake/itemType").asText())
        .isEqualTo("Lakehouse");
    assertThat(event.at("/outputs/0/facets/datasetType/datasetType").asText()).isEqualTo("FILE");
  }

  @Test
  void aSourceInFabricCarriesTheFacetToo() throws IOException {
    JsonNode event =
        event(
            orders(),
            new SourceOrigin(
                "sqlserver",
                Optional.of("jdbc:sqlserver://" + ADDRESS + ":1433;databaseName=wh"),
                Optional.empty()),
            NAMED);

    assertThat(event.at("/inputs/0/namespace").asText()).isEqualTo("fabric-warehouse://" + ADDRESS);
    assertThat(event.at("/inputs/0/facets/fabric_onelake/itemType").asText())
        .isEqualTo("Warehouse");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdbc:db2://db:1/My DB", "jdbc:postgresql://db/a%20b%22%3C", "mongodb://db/x|y"})
  void anAddressIsAValidOneWhateverTheDatabasesName(String url) throws IOException {
    SourceOrigin origin = new SourceOrigin("x", Optional.of(url), Optional.empty());
    String event = json(emission(EventType.START, orders()), origin);

    assertThat(OpenLineageSchemas.find().problems(event)).isEmpty();
  }

  @Test
  void tagsAndOwnersStandInTheJob() throws IOException {
    JsonNode event =
        event(
            orders(),
            POSTGRES,
            "jobTags",
            "env=prod",
            "jobOwners",
            "team:sales=MAINTAINER,user:jo");

    assertThat(event.at("/job/facets/tags/tags/0/key").asText()).isEqualTo("env");
    assertThat(event.at("/job/facets/ownership/owners/0/type").asText()).isEqualTo("MAINTAINER");
    assertThat(event.at("/job/facets/ownership/owners/1").has("type")).isFalse();
  }

  @Test
  void dotsInNamesAreEscapedInJobs() {
    assertThat(JobKey.of("a.b", TableId.of("s.1", "t\\x"), "dbo", JobKey.Kind.SNAPSHOT).name())
        .isEqualTo("a\\.b.s\\.1.t\\\\x.snapshot");
  }

  /** Every type of event, every kind of job, every shape of target. */
  @ParameterizedTest
  @EnumSource(EventType.class)
  void everyEventIsValidAndIsReadBackByTheOfficialClient(EventType type) throws IOException {
    OpenLineageSchemas schemas = OpenLineageSchemas.find();
    List<String> events = new ArrayList<>();
    for (SourceOrigin origin : List.of(POSTGRES, STREAM)) {
      for (String[] settings :
          List.of(
              NAMED,
              new String[] {"jobTags", "a=b", "jobOwners", "x"},
              new String[] {"sqlEndpoint", "no"})) {
        events.add(json(emission(type, orders()).because("no"), origin, settings));
      }
    }
    events.add(json(Emission.of(type, PIPELINE, START, Optional.empty()), POSTGRES));

    for (String event : events) {
      assertThat(schemas.problems(event)).as(event).isEmpty();
      RunEvent back = OpenLineageClientUtils.runEventFromJson(event);
      assertThat(back.getEventType()).isEqualTo(type);
      assertThat(JSON.readTree(OpenLineageClientUtils.toJson(back)))
          .isEqualTo(JSON.readTree(event));
      assertThat(event).doesNotContain("lifecycleStateChange").doesNotContain("__rowMarker__");
      assertThat(event).doesNotContain(":null");
    }
    assertThat(OpenLineageSchemas.facetsOf(events.get(0))).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/job",
        "/run/runId",
        "/eventTime",
        "/inputs/0/name",
        "/outputs/0/facets/schema/fields/0/name"
      })
  void anEventThatLacksSomethingIsNotValid(String path) throws IOException {
    OpenLineageSchemas schemas = OpenLineageSchemas.find();
    JsonNode event = event(orders(), POSTGRES, NAMED);
    int slash = path.lastIndexOf('/');
    ((com.fasterxml.jackson.databind.node.ObjectNode) event.at(path.substring(0, slash)))
        .remove(path.substring(slash + 1));

    assertThat(schemas.problems(event.toString())).isNotEmpty();
  }

  @Test
  void anEventWithTheWrongValueIsNotValid() throws IOException {
    OpenLineageSchemas schemas = OpenLineageSchemas.find();
    String good = json(emission(EventType.RUNNING, orders()), POSTGRES, NAMED);

    assertThat(schemas.problems(good.replace("\"RUNNING\"", "\"WALKING\""))).isNotEmpty();
    assertThat(schemas.problems(good.replaceAll("\"runId\":\"[^\"]*\"", "\"runId\":\"x\"")))
        .isNotEmpty();
    assertThat(schemas.problems(good.replace("\"rowCount\":10", "\"rowCount\":\"ten\"")))
        .isNotEmpty();
  }
}
