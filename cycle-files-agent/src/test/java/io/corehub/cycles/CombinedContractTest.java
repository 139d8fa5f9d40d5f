package io.corehub.cycles;

import io.corehub.testkit.TargetAgentContractTest;
import io.corehub.testkit.TestTarget;
import java.util.Map;

/** A combined job keeps the contract of every agent. */
class CombinedContractTest extends TargetAgentContractTest {

  @Override
  protected TestTarget newTarget() {
    return new MemoryTarget(Map.of());
  }
}
