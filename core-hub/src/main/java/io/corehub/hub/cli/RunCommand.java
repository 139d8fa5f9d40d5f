package io.corehub.hub.cli;

import io.corehub.hub.Hub;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.pipeline.Outcome;
import io.corehub.hub.pipeline.PipelineStatus;
import io.corehub.hub.state.StateException;
import io.corehub.hub.web.WebException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = {
      "Runs the pipelines of a configuration file until stopped.",
      "A pipeline whose source is finite ends when all of it is confirmed; the process ends when"
          + " all pipelines ended."
    })
final class RunCommand implements Callable<Integer> {

  private static final Duration PROGRESS = Duration.ofSeconds(10);

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter err = command.commandLine().getErr();
    HubConfig file;
    try {
      file = ConfigFile.read(Objects.requireNonNull(config), command);
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    Logging.start();
    try (Hub hub = Hub.start(file, Clock.systemUTC())) {
      hub.webUrl().ifPresent(url -> err.println("Status page: " + url));
      if (file.web().isPresent() && !file.web().get().loopback()) {
        err.println(
            "Whoever has its token can read the names of tables and their errors from elsewhere, and"
                + " the token travels unencrypted: put a proxy with TLS in front.");
      }
      Thread hook = new Thread(() -> stop(hub, err), "shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      while (!hub.awaitEnd(PROGRESS)) {
        progress(hub.status(), err);
      }
      if (!remove(hook)) {
        // A signal came: the hook tells the rest, and the process ends with the signal's code.
        new CountDownLatch(1).await();
      }
      Summary.print(hub.status(), err);
      return exitCode(hub.outcomes());
    } catch (StateException | WebException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean remove(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      return false;
    }
  }

  private static void stop(Hub hub, PrintWriter err) {
    err.println("Stopping.");
    hub.close();
    Summary.print(hub.status(), err);
  }

  private static void progress(List<PipelineStatus> pipelines, PrintWriter err) {
    for (PipelineStatus pipeline : pipelines) {
      err.println(
          pipeline.name()
              + ": "
              + pipeline.phase().word()
              + ", "
              + Main.count(pipeline.rows())
              + " rows in "
              + Main.count(pipeline.files())
              + " files"
              + pipeline.confirmed().map(p -> ", confirmed up to position " + p).orElse(""));
    }
  }

  static int exitCode(List<Outcome> outcomes) {
    if (outcomes.contains(Outcome.UNEXPECTED)) {
      return ExitCode.UNEXPECTED;
    }
    return outcomes.contains(Outcome.ACTION_REQUIRED) ? ExitCode.ACTION_REQUIRED : ExitCode.DONE;
  }
}
