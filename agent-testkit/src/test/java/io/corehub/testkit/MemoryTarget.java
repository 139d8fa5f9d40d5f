package io.corehub.testkit;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Tables in memory, written to by {@link MemoryAgent}. Thread-safe. */
final class MemoryTarget implements TestTarget {

  private final Defect defect;
  private final Map<TableId, Stored> tables = new TreeMap<>();
  private final Set<TableId> held = new HashSet<>();
  private int generation;

  MemoryTarget(Defect defect) {
    this.defect = defect;
  }

  @Override
  public AgentDescriptor descriptor() {
    SettingsSchema none = new SettingsSchema(List.of());
    return new AgentDescriptor(
        "memory",
        "Memory",
        "Keeps tables in memory.",
        none,
        none,
        BeforeImage.FULL,
        Set.of(AgentAction.RECREATE_TABLE, AgentAction.PROBE_TARGET));
  }

  @Override
  public synchronized TargetAgent createAgent(AgentTuning tuning, AgentContext context) {
    return new MemoryAgent(new Connection(generation), tuning, context, defect);
  }

  @Override
  public Settings tableSettings(AgentTuning tuning) {
    return descriptor().tableSettings().parse(Map.of());
  }

  @Override
  public synchronized Optional<Rows> readTable(TableId table) {
    return Optional.ofNullable(tables.get(table)).filter(Stored::visible).map(Stored::rows);
  }

  @Override
  public synchronized String contents() {
    return tables.toString();
  }

  @Override
  public synchronized void hold(TableId table) {
    held.add(table);
  }

  @Override
  public synchronized void release() {
    held.clear();
    notifyAll();
  }

  @Override
  public synchronized void cutOff() {
    generation++;
    notifyAll();
  }

  @Override
  public void close() {
    cutOff();
  }

  /** What one process sees of the target. */
  final class Connection {
    private final int createdIn;

    private Connection(int createdIn) {
      this.createdIn = createdIn;
    }

    /** One atomic write; waits while the table is held. */
    void write(TableId table, Consumer<Stored> change) throws InterruptedException {
      synchronized (MemoryTarget.this) {
        awaitTurn(table);
        change.accept(tables.computeIfAbsent(table, id -> new Stored(id, defect)));
      }
    }

    /** Deletes a table, if there is one; waits while it is held. */
    boolean drop(TableId table) throws InterruptedException {
      synchronized (MemoryTarget.this) {
        awaitTurn(table);
        return tables.remove(table) != null;
      }
    }

    private void awaitTurn(TableId table) throws InterruptedException {
      while (held.contains(table) && createdIn == generation) {
        MemoryTarget.this.wait();
      }
      if (createdIn != generation) {
        throw new CutOffException();
      }
    }

    /** The tables that are stored. */
    Set<TableId> tables() {
      synchronized (MemoryTarget.this) {
        return Set.copyOf(tables.keySet());
      }
    }

    /** A copy of what is stored, for looking at. */
    Optional<Stored> look(TableId table) {
      synchronized (MemoryTarget.this) {
        return Optional.ofNullable(tables.get(table));
      }
    }
  }

  /** The process that made the request is dead. */
  static final class CutOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** One table of the target. */
  static final class Stored {
    private final TableId table;
    private final Defect defect;
    private final Map<List<String>, Row> keyed = new LinkedHashMap<>();
    private final List<Row> keyless = new ArrayList<>();
    final Map<String, ColumnType> types = new HashMap<>();
    List<String> keyColumns = List.of();
    boolean keyKnown;
    Optional<String> snapshotId = Optional.empty();
    Optional<SourcePosition> snapshotAt = Optional.empty();
    boolean snapshotFinished;
    Optional<SourcePosition> to = Optional.empty();
    int toEvents;
    boolean toDone;

    Stored(TableId table, Defect defect) {
      this.table = table;
      this.defect = defect;
    }

    void clear() {
      keyed.clear();
      keyless.clear();
      types.clear();
    }

    void load(Row row) {
      if (keyColumns.isEmpty()) {
        keyless.add(row);
      } else {
        keyed.put(row.key(keyColumns), row);
      }
    }

    void remove(Row row) {
      keyed.remove(row.key(keyColumns));
    }

    boolean visible() {
      return defect != Defect.HIDES_EMPTY_TABLES || rows().count() > 0;
    }

    Rows rows() {
      return Rows.of(keyColumns.isEmpty() ? keyless : keyed.values());
    }

    @Override
    public String toString() {
      return table + " " + rows() + " " + to + " " + toEvents + " " + snapshotId;
    }
  }
}
