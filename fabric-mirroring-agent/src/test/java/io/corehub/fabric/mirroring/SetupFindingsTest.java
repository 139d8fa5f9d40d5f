package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.Finding;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.onelake.memory.InMemoryDfsClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the check before the first run says of the mirrored database's own status. */
class SetupFindingsTest {

  private static List<Finding> checkWhere(String replicator) throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      try (InMemoryDfsClient fabric = run.fileSystem.client()) {
        String file = "Files/Monitoring/replicator.json";
        fabric.createDirectory("Files/Monitoring");
        fabric.create(file, true);
        fabric.append(
            file,
            0,
            ByteBuffer.wrap(replicator.getBytes(StandardCharsets.UTF_8)),
            AppendMode.APPEND_FLUSH_CLOSE);
      }
      return run.create().check();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":\"Stopped\",\"errorCode\":\"\",\"errorMessage\":\"\"} | is Stopped and takes no files. Start or resume replication",
        "{\"Status\":\"paused\"} | is paused and takes no files. Start or resume replication",
        "{\"status\":\"Initialized\"} | Start or resume replication",
        "{\"status\":\"Initializing\"} | Wait until it runs",
        "{\"status\":\"Failed\",\"errorCode\":\"E7\",\"errorMessage\":\"it broke.\"} | (E7: it broke) and takes no files. Look at Monitor replication",
        "{\"status\": | Whether Fabric takes the files is not known"
      })
  void checkWarnsWhenFabricTakesNoFiles(String replicator, String text)
      throws InterruptedException {
    List<Finding> findings = checkWhere(replicator);
    assertThat(findings).noneMatch(f -> f.severity() == Finding.Severity.ERROR);
    assertThat(findings)
        .filteredOn(f -> f.severity() == Finding.Severity.WARNING)
        .singleElement()
        .satisfies(f -> assertThat(f.message()).contains(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"status\":\"Running\"}",
        "{\"status\":\"Running with warning\",\"errorMessage\":\"slow\"}",
        "{\"status\":\"SomethingNew\"}",
        "{}"
      })
  void checkIsContentWithAStatusThatRunsOrThatNobodyKnows(String replicator)
      throws InterruptedException {
    assertThat(checkWhere(replicator)).allMatch(f -> f.severity() == Finding.Severity.OK);
  }

  @Test
  void aStatusThatMayNotBeReadIsAWarning() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.script.fail(Operation.READ, "replicator.json", false, 1, Kind.FORBIDDEN, false);
      assertThat(run.create().check())
          .filteredOn(f -> f.severity() == Finding.Severity.WARNING)
          .singleElement()
          .satisfies(
              f -> assertThat(f.message()).contains("cannot be read").contains("as Contributor"));
    }
  }
}
