package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.TableId;
import io.corehub.fabric.mirroring.Monitoring.Reading;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.memory.InMemoryDfsClient;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MonitoringTest {

  private static final String FOLDER = "Files/Monitoring/";

  private final InMemoryDfsClient files = new InMemoryFileSystem(Clock.systemUTC()).client();
  private final Monitoring monitoring = monitoring("");

  private Monitoring monitoring(String prefix) {
    Map<String, String> values = MemoryTarget.settings();
    if (!prefix.isEmpty()) {
      values.put("customPrefix", prefix);
    }
    Settings settings = MirroringSettings.AGENT.parse(values);
    AgentConfig config = AgentConfig.of(settings);
    return new Monitoring(files, config.connection(), config.prefix());
  }

  private void write(String name, String content) throws InterruptedException {
    write(name, content.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String name, byte[] content) throws InterruptedException {
    files.createDirectory("Files/Monitoring");
    files.create(FOLDER + name, false);
    if (content.length > 0) {
      files.append(FOLDER + name, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
    }
  }

  private TableReport onlyTable(String json) throws InterruptedException {
    write("tables.json", json);
    return monitoring.tables().known().orElseThrow().get(0);
  }

  @Nested
  class ReadsTheReplicator {

    @Test
    void asMicrosoftShowsIt() throws InterruptedException {
      write("replicator.json", "{\"status\":\"Stopped\",\"errorCode\":\"\",\"errorMessage\":\"\"}");

      ReplicatorReport report = monitoring.replicator().known().orElseThrow();

      assertThat(report.status()).isEqualTo(new FabricStatus("Stopped", "", ""));
      assertThat(report.status().halted()).isTrue();
      assertThat(report.status().failed()).isFalse();
      assertThat(report.heartbeat()).isEmpty();
    }

    @Test
    void withItsHeartbeat() throws InterruptedException {
      write(
          "replicator.json",
          "{\"Status\":\"Running\",\"LastHeartbeat\":\"2026-10-08T07:06:05.1234567Z\"}");

      assertThat(monitoring.replicator().known().orElseThrow().heartbeat())
          .contains(Instant.parse("2026-10-08T07:06:05.123456700Z"));
    }

    @Test
    void withAnErrorOfItsOwn() throws InterruptedException {
      write(
          "replicator.json",
          "{\"status\":\"Running\",\"error\":{\"errorCode\":\"X1\",\"message\":\"no disk\"}}");

      FabricStatus status = monitoring.replicator().known().orElseThrow().status();

      assertThat(status.failed()).isTrue();
      assertThat(status.error()).isEqualTo("X1: no disk");
    }
  }

  @Nested
  class ReadsTheTables {

    @Test
    void asTheFilesSpellThem() throws InterruptedException {
      TableReport report =
          onlyTable(
              """
              {"tables":[{"id":"1","status":"Replicating","errorCode":"","errorMessage":"",
              "normalizedTableName":"abc.12345","sourceTableName":"Orders",
              "sourceSchemaName":"sales","sourceObjectType":"Table","metrics":
              {"processedRowCount":12,"processedByte":3456,
              "lastSourceCommitTimeUtc":"0001-01-01T00:00:00",
              "lastSyncTimeUtc":"2026-10-08T07:06:05.5"}}]}
              """);

      assertThat(report.schema()).isEqualTo("sales");
      assertThat(report.name()).isEqualTo("Orders");
      assertThat(report.status()).isEqualTo(new FabricStatus("Replicating", "", ""));
      assertThat(report.operations()).hasValue(12);
      assertThat(report.bytes()).hasValue(3456);
      assertThat(report.lastSourceCommit()).isEmpty();
      assertThat(report.lastSync()).contains(Instant.parse("2026-10-08T07:06:05.500Z"));
    }

    @Test
    void asTheRestApiSpellsThem() throws InterruptedException {
      TableReport report =
          onlyTable(
              """
              {"data":[{"Status":"Failed","SourceTableName":"Orders","SourceSchemaName":"",
              "Error":{"ErrorCode":"SchemaMergeFailure","Message":"int\\nis not string"},
              "ProcessedRows":"12","ProcessedBytes":7,
              "LastSyncDateTime":"2026-10-08T09:06:05+02:00"}]}
              """);

      assertThat(report.operations()).hasValue(12);
      assertThat(report.bytes()).hasValue(7);
      assertThat(report.lastSync()).contains(Instant.parse("2026-10-08T07:06:05Z"));
      assertThat(report.status().failed()).isTrue();
      assertThat(report.status().error()).isEqualTo("SchemaMergeFailure: int\\u000ais not string");
    }

    @Test
    void withAByteOrderMark() throws InterruptedException {
      write("tables.json", "\uFEFF{\"tables\":[{\"sourceTableName\":\"Orders\"}]}");

      assertThat(monitoring.tables().known().orElseThrow()).hasSize(1);
    }

    @Test
    void whateverTheWordForTheirState() throws InterruptedException {
      TableReport report =
          onlyTable("{\"tables\":[{\"sourceTableName\":\"a\",\"status\":\"Humming along\"}]}");

      assertThat(report.status().word()).isEqualTo("Humming along");
      assertThat(report.status().failed()).isFalse();
      assertThat(report.status().halted()).isFalse();
      assertThat(report.operations()).isEmpty();
      assertThat(report.lastSync()).isEmpty();
    }

    @Test
    void andTakesAnErrorInARunningTableForAFailureButAWarningForAWarning() {
      assertThat(new FabricStatus("Replicating", "", "type changed").failed()).isTrue();
      assertThat(new FabricStatus("Running with warning", "W", "slow").failed()).isFalse();
    }
  }

  @Nested
  class FindsATable {

    private final List<TableReport> reports =
        List.of(report("sales", "Orders"), report("", "orders"), report("SALES", "parts"));

    private static TableReport report(String schema, String name) {
      return MonitoringText.tables(
              ("[{\"sourceSchemaName\":\"" + schema + "\",\"sourceTableName\":\"" + name + "\"}]")
                  .getBytes(StandardCharsets.UTF_8))
          .get(0);
    }

    @Test
    void bySchemaAndName() {
      assertThat(monitoring.find(TableId.of("sales", "Orders"), reports)).contains(reports.get(0));
      assertThat(monitoring.find(TableId.of("orders"), reports)).contains(reports.get(1));
      assertThat(monitoring.find(TableId.of("sales", "Parts"), reports)).contains(reports.get(2));
      assertThat(monitoring.find(TableId.of("hr", "Orders"), reports)).isEmpty();
    }

    @Test
    void inTheSchemaOfTheCustomPrefix() {
      assertThat(monitoring("sales.schema").find(TableId.of("Orders"), reports))
          .contains(reports.get(0));
    }
  }

  @Nested
  class CannotReadNow {

    @Test
    void whatIsNotThere() throws InterruptedException {
      assertThat(monitoring.tables()).isInstanceOf(Reading.Absent.class);
      assertThat(monitoring.replicator()).isInstanceOf(Reading.Absent.class);
    }

    @Test
    void whatIsHalfWrittenTooLargeOrHostile() throws InterruptedException {
      for (String text :
          List.of(
              "",
              "{\"tables\":[{\"sourceTableName\":\"a\"",
              "[".repeat(100_000),
              "{\"tables\":7}",
              "null",
              "{\"tables\":[]} trailing",
              "<html>",
              " ".repeat(Json.MAX_BYTES + 1))) {
        write("tables.json", text);
        write("replicator.json", text.equals("{\"tables\":7}") ? "[]" : text);
        assertThat(monitoring.tables()).isInstanceOf(Reading.Unreadable.class);
        if (!text.endsWith("trailing")) {
          assertThat(monitoring.replicator()).isInstanceOf(Reading.Unreadable.class);
        }
      }
    }

    @Test
    void andSaysWhichFile() throws InterruptedException {
      write("tables.json", "{");

      assertThat(((Reading.Unreadable<?>) monitoring.tables()).why())
          .startsWith("Files/Monitoring/tables.json cannot be read now: ");
    }
  }

  @Test
  void takesAnyBytesForAReportOrForUnreadableAndNothingElse() {
    String sample =
        """
        {"tables":[{"status":"Replicating","errorCode":"","errorMessage":"e\\u0000\\ud800",
        "sourceTableName":"Orders","sourceSchemaName":"sales","metrics":
        {"processedRowCount":12,"processedByte":1e999999999,
        "lastSyncTimeUtc":"2026-10-08T07:06:05.5"}}],"status":"Running","lastHeartbeat":[]}
        """;
    byte[] base = sample.getBytes(StandardCharsets.UTF_8);
    Seeds.forEach(
        3_000,
        40,
        (seed, size) -> {
          Random random = new Random(seed);
          byte[] content = mutated(base, random, size);
          readOrRefuse(content);
        });
  }

  private static byte[] mutated(byte[] base, Random random, int changes) {
    byte[] content = base.clone();
    String structure = "{}[]\",:\\0-eE+truefalsnTZ ";
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(content.length);
      content[at] =
          random.nextBoolean()
              ? (byte) structure.charAt(random.nextInt(structure.length()))
              : (byte) random.nextInt(256);
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(content.length) : content.length;
    return java.util.Arrays.copyOf(content, length);
  }

  private static void readOrRefuse(byte[] content) {
    try {
      for (TableReport table : MonitoringText.tables(content)) {
        assertThat(table.status().error()).matches("[^\\p{Cntrl}]*");
        assertThat(table.operations().orElse(0)).isNotNegative();
      }
    } catch (IllegalArgumentException unreadable) {
      assertThat(unreadable).hasMessageMatching("it .*");
    }
    try {
      assertThat(MonitoringText.replicator(content).status().word()).matches("[^\\p{Cntrl}]*");
    } catch (IllegalArgumentException unreadable) {
      assertThat(unreadable).hasMessageMatching("it .*");
    }
  }

  @Test
  void refusesWhatIsNoTimeAndKeepsTheRest() throws InterruptedException {
    for (String time :
        List.of(
            "\"yesterday\"", "7", "{}", "\"2026-13-01T00:00:00\"", "\"0001-01-01T00:00:00Z\"")) {
      TableReport report =
          onlyTable("{\"tables\":[{\"sourceTableName\":\"a\",\"lastSyncTimeUtc\":" + time + "}]}");
      assertThat(report.lastSync()).isEqualTo(Optional.empty());
    }
    assertThatThrownBy(() -> MonitoringText.tables("{".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
