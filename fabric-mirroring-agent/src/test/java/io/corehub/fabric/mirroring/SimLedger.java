package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What became visible in one table's folder since it was made, checked file by file: numbers
 * without a gap, an unbroken chain, each file once, and the rows the source had.
 */
final class SimLedger {

  private final SimSource source;
  private final TableSchema table;
  private final Consumer<String> failures;
  private final List<Row> rows = new ArrayList<>();
  private final Set<UUID> fileIds = new HashSet<>();
  private Optional<ChainEntry> last = Optional.empty();
  private long loadedAt = -1;
  private int strays;

  SimLedger(SimSource source, TableSchema table, Consumer<String> failures) {
    this.source = source;
    this.table = table;
    this.failures = failures;
  }

  /** How far the source's history is in the folder: everything up to this position; -1 for none. */
  long covered() {
    if (loadedAt < 0 || last.isEmpty()) {
      return -1;
    }
    if (last.get().content() instanceof ChainEntry.Changes changes) {
      return changes.complete() || difference(changes.to()).isEmpty()
          ? changes.to()
          : changes.to() - 1;
    }
    return loadedAt;
  }

  long number() {
    return last.map(ChainEntry::seq).orElse(0L);
  }

  void published(String name, byte[] bytes) {
    LandedFile file;
    ChainEntry chain;
    try {
      file = LandedFile.read(bytes);
      chain = file.chain();
    } catch (RuntimeException | AssertionError e) {
      fail(name, "is no whole file: " + e);
      return;
    }
    if (!name.equals(FileName.numbered(chain.seq()))) {
      fail(name, "says it is number " + chain.seq());
    }
    if (chain.seq() <= number()) {
      // A late or paused rename to a number that Fabric cleaned up: it is read by nobody.
      strays++;
      return;
    }
    if (chain.seq() > number() + 1 && file.rows().isEmpty()) {
      // A fence in a folder that was made anew meanwhile; whoever put it there takes it away.
      return;
    }
    if (chain.seq() != number() + 1) {
      fail(name, "follows number " + number());
    }
    if (!chain.prev().equals(last.map(ChainEntry::fileId))) {
      fail(name, "does not name the file before it");
    }
    if (!fileIds.add(chain.fileId())) {
      fail(name, "is visible twice");
    }
    last.ifPresent(before -> follows(name, before, chain));
    last = Optional.of(chain);
    apply(name, file);
    compare(name, chain);
  }

  private void follows(String name, ChainEntry before, ChainEntry chain) {
    if (!before.incarnation().equals(chain.incarnation())) {
      fail(name, "belongs to another life of the folder");
    }
    if (chain.epoch() < before.epoch()) {
      fail(name, "is of an older epoch than the file before it");
    }
    if (before.content() instanceof ChainEntry.Changes earlier) {
      if (!(chain.content() instanceof ChainEntry.Changes later)) {
        fail(name, "is of a snapshot and follows changes");
      } else if (later.from() < earlier.to()
          || (later.from() == earlier.to() && earlier.complete() && later.commits() > 0)) {
        fail(name, "begins at " + later.from() + ", the file before ends at " + earlier.to());
      }
    } else if (chain.content() instanceof ChainEntry.Changes && loadedAt < 0) {
      fail(name, "holds changes and follows an unfinished snapshot");
    }
  }

  private void apply(String name, LandedFile file) {
    List<String> keys = table.keyColumns();
    if (file.markers().isEmpty()) {
      rows.addAll(file.rows());
      return;
    }
    for (int i = 0; i < file.rows().size(); i++) {
      Row row = file.rows().get(i);
      int marker = file.markers().get(i);
      if (marker != 0) {
        if (keys.isEmpty()) {
          fail(name, "has marker " + marker + " without a key");
        }
        rows.removeIf(old -> old.key(keys).equals(row.key(keys)));
      }
      if (marker != 2) {
        rows.add(row);
      }
    }
  }

  private void compare(String name, ChainEntry chain) {
    if (chain.content() instanceof ChainEntry.Snapshot snapshot) {
      if (!snapshot.last()) {
        return;
      }
      loadedAt = snapshot.low().order();
    } else if (!((ChainEntry.Changes) chain.content()).complete()) {
      return;
    }
    if (loadedAt < 0) {
      fail(name, "holds changes of a table that was never loaded");
      return;
    }
    String difference = difference(covered());
    if (!difference.isEmpty()) {
      fail(name, "leaves the table wrong at " + covered() + ": " + difference);
    }
  }

  private String difference(long order) {
    return Rows.of(rows).differenceTo(source.mirrored(table, loadedAt, order));
  }

  private void fail(String name, String what) {
    failures.accept("table " + table.table() + ": " + name + " " + what);
  }
}
