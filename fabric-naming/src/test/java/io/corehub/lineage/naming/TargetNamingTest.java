package io.corehub.lineage.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.utils.DatasetIdentifier;
import io.openlineage.client.utils.filesystem.FilesystemDatasetUtils;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where files land is what a table is called. */
class TargetNamingTest {

  private static final String TENANT = "68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c";
  private static final String WORKSPACE = "d1f6473b-9f7a-4352-940b-a8d74461d3fc";
  private static final String ITEM = "d75873bd-716b-4378-a37e-864c76fc9b3b";
  private static final String A = "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q";
  private static final String S = ".datawarehouse.fabric.microsoft.com";
  private static final String OTHER = "ck32i2hmt2qeziwtnklnft2ptq-7dbke6ykoxmephuvtfmfcb7chi" + S;
  private static final String ONELAKE = "https://onelake.dfs.fabric.microsoft.com/";
  private static final String ZONE = ONELAKE + WORKSPACE + "/" + ITEM + "/Files/LandingZone";
  private static final String NAMED_ZONE =
      ONELAKE + "Sales%20EU/mirror%20shop.MirroredDatabase/Files/LandingZone";

  private static TargetNaming naming(
      String sqlEndpoint, String tenant, String database, String workspaceName) {
    return new TargetNaming(
        Optional.ofNullable(sqlEndpoint),
        Optional.ofNullable(tenant),
        Optional.ofNullable(database),
        Optional.ofNullable(workspaceName),
        "dbo");
  }

  @Test
  void aMirroredTableIsNamedAsSqlNamesItAndAsItsFolder() {
    Dataset table =
        naming(null, TENANT, "mirror_shop", "sales-analytics")
            .table(ZONE + "/sales.schema/orders", Optional.of("sales"), "orders")
            .orElseThrow();

    assertThat(table.name())
        .isEqualTo(new DatasetName("fabric-warehouse://" + A + S, "mirror_shop.sales.orders"));
    assertThat(table.symlink())
        .contains(
            new DatasetName(
                "abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com",
                ITEM + "/Tables/sales/orders"));
    assertThat(table.facet().orElseThrow().toJson())
        .isEqualTo(
            "{\"location\":\"abfss://"
                + WORKSPACE
                + "@onelake.dfs.fabric.microsoft.com/"
                + ITEM
                + "/Tables/sales/orders\",\"workspaceId\":\""
                + WORKSPACE
                + "\",\"workspaceName\":\"sales-analytics\",\"itemId\":\""
                + ITEM
                + "\",\"itemName\":\"mirror_shop\",\"itemType\":\"MirroredDatabase\"}");
  }

  @Test
  void aTableWithoutSchemaIsInTheDefaultOneAndKeepsItsCase() {
    Dataset table =
        naming(null, TENANT, "mirror_shop", null)
            .table(ZONE + "/Orders", Optional.empty(), "Orders")
            .orElseThrow();

    assertThat(table.name().name()).isEqualTo("mirror_shop.dbo.Orders");
    assertThat(table.symlink().orElseThrow().name()).isEqualTo(ITEM + "/Tables/dbo/Orders");
  }

  @Test
  void aSchemaFolderThatIsAPrefixIsTheSchema() {
    assertThat(
            naming(null, TENANT, "m", null)
                .table(ZONE + "/sales.schema/Orders", Optional.empty(), "Orders")
                .orElseThrow()
                .name()
                .name())
        .isEqualTo("m.sales.Orders");
  }

  @ParameterizedTest
  @CsvSource({
    "https://127.0.0.1:43210/",
    "https://westeurope-onelake.dfs.fabric.microsoft.com/",
    "https://d1f6473b9f7a4352940ba8d74461d3fc.zd1.dfs.fabric.microsoft.com/"
  })
  void theSymlinksHostIsAlwaysTheSame(String host) {
    assertThat(
            naming(null, TENANT, "m", null)
                .table(
                    host + WORKSPACE + "/" + ITEM + "/Files/LandingZone/t", Optional.empty(), "t")
                .orElseThrow()
                .symlink()
                .orElseThrow()
                .namespace())
        .isEqualTo("abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com");
  }

  @Test
  void namesInTheUrlAndNoAddressGiveNoName() {
    TargetNaming naming = naming(null, TENANT, null, null);

    assertThat(naming.table(NAMED_ZONE + "/t", Optional.empty(), "t")).isEmpty();
    assertThat(naming.obstacle(NAMED_ZONE + "/t").orElseThrow()).contains("sqlEndpoint");
  }

  @Test
  void namesInTheUrlAndAnAddressGiveTheSqlNameAlone() {
    Dataset table =
        naming(A + S, null, null, "Sales EU")
            .table(NAMED_ZONE + "/t", Optional.empty(), "t")
            .orElseThrow();

    assertThat(table.name().name()).isEqualTo("mirror shop.dbo.t");
    assertThat(table.symlink()).isEmpty();
    assertThat(table.facet().orElseThrow().fields().keySet())
        .containsExactly("workspaceId", "itemName", "itemType");
  }

