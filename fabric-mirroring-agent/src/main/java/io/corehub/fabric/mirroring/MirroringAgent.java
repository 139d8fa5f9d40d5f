package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentContext;
import io.corehub.agent.TargetAgent;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.OneLakeConnection;
import java.util.function.Function;

final class MirroringAgent {
  private MirroringAgent() {}

  @SuppressWarnings("DoNotCallSuggester")
  static TargetAgent create(
      AgentConfig config, AgentContext context, Function<OneLakeConnection, DfsClient> opener) {
    throw new UnsupportedOperationException(config + " " + context + " " + opener);
  }
}
