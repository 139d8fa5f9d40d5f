package io.corehub.cycles;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.Retries;
import io.corehub.onelake.azure.AzureDfsClient;
import io.corehub.storage.ConnectionSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Describes and creates the agent that writes data files in cycle directories. Thread-safe. */
public final class CycleFilesProvider implements TargetAgentProvider {

  private static final AgentDescriptor DESCRIPTOR =
      new AgentDescriptor(
          "cycle-files",
          "CDC data files in cycle directories",
          "Lands changes as CSV or Parquet files in cycle directories of a Lakehouse, an ADLS Gen2"
              + " file system or a local folder, each cycle visible at once for all tables.",
          CycleSettings.AGENT,
          CycleSettings.TABLE,
          BeforeImage.FULL,
          Set.of(AgentAction.RECREATE_TABLE, AgentAction.PROBE_TARGET));

  /** Only names a job's folder, and files are those of all jobs. */
  private static final String ANY_PIPELINE = "pipeline";

  /** Creates the provider; used by {@link java.util.ServiceLoader}. */
  public CycleFilesProvider() {}

  @Override
  public AgentDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<SettingProblem> validate(Map<String, String> values) {
    return CycleSettingsCheck.problems(values, System.getenv());
  }

  @Override
  public TargetAgent create(Settings settings, AgentContext context) {
    return CycleFilesAgent.create(
        CycleConfigReader.read(settings, context.pipelineId(), System.getenv()),
        context,
        AzureDfsClient::open);
  }

  /** The connection folder, with all jobs that write there. */
  @Override
  public Optional<TargetFiles> files(Settings settings, String location) {
    CycleConfig config = CycleConfigReader.read(settings, ANY_PIPELINE, System.getenv());
    if (!config.place().isAt(location, ConnectionSettings.hosts(settings))) {
      return Optional.empty();
    }
    Retries.Time time = Retries.Time.SYSTEM;
    Stores stores =
        new Stores(config, new Retries(time, new Random()::nextDouble), time, UUID::randomUUID);
    return Optional.of(stores.files(Stores.client(config.place(), AzureDfsClient::open)));
  }
}
