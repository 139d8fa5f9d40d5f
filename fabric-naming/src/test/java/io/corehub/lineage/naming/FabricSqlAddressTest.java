package io.corehub.lineage.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** The address of a workspace: built from IDs, read back, and recognised in whatever spelling. */
class FabricSqlAddressTest {

  static final UUID TENANT = UUID.fromString("68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c");
  static final UUID WORKSPACE = UUID.fromString("d1f6473b-9f7a-4352-940b-a8d74461d3fc");

  /** Tenant and workspace part of a real address. */
  private static final String A = "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q";

  private static final String S = ".datawarehouse.fabric.microsoft.com";

  @ParameterizedTest
  @CsvSource({
    "d1f6473b-9f7a-4352-940b-a8d74461d3fc, hnd7nul2t5jehfalvdluiyot7q",
    "68a4b712-9eec-4ca0-a2d3-6a96d2cf4f9c, ck32i2hmt2qeziwtnklnft2ptq",
    "72f988bf-86f1-41af-91ab-2d7cd011db47, x6eps4xrq2xudenlfv6naeo3i4",
    "7ba2c2f8-750a-47d8-9e95-99585107e23a, 7dbke6ykoxmephuvtfmfcb7chi",
    "61077f32-d21a-4791-b383-cacbddf222f5, gj7qoyi22kiupm4dzlf534rc6u",
    "66a92280-b91b-408e-bdd5-0276ad7d35a1, qarkszq3xghebpovaj3k27jvue",
    "00000000-0000-0000-0000-000000000000, aaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ffffffff-ffff-ffff-ffff-ffffffffffff, 77777777777777777777777774",
    "00112233-4455-6677-8899-aabbccddeeff, gmrbcacvir3wncezvk54zxpo74",
    "d75873bd-716b-4378-a37e-864c76fc9b3b, xvzvrv3lof4ehi36qzghn7e3hm"
  })
  void aPartIsTheGuidInTheByteOrderOfDotNet(UUID id, String part) {
    assertThat(GuidBase32.encode(id)).isEqualTo(part);
    assertThat(GuidBase32.decode(part)).contains(id);
  }

  @Test
  void theAddressIsBuiltFromTenantAndWorkspace() {
    assertThat(FabricSqlAddress.of(TENANT, WORKSPACE)).hasToString(A + S);
    assertThat(FabricSqlAddress.of(TENANT, WORKSPACE).namespace())
        .isEqualTo("fabric-warehouse://" + A + S);
  }

  @Test
  void everyGuidComesBack() {
    Random random = new Random(20_261_130);
    for (int i = 0; i < 100_000; i++) {
      UUID tenant = new UUID(random.nextLong(), random.nextLong());
      UUID workspace = new UUID(random.nextLong(), random.nextLong());
      FabricSqlAddress address =
          FabricSqlAddress.parse(FabricSqlAddress.of(tenant, workspace).toString()).orElseThrow();
      assertThat(address.tenantId()).isEqualTo(tenant);
      assertThat(address.workspaceId()).isEqualTo(workspace);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        A + S,
        "CK32I2HMT2QEZIWTNKLNFT2PTQ-hnd7nul2t5jehfalvdluiyot7q.DataWarehouse.Fabric.Microsoft.COM",
        A + ".z8b" + S,
        A + ".zD1" + S,
        A + S + ":1433",
        A + S + ",1433",
        "CK32I2HMT2QEZIWTNKLNFT2PTQ-HND7NUL2T5JEHFALVDLUIYOT7Q.ZD1.DATAWAREHOUSE.FABRIC.MICROSOFT.COM:1433",
        A + S + ".",
        "  " + A + S + "\n",
        "tcp:" + A + S,
        " TCP:" + A + ".z8b" + S + ".,1433 "
      })
  void everySpellingIsWrittenTheSameWay(String written) {
    assertThat(FabricSqlAddress.parse(written))
        .hasValueSatisfying(
            address -> {
              assertThat(address).hasToString(A + S);
              assertThat(address).isEqualTo(FabricSqlAddress.of(TENANT, WORKSPACE));
              assertThat(address.tenantId()).isEqualTo(TENANT);
              assertThat(address.workspaceId()).isEqualTo(WORKSPACE);
            });
  }

  @ParameterizedTest
  @CsvSource({"1, :1", "1434, :1434", "65535, :65535"})
  void anotherPortStays(String port, String suffix) {
    assertThat(FabricSqlAddress.parse(A + S + ":" + port).orElseThrow())
        .hasToString(A + S + suffix)
        .isNotEqualTo(FabricSqlAddress.of(TENANT, WORKSPACE));
    assertThat(FabricSqlAddress.parse(A + S + "," + port).orElseThrow())
        .hasToString(A + S + suffix);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        // Guests of another organization: a third part.
        A + "-jh0bi" + S,
        A + "-jh0bi.zcf" + S,
        "qvrmbuxie7we7glrekxgy6npqu-6xgyei3x2xiejip4iime6knh5m-jh0bi.zcf" + S,
        // Labels that are none.
        A + ".z8" + S,
        A + ".zgg" + S,
        A + ".y8b" + S,
        A + ".z8b.z8b" + S,
        // Parts that are none.
        "ck32i2hmt2qeziwtnklnft2ptq" + S,
        "ck32i2hmt2qeziwtnklnft2pt-hnd7nul2t5jehfalvdluiyot7q" + S,
        "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7r" + S,
        "ck32i2hmt2qeziwtnklnft2ptr-hnd7nul2t5jehfalvdluiyot7q" + S,
        "ck32i2hmt2qeziwtnklnft2pt1-hnd7nul2t5jehfalvdluiyot7q" + S,
        // Other hosts.
        A + ".datawarehouse.pbidedicated.windows.net",
        A + ".msit-datawarehouse.fabric.microsoft.com",
        A + ".database.fabric.microsoft.com",
        "x" + A + S,
        A + S + ".evil.com",
        "myserver.database.windows.net",
        // Ports that are none.
        A + S + ":0",
        A + S + ":65536",
        A + S + ":",
        A + S + ":14x",
        A + S + ";x=y",
        "udp:" + A + S
      })
  void nothingElseIsTheAddressOfAWorkspace(String other) {
    assertThat(FabricSqlAddress.parse(other)).isEmpty();
  }
}
