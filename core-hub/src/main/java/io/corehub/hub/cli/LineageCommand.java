package io.corehub.hub.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "lineage",
    description = {
      "Prints the graph of a file of OpenLineage events: which table goes to which, by which jobs,"
          + " and which column comes from which.",
      "The file has one event a line, as OpenLineage's file transport writes it."
    })
final class LineageCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "FILE", description = "File of events, one a line.")
  private @Nullable Path file;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Path events = Objects.requireNonNull(file);
    if (!Files.isRegularFile(events)) {
      throw new ParameterException(
          command.commandLine(),
          "File " + events + (Files.exists(events) ? " is not a file" : " does not exist"));
    }
    LineageGraph graph = new LineageGraph();
    try (BufferedReader reader = Files.newBufferedReader(events, StandardCharsets.UTF_8)) {
      read(reader, graph, events, command.commandLine().getErr());
    } catch (IOException e) {
      throw new Failure("File " + events + " cannot be read: " + e, e);
    }
    graph.print(command.commandLine().getOut());
    return ExitCode.DONE;
  }

  private static void read(BufferedReader reader, LineageGraph graph, Path file, PrintWriter err)
      throws IOException {
    int number = 0;
    String line = reader.readLine();
    while (line != null) {
      number++;
      String next = reader.readLine();
      try {
        if (!line.isBlank()) {
          graph.add(line);
        }
      } catch (IllegalArgumentException e) {
        if (next == null) {
          err.println("hub: the last line is left out: it is not whole yet, or " + e.getMessage());
        } else {
          throw new Failure(file + ", line " + number + ": " + e.getMessage(), e);
        }
      }
      line = next;
    }
  }
}
