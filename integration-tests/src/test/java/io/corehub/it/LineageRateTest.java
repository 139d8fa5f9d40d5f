package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a catalogue that never answers costs: the same stream with it and without lineage. */
@Tag("full")
@Tag("alone")
class LineageRateTest {

  private static final int FILES = 600;

  /** Files before which both are still loading classes. */
  private static final int WARM = 200;

  private static final int ROUNDS = 2;
  private static final double BOUND = 1.25;

  @TempDir Path directory;

  @Test
  void aCatalogueThatHangsCostsNoTime() throws Exception {
    Duration without = Duration.ofDays(1);
    Duration hanging = Duration.ofDays(1);
    // Its backlog takes connections, and nobody reads them.
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (int round = 0; round < ROUNDS; round++) {
        without = least(without, publish("without-" + round, ""));
        hanging =
            least(
                hanging,
                publish(
                    "hanging-" + round,
                    "transport: { type: http, url: \"http://127.0.0.1:"
                        + server.getLocalPort()
                        + "\", timeoutInMillis: 600000 }\n"));
      }
    }

    double ratio = (double) hanging.toNanos() / without.toNanos();
    System.out.printf(
        "%d files: %d ms without lineage, %d ms with a catalogue that hangs, ratio %.2f%n",
        FILES - WARM, without.toMillis(), hanging.toMillis(), ratio);
    assertThat(ratio).isLessThan(BOUND);
  }

  private static Duration least(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** Time in which the files behind the first ones were published. */
  private Duration publish(String name, String client) throws Exception {
    Path home = Files.createDirectory(directory.resolve(name));
    try (Emulator emulator = Emulator.start(Files.createDirectory(home.resolve("onelake")))) {
      Pipeline pipeline =
          new Pipeline(home, emulator).inserts("orders", FILES).set("cdcBatchMaxSeconds", 0);
      if (!client.isEmpty()) {
        Files.writeString(home.resolve("openlineage.yml"), client);
        pipeline.hub(
            "lineage: { enabled: true, configFile: ./openlineage.yml, intervalSeconds: 1,"
                + " shutdownSeconds: 1, mirroredDatabaseName: m }");
      }
      Hub.run("run", pipeline.write()).succeeded();

      assertThat(emulator.published("orders")).hasSize(FILES);
      Path folder = emulator.landingZone().resolve("orders");
      return Duration.between(written(folder, WARM), written(folder, FILES));
    }
  }

  private static Instant written(Path folder, int number) throws IOException {
    return Files.getLastModifiedTime(folder.resolve(String.format("%020d.parquet", number)))
        .toInstant();
  }
}
