package io.corehub.fabric.mirroring;

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

/** Describes and creates the agent that fills a mirrored database of Fabric. Thread-safe. */
public final class FabricMirroringProvider implements TargetAgentProvider {

  private static final AgentDescriptor DESCRIPTOR =
      new AgentDescriptor(
          "fabric-open-mirroring",
          "Microsoft Fabric Open Mirroring",
          "Lands snapshots and changes as Parquet files in the landing zone of a mirrored database.",
          MirroringSettings.AGENT,
          MirroringSettings.TABLE,
          BeforeImage.FULL,
          Set.of(AgentAction.RECREATE_TABLE, AgentAction.HAND_OVER, AgentAction.PROBE_TARGET));

  /** Creates the provider; used by {@link java.util.ServiceLoader}. */
  public FabricMirroringProvider() {}

  @Override
  public AgentDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<SettingProblem> validate(Map<String, String> values) {
    return SettingsCheck.problems(values);
  }

  @Override
  public TargetAgent create(Settings settings, AgentContext context) {
    return MirroringAgent.create(AgentConfig.of(settings), context, AzureDfsClient::open);
  }

  @Override
  public Optional<TargetFiles> files(Settings settings, String location) {
    return LandingZoneFiles.open(
        AgentConfig.of(settings).connection(),
        location,
        ConnectionSettings.hosts(settings),
        AzureDfsClient::open,
        new Retries(Retries.Time.SYSTEM, new Random()::nextDouble));
  }
}
