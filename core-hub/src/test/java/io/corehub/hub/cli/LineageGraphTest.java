package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineageGraphTest {

  private final LineageGraph graph = new LineageGraph();

  private static String event(String type, String job, String mode, int rows) {
    return """
        {"eventType":"%s","job":{"name":"%s","facets":{"jobType":{"processingType":"BATCH",
        "emissionPattern":{"eventContentMode":"%s"}}}},
        "inputs":[{"namespace":"postgres://db:5432","name":"shop.sales.orders"}],
        "outputs":[{"namespace":"fabric-warehouse://a","name":"m.sales.orders","facets":{
        "symlinks":{"identifiers":[{"namespace":"abfss://w@o","name":"i/Tables/sales/orders"}]},
        "columnLineage":{"fields":{"id":{"inputFields":[
        {"namespace":"postgres://db:5432","name":"shop.sales.orders","field":"id"}]}}}},
        "outputFacets":{"outputStatistics":{"rowCount":%d}}}]}
        """
        .formatted(type, job, mode, rows)
        .replace("\n", "");
  }

  private String printed() {
    StringWriter text = new StringWriter();
    graph.print(new PrintWriter(text));
    return text.toString().replace("\r\n", "\n");
  }

  @Test
  void aTableStandsWithItsTargetItsJobsAndItsColumns() {
    graph.add(
        "{\"eventType\":\"START\",\"job\":{\"name\":\"shop\",\"facets\":{\"jobType\":"
            + "{\"processingType\":\"SERVICE\"}}},\"inputs\":[],\"outputs\":[]}");
    graph.add(event("START", "shop.sales.orders.snapshot", "ACCUMULATIVE", 0));
    graph.add(event("RUNNING", "shop.sales.orders.snapshot", "ACCUMULATIVE", 60));
    graph.add(event("COMPLETE", "shop.sales.orders.snapshot", "ACCUMULATIVE", 2000));
    graph.add(event("START", "shop.sales.orders", "COMPLETE_SNAPSHOT", 0));
    graph.add(event("RUNNING", "shop.sales.orders", "COMPLETE_SNAPSHOT", 5));
    graph.add(event("RUNNING", "shop.sales.orders", "COMPLETE_SNAPSHOT", 7));

    assertThat(printed())
        .isEqualTo(
            """
            7 events
            pipeline shop: START

            postgres://db:5432 / shop.sales.orders
              → fabric-warehouse://a / m.sales.orders
                = abfss://w@o / i/Tables/sales/orders
                by shop.sales.orders: RUNNING, 12 rows
                by shop.sales.orders.snapshot: COMPLETE, 2,000 rows
                id ← id
            """);
  }

  @Test
  void aSecondSnapshotAddsItsRows() {
    for (int run = 0; run < 2; run++) {
      graph.add(event("START", "j", "ACCUMULATIVE", 0));
      graph.add(event("COMPLETE", "j", "ACCUMULATIVE", 10));
    }

    assertThat(printed()).contains("by j: COMPLETE, 20 rows");
  }

  @Test
  void aRunThatWasCutOffShowsThat() {
    graph.add(event("START", "j", "COMPLETE_SNAPSHOT", 0));
    graph.add("{\"eventType\":\"ABORT\",\"job\":{\"name\":\"j\"},\"inputs\":[],\"outputs\":[]}");

    assertThat(printed()).contains("by j: ABORT, 0 rows");
  }

  @Test
  void aTableWhoseTargetHasNoNameStandsAlone() {
    graph.add(
        "{\"eventType\":\"START\",\"job\":{\"name\":\"j\"},\"outputs\":[],\"inputs\":["
            + "{\"namespace\":\"n\",\"name\":\"t\\u001b[31m\"}]}");

    assertThat(printed())
        .contains("n / t\\u001b[31m")
        .contains("→ (nothing that has a name)\n    by j: START, 0 rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "{", "{}", "[]", "{\"eventType\":\"START\"}"})
  void whatIsNoEventIsRefused(String text) {
    assertThatThrownBy(() -> graph.add(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
