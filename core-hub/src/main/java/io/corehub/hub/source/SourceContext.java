package io.corehub.hub.source;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All that the hub lends to a source. Immutable.
 *
 * @param pipeline name of the pipeline; the default timeline of positions
 * @param spoolDirectory directory for this pipeline's private files; created, and emptied of what
 *     an earlier run left, before the source runs
 * @param confirmed position to resume behind; empty at a first start
 * @param beforeImage how much of old rows the agent asks for; sources send no more than that
 * @param selected whether the configuration selects a table
 * @param memoryBytes bytes a source may hold of one transaction before it spools
 * @param clock wall clock
 * @param meters where figures go
 */
public record SourceContext(
    String pipeline,
    Path spoolDirectory,
    Optional<SourcePosition> confirmed,
    BeforeImage beforeImage,
    Predicate<TableId> selected,
    long memoryBytes,
    InstantSource clock,
    Meters meters) {

  /** Name of the counter of values whose digits below a microsecond were cut. */
  public static final String TRUNCATED_DIGITS = "source.truncated.values";

  /** Checks the parts. */
  public SourceContext {
    Objects.requireNonNull(pipeline, "pipeline");
    Objects.requireNonNull(spoolDirectory, "spoolDirectory");
    Objects.requireNonNull(confirmed, "confirmed");
    Objects.requireNonNull(beforeImage, "beforeImage");
    Objects.requireNonNull(selected, "selected");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(meters, "meters");
  }
}
