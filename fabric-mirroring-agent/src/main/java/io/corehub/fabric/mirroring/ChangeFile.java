package io.corehub.fabric.mirroring;

import io.corehub.agent.SourcePosition;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.MemoryBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A change file that collects rows. Confined to the owner of its table.
 *
 * <p>Rows stay as the vectors they came in; encoding begins when the file is sealed.
 */
final class ChangeFile {

  private final List<FileRows> runs = new ArrayList<>();
  private final List<MemoryBudget.Reservation> memory = new ArrayList<>();
  private final FileSchema schema;
  private final SourcePosition first;
  private final ConfirmationLedger.Claim claim;
  private final Instant openedAt;
  private long rows;
  private long commits;
  private long lastCommit = -1;

  /**
   * An empty file.
   *
   * @param schema its columns
   * @param first position of its first commit
   * @param claim on that commit and all that follow in the file
   * @param openedAt when its first row came
   */
  ChangeFile(
      FileSchema schema, SourcePosition first, ConfirmationLedger.Claim claim, Instant openedAt) {
    this.schema = schema;
    this.first = first;
    this.claim = claim;
    this.openedAt = openedAt;
  }

  /** Takes rows in, with the memory they hold. */
  void add(FileRows run, MemoryBudget.Reservation held) {
    runs.add(run);
    memory.add(held);
    rows += run.count();
  }

  /** Counts the commits of a run: those from one number to another have rows in it. */
  void countCommits(long firstNumber, long lastNumber, long distinct) {
    commits += firstNumber == lastCommit ? distinct - 1 : distinct;
    lastCommit = lastNumber;
  }

  FileSchema schema() {
    return schema;
  }

  SourcePosition first() {
    return first;
  }

  ConfirmationLedger.Claim claim() {
    return claim;
  }

  Instant openedAt() {
    return openedAt;
  }

  List<FileRows> runs() {
    return runs;
  }

  long rows() {
    return rows;
  }

  long commits() {
    return commits;
  }

  /** Forgets the rows; what stands in the budget for them goes on as one reservation. */
  void encoded(long bytes) {
    runs.clear();
    for (int i = 1; i < memory.size(); i++) {
      memory.get(i).release();
    }
    if (!memory.isEmpty()) {
      memory.get(0).resize(bytes);
    }
  }

  /** Gives all memory back. */
  void free() {
    runs.clear();
    memory.forEach(MemoryBudget.Reservation::release);
  }
}
