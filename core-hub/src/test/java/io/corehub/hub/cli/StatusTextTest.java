package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code hub status} takes for something that a person must see to. */
class StatusTextTest {

  private static List<String> problems(String table) throws Exception {
    return StatusText.problems(
        new ObjectMapper()
            .readTree(
                "{\"pipelines\":{\"shop\":{\"state\":\"running\",\"tables\":{\"t\":"
                    + table
                    + "}}}}"));
  }

  @Test
  void aTableThatDiffersFromItsSourceNeedsAPerson() throws Exception {
    assertThat(problems("{\"state\":\"changes\",\"diverged\":true}"))
        .singleElement()
        .asString()
        .startsWith("shop: Table t differs from the source")
        .endsWith("Load it anew with hub recreate-table.");
  }

  @Test
  void whatPassesByItselfNeedsNobody() throws Exception {
    assertThat(problems("{\"state\":\"degraded\",\"diverged\":false,\"error\":\"throttled\"}"))
        .isEmpty();
    assertThat(problems("{\"state\":\"changes\",\"diverged\":false}")).isEmpty();
  }

  @Test
  void aStopIsToldWithItsReason() throws Exception {
    assertThat(problems("{\"state\":\"stopped\",\"error\":\"Table t: bad\\u202e\"}"))
        .containsExactly("shop: Table t: bad\\u202e");
  }
}
