package io.corehub.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentContext;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a contract test works on: a target, the agents made over it one after the other, and what
 * they are expected to leave there. Closing it closes every agent and fails if one of them broke
 * the listener's contract.
 */
final class AgentBench implements AutoCloseable {

  private final TestTarget target;
  private final Duration patience;
  private final List<TargetAgent> agents = new ArrayList<>();
  private final List<RecordingListener> listeners = new ArrayList<>();
  private final Set<TableId> leftOut = new HashSet<>();

  AgentBench(TestTarget target, Duration patience) {
    this.target = target;
    this.patience = patience;
  }

  /** Longest wait for anything. */
  Duration patience() {
    return patience;
  }

  TestTarget target() {
    return target;
  }

  /** The host hands nothing of a table over from the next start on. */
  void leaveOut(TableSchema table) {
    leftOut.add(table.table());
  }

  /** The host selects every table again from the next start on. */
  void leaveNothingOut() {
    leftOut.clear();
  }

  /** An agent that is not opened yet. */
  TargetAgent create(AgentTuning tuning, RecordingListener listener) {
    Set<TableId> out = Set.copyOf(leftOut);
    TargetAgent agent =
        target.createAgent(
            tuning,
            new AgentContext(
                "contract-test",
                agents.size() + 1L,
                "testkit",
                "1",
                listener,
                InstantSource.system(),
                Meters.NONE,
                table -> !out.contains(table)));
    agents.add(agent);
    listeners.add(listener);
    return agent;
  }

  /** A first start. */
  AgentSession open(AgentTuning tuning, TableSchema... tables) throws InterruptedException {
    return open(tuning, ResumePoint.NONE, tables);
  }

  /** A start with what the hub remembers. */
  AgentSession open(AgentTuning tuning, ResumePoint resume, TableSchema... tables)
      throws InterruptedException {
    return open(tuning, resume, position -> {}, tables);
  }

  /** A start with a look at each confirmation. */
  AgentSession open(
      AgentTuning tuning,
      ResumePoint resume,
      Consumer<SourcePosition> onConfirmed,
      TableSchema... tables)
      throws InterruptedException {
    RecordingListener listener = new RecordingListener(onConfirmed);
    TargetAgent agent = create(tuning, listener);
    Map<TableId, TableProgress> progress =
        agent.open(Arrays.stream(tables).map(table -> spec(tuning, table)).toList(), resume);
    return new AgentSession(target, agent, listener, progress);
  }

  TableSpec spec(AgentTuning tuning, TableSchema table) {
    return new TableSpec(table, target.tableSettings(tuning));
  }

  /** The process of all agents so far dies; a new one starts with what the hub remembers. */
  AgentSession restart(AgentTuning tuning, ResumePoint resume, TableSchema... tables)
      throws InterruptedException {
    target.cutOff();
    return open(tuning, resume, tables);
  }

  /** Fails unless the target shows a table as it should be after what happened in the source. */
  void assertShows(ReferenceModel model, TableSchema table) {
    assertHolds(table, target.expected(model, table.table()));
  }

  void assertHolds(TableSchema table, Rows expected) {
    assertThat(rows(table).differenceTo(expected)).as("table %s", table.table()).isEmpty();
  }

  Rows rows(TableSchema table) {
    return target
        .readTable(table.table())
        .orElseThrow(() -> new AssertionError("The target shows no table " + table.table()));
  }

  /** Fails unless no row of the table can be seen. */
  void assertNothingOf(TableSchema table) {
    assertThat(target.readTable(table.table()).orElse(Rows.NONE).rows()).isEmpty();
  }

  @Override
  public void close() {
    List<String> violations = new ArrayList<>();
    try {
      target.release();
      agents.forEach(TargetAgent::close);
    } finally {
      listeners.forEach(listener -> violations.addAll(listener.violations()));
      target.close();
    }
    assertThat(violations).as("breaches of the listener's contract").isEmpty();
  }
}
