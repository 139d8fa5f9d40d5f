package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.settings.SettingProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses {@code storageUrl} takes, and what is said of others. */
class StoragePlaceTest {

  private static final String HOST = "https://onelake.dfs.fabric.microsoft.com/";

  private static Map<String, String> settings(String url) {
    Map<String, String> settings = new HashMap<>(MemoryTarget.settings());
    settings.remove("dataDirectory");
    settings.remove("schemaDirectory");
    settings.put("storageUrl", url.replace("ONELAKE/", HOST));
    settings.put("allowedHosts", "account.dfs.core.windows.net");
    return settings;
  }

  private static List<SettingProblem> problems(String url) {
    return new CycleFilesProvider().validate(settings(url));
  }

  @ParameterizedTest
  @CsvSource({
    "ONELAKE/Sales/Shop.Lakehouse/Files,"
        + " abfss://Sales@onelake.dfs.fabric.microsoft.com/Shop.Lakehouse/Files",
    "ONELAKE/Sales/Shop.Lakehouse/Files/cdc/in,"
        + " abfss://Sales@onelake.dfs.fabric.microsoft.com/Shop.Lakehouse/Files/cdc/in",
    "ONELAKE/11111111-1111-1111-1111-111111111111/22222222-2222-2222-2222-222222222222/Files,"
        + " abfss://11111111-1111-1111-1111-111111111111@onelake.dfs.fabric.microsoft.com"
        + "/22222222-2222-2222-2222-222222222222/Files",
    "abfss://Sales@onelake.dfs.fabric.microsoft.com/Shop.Lakehouse/Files/cdc,"
        + " abfss://Sales@onelake.dfs.fabric.microsoft.com/Shop.Lakehouse/Files/cdc",
    "https://account.dfs.core.windows.net/lake/cdc,"
        + " abfss://lake@account.dfs.core.windows.net/cdc",
    "https://account.dfs.core.windows.net/lake, abfss://lake@account.dfs.core.windows.net",
    "file:///var/lake, file:///var/lake",
    "FILE:///var/lake/../lake, file:///var/lake"
  })
  void isTaken(String url, String address) {
    assertThat(problems(url)).isEmpty();
    assertThat(
            CycleConfigReader.address(
                CycleConfigReader.read(CycleSettings.AGENT.parse(settings(url)), "sales", Map.of())
                    .place()))
        .isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource({
    "ONELAKE/Sales/Shop.Lakehouse/Tables, Tables",
    "ONELAKE/Sales/Shop.Lakehouse/Tables/orders, Tables",
    "ONELAKE/Sales/Shop.Lakehouse, Files",
    "ONELAKE/Sales/22222222-2222-2222-2222-222222222222/Files, GUID",
    "ONELAKE/11111111-1111-1111-1111-111111111111/Shop.Lakehouse/Files, GUID",
    "http://onelake.dfs.fabric.microsoft.com/Sales/Shop.Lakehouse/Files, https",
    "https://elsewhere.example/lake/cdc, allowedHosts",
    "s3://bucket/cdc, not supported yet",
    "gs://bucket/cdc, not supported yet",
    "file://server/share, host",
    "file:, folder",
    "Sales, storageUrl"
  })
  void isRefusedAndNamesTheSetting(String url, String why) {
    assertThat(problems(url))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.setting()).isEqualTo("storageUrl");
              assertThat(problem.setting() + ": " + problem.message()).contains(why);
            });
  }
}
