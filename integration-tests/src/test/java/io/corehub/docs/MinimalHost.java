package io.corehub.docs;

import io.corehub.agent.*;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.table.*;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.time.InstantSource;
import java.util.*;
import java.util.concurrent.*;

/** Mirrors one table, whose rows it makes up: three at first, then one with each commit. */
record MinimalHost(Path memory) implements AgentListener {

  static final Column ID = Column.of("id", ColumnType.of(ColumnType.Kind.INT));
  static final Column TOTAL = Column.of("total", ColumnType.decimal(10, 2));
  static final TableId ORDERS = TableId.of("shop", "orders");
  static final TableSchema SHAPE = new TableSchema(ORDERS, List.of(ID, TOTAL), List.of("id"), 1);

  void run(TargetAgentProvider provider, Map<String, String> values, int last) throws Exception {
    List<SettingProblem> problems = provider.validate(values);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(problems.toString());
    }
    AgentDescriptor about = provider.descriptor();
    InstantSource clock = InstantSource.system();
    AgentContext context = new AgentContext("minimal", 0, "sample", "1", this, clock, Meters.NONE);
    try (TargetAgent agent = provider.create(about.settings().parse(values), context)) {
      TableSpec table = new TableSpec(SHAPE, about.tableSettings().parse(Map.of()));
      ResumePoint resume = load();
      TableProgress progress = agent.open(List.of(table), resume).get(ORDERS);
      if (progress instanceof TableProgress.NothingPublished
          || progress instanceof TableProgress.SnapshotUnfinished) {
        String id = UUID.randomUUID().toString();
        SnapshotWriter snapshot = agent.beginSnapshot(ORDERS, new SnapshotStart(id, at(3)));
        snapshot.write(rows(1, 3)); // and more pages, as many as there are
        snapshot.finish();
      }
      int done = resume.confirmed().map(position -> (int) position.order()).orElse(3);
      for (int i = done + 1; i <= last; i++) {
        byte[] kinds = {ChangeKind.INSERT.code()};
        TableEvent insert =
            new RowChanges(rows(i, i), kinds, new int[1], Undelivered.NONE, BeforeImage.FULL);
        agent.apply(new CommitBatch(List.of(Commit.at(at(i))), List.of(insert), true));
      }
      agent.flush();
    }
  }

  static SourcePosition at(long order) {
    return new SourcePosition("sample-1", order, "");
  }

  static ColumnBatch rows(int from, int to) {
    ColumnBatchBuilder batch = new ColumnBatchBuilder(SHAPE);
    for (int id = from; id <= to; id++) {
      batch.setInt(0, id);
      batch.setLong(1, id * 100L); // a decimal of up to 18 digits: its unscaled value
      batch.endRow();
    }
    return batch.build();
  }

  ResumePoint load() {
    try {
      if (!Files.exists(memory)) {
        return ResumePoint.NONE;
      }
      String[] kept = Files.readString(memory).split(" ", 2);
      Optional<SourcePosition> position =
          Optional.of(kept[0]).filter(p -> !p.isEmpty()).map(p -> at(Long.parseLong(p)));
      return new ResumePoint(position, new AgentState(kept[1]));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the position kept in " + memory, e);
    }
  }

  @Override
  public void confirmed(SourcePosition upTo, AgentState state) {
    keep(Long.toString(upTo.order()), state);
  }

  @Override
  public CompletionStage<Void> stateChanged(AgentState state) {
    keep(load().confirmed().map(position -> Long.toString(position.order())).orElse(""), state);
    return CompletableFuture.completedStage(null);
  }

  void keep(String position, AgentState state) {
    try {
      Path fresh = memory.resolveSibling("fresh");
      Files.writeString(fresh, position + " " + state.text());
      Files.move(fresh, memory, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot keep the position in " + memory, e);
    }
  }

  @Override
  public void tableStopped(TableStoppedException reason) {
    System.err.println(reason.getMessage());
  }

  @Override
  public void agentStopped(AgentException reason) {
    System.err.println(reason.getMessage());
  }

  @Override
  public void warning(Optional<TableId> table, String message) {
    System.err.println(message);
  }
}
