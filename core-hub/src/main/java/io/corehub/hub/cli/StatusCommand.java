package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.state.StateException;
import io.corehub.hub.state.StateLook;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = {
      "Tells how each table stands: state, last file and position, age of the oldest unconfirmed"
          + " change, what the target itself says, and errors with advice.",
      "A running hub with a web server is asked for it; otherwise the state directory, the landing"
          + " zone and Fabric's own status are read. Writes nothing, and may be used at any time.",
      "Ends with 1 if a person must do something."
    })
final class StatusCommand implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Option(names = "--json", description = "As JSON, in the form of /health.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    HubConfig file;
    try {
      file = ConfigFile.read(Objects.requireNonNull(config), command);
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    Logging.start();
    ObjectNode report;
    try {
      StateLook state = new StateLook(file.stateDirectory());
      boolean running = state.inUse();
      Optional<ObjectNode> live =
          running ? state.webUrl().flatMap(url -> LiveStatus.of(url, file)) : Optional.empty();
      report = live.isPresent() ? live.get() : OfflineStatus.of(file, state, running);
      report.put("running", running);
    } catch (StateException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    List<String> problems = StatusText.problems(report);
    report.put("status", problems.isEmpty() ? "ok" : "action required");
    if (json) {
      out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString((JsonNode) report));
    } else {
      StatusText.print(report, out);
    }
    out.flush();
    problems.forEach(err::println);
    return problems.isEmpty() ? ExitCode.DONE : ExitCode.ACTION_REQUIRED;
  }
}
