package io.corehub.testkit;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.Undelivered;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns transactions written down in a test into what a hub hands to an agent. */
public final class CommitBatches {

  private final BeforeImage beforeImage;
  private final List<TableEvent> events = new ArrayList<>();
  private final Map<TableId, Run> open = new LinkedHashMap<>();

  private CommitBatches(BeforeImage beforeImage) {
    this.beforeImage = beforeImage;
  }

  /**
   * One batch of whole commits.
   *
   * @param commits commits in order, at least one
   * @param beforeImage how much of old rows the agent asks for
   * @return the batch
   */
  public static CommitBatch of(List<SourceCommit> commits, BeforeImage beforeImage) {
    CommitBatches batches = new CommitBatches(beforeImage);
    for (int i = 0; i < commits.size(); i++) {
      for (SourceChange change : commits.get(i).changes()) {
        batches.add(change, i);
      }
    }
    return batches.build(commits.stream().map(SourceCommit::commit).toList(), true);
  }

  /**
   * One commit in parts.
   *
   * @param commit the commit
   * @param changesPerPart changes each part holds, but for the last one
   * @param beforeImage how much of old rows the agent asks for
   * @return the parts in order, at least one; only the last one ends the commit
   */
  public static List<CommitBatch> parts(
      SourceCommit commit, int changesPerPart, BeforeImage beforeImage) {
    List<CommitBatch> parts = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(from + changesPerPart, commit.changes().size());
      CommitBatches batches = new CommitBatches(beforeImage);
      commit.changes().subList(from, to).forEach(change -> batches.add(change, 0));
      parts.add(batches.build(List.of(commit.commit()), to == commit.changes().size()));
      from = to;
    } while (from < commit.changes().size());
    return parts;
  }

  private void add(SourceChange change, int commitIndex) {
    if (change instanceof SourceChange.Insert insert) {
      run(insert.after().schema()).add(insert.after(), ChangeKind.INSERT, commitIndex);
    } else if (change instanceof SourceChange.Update update) {
      addUpdate(update, commitIndex);
    } else if (change instanceof SourceChange.Delete delete) {
      run(delete.before().schema()).add(old(delete.before()), ChangeKind.DELETE, commitIndex);
    } else if (change instanceof SourceChange.Truncate truncate) {
      seal(truncate.table());
      events.add(new TableTruncated(truncate.table(), commitIndex));
    } else if (change instanceof SourceChange.Unreadable unreadable) {
      seal(unreadable.table());
      events.add(new TableUnreadable(unreadable.table(), commitIndex, unreadable.reason()));
    }
  }

  private void addUpdate(SourceChange.Update update, int commitIndex) {
    TableSchema schema = update.after().schema();
    SourceRow before = update.before().as(schema);
    Run run = run(schema);
    boolean keyChanges =
        !before
            .view()
            .key(schema.keyColumns())
            .equals(update.after().view().key(schema.keyColumns()));
    switch (beforeImage) {
      case FULL -> run.add(before, ChangeKind.UPDATE_BEFORE, commitIndex);
      case KEY -> {
        if (keyChanges) {
          run.add(before.keyOnly(), ChangeKind.UPDATE_BEFORE, commitIndex);
        }
      }
      case NONE -> {
        if (keyChanges) {
          run.add(before.keyOnly(), ChangeKind.DELETE, commitIndex);
          run.add(update.after(), ChangeKind.INSERT, commitIndex);
          return;
        }
      }
    }
    run.add(update.after(), ChangeKind.UPDATE_AFTER, commitIndex);
  }

  private SourceRow old(SourceRow row) {
    return beforeImage == BeforeImage.FULL ? row : row.keyOnly();
  }

  private Run run(TableSchema schema) {
    Run run = open.get(schema.table());
    if (run != null && run.builder.schema().equals(schema)) {
      return run;
    }
    seal(schema.table());
    Run fresh = new Run(schema);
    open.put(schema.table(), fresh);
    return fresh;
  }

  private void seal(TableId table) {
    Run run = open.remove(table);
    if (run != null) {
      events.add(run.build(beforeImage));
    }
  }

  private CommitBatch build(List<Commit> commits, boolean lastCommitComplete) {
    List.copyOf(open.keySet()).forEach(this::seal);
    return new CommitBatch(commits, events, lastCommitComplete);
  }

  /** Rows of one table and one schema. */
  private static final class Run {
    final ColumnBatchBuilder builder;
    private byte[] kinds = new byte[8];
    private int[] commitIndexes = new int[8];

    Run(TableSchema schema) {
      this.builder = new ColumnBatchBuilder(schema);
    }

    void add(SourceRow row, ChangeKind kind, int commitIndex) {
      int index = builder.rowCount();
      if (index == kinds.length) {
        kinds = Arrays.copyOf(kinds, index * 2);
        commitIndexes = Arrays.copyOf(commitIndexes, index * 2);
      }
      kinds[index] = kind.code();
      commitIndexes[index] = commitIndex;
      ColumnBatches.add(builder, row);
    }

    RowChanges build(BeforeImage beforeImage) {
      Undelivered undelivered = builder.undelivered();
      return new RowChanges(builder.build(), kinds, commitIndexes, undelivered, beforeImage);
    }
  }
}
