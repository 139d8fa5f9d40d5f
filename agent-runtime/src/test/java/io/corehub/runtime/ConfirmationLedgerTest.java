package io.corehub.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.Commit;
import io.corehub.agent.SourcePosition;
import io.corehub.runtime.ConfirmationLedger.Claim;
import io.corehub.runtime.ConfirmationLedger.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ConfirmationLedgerTest {

  private final ConfirmationLedger ledger = new ConfirmationLedger(Optional.empty());

  private static SourcePosition at(long order) {
    return new SourcePosition("t", order, "");
  }

  private Run begin(long from, long to) {
    return ledger.begin(
        LongStream.rangeClosed(from, to).mapToObj(order -> Commit.at(at(order))).toList());
  }

  private Claim claim(String table, Run run, int index) {
    return ledger.claim(table, run.number(index), run.before(index));
  }

  @Test
  void commitsWithoutOutputAreCompleteInTheirTurn() {
    ledger.taken(begin(1, 3), true);

    assertThat(ledger.advance()).contains(at(3));
    assertThat(ledger.advance()).isEmpty();
  }

  @Test
  void theOldestOpenCommitHoldsBackAllBehindIt() {
    Run run = begin(1, 4);
    Claim slow = claim("slow", run, 1);
    Claim fast = claim("fast", run, 2);
    ledger.taken(run, true);
    assertThat(ledger.advance()).contains(at(1));

    ledger.settle(fast);
    assertThat(ledger.advance()).isEmpty();

    ledger.settle(slow);
    assertThat(ledger.advance()).contains(at(4));
  }

  @Test
  void aRunUnderWayConfirmsNothing() {
    Run run = begin(1, 2);
    assertThat(ledger.advance()).isEmpty();
    ledger.taken(run, true);
    assertThat(ledger.advance()).contains(at(2));
  }

  @Test
  void aCommitInPartsCountsWithItsLastPart() {
    Run first = begin(1, 2);
    ledger.settle(claim("a", first, 1));
    ledger.taken(first, false);
    assertThat(ledger.advance()).contains(at(1));

    Run second = begin(2, 2);
    assertThat(second.number(0)).isEqualTo(first.number(1));
    assertThat(ledger.isWhole(second.number(0))).isFalse();
    ledger.taken(second, true);
    assertThat(ledger.advance()).contains(at(2));
  }

  @Test
  void settlingTwiceIsSettlingOnce() {
    Run run = begin(1, 2);
    Claim first = claim("a", run, 0);
    Claim second = claim("b", run, 0);
    ledger.taken(run, true);

    ledger.settle(first);
    ledger.settle(first);
    assertThat(ledger.advance()).isEmpty();

    ledger.settle(second);
    assertThat(ledger.advance()).contains(at(2));
  }

  @Test
  void aHoldStaysUntilItIsReleased() {
    Run run = begin(1, 3);
    Claim claim = claim("a", run, 1);
    ledger.taken(run, true);

    ledger.hold("a");
    ledger.settle(claim);
    assertThat(ledger.advance()).contains(at(1));
    ledger.taken(begin(4, 5), true);
    assertThat(ledger.advance()).isEmpty();

    ledger.release("a");
    assertThat(ledger.advance()).contains(at(5));
  }

  @Test
  void aHoldWithoutOpenCommitsStandsWhereTheTakenOnesEnd() {
    ledger.taken(begin(1, 2), true);
    ledger.hold("a");
    ledger.taken(begin(3, 4), true);

    assertThat(ledger.advance()).contains(at(2));
  }

  @Test
  void aPassedTableIsToldWithThePositionThatGoesPastIt() {
    Run run = begin(1, 4);
    Claim other = claim("other", run, 2);
    ledger.pass("stopped", run.number(2));
    ledger.taken(run, true);

    assertThat(ledger.advance()).contains(at(2));
    assertThat(ledger.passed()).isEmpty();

    ledger.settle(other);
    assertThat(ledger.advance()).contains(at(4));
    assertThat(ledger.passed()).containsExactly("stopped");
  }

  @Test
  void aPassedTableLacksRowsFromItsOldestClaimOn() {
    Run run = begin(1, 4);
    claim("stopped", run, 1);
    Claim other = claim("other", run, 2);
    ledger.taken(run, true);
    ledger.pass("stopped");

    assertThat(ledger.advance()).contains(at(2));
    assertThat(ledger.passed()).containsExactly("stopped");
    ledger.settle(other);
    assertThat(ledger.advance()).contains(at(4));
  }

  @Test
  void aPassedTableWithoutClaimsLacksRowsFromTheNextCommitOn() {
    ledger.taken(begin(1, 2), true);
    ledger.pass("stopped");
    assertThat(ledger.advance()).contains(at(2));
    assertThat(ledger.passed()).isEmpty();
    assertThat(ledger.misses("stopped")).isFalse();

    Run run = begin(3, 3);
    assertThat(ledger.misses("stopped")).isTrue();
    ledger.taken(run, true);
    assertThat(ledger.advance()).contains(at(3));
    assertThat(ledger.passed()).containsExactly("stopped");
  }

  @Test
  void passingATableAgainForgetsNothing() {
    Run run = begin(1, 2);
    ledger.pass("stopped", run.number(0));
    ledger.taken(run, true);
    ledger.pass("stopped");

    assertThat(ledger.advance()).contains(at(2));
    assertThat(ledger.passed()).containsExactly("stopped");
  }

  @Test
  void aReleasedTableIsNotPassed() {
    Run run = begin(1, 2);
    ledger.pass("stopped", run.number(0));
    ledger.taken(run, true);
    ledger.release("stopped");

    assertThat(ledger.advance()).contains(at(2));
    assertThat(ledger.passed()).isEmpty();
    assertThat(ledger.misses("stopped")).isFalse();
  }

  @Test
  void aHeldTableThatIsPassedLacksWhatItWasHeldAt() {
    Run run = begin(1, 4);
    ledger.hold("stopped", run.number(1), run.before(1));
    ledger.taken(run, true);
    assertThat(ledger.advance()).contains(at(1));
    assertThat(ledger.passed()).isEmpty();
    assertThat(ledger.misses("stopped")).isTrue();
    assertThat(ledger.confirmedPosition()).contains(at(1));

    ledger.pass("stopped");
    assertThat(ledger.advance()).contains(at(4));
    assertThat(ledger.passed()).containsExactly("stopped");
    assertThat(ledger.confirmedPosition()).contains(at(4));
  }

  @Test
  void memoryIsThatOfTheOpenClaims() {
    Run run = begin(1, 1);
    claim("a", run, 0);
    ledger.taken(run, true);
    for (long order = 2; order < 10_000; order++) {
      ledger.taken(begin(order, order), true);
    }
    ledger.release("a");

    assertThat(ledger.advance()).contains(at(9_999));
  }

  /** The plainest ledger there is, as oracle: for each commit, how many claims are open. */
  @Test
  void tellsTheLongestFinishedPrefixWhateverTheOrderOfPublishing() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ConfirmationLedger tested = new ConfirmationLedger(Optional.empty());
      Map<Claim, Long> open = new HashMap<>();
      long taken = 0;
      long told = 0;
      for (int step = 0; step < 200; step++) {
        if (random.nextBoolean()) {
          Run run = tested.begin(List.of(Commit.at(at(taken + 1))));
          taken++;
          for (int table = random.nextInt(3); table > 0; table--) {
            open.put(tested.claim("t" + table, run.number(0), run.before(0)), taken);
          }
          tested.taken(run, true);
        } else if (!open.isEmpty()) {
          List<Claim> claims = new ArrayList<>(open.keySet());
          Claim chosen = claims.get(random.nextInt(claims.size()));
          open.remove(chosen);
          tested.settle(chosen);
        }
        long expected = open.values().stream().mapToLong(o -> o - 1).min().orElse(taken);
        Optional<SourcePosition> news = tested.advance();
        if (expected > told) {
          assertThat(news).as("seed %d, step %d", seed, step).contains(at(expected));
          told = expected;
        } else {
          assertThat(news).as("seed %d, step %d", seed, step).isEmpty();
        }
      }
    }
  }
}
