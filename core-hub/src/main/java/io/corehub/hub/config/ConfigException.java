package io.corehub.hub.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration file cannot be used; holds every problem. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  ConfigException(Path file, List<ConfigProblem> problems) {
    super(
        "Configuration "
            + file
            + ":\n"
            + problems.stream().map(p -> "  " + p).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /**
   * What is wrong.
   *
   * @return at least one problem, in the order of the file where it has one
   */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
