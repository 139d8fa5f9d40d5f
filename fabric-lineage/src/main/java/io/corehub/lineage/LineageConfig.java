package io.corehub.lineage;

import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.settings.Settings;
import io.corehub.lineage.naming.TargetNaming;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one pipeline's lineage, with what they fall back to. Immutable.
 *
 * @param pipeline name of the pipeline
 * @param jobNamespace namespace of its jobs
 * @param configFile the client's configuration file; empty to let the client look for one
 * @param interval least time between two events of a table
 * @param defaultSchema schema of tables that have none
 * @param columnLineage whether columns are told
 * @param fabricFacet whether the facet is told
 * @param tags tags of jobs
 * @param owners kind of ownership by name
 * @param naming how targets are named
 * @param queueSize events that may wait
 * @param shutdown how long the end may take
 */
record LineageConfig(
    String pipeline,
    String jobNamespace,
    Optional<String> configFile,
    Duration interval,
    String defaultSchema,
    boolean columnLineage,
    boolean fabricFacet,
    Map<String, String> tags,
    Map<String, String> owners,
    TargetNaming naming,
    int queueSize,
    Duration shutdown,
    Optional<String> target) {

  /** Setting of the agent that lineage's own falls back to. */
  private static final String TENANT_OF_AGENT = "tenantId";

  /** Settings of agents that say where they write to. */
  private static final List<String> PLACE_OF_AGENT = List.of("landingZoneUrl", "storageUrl");

  static LineageConfig of(Settings settings, ObservedPipeline pipeline) {
    String schema = settings.get(LineageSettings.DEFAULT_SCHEMA);
    return new LineageConfig(
        pipeline.pipeline(),
        settings.find(LineageSettings.JOB_NAMESPACE).orElse(pipeline.host()),
        settings.find(LineageSettings.CONFIG_FILE),
        Duration.ofSeconds(settings.get(LineageSettings.INTERVAL_SECONDS)),
        schema,
        settings.get(LineageSettings.COLUMN_LINEAGE),
        settings.get(LineageSettings.FABRIC_FACET),
        NamedValues.of(settings.find(LineageSettings.JOB_TAGS).orElse("")),
        NamedValues.of(settings.find(LineageSettings.JOB_OWNERS).orElse("")),
        new TargetNaming(
            settings.find(LineageSettings.SQL_ENDPOINT),
            settings
                .find(LineageSettings.TENANT_ID)
                .or(() -> Optional.ofNullable(pipeline.targetSettings().get(TENANT_OF_AGENT))),
            settings.find(LineageSettings.MIRRORED_DATABASE_NAME),
            settings.find(LineageSettings.WORKSPACE_NAME),
            schema),
        settings.get(LineageSettings.QUEUE_SIZE),
        Duration.ofSeconds(settings.get(LineageSettings.SHUTDOWN_SECONDS)),
        PLACE_OF_AGENT.stream()
            .filter(pipeline.targetSettings()::containsKey)
            .map(pipeline.targetSettings()::get)
            .findFirst());
  }
}
