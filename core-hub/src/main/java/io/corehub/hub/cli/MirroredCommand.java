package io.corehub.hub.cli;

import io.corehub.agent.settings.Nearest;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "mirrored",
    description = {
      "Shows the tables as the mirrored database would after applying the landing zone below DIR.",
      "JSON has one object for each row and line: the row itself with --table, otherwise"
          + " {\"table\": NAME, \"row\": {...}}. CSV has a line of column names before the rows;"
          + " without --table, a line with the table's name before that."
    })
final class MirroredCommand implements Callable<Integer> {

  private enum Format {
    json,
    csv
  }

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "An emulator's directory, or any folder that holds a landing zone.")
  private @Nullable Path directory;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Only this table, written as in change-stream files: schema.name or name.")
  private @Nullable String table;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "json",
      description = "json or csv (default: ${DEFAULT-VALUE}).")
  private Format format = Format.json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    Path below = Objects.requireNonNull(directory);
    if (!Files.isDirectory(below)) {
      throw new ParameterException(
          command.commandLine(),
          "Directory " + below + (Files.exists(below) ? " is not one" : " does not exist"));
    }
    try {
      MirroredTables tables = MirroredTables.below(below);
      return show(tables, command.commandLine().getOut(), command.commandLine().getErr());
    } catch (IOException e) {
      throw new Failure(
          "The landing zone below " + below + " cannot be read: " + e.getMessage(), e);
    }
  }

  private int show(MirroredTables tables, PrintWriter out, PrintWriter err) throws IOException {
    int exitCode = ExitCode.DONE;
    List<MirroredTable> chosen = table == null ? tables.all() : List.of(named(tables, table));
    for (MirroredTable one : chosen) {
      if (format == Format.csv) {
        if (table == null) {
          out.println(one.name());
        }
        one.writeCsv(out);
      } else if (table == null) {
        one.writeJsonRowsWithTable(out);
      } else {
        one.writeJsonRows(out);
      }
      if (one.problem().isPresent()) {
        err.println("Table " + one.name() + " stopped: " + one.problem().get());
        exitCode = ExitCode.ACTION_REQUIRED;
      }
    }
    return exitCode;
  }

  private static MirroredTable named(MirroredTables tables, String name) {
    List<String> names = tables.all().stream().map(MirroredTable::name).toList();
    return tables
        .find(name)
        .orElseThrow(
            () ->
                new Failure(
                    "There is no table '"
                        + name
                        + "'. "
                        + Nearest.of(name, names)
                            .map(n -> "Did you mean '" + n + "'?")
                            .orElse("There are: " + String.join(", ", names))));
  }
}
