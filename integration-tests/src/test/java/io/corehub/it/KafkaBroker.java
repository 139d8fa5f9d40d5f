package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A Kafka broker, which is its own controller, as a process on this machine. */
final class KafkaBroker implements AutoCloseable {

  private static final Duration READ_LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final Path log;
  private final String address;

  private KafkaBroker(Process process, Path log, String address) {
    this.process = process;
    this.log = log;
    this.address = address;
  }

  /** Starts a broker that keeps its files in a directory. Topics make themselves. */
  static KafkaBroker start(Path directory) throws Exception {
    Files.createDirectories(directory);
    int port = freePort();
    int controllerPort = freePort();
    Path properties =
        Files.writeString(
            directory.resolve("server.properties"),
            """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            controller.listener.names=CONTROLLER
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            log.dirs=%3$s
            auto.create.topics.enable=true
            num.partitions=1
            offsets.topic.replication.factor=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            """
                .formatted(port, controllerPort, directory.resolve("data")));
    Path log = directory.resolve("kafka.log");
    Process format =
        java(
            log,
            "kafka.tools.StorageTool",
            "format",
            "-t",
            Uuid.randomUuid().toString(),
            "-c",
            properties.toString());
    assertThat(format.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(format.exitValue()).as(() -> read(log)).isZero();
    return new KafkaBroker(
        java(log, "kafka.Kafka", properties.toString()), log, "127.0.0.1:" + port);
  }

  private static Process java(Path log, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Where clients reach it: {@code host:port}. */
  String address() {
    return address;
  }

  /** Reads a topic from its start until so many records were there. */
  List<String> read(String topic, int count) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            address,
            "key.deserializer",
            StringDeserializer.class,
            "value.deserializer",
            StringDeserializer.class,
            "auto.offset.reset",
            "earliest");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
      consumer.assign(List.of(new TopicPartition(topic, 0)));
      long deadline = System.nanoTime() + READ_LIMIT.toNanos();
      while (values.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> event : consumer.poll(Duration.ofSeconds(1))) {
          values.add(event.value());
        }
      }
    }
    assertThat(values).as(() -> read(log)).hasSize(count);
    return values;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
