package io.corehub.agent.observe;

import io.corehub.agent.Finding;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes and creates what watches the pipelines of a host. Found by {@link
 * java.util.ServiceLoader}. Does no I/O. Thread-safe.
 */
public interface ObserverProvider {

  /**
   * The key under which its settings stand in a pipeline's configuration.
   *
   * @return such as {@code lineage}
   */
  String key();

  /**
   * One sentence on what it does.
   *
   * @return for people
   */
  String description();

  /**
   * Its settings for a pipeline.
   *
   * @return always the same
   */
  SettingsSchema settings();

  /**
   * Checks settings, each for itself and all together.
   *
   * @param values text by setting name
   * @return every problem; empty if all is well
   */
  default List<SettingProblem> validate(Map<String, String> values) {
    return settings().validate(values);
  }

  /**
   * Looks whether what is watched can be told as it should; sends nothing.
   *
   * @param settings valid settings of {@link #settings()}
   * @param pipeline what would be watched
   * @return one finding for each thing looked at; none if the settings switch the observer off
   */
  default List<Finding> check(Settings settings, ObservedPipeline pipeline) {
    return List.of();
  }

  /**
   * Creates an observer of one run of a pipeline.
   *
   * @param settings valid settings of {@link #settings()}
   * @param pipeline what is watched
   * @return the observer; empty if the settings switch it off
   */
  Optional<PipelineObserver> observe(Settings settings, ObservedPipeline pipeline);
}
