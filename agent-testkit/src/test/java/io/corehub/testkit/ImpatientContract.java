package io.corehub.testkit;

import java.time.Duration;

/**
 * The contract over an agent with a mistake, for {@link DefectsAreFoundTest}; waits only briefly.
 */
final class ImpatientContract extends TargetAgentContractTest {

  private final Defect defect;

  ImpatientContract(Defect defect) {
    this.defect = defect;
  }

  @Override
  protected TestTarget newTarget() {
    return new MemoryTarget(defect);
  }

  @Override
  protected Duration patience() {
    return Duration.ofSeconds(3);
  }
}
