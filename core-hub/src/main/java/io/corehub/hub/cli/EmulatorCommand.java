package io.corehub.hub.cli;

import io.corehub.emulator.CertificateDates;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.emulator.ProxyMode;
import io.corehub.emulator.StorageBackend;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "emulator",
    description = {
      "Runs the OneLake emulator until stopped: an HTTPS server that speaks OneLake's DFS requests"
          + " and Entra's token request.",
      "DIR/emulator.json says how to reach it."
    })
final class EmulatorCommand implements Callable<Integer> {

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      required = true,
      description = "Where files and bookkeeping lie; created if missing.")
  private @Nullable Path directory;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port on the loopback interface; 0 takes any free one (default).")
  private int port;

  @Option(
      names = "--managed-identity-port",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Port on the loopback interface that gives out tokens of managed identities; 0 takes any"
              + " free one (default).")
  private int managedIdentityPort;

  @Option(
      names = "--replicate",
      description = "Apply landed files and move them as Fabric's replicator does.")
  private boolean replicate;

  @Option(
      names = "--left-in-place",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description =
          "With --replicate: how long a file stays at least before it is moved away (default:"
              + " ${DEFAULT-VALUE}).")
  private int leftInPlace;

  @Option(
      names = "--storage",
      paramLabel = "BACKEND",
      defaultValue = "directory",
      description = "directory, memory or azurite (default: ${DEFAULT-VALUE}).")
  private String storage = "directory";

  @Option(
      names = "--certificate",
      paramLabel = "DATES",
      defaultValue = "valid",
      description =
          "valid, expired or not-yet-valid: what a client with a wrong clock sees (default:"
              + " ${DEFAULT-VALUE}).")
  private String certificate = "valid";

  @Option(
      names = "--proxy",
      paramLabel = "MODE",
      defaultValue = "none",
      description =
          "Run a forward proxy as well: tunnel, block, or intercept, which inspects TLS (default:"
              + " ${DEFAULT-VALUE}).")
  private String proxy = "none";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    requirePort(command, "--port", port);
    requirePort(command, "--managed-identity-port", managedIdentityPort);
    if (leftInPlace < 0) {
      throw new ParameterException(
          command.commandLine(), "--left-in-place is " + leftInPlace + ", but must be 0 or more");
    }
    EmulatorOptions options =
        EmulatorOptions.in(Objects.requireNonNull(directory))
            .port(port)
            .managedIdentityPort(managedIdentityPort)
            .replicate(replicate)
            .leftInPlace(Duration.ofSeconds(leftInPlace))
            .storage(choice(command, "--storage", storage, StorageBackend.values()))
            .certificateDates(
                choice(command, "--certificate", certificate, CertificateDates.values()))
            .proxy(choice(command, "--proxy", proxy, ProxyMode.values()))
            .build();
    Logging.start();
    OneLakeEmulator emulator;
    try {
      emulator = OneLakeEmulator.start(options);
    } catch (IOException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    PrintWriter err = command.commandLine().getErr();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(emulator, err), "shutdown"));
    err.println("OneLake emulator: " + emulator.connection().landingZoneUrl());
    err.println("Connection data:  " + options.directory().resolve("emulator.json"));
    // Only a signal ends it; the hook closes the emulator then.
    new CountDownLatch(1).await();
    return ExitCode.DONE;
  }

  private static void requirePort(CommandSpec command, String option, int value) {
    if (value < 0 || value > 65_535) {
      throw wrong(command, option + " is " + value + ", but must be a number from 0 to 65535");
    }
  }

  private static <E extends Enum<E>> E choice(
      CommandSpec command, String option, String given, E[] choices) {
    List<String> words = new ArrayList<>();
    for (E choice : choices) {
      String word = choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (word.equals(given)) {
        return choice;
      }
      words.add(word);
    }
    throw wrong(
        command,
        option
            + " is '"
            + given
            + "', but must be "
            + String.join(", ", words.subList(0, words.size() - 1))
            + " or "
            + words.get(words.size() - 1));
  }

  private static ParameterException wrong(CommandSpec command, String message) {
    return new ParameterException(command.commandLine(), message);
  }

  private static void close(OneLakeEmulator emulator, PrintWriter err) {
    try {
      emulator.close();
    } catch (IOException e) {
      err.println("hub: " + e.getMessage());
    }
  }
}
