package io.corehub.lineage.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.utils.DatasetIdentifier;
import io.openlineage.client.utils.jdbc.JdbcDatasetUtils;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources are named as the official client names them, where its names are safe and join. */
class SourceDatabaseTest {

  private static final String A = "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q";
  private static final String S = ".datawarehouse.fabric.microsoft.com";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:postgresql://db.example.com:5432/shop | sales | orders",
        "jdbc:postgresql://DB.Example.com/shop?user=u&password=p | sales | orders",
        "jdbc:postgresql://u:p@db:5432/shop | sales | orders",
        "jdbc:postgresql://h1:5432,h2:5433/shop | sales | orders",
        "jdbc:postgresql://[::1]:5432/shop | sales | orders",
        "jdbc:postgresql://[::1]/shop | sales | orders",
        "jdbc:postgresql://db/ | sales | orders",
        "jdbc:postgresql://db/My%20Db | sales | Orders",
        "jdbc:postgresql://db/shop | | orders",
        "jdbc:sqlserver://db.example.com:1433;databaseName=shop;user=u;password=p | dbo | orders",
        "jdbc:sqlserver://db.example.com;database=shop | dbo | orders",
        "jdbc:sqlserver://db\\inst1:1433;databaseName=shop | dbo | orders",
        "jdbc:sqlserver://db;databaseName=shop | | orders",
        "jdbc:mysql://db/shop?user=x | | orders",
        "jdbc:mysql://u:p@db:3307/shop | | orders",
        "jdbc:mysql://db:3306/ | shop | orders",
        "jdbc:mariadb://db/shop | | orders",
        "jdbc:mariadb://db:3306/shop | | orders",
        "jdbc:oracle:thin:@//db:1521/ORCL | HR | EMP",
        "jdbc:oracle:thin:hr/pw@//db:1521/ORCL | HR | EMP",
        "jdbc:oracle:thin:@db:1521:ORCL | HR | EMP",
        "jdbc:oracle:thin:@db:1521/ORCL | HR | EMP",
        "jdbc:oracle:thin:@//db/ORCL | HR | EMP",
        "jdbc:oracle:thin:hr/p@w@db:1521:ORCL | HR | EMP",
        "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=ORCL))) | HR | EMP",
        "jdbc:db2://db:50000/SHOP | S | ORDERS",
        "jdbc:db2://db/SHOP | S | ORDERS"
      })
  void namesAreThoseOfTheOfficialClient(String url, String schema, String table) {
    String written = schema == null ? table : schema + "." + table;
    DatasetIdentifier official =
        JdbcDatasetUtils.getDatasetIdentifier(url, written, new Properties());

    DatasetName ours =
        SourceDatabase.parse(url).orElseThrow().table(Optional.ofNullable(schema), table).name();

    assertThat(ours).isEqualTo(new DatasetName(official.getNamespace(), official.getName()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // As written: neither case nor label nor port are changed.
        "jdbc:sqlserver://DB.Example.com;databaseName=shop | dbo | sqlserver://DB.Example.com | shop.dbo.t",
        "jdbc:sqlserver://;serverName=db;port=1444;databaseName=shop | dbo | sqlserver://db:1444 | shop.dbo.t",
        "jdbc:sqlserver://db;password={a;databaseName=x}}y};databaseName=shop | dbo | sqlserver://db | shop.dbo.t",
        "jdbc:db2://db:50000/SHOP:user=u;password=SECRET; | S | db2://db:50000 | SHOP.S.t",
        "mongodb://u:SECRET@db:27017/shop?authSource=admin | | mongodb://db:27017 | shop.t",
        "mongodb://db/ | shop | mongodb://db:27017 | shop.t",
        "mongodb://u:SECRET@h1,h2:27018/?x=y | shop | mongodb://h1:27017,h2:27018 | shop.t",
        "mongodb+srv://u:SECRET@cluster.example.com/shop | | mongodb://cluster.example.com | shop.t",
        "kafka://broker:9093 | | kafka://broker:9093 | t",
        "kafka://broker | | kafka://broker:9092 | t"
      })
  void whereTheClientHasNoNameOrABadOneTheRuleIsOurs(
      String url, String schema, String namespace, String name) {
    assertThat(SourceDatabase.parse(url).orElseThrow().table(Optional.ofNullable(schema), "t"))
        .extracting(Dataset::name)
        .isEqualTo(new DatasetName(namespace, name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://user:SECRET@db/shop?password=SECRET&user=SECRET",
        "jdbc:postgresql://user:SEC/RET@db/shop",
        "jdbc:sqlserver://db;databaseName=shop;password=SECRET;accessToken=SECRET",
        "jdbc:mysql://user:SECRET@db:3307/shop?password=SECRET",
        "jdbc:mariadb://user:SECRET@db/shop?password=SECRET",
        "jdbc:oracle:thin:user/SECRET@//db:1521/ORCL?x=SECRET",
        "jdbc:oracle:thin:user/SEC@RET@db:1521:ORCL",
        "jdbc:db2://db:50000/SHOP:user=u;password=SECRET;",
        "mongodb://user:SECRET@db:27017/shop?password=SECRET",
        "kafka://user:SECRET@broker:9092/?password=SECRET"
      })
  void noPartOfAPasswordIsInANameOrAnAddress(String url) {
    SourceDatabase database = SourceDatabase.parse(url).orElseThrow();

    assertThat(database.table(Optional.of("s"), "t").toString() + database + database.uri())
        .doesNotContain("SECRET")
        .doesNotContain("SEC")
        .doesNotContain("RET")
        .doesNotContain("user");
  }

  @Test
  void aSqlServerHostThatIsAFabricAddressIsNamedAsFabric() {
    Dataset table =
        SourceDatabase.parse(
                "jdbc:sqlserver://" + A + ".z8b" + S + ":1433;database=wh_primary;user=u")
            .orElseThrow()
            .table(Optional.of("raw"), "orders");

    assertThat(table.name())
        .isEqualTo(new DatasetName("fabric-warehouse://" + A + S, "wh_primary.raw.orders"));
    assertThat(table.facet().orElseThrow().fields())
        .containsEntry("itemType", "Warehouse")
        .containsEntry("itemName", "wh_primary")
        .containsEntry("workspaceId", "d1f6473b-9f7a-4352-940b-a8d74461d3fc");
  }

  @Test
  void aGuestAddressKeepsItsSqlServerNameAsWritten() {
    String guest = A + "-jh0bi.zCF" + S;

    assertThat(
            SourceDatabase.parse("jdbc:sqlserver://" + guest + ":1433;database=wh")
                .orElseThrow()
                .table(Optional.of("raw"), "orders")
                .name())
        .isEqualTo(new DatasetName("sqlserver://" + guest + ":1433", "wh.raw.orders"));
  }

  @Test
  void aChangeStreamIsNamedByItsTimeline() {
    SourceDatabase stream = SourceDatabase.ofChangeStream("shop");

    assertThat(stream.table(Optional.of("sales"), "orders").name())
        .isEqualTo(new DatasetName("change-stream://shop", "sales.orders"));
    assertThat(stream.table(Optional.empty(), "orders").name().name()).isEqualTo("orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shop", "jdbc:h2:mem:x", "jdbc:postgresql:shop", "https://db/shop"})
  void anyOtherUrlIsNotADatabase(String url) {
    assertThat(SourceDatabase.parse(url)).isEmpty();
  }
}
