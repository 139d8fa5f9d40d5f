package io.corehub.agent;

import java.util.Objects;
import java.util.Optional;

/**
 * The pipeline that tables are handed over to. Immutable.
 *
 * @param pipeline its id
 * @param begin the first commit it delivers, if its source counts positions otherwise than this
 *     pipeline's; empty if both read the same history: then each table goes on behind what stands
 *     in the target
 */
public record Successor(String pipeline, Optional<SourcePosition> begin) {

  /** Checks the parts. */
  public Successor {
    if (pipeline.isBlank()) {
      throw new IllegalArgumentException("The id of the pipeline that goes on is empty");
    }
    Objects.requireNonNull(begin, "begin");
    if (begin.isPresent() && (!begin.get().ordered() || begin.get().order() == 0)) {
      throw new IllegalArgumentException(
          "Where a pipeline goes on is a position from 1 on, with its timeline");
    }
  }
}
