package io.corehub.runtime;

import io.corehub.agent.Commit;
import io.corehub.agent.SourcePosition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows which commits stand whole in the target: everything before the oldest commit that some
 * table has rows of in an unpublished file. Commits without rows are complete in their turn.
 * Positions it tells never go back. Thread-safe.
 *
 * <p>Commits are numbered in the order they are taken; the parts of one commit share its number. A
 * table that holds rows opens a {@link Claim} at the commit of the first of them and settles it
 * when the file that holds the last of them is published. Memory is proportional to the open
 * claims, not to the commits behind them.
 */
public final class ConfirmationLedger {

  /**
   * Consecutive commits on their way in. Immutable.
   *
   * @param first number of the first one
   * @param commits the commits
   * @param before position before the first one; empty if there is none
   */
  public record Run(long first, List<Commit> commits, Optional<SourcePosition> before) {

    /**
     * The number of a commit.
     *
     * @param index index into {@link #commits()}
     * @return its number
     */
    public long number(int index) {
      return first + index;
    }

    /**
     * The position before a commit.
     *
     * @param index index into {@link #commits()}
     * @return position of the commit before it; empty if there is none
     */
    public Optional<SourcePosition> before(int index) {
      return index == 0 ? before : Optional.of(commits.get(index - 1).position());
    }
  }

  /** Commits from one number on that a table has not published. */
  public static final class Claim {
    private final Object table;
    private final long from;

    private Claim(Object table, long from) {
      this.table = table;
      this.from = from;
    }
  }

  /** How many claims begin at a commit, and the position before it. */
  private record Start(int claims, Optional<SourcePosition> before) {}

  private final Map<Object, Set<Claim>> claims = new HashMap<>();
  private final Set<Object> holds = new HashSet<>();

  /** For each table that is passed over, the first commit of which it may lack rows. */
  private final Map<Object, Long> passes = new HashMap<>();

  private final TreeMap<Long, Start> starts = new TreeMap<>();
  private long begun;
  private long whole;
  private Optional<SourcePosition> wholePosition;
  private long confirmed;
  private Optional<SourcePosition> confirmedPosition;

  /**
   * A ledger without commits.
   *
   * @param resumedAt position the host confirmed before; commits come after it
   */
  public ConfirmationLedger(Optional<SourcePosition> resumedAt) {
    this.wholePosition = resumedAt;
    this.confirmedPosition = resumedAt;
  }

  /**
   * Numbers commits that are about to be taken. They count only with {@link #taken}.
   *
   * @param commits consecutive commits behind those taken whole; the first may be the next part of
   *     the one left unfinished
   * @return the run
   */
  public synchronized Run begin(List<Commit> commits) {
    begun = whole + commits.size();
    return new Run(whole + 1, commits, wholePosition);
  }

  /**
   * Says that a run was taken: each of its commits has its claims or needs none.
   *
   * @param run what {@link #begin} gave last
   * @param lastWhole whether the last commit was taken to its end
   */
  public synchronized void taken(Run run, boolean lastWhole) {
    int count = lastWhole ? run.commits.size() : run.commits.size() - 1;
    if (count > 0) {
      whole = run.number(count - 1);
      wholePosition = Optional.of(run.commits.get(count - 1).position());
    }
  }

  /**
   * Whether a commit was taken to its end.
   *
   * @param number its number
   * @return true if so
   */
  public synchronized boolean isWhole(long number) {
    return number <= whole;
  }

  /**
   * Opens a claim.
   *
   * @param table the table
   * @param number number of the first commit it has rows of
   * @param before position before that commit
   * @return the claim
   */
  public synchronized Claim claim(Object table, long number, Optional<SourcePosition> before) {
    Claim claim = new Claim(table, number);
    claims.computeIfAbsent(table, t -> new HashSet<>()).add(claim);
    starts.merge(number, new Start(1, before), (old, one) -> new Start(old.claims + 1, old.before));
    return claim;
  }

