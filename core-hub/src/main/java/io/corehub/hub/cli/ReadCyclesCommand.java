package io.corehub.hub.cli;

import io.corehub.agent.verify.TargetFiles;
import io.corehub.cyclereader.CycleReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "read-cycles",
    description = {
      "Prints the rows of completed cycles, one JSON object a line: {\"cycle\", \"table\", \"op\","
          + " \"sequence\", \"schemaVersion\", \"row\", \"before\"}, by cycle, table and sequence.",
      "Values are written as in change-stream files where the schema is known, otherwise as text."
    })
final class ReadCyclesCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      arity = "0..1",
      description =
          "The folder of a job, or one with exactly one job below; with --config, for custom"
              + " directories, the connection folder or, for a live job, its URL. Without DIR, the job"
              + " of the one pipeline of CONFIG that writes cycle files.")
  private @Nullable String location;

  @Option(
      names = "--after",
      paramLabel = "CYCLE",
      description =
          "Only cycles behind this one, such as 2026-11-29-10-00-05: the last one that was read.")
  private @Nullable String after;

  @Option(
      names = "--config",
      paramLabel = "CONFIG",
      description =
          "The configuration file (YAML) whose pipeline writes there: for custom directories, and for"
              + " the credentials of a live target.")
  private @Nullable Path config;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    Optional<String> behind = after(command);
    CycleJobs.Found job = CycleJobs.find(location, config, command);
    PrintWriter out = command.commandLine().getOut();
    try (TargetFiles files = job.files()) {
      new CycleReader(files, job.directories())
          .read(
              behind,
              row -> {
                out.println(row.toJson());
                if (out.checkError()) {
                  throw new IOException("standard output is closed");
                }
              });
    } catch (IOException e) {
      throw new Failure("The cycles cannot be read: " + e.getMessage(), e);
    }
    return ExitCode.DONE;
  }

  private Optional<String> after(CommandSpec command) {
    if (after == null) {
      return Optional.empty();
    }
    Optional<String> name = CycleReader.cycleName(after);
    if (name.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          "'" + after + "' is no name of a cycle; one looks like 2026-11-29-10-00-05");
    }
    return name;
  }
}
