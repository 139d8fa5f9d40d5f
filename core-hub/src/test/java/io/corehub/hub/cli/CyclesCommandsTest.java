package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hub verify-cycles} and {@code hub read-cycles} over a tree without manifests. */
class CyclesCommandsTest {

  private static final String CYCLE = "2026-11-29-10-00-05";
  private static final String DATA = "data/orders/data/" + CYCLE + "/orders_20261129100005.csv";

  @TempDir Path directory;
  private Path job;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int hub(String... args) {
    return Main.run(args, new PrintWriter(out), new PrintWriter(err));
  }

  private void write(String path, String text) throws Exception {
    Path file = job.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @BeforeEach
  void tree() throws Exception {
    job = directory.resolve("cdc/sales_cdc");
    write(
        DATA,
        """
        "CDC_OPERATION_TYPE","CDC_SORTABLE_SEQUENCE","id","v","id_OLD","v_OLD"
        "I","00000000000000000101000000000001","1","größe",,
        "U","00000000000000000102000000000001","1","","1","größe"
        """);
    write(
        "data/orders/schema/V1/orders.schema",
        """
        {"type":"record","name":"orders","fields":[
         {"name":"CDC_OPERATION_TYPE","type":"string","role":"operationType"},
         {"name":"CDC_SORTABLE_SEQUENCE","type":"string","role":"sortableSequence"},
         {"name":"id","type":["null","int"],"sourceType":"INT"},
         {"name":"v","type":["null","string"],"sourceType":"STRING"},
         {"name":"id_OLD","type":["null","int"],"sourceType":"INT","beforeImageOf":"id"},
         {"name":"v_OLD","type":["null","string"],"sourceType":"STRING","beforeImageOf":"v"}]}
        """);
    write(
        "cycle/contents/" + CYCLE + "/Cycle-contents-20261129100005.csv",
        """
        "table_name","cycle_name","cycle_path","start_sequence","end_sequence","inserts","updates","deletes","schema_version","schema_path"
        "orders","2026-11-29-10-00-05","sales_cdc/data/orders/data/2026-11-29-10-00-05","00000000000000000101000000000001","00000000000000000102000000000001","1","1","0","1","sales_cdc/data/orders/schema/V1/orders.schema"
        """);
    write(
        "cycle/completed/" + CYCLE + "/Cycle-20261129100005.csv",
        """
        "cycle_name","start_time","end_time","current_sequence","contents_path","reason"
        "2026-11-29-10-00-05","2026-11-29T10:00:05.000Z","2026-11-29T10:00:40.000Z","00000000000000000102000000000001","sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv","NORMAL_COMMIT"
        """);
  }

  @Test
  void theJobsFolderAndItsConnectionFolderAreJudgedAlike() {
    for (Path folder : List.of(job, job.getParent(), directory)) {
      out.getBuffer().setLength(0);
      assertThat(hub("verify-cycles", folder.toString())).isZero();
      assertThat(out.toString())
          .isEqualTo(
              "remark CY-M10 file sales_cdc/cycle/contents: No cycle has a manifest, so only what"
                  + " the files say of each other was judged.\n");
      assertThat(err.toString())
          .contains("The job is sales_cdc below " + job.getParent())
          .contains("0 errors and 1 remark in 1 cycle, 1 file, ");
    }
  }

  @Test
  void anErrorIsOneLineAndExitCodeOne() throws Exception {
    write(DATA, Files.readString(job.resolve(DATA)).replace("\"U\"", "\"D\""));
    assertThat(hub("verify-cycles", job.toString(), "--json")).isEqualTo(1);
    JsonNode violation =
        new ObjectMapper().readTree(out.toString().lines().findFirst().orElseThrow());
    assertThat(violation.get("severity").asText()).isEqualTo("error");
    assertThat(violation.get("rule").asText()).isEqualTo("CY-N5");
    assertThat(violation.get("table").asText()).isEqualTo("orders");
  }

  @Test
  void rowsAreJsonLines() {
    assertThat(hub("read-cycles", job.toString())).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"I\",\"sequence\":"
                + "\"00000000000000000101000000000001\",\"schemaVersion\":1,"
                + "\"row\":{\"id\":1,\"v\":\"größe\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"U\",\"sequence\":"
                + "\"00000000000000000102000000000001\",\"schemaVersion\":1,"
                + "\"row\":{\"id\":1,\"v\":\"\"},\"before\":{\"id\":1,\"v\":\"größe\"}}");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void onlyLaterCyclesAreReadWhenAsked() {
    assertThat(hub("read-cycles", job.toString(), "--after", CYCLE)).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(hub("read-cycles", job.toString(), "--after", "dt=2026-11-29-10-00-04")).isZero();
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(hub("read-cycles", job.toString(), "--after", "yesterday")).isEqualTo(2);
    assertThat(err.toString()).contains("'yesterday' is no name of a cycle");
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    write(DATA, Files.readString(job.resolve(DATA)) + "\"I\"");
    assertThat(hub("read-cycles", job.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("hub: The cycles cannot be read: sales_cdc/" + DATA + ": line 4: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify-cycles", "read-cycles"})
  void wrongUseIsTold(String command) throws Exception {
    assertThat(hub(command, directory.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("does not exist");
    assertThat(hub(command, job.resolve("data").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("there is no job with a directory cycle/completed");
    Files.createDirectories(directory.resolve("cdc/other/cycle/completed"));
    assertThat(hub(command, directory.resolve("cdc").toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("There are several jobs below", "/cdc/other, ", "/cdc/sales_cdc]");
    assertThat(hub(command, "https://onelake.dfs.fabric.microsoft.com/w/l/Files/cdc")).isEqualTo(2);
    assertThat(err.toString()).contains("A URL needs --config CONFIG");
    assertThat(hub(command, job.toString(), "--config", directory.resolve("x.yaml").toString()))
        .isEqualTo(2);
    assertThat(hub(command)).isEqualTo(2);
    assertThat(hub(command, "--help")).isZero();
    assertThat(out.toString()).contains("Usage: hub " + command, "DIR", "--config");
  }
}
