package io.corehub.lineage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineageClientUtils;
import org.junit.jupiter.api.Test;

/** What the transformer makes of an event, without Spark. */
class FabricEventTransformerTest {

  private static final String A =
      "ck32i2hmt2qeziwtnklnft2ptq-hnd7nul2t5jehfalvdluiyot7q.datawarehouse.fabric.microsoft.com";
  private static final String FACET = "{\"_producer\":\"urn:x\",\"_schemaURL\":\"urn:y\",%s}";

  private static RunEvent transformed(String inputs, String outputs) {
    String event =
        "{\"eventTime\":\"2026-11-29T10:00:00Z\",\"producer\":\"urn:x\",\"schemaURL\":\"urn:s\","
            + "\"eventType\":\"COMPLETE\",\"run\":{\"runId\":\"01a228e0-83bf-7781-93c3-15ee3c8fc348\"},"
            + "\"job\":{\"namespace\":\"n\",\"name\":\"j\"},\"inputs\":["
            + inputs
            + "],\"outputs\":["
            + outputs
            + "]}";
    return new FabricEventTransformer().transform(OpenLineageClientUtils.runEventFromJson(event));
  }

  private static String dataset(String namespace, String name, String facets) {
    return "{\"namespace\":\""
        + namespace
        + "\",\"name\":\""
        + name
        + "\",\"facets\":{"
        + facets
        + "}}";
  }

  private static String facet(String name, String fields) {
    return "\"" + name + "\":" + String.format(FACET, fields);
  }

  @Test
  void aFabricHostIsRenamedWhereverItStands() {
    RunEvent event =
        transformed(
            dataset(
                "sqlserver://" + A.replace(".data", ".z8b.data") + ":1433", "wh.raw.orders", ""),
            dataset(
                "file",
                "/x",
                facet(
                    "columnLineage",
                    "\"fields\":{\"id\":{\"inputFields\":[{\"namespace\":\"sqlserver://"
                        + A
                        + ":1433\",\"name\":\"wh.raw.orders\",\"field\":\"id\"}]}}")));

    assertThat(event.getInputs().get(0).getNamespace()).isEqualTo("fabric-warehouse://" + A);
    assertThat(OpenLineageClientUtils.toJson(event)).doesNotContain("sqlserver");
  }

  @Test
  void aGuestHostAndAnyOtherAreLeftAlone() {
    String guest = "sqlserver://" + A.replace(".data", "-jh0bi.data") + ":1433";
    RunEvent event =
        transformed(
            dataset(guest, "wh.raw.orders", "") + "," + dataset("sqlserver://db", "a.b.c", ""), "");

    assertThat(event.getInputs())
        .extracting(input -> input.getNamespace())
        .containsExactly(guest, "sqlserver://db");
  }

  @Test
  void theSameTableNamedTwiceIsOneWithTheFacetsOfBoth() {
    RunEvent event =
        transformed(
            dataset(
                    "sqlserver://" + A + ":1433",
                    "wh.raw.orders",
                    facet("version", "\"datasetVersion\":\"1\""))
                + ","
                + dataset(
                    "fabric-warehouse://" + A,
                    "wh.raw.orders",
                    facet("fabric_onelake", "\"itemName\":\"wh\"")),
            "");

    assertThat(event.getInputs()).hasSize(1);
    assertThat(event.getInputs().get(0).getFacets().getVersion().getDatasetVersion())
        .isEqualTo("1");
    assertThat(event.getInputs().get(0).getFacets().getAdditionalProperties())
        .containsKey("fabric_onelake");
  }

  @Test
  void theStagedFolderGoesAndItsColumnsBecomeTheTables() {
    String staged =
        facet("corehub_staged", "\"folder\":\"abfss://c@acc.dfs.core.windows.net/tmp/x\"");
    RunEvent event =
        transformed(
            "",
            dataset(
                    "abfss://c@acc.dfs.core.windows.net",
                    "tmp/x",
                    facet("columnLineage", "\"fields\":{}")
                        + ","
                        + facet("lifecycleStateChange", "\"lifecycleStateChange\":\"OVERWRITE\""))
                + ","
                + dataset("fabric-warehouse://" + A, "wh.raw.copies", staged)
                + ","
                + dataset("abfss://c@acc.dfs.core.windows.net", "tmp/other", ""));

    assertThat(event.getOutputs())
        .extracting(output -> output.getName())
        .containsExactly("wh.raw.copies", "tmp/other");
    assertThat(OpenLineageClientUtils.toJson(event))
        .doesNotContain("corehub_staged")
        .doesNotContain("lifecycleStateChange");
  }

  @Test
  void aWriteWithoutAnAddressHasNoOutput() {
    RunEvent event =
        transformed(
            "",
            dataset("file", "/tmp/x", "")
                + ","
                + dataset(
                    "corehub-no-output",
                    "file:/tmp/x",
                    facet("corehub_staged", "\"folder\":\"file:/tmp/x\"")));

    assertThat(event.getOutputs()).isEmpty();
  }

  @Test
  void anEventThatHasNothingToDoWithFabricStaysAsItIs() {
    RunEvent event =
        transformed(dataset("postgres://db:5432", "a.b.c", ""), dataset("file", "/tmp/x", ""));

    assertThat(event.getInputs()).hasSize(1);
    assertThat(event.getOutputs()).hasSize(1);
  }
}
