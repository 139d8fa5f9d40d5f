package io.corehub.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every agent must do, whatever it writes to. A new agent starts by extending this class.
 *
 * <p>The subclass says how to make a target ({@link #newTarget()}); all else follows from {@link
 * TestTarget}. Each test gets a target of its own. The tests take the tables through the cases the
 * Javadoc of {@link io.corehub.agent.TargetAgent} promises: life cycle, snapshots, confirmation,
 * replay after a crash, schema changes, pressure, stops, re-creation, what it tells of its
 * progress, probes of the target, and random histories.
 */
/* A call that never returns fails its test instead of stopping the build. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class TargetAgentContractTest
    implements LifeCycleContract,
        SnapshotContract,
        ConfirmationContract,
        ReplayContract,
        SchemaContract,
        StopContract,
        RecreationContract,
        ProgressContract,
        ProbeContract,
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

  /**
   * Longest wait for anything that must happen; a test that passes does not need all of it.
   *
   * @return a minute
   */
  protected Duration patience() {
    return Duration.ofMinutes(1);
  }

  @BeforeEach
  final void setUpBench() {
    bench = newBench();
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
  public final AgentBench newBench() {
    return new AgentBench(newTarget(), patience());
  }
}
