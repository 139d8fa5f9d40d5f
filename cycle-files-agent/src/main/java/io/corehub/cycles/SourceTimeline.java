package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.runtime.News;
import java.util.Optional;

/**
 * The one history of the source that all positions of a job belong to: those of two do not compare.
 * Guarded by the turn.
 */
final class SourceTimeline {

  private final String jobFolder;
  private final News news;
  private String name;
  private boolean unorderedTold;

  /**
   * A timeline.
   *
   * @param name as the newest cycle tells it; empty before the first
   * @param jobFolder the job's folder, for messages
   * @param news told of a source without one
   */
  SourceTimeline(String name, String jobFolder, News news) {
    this.name = name;
    this.jobFolder = jobFolder;
    this.news = news;
  }

  /** Whether no position of it is known yet. */
  boolean unknown() {
    return name.isEmpty();
  }

  /** A position of it. */
  SourcePosition at(long order) {
    return new SourcePosition(name, order, "");
  }

  /**
   * Makes sure that a position belongs to it.
   *
   * @throws ActionRequiredException if it belongs to another one
   */
  void require(SourcePosition position) {
    if (!position.ordered()) {
      if (!unorderedTold) {
        unorderedTold = true;
        news.warning(
            Optional.empty(),
            "The source does not promise an order of its commits: after a crash some may stand in"
                + " two cycles.");
      }
      return;
    }
    if (name.isEmpty()) {
      name = position.timeline();
    }
    if (!name.equals(position.timeline())) {
      throw other(jobFolder, position.timeline(), name);
    }
  }

  /**
   * What is to be done when the source's history is another one.
   *
   * @param now the source's
   * @param before that of the cycles
   */
  static ActionRequiredException other(String jobFolder, String now, String before) {
    return new ActionRequiredException(
        ErrorCode.SOURCE_REPLACED,
        "The source's history is '"
            + now
            + "', but the cycles in '"
            + jobFolder
            + "' belong to '"
            + before
            + "': the source was rebuilt or restored, and positions of two histories do not compare."
            + " Choose another taskTargetDirectory, so that the tables are loaded anew.");
  }
}
