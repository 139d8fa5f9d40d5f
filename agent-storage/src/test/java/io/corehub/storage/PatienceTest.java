package io.corehub.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries;
import io.corehub.runtime.Publication.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How the tables of one landing zone wait for their host, in virtual time. */
class PatienceTest {

  private static final Duration BUDGET = Duration.ofSeconds(600);
  private static final int TABLES = 100;

  private final VirtualTime time = new VirtualTime();
  private final Retries retries = new Retries(time, new Random(7)::nextDouble);
  private final List<Duration> requests = new ArrayList<>();

  /** Stands still until it is turned. Confined to one caller at a time. */
  private static final class VirtualTime implements Retries.Time {
    private long now = 1_000;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleep(Duration duration) {
      throw new IllegalStateException("Tables keep no thread waiting");
    }

    Duration passed() {
      return Duration.ofNanos(now - 1_000);
    }
  }

  /** What the host answers at a moment. */
  private interface Host {
    void request() throws DfsException;
  }

  private final class Table implements Patience.Listener {
    private final Patience patience = new Patience(retries, time, BUDGET, this);
    private final List<Duration> notices = new ArrayList<>();
    private boolean degraded;
    private Duration done = Duration.ZERO;

    Step attempt(Host host) throws InterruptedException {
      return patience.attempt(
          () -> {
            requests.add(time.passed());
            host.request();
            patience.recovered();
            done = time.passed();
            return new Step.Done();
          });
    }

    @Override
    public void failing(DfsException failure) {
      degraded = true;
    }

    @Override
    public void outOfBudget(DfsException failure, Duration since) {
      notices.add(since);
    }

    @Override
    public void recovered() {
      degraded = false;
    }
  }

  private record Turn(long at, Table table) {}

  /** Runs one request of each table to its end, all beginning at once. */
  private List<Table> run(Host host) throws InterruptedException {
    PriorityQueue<Turn> turns = new PriorityQueue<>((one, other) -> Long.compare(one.at, other.at));
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      tables.add(new Table());
      turns.add(new Turn(time.now, tables.get(i)));
    }
    while (!turns.isEmpty()) {
      Turn turn = turns.remove();
      time.now = Math.max(time.now, turn.at);
      if (turn.table.attempt(host) instanceof Step.Again again) {
        turns.add(new Turn(time.now + again.pause().toNanos(), turn.table));
      }
    }
    return tables;
  }

  @Test
  void outlivesACapacityThatIsPausedForTenMinutes() throws Exception {
    Duration back = Duration.ofMinutes(10).plusSeconds(30);
    List<Table> tables =
        run(
            () -> {
              if (time.passed().compareTo(back) < 0) {
                throw DfsException.of(Kind.CAPACITY_PAUSED, "create").build("paused");
              }
            });
    assertThat(tables)
        .allSatisfy(
            table -> {
              assertThat(table.notices).as("one notice, after the budget").hasSize(1);
              assertThat(table.notices.get(0)).isBetween(BUDGET, BUDGET.plusSeconds(30));
              assertThat(table.done).isBetween(back, back.plusMinutes(6));
              assertThat(table.degraded).isFalse();
            });
    for (Duration from : requests) {
      assertThat(
              requests.stream()
                  .filter(at -> at.compareTo(from) >= 0 && at.compareTo(from.plusMinutes(1)) < 0))
          .as("requests in a minute")
          .hasSizeLessThanOrEqualTo(Retries.MAX_REPETITIONS_PER_MINUTE * 7 / 6 + TABLES);
    }
  }

  @Test
  void oneRefusalMakesAllOthersWaitAsLongAsTheHostAsks() throws Exception {
    List<Table> tables =
        run(
            () -> {
              if (requests.size() == 1) {
                throw DfsException.of(Kind.THROTTLED, "create")
                    .retryAfter(Duration.ofSeconds(40))
                    .build("slow down");
              }
            });
    assertThat(requests).hasSize(TABLES + 1);
    assertThat(requests.subList(1, requests.size()))
        .allMatch(at -> at.toSeconds() >= 40 && at.toSeconds() < 44)
        .doesNotHaveDuplicates();
    assertThat(tables).allMatch(table -> table.notices.isEmpty());
  }

  @Test
  void theHostsWishGoesBeforeTheEndOfTheBudget() throws Exception {
    Table table = new Table();
    Duration pause =
        table.patience.pauseAfter(
            DfsException.of(Kind.THROTTLED, "create").retryAfter(Duration.ofMinutes(5)).build("x"));
    assertThat(pause).isBetween(Duration.ofMinutes(5), Duration.ofSeconds(330));
    time.now += Duration.ofSeconds(590).toNanos();
    assertThat(
            table.patience.pauseAfter(
                DfsException.of(Kind.THROTTLED, "create")
                    .retryAfter(Duration.ofSeconds(60))
                    .build("x")))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(60));
    assertThat(table.notices).isEmpty();
  }
}
