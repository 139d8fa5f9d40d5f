package io.corehub.hub.source;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects commits, row by row and over any number of tables, into columnar batches within a bound
 * of rows and bytes. Confined to one caller at a time.
 *
 * <ol>
 *   <li>{@link #begin} a commit.
 *   <li>For each row: {@link #beginRow}, set the cells, {@link #endRow()} (or {@link
 *       #abandonRow()}); an UPDATE_BEFORE is followed at once by its UPDATE_AFTER. Beside rows:
 *       {@link #truncated}, {@link #unreadable}.
 *   <li>{@link #end()} the commit, or {@link #rollBack()}.
 *   <li>{@link #flush()} when nothing more is to be had right now.
 * </ol>
 *
 * <p>Full batches leave by themselves. A commit that alone is larger than the bound leaves in
 * parts, unless {@link #holdWhole} forbids it.
 */
public final class CommitBatchBuilder {

  /** Takes the batches. */
  @FunctionalInterface
  public interface Output {
    /**
     * Takes a batch; may block.
     *
     * @param batch the batch, given away
     * @throws InterruptedException if interrupted
     */
    void accept(CommitBatch batch) throws InterruptedException;
  }

  /** Most commits in one batch. */
  private static final int MAX_COMMITS = 10_000;

  private final int maxRows;
  private final long maxBytes;
  private final Output output;

  private final List<Commit> commits = new ArrayList<>();
  private final List<TableEvent> events = new ArrayList<>();
  private final Map<TableId, ChangeRun> open = new LinkedHashMap<>();
  private int eventsBeforeCommit;
  private boolean inCommit;
  private boolean partSent;
  private boolean holdWhole;
  private int closedRows;
  private long closedBytes;
  private @Nullable ChangeRun current;

  /**
   * A builder.
   *
   * @param maxRows rows after which a batch leaves at the next end of a commit; within a commit,
   *     twice as many
   * @param maxBytes bytes likewise
   * @param output takes the batches
   */
  public CommitBatchBuilder(int maxRows, long maxBytes, Output output) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
    this.output = output;
  }

  /**
   * Whether a commit must leave as a whole, whatever its size, so that it can be rolled back until
   * its end. Off at first; takes effect at once.
   *
   * @param hold true to keep commits whole
   */
  public void holdWhole(boolean hold) {
    holdWhole = hold;
  }

  /**
   * Begins a commit.
   *
   * @param commit the commit; after all earlier ones
   */
  public void begin(Commit commit) {
    if (inCommit) {
      throw new IllegalStateException("Commit " + commits.get(commits.size() - 1) + " has no end");
    }
    commits.add(commit);
    inCommit = true;
    partSent = false;
    eventsBeforeCommit = events.size();
    for (ChangeRun run : open.values()) {
      run.markCommit();
    }
  }

  /**
   * Begins a row of the current commit.
   *
   * @param schema shape of the row
   * @param kind what the row is
   * @param completeness how much of the old row it carries, for UPDATE_BEFORE and DELETE; of no
   *     meaning for others
   * @return takes the cells; the caller neither ends nor abandons the row there
   */
  @SuppressWarnings("ReferenceEquality") // same version of a table, same instance
  public ColumnBatchBuilder beginRow(
      TableSchema schema, ChangeKind kind, BeforeImage completeness) {
    requireCommit();
    boolean old = kind == ChangeKind.UPDATE_BEFORE || kind == ChangeKind.DELETE;
    ChangeRun run = open.get(schema.table());
    if (run != null && (run.schema() != schema || (old && !run.accepts(completeness)))) {
      close(run);
      run = null;
    }
    if (run == null) {
      run = new ChangeRun(schema);
      open.put(schema.table(), run);
    }
    current = run;
    return run.beginRow(kind, old, completeness, commits.size() - 1);
  }

  /**
   * Ends the row under way. Hands over a part of the commit if the bound is reached.
   *
   * @throws InterruptedException if interrupted
   */
  public void endRow() throws InterruptedException {
    ChangeRun run = requireRow();
    current = null;
    if (run.endRow() != ChangeKind.UPDATE_BEFORE && !holdWhole && full(2)) {
      send(false);
    }
  }

  /** Forgets the row under way. */
  public void abandonRow() {
    requireRow().abandonRow();
    current = null;
  }

  /**
   * All rows of a table were removed at once.
   *
   * @param table the table
   */
  public void truncated(TableId table) {
    requireCommit();
    closeRunOf(table);
    events.add(new TableTruncated(table, commits.size() - 1));
  }

  /**
   * A table's changes cannot be read from this commit on. Rows of it in this commit that have not
   * left yet are forgotten; the caller sends no more of it.
   *
   * @param reason the table and what a person must change
   */
  public void unreadable(TableStoppedException reason) {
    requireCommit();
    forgetCommitOf(reason.table());
    events.add(new TableUnreadable(reason.table(), commits.size() - 1, reason));
  }

  /**
   * Ends the commit. Hands over the batch if it is full.
   *
   * @throws InterruptedException if interrupted
   */
  public void end() throws InterruptedException {
    requireCommit();
    inCommit = false;
    if (partSent || full(1) || commits.size() >= MAX_COMMITS) {
      send(true);
    }
  }

  /**
   * Forgets the current commit.
   *
   * @throws IllegalStateException if a part of it has left
   */
  public void rollBack() {
    requireCommit();
    if (partSent) {
      throw new IllegalStateException("A part of the commit was handed over");
    }
    if (current != null) {
      abandonRow();
    }
    List<TableEvent> added = events.subList(eventsBeforeCommit, events.size());
    List<TableEvent> kept = new ArrayList<>();
    for (TableEvent event : added) {
      ChangeRun.rowsBefore(event, commits.size() - 1).ifPresent(kept::add);
    }
    added.clear();
    events.addAll(kept);
    for (TableId table : List.copyOf(open.keySet())) {
      forgetOpenRowsOf(table);
    }
    commits.remove(commits.size() - 1);
    inCommit = false;
  }

  /**
   * Hands over the commits that ended.
   *
   * @throws InterruptedException if interrupted
   */
  public void flush() throws InterruptedException {
    if (inCommit) {
      throw new IllegalStateException("Commit " + commits.get(commits.size() - 1) + " has no end");
    }
    if (!commits.isEmpty()) {
      send(true);
    }
  }

  /**
   * Whether nothing is collected.
   *
   * @return true if a flush would hand nothing over
   */
  public boolean isEmpty() {
    return commits.isEmpty();
  }

  /** Inside a commit the bound is doubled: a small commit that fills a batch leaves as a whole. */
  private boolean full(int times) {
    long rows = closedRows;
    long bytes = closedBytes;
    for (ChangeRun run : open.values()) {
      rows += run.rowCount();
      bytes += run.bytes();
    }
    return rows >= (long) maxRows * times || bytes >= maxBytes * times;
  }

  private void send(boolean complete) throws InterruptedException {
    for (ChangeRun run : open.values()) {
      run.build().ifPresent(events::add);
    }
    CommitBatch batch = new CommitBatch(commits, events, complete);
    Commit last = commits.get(commits.size() - 1);
    open.clear();
    events.clear();
    commits.clear();
    closedRows = 0;
    closedBytes = 0;
    eventsBeforeCommit = 0;
    if (!complete) {
      commits.add(last);
      partSent = true;
    }
    output.accept(batch);
  }

  private void closeRunOf(TableId table) {
    ChangeRun run = open.get(table);
    if (run != null) {
      close(run);
    }
  }

  private void close(ChangeRun run) {
    open.remove(run.schema().table());
    closedRows += run.rowCount();
    closedBytes += run.bytes();
    run.build().ifPresent(events::add);
  }

  private void forgetCommitOf(TableId table) {
    if (current != null && current.schema().table().equals(table)) {
      abandonRow();
    }
    List<TableEvent> added = events.subList(eventsBeforeCommit, events.size());
    List<TableEvent> kept = new ArrayList<>();
    for (TableEvent event : added) {
      if (event.table().equals(table)) {
        ChangeRun.rowsBefore(event, commits.size() - 1).ifPresent(kept::add);
      } else {
        kept.add(event);
      }
    }
    added.clear();
    events.addAll(kept);
    forgetOpenRowsOf(table);
  }

  private void forgetOpenRowsOf(TableId table) {
    ChangeRun run = open.remove(table);
    if (run != null) {
      run.buildBeforeCommit().ifPresent(events::add);
    }
  }

  private void requireCommit() {
    if (!inCommit) {
      throw new IllegalStateException("No commit was begun");
    }
  }

  private ChangeRun requireRow() {
    if (current == null) {
      throw new IllegalStateException("No row was begun");
    }
    return current;
  }
}