  /**
   * Settles a claim: its rows are published, or were dropped for good.
   *
   * @param claim the claim; settling it twice does nothing
   */
  public synchronized void settle(Claim claim) {
    Set<Claim> open = claims.get(claim.table);
    if (open == null || !open.remove(claim)) {
      return;
    }
    if (open.isEmpty()) {
      claims.remove(claim.table);
    }
    starts.computeIfPresent(
        claim.from, (from, s) -> s.claims == 1 ? null : new Start(s.claims - 1, s.before));
  }

  /**
   * Keeps the confirmed position before the oldest commit that a table has not published, or where
   * the commits taken whole end, until {@link #release}.
   *
   * @param table a table that stopped and publishes nothing more
   */
  public synchronized void hold(Object table) {
    long from = whole + 1;
    Optional<SourcePosition> before = wholePosition;
    for (Claim claim : claims.getOrDefault(table, Set.of())) {
      Start start = starts.get(claim.from);
      if (claim.from < from && start != null) {
        from = claim.from;
        before = start.before;
      }
    }
    hold(table, from, before);
  }

  /**
   * Keeps the confirmed position before a commit until {@link #release}.
   *
   * @param table a table that stopped at that commit; what it has of earlier ones is still
   *     published
   * @param number number of the commit
   * @param before position before it
   */
  public synchronized void hold(Object table, long number, Optional<SourcePosition> before) {
    if (holds.add(table)) {
      claim(table, number, before);
    }
  }

  /**
   * Lets the confirmed position go on past a table that publishes nothing more: neither its claims
   * nor its hold count any longer. What it lacks begins with the oldest commit that it has not
   * published, or where the commits taken whole end.
   *
   * @param table a table that stopped or was removed
   */
  public synchronized void pass(Object table) {
    pass(table, whole + 1);
  }

  /**
   * Lets the confirmed position go on past a table that stopped at a commit.
   *
   * @param table a table that stopped at that commit
   * @param number number of the commit
   */
  public synchronized void pass(Object table, long number) {
    long lacks = Math.min(number, lacksFrom(table));
    release(table);
    passes.put(table, lacks);
  }

  /**
   * The tables that the position told last has gone past: each may lack rows of commits up to it.
   *
   * @return the tables
   */
  public synchronized Set<Object> passed() {
    Set<Object> tables = new HashSet<>();
    passes.forEach(
        (table, lacks) -> {
          if (lacks <= confirmed) {
            tables.add(table);
          }
        });
    return tables;
  }

  /**
   * Whether a table that stopped may lack rows of commits that were handed over already and are not
   * handed over again.
   *
   * @param table the table
   * @return true if so
   */
  public synchronized boolean misses(Object table) {
    return lacksFrom(table) <= begun;
  }

  private long lacksFrom(Object table) {
    long from = passes.getOrDefault(table, Long.MAX_VALUE);
    for (Claim claim : claims.getOrDefault(table, Set.of())) {
      from = Math.min(from, claim.from);
    }
    return from;
  }

  /**
   * Lets go of a table that lacks nothing, or has nothing any more: neither its claims nor its hold
   * count any longer, nor is it passed over.
   *
   * @param table the table
   */
  public synchronized void release(Object table) {
    passes.remove(table);
    holds.remove(table);
    for (Claim claim : Set.copyOf(claims.getOrDefault(table, Set.of()))) {
      settle(claim);
    }
  }

  /**
   * The position up to which everything stands in the target, if it moved since the last call.
   *
   * @return a position after all those told before, or empty
   */
  public synchronized Optional<SourcePosition> advance() {
    long upTo = whole;
    Optional<SourcePosition> position = wholePosition;
    if (!starts.isEmpty() && starts.firstKey() <= upTo) {
      upTo = starts.firstKey() - 1;
      position = starts.firstEntry().getValue().before;
    }
    if (upTo <= confirmed || position.isEmpty()) {
      return Optional.empty();
    }
    confirmed = upTo;
    confirmedPosition = position;
    return position;
  }

  /**
   * The position told last.
   *
   * @return the position; before the first one, that of the last run
   */
  public synchronized Optional<SourcePosition> confirmedPosition() {
    return confirmedPosition;
  }

  /**
   * Commits taken whole that are not confirmed.
   *
   * @return the number
   */
  public synchronized long unconfirmed() {
    return whole - confirmed;
  }
}
