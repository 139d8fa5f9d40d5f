package io.corehub.testkit;

import static io.corehub.testkit.SourceCommit.positionAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentState;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RecordingListenerTest {

  private static final Duration SHORT = Duration.ofMillis(20);

  private final RecordingListener listener = new RecordingListener();

  @Test
  void keepsPositionAndStateToldLast() {
    listener.confirmed(positionAt(1), new AgentState("one"));
    listener.stateChanged(new AgentState("two"));

    assertThat(listener.resumePoint().confirmed()).contains(positionAt(1));
    assertThat(listener.resumePoint().state()).isEqualTo(new AgentState("two"));
    assertThat(listener.violations()).isEmpty();
  }

  @Test
  void noticesPositionsThatGoBackAsUnsignedNumbers() {
    listener.confirmed(positionAt(-1), AgentState.NONE);
    listener.confirmed(positionAt(5), AgentState.NONE);

    assertThat(listener.violations()).singleElement().asString().contains("backwards");
  }

  @Test
  void comparesNoPositionsOfDifferentTimelines() {
    listener.confirmed(new SourcePosition("a", 9, ""), AgentState.NONE);
    listener.confirmed(new SourcePosition("b", 1, ""), AgentState.NONE);

    assertThat(listener.violations()).isEmpty();
  }

  @Test
  void noticesCallsAtTheSameTime() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    RecordingListener slow =
        new RecordingListener(
            position -> {
              inside.countDown();
              awaitQuietly(leave);
            });
    Thread first = new Thread(() -> slow.confirmed(positionAt(1), AgentState.NONE));
    first.start();
    inside.await();

    slow.stateChanged(AgentState.NONE);
    leave.countDown();
    first.join();

    assertThat(slow.violations()).singleElement().asString().contains("under way");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void noticesConfirmationsAfterTheEnd() {
    listener.expectSilence();
    listener.confirmed(positionAt(1), AgentState.NONE);

    assertThat(listener.violations()).singleElement().asString().contains("closed");
  }

  @Test
  void waitingEndsWithTheNews() throws InterruptedException {
    Thread teller = new Thread(() -> listener.confirmed(positionAt(7), AgentState.NONE));
    teller.start();

    listener.awaitConfirmed(positionAt(6), Duration.ofSeconds(30));

    teller.join();
    assertThat(listener.lastConfirmed()).contains(positionAt(7));
  }

  @Test
  void waitingInVainFailsWithWhatWasHeard() {
    listener.confirmed(positionAt(3), AgentState.NONE);

    assertThatThrownBy(() -> listener.awaitConfirmed(positionAt(4), SHORT))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("confirmation of 4")
        .hasMessageContaining("Confirmed: [3]");
  }

  @Test
  void waitingEndsWhenTheAgentStops() {
    listener.agentStopped(new ActionRequiredException(ErrorCode.ACCESS, "No access."));

    assertThatThrownBy(() -> listener.awaitConfirmed(positionAt(4), Duration.ofSeconds(30)))
        .isInstanceOf(AssertionError.class)
        .hasRootCauseMessage("No access.");
  }

  @Test
  void noticesMessagesThatForgeOrHideSomething() {
    listener.warning(Optional.empty(), "the table is fine");
    listener.warning(Optional.empty(), "x\n2026 ERROR admin ok");
    listener.warning(Optional.empty(), "x\u202e");

    assertThat(listener.violations()).hasSize(2).allMatch(v -> v.contains("direction character"));
  }
}
