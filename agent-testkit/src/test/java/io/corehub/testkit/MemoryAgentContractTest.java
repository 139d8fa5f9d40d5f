package io.corehub.testkit;

/** The contract can be kept: by an agent that does no more than it says. */
class MemoryAgentContractTest extends TargetAgentContractTest {

  @Override
  protected TestTarget newTarget() {
    return new MemoryTarget(Defect.NONE);
  }
}
