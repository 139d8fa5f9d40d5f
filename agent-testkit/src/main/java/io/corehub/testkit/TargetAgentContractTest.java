package io.corehub.testkit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every agent must do, whatever it writes to. A new agent starts by extending this class.
 *
 * <p>The subclass says how to make a target ({@link #newTarget()}); all else follows from {@link
 * TestTarget}. Each test gets a target of its own. The tests take the tables through the cases the
 * Javadoc of {@link io.corehub.agent.TargetAgent} promises: life cycle, snapshots, confirmation,
 * replay after a crash, schema changes, pressure, stops, and random histories.
 */
public abstract class TargetAgentContractTest
    implements LifeCycleContract,
        SnapshotContract,
        ConfirmationContract,
        ReplayContract,
        SchemaContract,
        StopContract,
        PressureContract,
        RandomHistoryContract {

  private AgentBench bench;

  /** For subclasses. */
  protected TargetAgentContractTest() {}

  /**
   * Makes an empty target.
   *
   * @return the target; closed after the test
   */
  protected abstract TestTarget newTarget();

  @BeforeEach
  final void setUpBench() {
    bench = new AgentBench(newTarget());
  }

  @AfterEach
  final void closeBench() {
    bench.close();
  }

  @Override
  public final AgentBench bench() {
    return bench;
  }

  @Override
  public final TestTarget newBenchTarget() {
    return newTarget();
  }
}
