package io.corehub.fabric.mirroring;

import io.corehub.testkit.TargetAgentContractTest;
import io.corehub.testkit.TestTarget;

class MirroringAgentContractTest extends TargetAgentContractTest {

  @Override
  protected TestTarget newTarget() {
    return new MemoryTarget();
  }
}
