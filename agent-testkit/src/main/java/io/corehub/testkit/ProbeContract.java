package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.corehub.agent.AgentAction;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.TargetAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * An agent that offers {@link AgentAction#PROBE_TARGET} finds nothing wrong with a target that is
 * as it should be, and leaves it as it was, whatever comes in between; any other agent says that it
 * has no probes.
 */
interface ProbeContract {

  /** What the target does by itself is not waited for: tests have no time, and targets may not. */
  Duration NO_PATIENCE = Duration.ofMillis(1);

  AgentBench bench();

  private boolean offered() {
    return bench().target().descriptor().actions().contains(AgentAction.PROBE_TARGET);
  }

  private void probe(Consumer<ProbeFinding> findings) throws InterruptedException {
    TargetAgent agent = bench().create(AgentTuning.PATIENT, new RecordingListener());
    if (offered()) {
      agent.probe(NO_PATIENCE, findings);
    } else {
      assertThatThrownBy(() -> agent.probe(NO_PATIENCE, findings))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  default void probesHoldOnAGoodTargetAndLeaveItAsItWas() throws InterruptedException {
    String before = bench().target().contents();
    List<ProbeFinding> findings = new ArrayList<>();
    Set<Thread> tellers = new HashSet<>();

    probe(
        finding -> {
          findings.add(finding);
          tellers.add(Thread.currentThread());
        });

    assertThat(bench().target().contents()).isEqualTo(before);
    assertThat(findings.isEmpty()).isNotEqualTo(offered());
    assertThat(findings).noneMatch(finding -> finding.severity() == Severity.ERROR);
    assertThat(findings)
        .extracting(ProbeFinding::probe)
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[a-z]+(-[a-z]+)*"));
    assertThat(findings)
        .extracting(ProbeFinding::message)
        .allMatch(message -> !message.isBlank() && RecordingListener.isOneLine(message));
    assertThat(tellers).isSubsetOf(Thread.currentThread());
  }

  @Test
  default void probesTouchNoTableOfThePipeline() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    session.apply(insertAt(1, ORDERS));
    session.flush();
    String before = bench().target().contents();

    probe(finding -> {});

    assertThat(bench().target().contents()).isEqualTo(before);
    session.apply(insertAt(2, ORDERS));
    session.flush();
    bench().assertHolds(ORDERS, Rows.ofSource(List.of(row(ORDERS, 1), row(ORDERS, 2))));
  }

  @Test
  default void probesWhoseHostFailsLeaveNothingBehind() throws InterruptedException {
    String before = bench().target().contents();

    Throwable failure =
        catchThrowable(
            () ->
                probe(
                    finding -> {
                      throw new IllegalStateException("nobody listens");
                    }));

    if (offered()) {
      assertThat(failure).hasMessage("nobody listens");
    }
    assertThat(bench().target().contents()).isEqualTo(before);
  }

  @Test
  default void interruptedProbesLeaveNothingBehindOrSaySo() throws InterruptedException {
    String before = bench().target().contents();
    List<ProbeFinding> findings = new ArrayList<>();

    Throwable outcome =
        catchThrowable(
            () ->
                probe(
                    finding -> {
                      findings.add(finding);
                      Thread.currentThread().interrupt();
                    }));
    Thread.interrupted();

    if (offered()) {
      assertThat(outcome).isInstanceOf(InterruptedException.class);
    }
    if (findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR)) {
      assertThat(bench().target().contents()).isEqualTo(before);
    }
  }
}
