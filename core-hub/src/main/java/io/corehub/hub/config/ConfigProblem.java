package io.corehub.hub.config;

import java.util.Optional;

/**
 * One thing wrong with a configuration file. Immutable.
 *
 * @param pipeline name of the pipeline it concerns; empty for the file as a whole
 * @param line line of the file; 0 if none fits
 * @param message what is wrong and what to change
 */
public record ConfigProblem(Optional<String> pipeline, int line, String message) {

  /** {@code pipeline: message (line n)}. */
  @Override
  public String toString() {
    return pipeline.map(name -> name + ": ").orElse("")
        + message
        + (line > 0 ? " (line " + line + ")" : "");
  }
}
