package io.corehub.lineage.naming;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read and written through the connector, from nothing but a job's configuration. */
class FabricConnectorTest {

  private static final String TENANT = "68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c";
  private static final String WORKSPACE = "d1f6473b-9f7a-4352-940b-a8d74461d3fc";
  private static final String OTHER_WORKSPACE = "7ba2c2f8-750a-47d8-9e95-99585107e23a";
  private static final String ITEM = "d75873bd-716b-4378-a37e-864c76fc9b3b";
  private static final String A = "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q";
  private static final String S = ".datawarehouse.fabric.microsoft.com";
  private static final String OTHER = "ck32i2hmt2qeziwtnklnft2ptq-7dbke6ykoxmephuvtfmfcb7chi" + S;
  private static final String ENDPOINT = "spark.datawarehouse.wh_primary.sqlendpoint";
  private static final String TABLE = "wh_primary.raw.orders";

  private static Map<String, String> configuration(String... pairs) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** Whether the address is set, crossed with which IDs there are: what the write goes to. */
  static Stream<Arguments> writes() {
    String[] ids = {"trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE};
    return Stream.of(
        // The address that is set is used, normalised, whether or not there are IDs.
        row(A + S, A + S),
        row(A + S, A + S, ids),
        row(A + ".z8b" + S + ",1433", A + S),
        row(A.toUpperCase(java.util.Locale.ROOT) + S + ":1433", A + S, ids),
        row(OTHER, OTHER, ids),
        // Set but not Fabric's: no output, although the IDs would give one.
        row(A + "-jh0bi.zcf" + S, "", ids),
        row("myserver.database.windows.net", "", ids),
        row(A + "-jh0bi.zcf" + S, ""),
        // Not set: built from the IDs; the option wins over the notebook's workspace.
        row(null, A + S, ids),
        row("", A + S, ids),
        row("  ", A + S, ids),
        row(null, OTHER, with(ids, "WorkspaceId", OTHER_WORKSPACE)),
        row(null, OTHER, with(ids, "workspaceid", OTHER_WORKSPACE)),
        row(null, A + S, "trident.tenant.id", TENANT, "WorkspaceId", WORKSPACE),
        row(null, A + S, with(ids, "WorkspaceId", "")),
        // Neither works.
        row(null, ""),
        row(null, "", "trident.workspace.id", WORKSPACE),
        row(null, "", "trident.tenant.id", TENANT),
        row(null, "", "trident.tenant.id", "contoso.com", "trident.workspace.id", WORKSPACE),
        row(null, "", "trident.tenant.id", TENANT, "trident.workspace.id", "Sales"),
        row(null, "", "trident.tenant.id", "1-1-1-1-1", "trident.workspace.id", WORKSPACE),
        row(null, "", with(ids, "WorkspaceId", "Sales")));
  }

  private static Arguments row(String endpoint, String expected, String... pairs) {
    Map<String, String> map = configuration(pairs);
    if (endpoint != null) {
      map.put(ENDPOINT, endpoint);
    }
    return Arguments.of(map, expected);
  }

  private static String[] with(String[] pairs, String... more) {
    return Stream.concat(Stream.of(pairs), Stream.of(more)).toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aWriteGoesToTheAddressThatIsSetOrBuilt(Map<String, String> configuration, String address) {
    Optional<DatasetName> expected =
        Optional.of(address)
            .filter(text -> !text.isEmpty())
            .map(text -> new DatasetName("fabric-warehouse://" + text, TABLE));

    assertThat(FabricConnector.written(TABLE, configuration).map(Dataset::name))
        .isEqualTo(expected);
  }

  @Test
  void theAddressOfAnotherWarehouseDoesNotCount() {
    Map<String, String> map =
        configuration("spark.datawarehouse.wh_other.sqlendpoint", A + "-jh0bi" + S);
    map.putAll(configuration("trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE));

    assertThat(FabricConnector.written(TABLE, map)).isPresent();
    assertThat(FabricConnector.written("wh_other.raw.orders", map)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orders", "raw.orders", "a.b.c.d", "a..c", ".b.c"})
  void aTableIsNamedByThreeParts(String table) {
    Map<String, String> map =
        configuration("trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE);

    assertThat(FabricConnector.written(table, map)).isEmpty();
  }

  @Test
  void aQuotedPartMayHoldADot() {
    Map<String, String> map =
        configuration("trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE);

    assertThat(FabricConnector.written("[wh.eu].\"raw\".`orders`", map).orElseThrow().name().name())
        .isEqualTo("wh.eu.raw.orders");
  }

  @Test
  void theReadOfTheDocumentGivesItsSymlinkAndItsFacet() throws Exception {
    Map<String, String> map =
        configuration(
            "WorkspaceId", WORKSPACE,
            "DatawarehouseId", ITEM,
            "trident.workspace.id", WORKSPACE,
            "trident.workspace.name", "sales-analytics");

    Dataset read =
        FabricConnector.read(
                "jdbc:sqlserver://" + A + ".z8b" + S + ":1433;database=wh_primary;password=pw",
                "raw.orders",
                map)
            .orElseThrow();

    assertThat(read.name()).isEqualTo(new DatasetName("fabric-warehouse://" + A + S, TABLE));
    assertThat(read.symlink())
        .contains(
            new DatasetName(
                "abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com",
                ITEM + "/Tables/raw/orders"));
    String json =
        """
        {
            "location": "abfss://d1f6473b-9f7a-4352-940b-a8d74461d3fc@onelake.dfs.fabric.microsoft.com/d75873bd-716b-4378-a37e-864c76fc9b3b/Tables/raw/orders",
            "workspaceId": "d1f6473b-9f7a-4352-940b-a8d74461d3fc",
            "workspaceName": "sales-analytics",
            "itemId": "d75873bd-716b-4378-a37e-864c76fc9b3b",
            "itemName": "wh_primary",
            "itemType": "Warehouse"
        }
        """;
    ObjectMapper mapper = new ObjectMapper();
    assertThat(read.facet().orElseThrow().toJson()).isEqualTo(mapper.readTree(json).toString());
  }

  @Test
  void aWriteGetsSymlinkAndFacetToo() {
    Map<String, String> map =
        configuration(
            "trident.tenant.id", TENANT,
            "trident.workspace.id", WORKSPACE,
            "trident.workspace.name", "sales-analytics",
            "DatawarehouseId", ITEM);

    Dataset written = FabricConnector.written(TABLE, map).orElseThrow();

    assertThat(written.symlink().orElseThrow().name()).isEqualTo(ITEM + "/Tables/raw/orders");
    assertThat(written.facet().orElseThrow().fields())
        .containsEntry("itemId", ITEM)
        .containsEntry("workspaceName", "sales-analytics");
  }

  @Test
  void withoutTheWarehouseIdThereIsNoLocation() {
    Map<String, String> map =
        configuration("trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE);

    Dataset written = FabricConnector.written(TABLE, map).orElseThrow();

    assertThat(written.symlink()).isEmpty();
    assertThat(written.facet().orElseThrow().toJson())
        .isEqualTo(
            "{\"workspaceId\":\""
                + WORKSPACE
                + "\",\"itemName\":\"wh_primary\",\"itemType\":\"Warehouse\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wh_primary", "not-a-guid", " "})
  void aWarehouseNameIsNoId(String id) {
    Map<String, String> map =
        configuration(
            "trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE, "DatawarehouseId", id);

    assertThat(FabricConnector.written(TABLE, map).orElseThrow().symlink()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {OTHER_WORKSPACE, "Sales"})
  void anOptionThatNamesAnotherWorkspaceThanTheAddressLeavesTheLocationOut(String option) {
    Map<String, String> map =
        configuration("WorkspaceId", option, "DatawarehouseId", ITEM, ENDPOINT, A + S);

    Dataset read =
        FabricConnector.read(
                "jdbc:sqlserver://" + A + S + ";database=wh_primary", "raw.orders", map)
            .orElseThrow();
    Dataset written = FabricConnector.written(TABLE, map).orElseThrow();

    for (Dataset dataset : new Dataset[] {read, written}) {
      assertThat(dataset.symlink()).isEmpty();
      assertThat(dataset.facet().orElseThrow().fields())
          .containsEntry("workspaceId", WORKSPACE)
          .doesNotContainKeys("itemId", "location");
    }
  }

  @Test
  void theNotebooksWorkspaceNameIsNotThatOfATableElsewhere() {
    Map<String, String> map =
        configuration(
            "trident.tenant.id", TENANT,
            "trident.workspace.id", WORKSPACE,
            "trident.workspace.name", "sales-analytics",
            "WorkspaceId", OTHER_WORKSPACE);

    assertThat(FabricConnector.written(TABLE, map).orElseThrow().facet().orElseThrow().fields())
        .containsEntry("workspaceId", OTHER_WORKSPACE)
        .doesNotContainKey("workspaceName");
  }

  @Test
  void outsideFabricTheFacetHasNoWorkspaceName() {
    Dataset read =
        FabricConnector.read(
                "jdbc:sqlserver://" + A + S + ";databaseName=wh_primary", "raw.orders", Map.of())
            .orElseThrow();

    assertThat(read.facet().orElseThrow().fields().keySet())
        .containsExactly("workspaceId", "itemName", "itemType");
  }

  @Test
  void aReadFromAnotherHostIsNoneOfFabric() {
    assertThat(
            FabricConnector.read(
                "jdbc:sqlserver://" + A + "-jh0bi.zcf" + S + ";database=wh",
                "raw.orders",
                Map.of()))
        .isEmpty();
    assertThat(FabricConnector.read("jdbc:postgresql://db/shop", "raw.orders", Map.of())).isEmpty();
  }

  @Test
  void theFacetIsJsonWhateverTheNameOfAWarehouse() throws Exception {
    Map<String, String> map =
        configuration("trident.tenant.id", TENANT, "trident.workspace.id", WORKSPACE);

    Dataset written =
        FabricConnector.written("[a\"b\\c\n\ud83d\ude00].raw.orders", map).orElseThrow();

    assertThat(
            new ObjectMapper()
                .readTree(written.facet().orElseThrow().toJson())
                .get("itemName")
                .textValue())
        .isEqualTo("a\"b\\c\n\ud83d\ude00");
  }
}
