package io.corehub.hub.pipeline;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How a pipeline stands. Immutable.
 *
 * @param name name of the pipeline
 * @param phase what it is doing
 * @param problem why it failed, with advice
 * @param confirmed position last confirmed
 * @param tables its tables, in order of their names
 * @param warnings warnings of this run and how often each came
 */
public record PipelineStatus(
    String name,
    Phase phase,
    Optional<String> problem,
    Optional<SourcePosition> confirmed,
    List<TableStatus> tables,
    Map<String, Long> warnings) {

  /** What a pipeline is doing. */
  public enum Phase {
    /** Signing in and looking at the target. */
    STARTING,
    /** Reading and publishing. */
    RUNNING,
    /** The source ended; what was read is being published. */
    FLUSHING,
    /** Ended as it should. */
    DONE,
    /** Stopped on request. */
    STOPPED,
    /** Ended for a reason a person must look at. */
    FAILED;

    /**
     * The phase as outputs show it.
     *
     * @return a word in small letters
     */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Copies the collections. */
  public PipelineStatus {
    tables = List.copyOf(tables);
    warnings = Map.copyOf(warnings);
  }

  /**
   * Whether all is well.
   *
   * @return false if the pipeline failed, or one of its tables is stopped, here or by the target
   */
  public boolean healthy() {
    return phase != Phase.FAILED && tables.stream().noneMatch(PipelineStatus::stopped);
  }

  private static boolean stopped(TableStatus table) {
    return table.state() == TableStatus.State.STOPPED
        || table.target().filter(t -> t.condition() == TargetReport.Condition.FAILED).isPresent();
  }

  /**
   * Rows published since the start.
   *
   * @return rows of all tables
   */
  public long rows() {
    return tables.stream().mapToLong(TableStatus::rowsPublished).sum();
  }

  /**
   * Files published since the start.
   *
   * @return files of all tables
   */
  public long files() {
    return tables.stream().mapToLong(TableStatus::filesPublished).sum();
  }
}