  @Test
  void theAddressOfAnotherWorkspaceLeavesTheLocationOut() {
    Dataset table =
        naming(OTHER, TENANT, "m", "sales-analytics")
            .table(ZONE + "/t", Optional.empty(), "t")
            .orElseThrow();

    assertThat(table.name().namespace()).isEqualTo("fabric-warehouse://" + OTHER);
    assertThat(table.symlink()).isEmpty();
    assertThat(table.facet().orElseThrow().fields())
        .containsEntry("workspaceId", "7ba2c2f8-750a-47d8-9e95-99585107e23a")
        .doesNotContainKeys("itemId", "location", "workspaceName");
  }

  @ParameterizedTest
  @CsvSource({"myserver.database.windows.net", A + "-jh0bi" + S})
  void anAddressThatIsNotFabricsGivesNoName(String endpoint) {
    for (String database : new String[] {"m", null}) {
      TargetNaming naming = naming(endpoint, TENANT, database, null);

      assertThat(naming.table(ZONE + "/t", Optional.empty(), "t")).isEmpty();
      assertThat(naming.obstacle(ZONE + "/t").orElseThrow()).contains("sqlEndpoint", endpoint);
    }
  }

  @Test
  void anEmptyAddressCountsAsNone() {
    assertThat(naming(" ", TENANT, "m", null).table(ZONE + "/t", Optional.empty(), "t"))
        .isPresent();
  }

  @ParameterizedTest
  @CsvSource({"contoso.onmicrosoft.com", "1-1-1-1-1"})
  void aTenantThatIsNoGuidGivesNoName(String tenant) {
    TargetNaming naming = naming(null, tenant, "m", null);

    assertThat(naming.table(ZONE + "/t", Optional.empty(), "t")).isEmpty();
    assertThat(naming.obstacle(ZONE + "/t").orElseThrow()).contains("tenantId");
  }

  @Test
  void withoutTheDatabasesNameTheFolderIsTheName() {
    Dataset table =
        naming(null, TENANT, null, "sales-analytics")
            .table(ZONE + "/orders", Optional.empty(), "orders")
            .orElseThrow();

    assertThat(table.name())
        .isEqualTo(
            new DatasetName(
                "abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com",
                ITEM + "/Tables/dbo/orders"));
    assertThat(table.symlink()).isEmpty();
    assertThat(table.facet().orElseThrow().fields().keySet())
        .containsExactly("location", "workspaceId", "workspaceName", "itemId", "itemType");
  }

  @Test
  void filesOfALakehouseAreNamedByTheirPath() {
    Dataset table =
        naming(null, null, null, null)
            .table(
                ONELAKE + WORKSPACE + "/" + ITEM + "/Files/cdc/shop/data/sales.orders",
                Optional.of("sales"),
                "orders")
            .orElseThrow();

    assertThat(table.name())
        .isEqualTo(
            new DatasetName(
                "abfss://" + WORKSPACE + "@onelake.dfs.fabric.microsoft.com",
                ITEM + "/Files/cdc/shop/data/sales.orders"));
    assertThat(table.symlink()).isEmpty();
    assertThat(table.facet().orElseThrow().fields())
        .containsEntry("itemType", "Lakehouse")
        .containsEntry("itemId", ITEM)
        .containsEntry("workspaceId", WORKSPACE);
  }

  @Test
  void filesOfALakehouseGivenByNamesHaveNoName() {
    TargetNaming naming = naming(null, TENANT, null, null);
    String place = ONELAKE + "Sales/lake.Lakehouse/Files/cdc";

    assertThat(naming.table(place, Optional.empty(), "t")).isEmpty();
    assertThat(naming.obstacle(place).orElseThrow()).contains("IDs");
  }

  @ParameterizedTest
  @CsvSource({
    "https://acc.dfs.core.windows.net/cont/cdc/shop/data/t, abfss://cont@acc.dfs.core.windows.net/cdc/shop/data/t",
    "https://ACC.dfs.core.windows.net:443/cont/a%20b/t/, abfss://cont@acc.dfs.core.windows.net/a%20b/t",
    "abfss://cont@acc.dfs.core.windows.net/cdc/t, abfss://cont@acc.dfs.core.windows.net/cdc/t",
    "file:///data/cdc/t, file:///data/cdc/t",
    "file:/data/a%20b/t/, file:/data/a%20b/t"
  })
  void otherPlacesAreNamedAsTheOfficialClientNamesThem(String place, URI location) {
    DatasetIdentifier official = FilesystemDatasetUtils.fromLocation(location);

    Dataset table =
        naming(null, null, null, null).table(place, Optional.empty(), "t").orElseThrow();

    assertThat(table.name())
        .isEqualTo(new DatasetName(official.getNamespace(), official.getName()));
    assertThat(table.facet()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ftp://x/y", "not a url", "https://host", "''"})
  void whatIsNoPlaceHasNoName(String place) {
    TargetNaming naming = naming(null, TENANT, "m", null);

    assertThat(naming.table(place, Optional.empty(), "t")).isEmpty();
    assertThat(naming.obstacle(place)).isPresent();
  }

  @Test
  void whatHasANameHasNoObstacle() {
    assertThat(naming(null, TENANT, "m", null).obstacle(ZONE)).isEmpty();
  }
}
