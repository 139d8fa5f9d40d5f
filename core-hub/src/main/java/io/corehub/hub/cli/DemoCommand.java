package io.corehub.hub.cli;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "Runs the main job on embedded parts: a PostgreSQL with a small shop on it, a OneLake"
          + " emulator, and the hub between them.",
      "Shows what lands, and at the end compares every source table with its mirrored table."
    })
final class DemoCommand implements Callable<Integer> {

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the status page; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(names = "--no-browser", description = "Do not open the status page in a browser.")
  private boolean noBrowser;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Stop by itself after N seconds and compare (default: run until interrupted).")
  private @Nullable Integer seconds;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (port < 0 || port > 65_535) {
      throw wrong("--port is " + port + ", but must be a number from 0 to 65535");
    }
    if (seconds != null && seconds < 1) {
      throw wrong("--seconds is " + seconds + ", but must be at least 1");
    }
    Logging.start();
    DemoRunner demo =
        ServiceLoader.load(DemoRunner.class)
            .findFirst()
            .orElseThrow(() -> new Failure("This package holds no demo; build it anew"));
    return demo.run(
        new DemoOptions(
            port, !noBrowser, Optional.ofNullable(seconds).map(s -> Duration.ofSeconds(s))));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
