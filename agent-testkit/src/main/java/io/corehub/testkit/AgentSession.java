package io.corehub.testkit;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One run of an opened agent, driven step by step as a hub would. */
final class AgentSession {

  private final TestTarget target;
  private final TargetAgent agent;
  private final RecordingListener listener;
  private final Map<TableId, TableProgress> progress;

  AgentSession(
      TestTarget target,
      TargetAgent agent,
      RecordingListener listener,
      Map<TableId, TableProgress> progress) {
    this.target = target;
    this.agent = agent;
    this.listener = listener;
    this.progress = progress;
  }

  TargetAgent agent() {
    return agent;
  }

  RecordingListener listener() {
    return listener;
  }

  TableProgress progressOf(TableSchema table) {
    return Objects.requireNonNull(
        progress.get(table.table()), () -> "open says nothing of table " + table.table());
  }

  /** A whole snapshot in pages of a few rows. */
  void snapshot(TableSchema schema, String id, long consistentAt, List<SourceRow> rows)
      throws InterruptedException {
    SnapshotWriter writer = beginSnapshot(schema, id, consistentAt);
    writePages(writer, schema, rows);
    writer.finish();
  }

  SnapshotWriter beginSnapshot(TableSchema schema, String id, long consistentAt)
      throws InterruptedException {
    return agent.beginSnapshot(
        schema.table(), new SnapshotStart(id, SourceCommit.positionAt(consistentAt)));
  }

  void writePages(SnapshotWriter writer, TableSchema schema, List<SourceRow> rows)
      throws InterruptedException {
    int pageRows = Math.max(1, rows.size() / 3);
    for (int from = 0; from < rows.size(); from += pageRows) {
      writer.write(
          ColumnBatches.of(schema, rows.subList(from, Math.min(rows.size(), from + pageRows))));
    }
  }

  /** Hands commits over, all in one batch. */
  void apply(SourceCommit... commits) throws InterruptedException {
    apply(List.of(commits));
  }

  void apply(List<SourceCommit> commits) throws InterruptedException {
    if (!commits.isEmpty()) {
      agent.apply(batch(commits));
    }
  }

  CommitBatch batch(List<SourceCommit> commits) {
    return CommitBatches.of(commits, target.descriptor().beforeImage());
  }

  List<CommitBatch> parts(SourceCommit commit, int changesPerPart) {
    return CommitBatches.parts(commit, changesPerPart, target.descriptor().beforeImage());
  }

  void flush() throws InterruptedException {
    agent.flush();
  }
}
