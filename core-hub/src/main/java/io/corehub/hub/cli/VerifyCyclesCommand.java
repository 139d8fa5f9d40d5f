package io.corehub.hub.cli;

import io.corehub.agent.verify.TargetFiles;
import io.corehub.cyclereader.CycleVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify-cycles",
    description = {
      "Judges data files in cycle directories, whoever wrote them: completed and contents files,"
          + " manifests, hashes, counts, sequences, schemas, gaps, leftovers. Only reads.",
      "Prints one line for each violated rule, with its id, table and file. Errors (exit code 1) are"
          + " what a consumer would stop on, lose or misread; remarks (exit code 0) are leftovers and"
          + " what cannot be judged."
    })
final class VerifyCyclesCommand implements Callable<Integer> {

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
      names = "--config",
      paramLabel = "CONFIG",
      description =
          "The configuration file (YAML) whose pipeline writes there: for custom directories, and for"
              + " the credentials of a live target.")
  private @Nullable Path config;

  @Option(names = "--json", description = "Write one JSON object for each violated rule.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter err = command.commandLine().getErr();
    CycleJobs.Found job = CycleJobs.find(location, config, command);
    err.println("The job is " + job.described());
    ViolationLines lines = new ViolationLines(command.commandLine().getOut(), err, json, "cycle");
    try (TargetFiles files = job.files()) {
      new CycleVerifier(job.directories()).verify(files, lines);
    } catch (IOException e) {
      throw new Failure("The job cannot be read: " + e.getMessage(), e);
    }
    return lines.sum();
  }
}
