package io.corehub.hub.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Entry point of the {@code hub} command. */
public final class Main {

  private static final Map<String, Supplier<Callable<Integer>>> COMMANDS = commands();

  private Main() {}

  private static Map<String, Supplier<Callable<Integer>>> commands() {
    Map<String, Supplier<Callable<Integer>>> commands = new LinkedHashMap<>();
    commands.put("demo", DemoCommand::new);
    commands.put("run", RunCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("compare", CompareCommand::new);
    commands.put("recreate-table", RecreateTableCommand::new);
    commands.put("remove-table", RemoveTableCommand::new);
    commands.put("handover", HandoverCommand::new);
    commands.put("agents", AgentsCommand::new);
    commands.put("emulator", EmulatorCommand::new);
    commands.put("mirrored", MirroredCommand::new);
    commands.put("verify", VerifyCommand::new);
    commands.put("lineage", LineageCommand::new);
    return commands;
  }

  /** The command without a subcommand. */
  @Command(
      name = "hub",
      synopsisSubcommandLabel = "COMMAND",
      description = "Lands change data in Microsoft Fabric.",
      footer = {
        "",
        "Exit codes: 0 done, 1 a person must change something, 2 wrong usage,",
        "3 unexpected error, 130/143 stopped by a signal after a clean shutdown."
      })
  static final class Root implements Callable<Integer> {

    @CommandLine.Spec private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

    @Override
    public Integer call() {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "Missing command");
    }
  }

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param args command line
   */
  public static void main(String[] args) {
    System.exit(
        run(
            args,
            new PrintWriter(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8)));
  }

  /** Runs one command and returns its exit code. */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    CommandLine line = withHelp(new CommandLine(new Root()));
    // Building a command costs start-up time: only the one that is asked for is built.
    List<String> wanted =
        args.length > 0 && COMMANDS.containsKey(args[0])
            ? List.of(args[0])
            : new ArrayList<>(COMMANDS.keySet());
    for (String name : wanted) {
      line.addSubcommand(
          name, withHelp(new CommandLine(Objects.requireNonNull(COMMANDS.get(name)).get())));
    }
    line.setOut(out);
    line.setErr(err);
    line.setParameterExceptionHandler(Main::usage);
    line.setExecutionExceptionHandler(Main::failed);
    try {
      return line.execute(args);
    } finally {
      out.flush();
      err.flush();
    }
  }

  private static CommandLine withHelp(CommandLine line) {
    line.getCommandSpec()
        .addOption(
            CommandLine.Model.OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and end.")
                .build());
    return line;
  }

  private static int usage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("hub: " + e.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    }
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult ignoredResult) {
    PrintWriter err = line.getErr();
    if (e instanceof Failure) {
      err.println("hub: " + e.getMessage());
      return ExitCode.ACTION_REQUIRED;
    }
    err.println("hub: unexpected error; please report it with what follows");
    e.printStackTrace(err);
    return ExitCode.UNEXPECTED;
  }

  /** Text of a number for people: 1,234,567. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
