package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.lineage.OpenLineageSchemas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lineage through the client's transports, as docs/lineage.md gives them. */
class LineageTransportsTest {

  private static final int COMMITS = 10;

  @TempDir Path directory;

  private String config(Emulator emulator, String client) throws Exception {
    Files.writeString(directory.resolve("openlineage.yml"), client);
    return new Pipeline(directory, emulator)
        .inserts("sales.orders", COMMITS)
        .set("cdcBatchMaxSeconds", 0)
        .hub(
            "lineage: { enabled: true, configFile: ./openlineage.yml, intervalSeconds: 1,"
                + " shutdownSeconds: 20, mirroredDatabaseName: m }")
        .write();
  }

  @Test
  void aFileATopicAndTheLogAreToldTheSame() throws Exception {
    OpenLineageSchemas schemas = OpenLineageSchemas.find();
    Path file = directory.resolve("lineage.jsonl");
    try (KafkaBroker kafka = KafkaBroker.start(directory.resolve("kafka"));
        Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String client =
          """
          transport:
            type: composite
            continueOnFailure: true
            transports:
              - { type: file, location: %s }
              - { type: console }
              - type: kafka
                topicName: lineage
                properties:
                  bootstrap.servers: "%s"
                  acks: all
                  key.serializer: org.apache.kafka.common.serialization.StringSerializer
                  value.serializer: org.apache.kafka.common.serialization.StringSerializer
          """
              .formatted(file, kafka.address());

      Hub.Result result = Hub.run("run", config(emulator, client)).succeeded();

      List<String> events = Files.readAllLines(file);
      assertThat(events).hasSizeGreaterThanOrEqualTo(4);
      for (String event : events) {
        assertThat(schemas.problems(event)).as(event).isEmpty();
        assertThat(result.errors()).contains(event);
      }
      assertThat(kafka.read("lineage", events.size())).isEqualTo(events);
    }
  }

  @Test
  void aBrokerThatIsNotThereHoldsNothingUp() throws Exception {
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String client =
          """
          transport:
            type: kafka
            topicName: lineage
            properties:
              bootstrap.servers: "127.0.0.1:1"
              max.block.ms: 600000
              key.serializer: org.apache.kafka.common.serialization.StringSerializer
              value.serializer: org.apache.kafka.common.serialization.StringSerializer
          """;
      String config = config(emulator, client);
      Files.writeString(
          Path.of(config),
          Files.readString(Path.of(config)).replace("shutdownSeconds: 20", "shutdownSeconds: 1"));

      Hub.Result result = Hub.run("run", config).succeeded();

      assertThat(result.errors()).contains("were not sent within 1 s");
      assertThat(emulator.published("sales.schema/orders")).hasSize(COMMITS);
    }
  }
}
