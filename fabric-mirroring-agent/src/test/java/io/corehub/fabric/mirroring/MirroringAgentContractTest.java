package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.testkit.TargetAgentContractTest;
import io.corehub.testkit.TestTarget;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

class MirroringAgentContractTest extends TargetAgentContractTest {

  private final List<MemoryTarget> targets = new CopyOnWriteArrayList<>();

  @Override
  protected TestTarget newTarget() {
    MemoryTarget target = new MemoryTarget();
    targets.add(target);
    return target;
  }

  /** Whatever the test did to the agent, what lies there keeps the contract. */
  @AfterEach
  void landingZoneBreaksNoRule() throws Exception {
    for (MemoryTarget target : targets) {
      assertThat(Judged.errors(target.fileSystem())).isEmpty();
    }
  }
}
