package io.corehub.cycles;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.runtime.ConfirmationLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cycle from its first row until it is visible. Guarded by the session's turn. */
final class Cycle {

  private final CycleName name;
  private final Instant openedAt;
  private final long openedNanos;
  private final Map<TableId, Part> open = new HashMap<>();
  private final Map<TableId, Integer> numbers = new HashMap<>();
  private final List<Part> sealed = new ArrayList<>();

  /** Rows in it. */
  long rows;

  /** Whether rows of a load's backlog are in it. */
  boolean backlog;

  /** Whether it holds as many rows as it may and only its age keeps it open. */
  boolean limitReached;

  /** Whether it is to end as soon as no other cycle is being published. */
  boolean endWhenIdle;

  /** Keeps the confirmed position before its first commit. */
  ConfirmationLedger.@Nullable Claim claim;

  /** The last whole commit taken while it was open, and the number of its last row. */
  @Nullable SourcePosition last;

  long lastRow;

  /** Where a load that it has rows of is consistent. */
  Optional<SourcePosition> load = Optional.empty();

  /** How it ended. */
  @Nullable Ending ending;

  /** Whether its summary files are being written: nothing of it can be taken back. */
  boolean committing;

  /**
   * The end of a cycle.
   *
   * @param reason why
   * @param at when
   * @param tables where each table stands
   * @param endedLoads loads whose last rows are in it or in an earlier one
   */
  record Ending(
      EndReason reason, Instant at, Map<TableId, TableState> tables, List<CycleLoad> endedLoads) {}

  Cycle(CycleName name, Instant openedAt, long openedNanos) {
    this.name = name;
    this.openedAt = openedAt;
    this.openedNanos = openedNanos;
  }

  CycleName name() {
    return name;
  }

  Instant openedAt() {
    return openedAt;
  }

  long openedNanos() {
    return openedNanos;
  }

  /** The file that takes a table's rows now. */
  Optional<Part> part(TableId table) {
    return Optional.ofNullable(open.get(table));
  }

  /** The number of a table's next file. */
  int nextNumber(TableId table) {
    return numbers.merge(table, 1, Integer::sum);
  }

  void begin(Part part) {
    open.put(part.table(), part);
  }

  /** The part takes no more rows. */
  void sealed(Part part) {
    open.remove(part.table(), part);
    sealed.add(part);
  }

  List<Part> openParts() {
    return open.values().stream().sorted(Comparator.comparing(Part::table)).toList();
  }

  /** All files that were sealed, those given up included. */
  List<Part> sealedParts() {
    return sealed;
  }

  /** Takes the part out that nobody will publish. */
  void forget(Part part) {
    open.remove(part.table(), part);
    sealed.remove(part);
  }

  /** Whether every file that counts stands in the storage, and no other can appear any more. */
  boolean uploaded() {
    return open.isEmpty()
        && sealed.stream()
            .allMatch(part -> part.published || (part.dropped && !part.becomingVisible()));
  }

  /** Files of the cycle. */
  List<DataFileFacts> files() {
    return sealed.stream()
        .filter(part -> !part.dropped)
        .map(Part::facts)
        .sorted(
            Comparator.comparing((DataFileFacts file) -> file.table().toString())
                .thenComparingInt(DataFileFacts::part))
        .toList();
  }
}
