package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packaged hub, started as a process of its own, as a user starts it. */
final class Hub {

  private static final Duration LIMIT = Duration.ofMinutes(4);

  private static final String OPTIONS = "HUB_JAVA_OPTS";

  /** A hub that lives for seconds spends half its work on optimising code it then hardly runs. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /** For what moves much data, or takes times: the JVM as a user has it. */
  static final Map<String, String> OPTIMISED = Map.of(OPTIONS, "");

  private Hub() {}

  /** What a finished command left behind. */
  record Result(int exitCode, String output, String errors) {

    Result succeeded() {
      return exited(0);
    }

    Result exited(int code) {
      assertThat(exitCode)
          .as("exit code; standard output:%n%s%nstandard error:%n%s", output, errors)
          .isEqualTo(code);
      return this;
    }
  }

  /** A command under way. */
  static final class Running implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final Path errors;

    private Running(Process process, Path output, Path errors) {
      this.process = process;
      this.output = output;
      this.errors = errors;
    }

    /** SIGKILL: no shutdown hook runs. */
    void killAtOnce() {
      close();
    }

    /** SIGTERM. */
    Result stop() throws InterruptedException {
      process.destroy();
      return await();
    }

    Result await() throws InterruptedException {
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("the command ends within %s; standard error so far:%n%s", LIMIT, errors())
          .isTrue();
      return new Result(process.exitValue(), read(output), errors());
    }

    boolean alive() {
      return process.isAlive();
    }

    String errors() {
      return read(errors);
    }

    /** Waits until standard error shows a text. */
    void awaitErrors(String text) throws InterruptedException {
      Await.until(
          "standard error shows '" + text + "'", () -> errors().contains(text), this::errors);
    }

    /** Writes what lives on the heap to a file, and returns that. */
    Path heapDump(Path file) throws IOException, InterruptedException {
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      Process dump =
          new ProcessBuilder(
                  jcmd.toString(), Long.toString(process.pid()), "GC.heap_dump", file.toString())
              .redirectErrorStream(true)
              .start();
      String told = new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(dump.waitFor()).as(told).isZero();
      assertThat(file).as(told).isNotEmptyFile();
      return file;
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  static Result run(String... arguments) throws InterruptedException {
    return start(Map.of(), arguments).await();
  }

  static Result run(Map<String, String> environment, String... arguments)
      throws InterruptedException {
    return start(environment, arguments).await();
  }

  /** Runs a command that cannot make a file larger than a number of blocks of 512 bytes. */
  static Result runWithSmallFiles(int blocks, Map<String, String> environment, String... arguments)
      throws InterruptedException {
    return startWithSmallFiles(blocks, environment, arguments).await();
  }

  /** The same, under way. */
  static Running startWithSmallFiles(
      int blocks, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -f " + blocks + "; exec \"$0\" \"$@\""));
    command.add(launcher().toString());
    command.addAll(List.of(arguments));
    return start(command, environment);
  }

  static Running start(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(launcher().toString());
    command.addAll(List.of(arguments));
    return start(command, environment);
  }

  private static Running start(List<String> command, Map<String, String> environment) {
    try {
      Path output = Files.createTempFile("hub-", ".out");
      Path errors = Files.createTempFile("hub-", ".err");
      output.toFile().deleteOnExit();
      errors.toFile().deleteOnExit();
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile());
      builder.environment().putIfAbsent(OPTIONS, QUICK_START);
      builder.environment().putAll(environment);
      return new Running(builder.start(), output, errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The launcher in the root of the source tree. */
  private static Path launcher() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isExecutable(directory.resolve("hub"))) {
      directory = directory.getParent();
      assertThat(directory).as("a parent folder that holds the launcher 'hub'").isNotNull();
    }
    return directory.resolve("hub");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
