package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM ends {@code hub run} in time whatever request hangs, even where the request is carried
 * out after the process is gone; and the next run doubles nothing.
 */
@Tag("full")
class TerminationTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int COMMITS = 200;

  @TempDir Path directory;

  private static List<String> stream() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"},{\"name\":\"t\",\"type\":\"STRING\"}]}");
    lines.add("{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":-1},{\"n\":-2}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"log\"}");
    String filling = "0123456789abcdef".repeat(1024);
    IntStream.rangeClosed(1, COMMITS)
        .forEach(
            i ->
                lines.add(
                    "{\"kind\":\"commit\",\"position\":"
                        + i
                        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":"
                        + i
                        + ",\"t\":\""
                        + i
                        + filling
                        + "\"}}]}"));
    return lines;
  }

  /** All at a time, two at once: most of it is waiting. */
  @Test
  void endsInTimeWhileARequestHangs() throws Exception {
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> cases = new ArrayList<>();
      for (String operation : List.of("token", "list", "create", "append", "flush", "rename")) {
        cases.add(
            two.submit(
                () -> {
                  endsInTimeWhileOneHangs(operation);
                  return operation;
                }));
      }
      for (Future<?> one : cases) {
        one.get();
      }
    } finally {
      two.shutdownNow();
    }
  }

  private void endsInTimeWhileOneHangs(String operation) throws Exception {
    Path own = Files.createDirectory(directory.resolve(operation));
    try (Emulator emulator = Emulator.start(Files.createDirectory(own.resolve("onelake")))) {
      String config =
          new Pipeline(own, emulator)
              .lines(stream())
              .set("cdcBatchRows", 100)
              .set("parquetCompression", "UNCOMPRESSED")
              .set("uploadBlockSizeMb", 1)
              .set("tryTimeoutInSeconds", 600)
              .write();
      emulator.addFaults(
          "[{\"operation\":\""
              + operation
              + "\",\"times\":1000,\"fault\":{\"type\":\"hang\",\"millis\":40000}}]");
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        Await.until(operation + " hangs", () -> fired(emulator), hub::errors);
        long began = System.nanoTime();
        hub.stop().exited(143);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).as(operation).isLessThan(LIMIT);
      }
      emulator.clearFaults();
      Hub.run("run", config).succeeded();
      assertThat(
              Hub.run("mirrored", emulator.directory().toString(), "--table", "log")
                  .succeeded()
                  .output()
                  .lines()
                  .map(TerminationTest::number))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.concat(IntStream.of(-2, -1), IntStream.rangeClosed(1, COMMITS))
                  .boxed()
                  .toList());
      emulator.assertLandedWell();
    }
  }

  private static boolean fired(Emulator emulator) {
    try {
      return emulator.firedFaults() > 0;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static int number(String line) {
    try {
      return Emulator.JSON.readTree(line).get("n").asInt();
    } catch (java.io.IOException e) {
      throw new AssertionError(line, e);
    }
  }
}
