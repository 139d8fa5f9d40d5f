package io.corehub.hub.pipeline;

import io.corehub.agent.Finding;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.ObserverConfig;
import io.corehub.hub.config.PipelineConfig;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** What those who would watch a pipeline find before it runs. Stateless. */
public final class ObserverChecks {

  private ObserverChecks() {}

  /**
   * Asks every observer; writes and sends nothing.
   *
   * @param file the configuration
   * @param pipeline one of its pipelines
   * @return what they found
   */
  public static List<Finding> of(HubConfig file, PipelineConfig pipeline) {
    List<Finding> findings = new ArrayList<>();
    for (ObserverConfig one : pipeline.observers()) {
      findings.addAll(
          one.provider()
              .check(
                  one.settings(),
                  Observers.observed(
                      pipeline, file.name(), file.stateDirectory(), Clock.systemUTC())));
    }
    return findings;
  }
}
