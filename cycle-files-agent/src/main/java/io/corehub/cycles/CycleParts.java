package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.runtime.Publication;
import io.corehub.runtime.UploadLane;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Puts rows into the data files of cycles and has these uploaded, each table's in their order.
 * Guarded by the turn, which the news of the lanes takes by itself.
 */
final class CycleParts {

  /** Told what became of files. Called with the turn. */
  interface Listener {
    /** A file stands in the storage, or will never do. */
    void settled();

    /** A file that counts cannot be published. */
    void failed(Throwable reason);
  }

  /** Makes sure, without the turn, that a file of a cycle may appear. */
  interface Guard {
    void prove(Cycle cycle) throws InterruptedException;
  }

  private final CycleShared shared;
  private final CycleConfig config;
  private final Map<TableId, TableCourse> tables;
  private final SchemaFiles schemas;
  private final Guard guard;
  private final Listener listener;

  CycleParts(CycleShared shared, Map<TableId, TableCourse> tables, Guard guard, Listener listener) {
    this.shared = shared;
    this.config = shared.config();
    this.tables = tables;
    this.schemas = new SchemaFiles(shared);
    this.guard = guard;
    this.listener = listener;
  }

  /** Rows that were judged fit cannot be written: a defect, or a heap that is too small. */
  static final class EncodingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EncodingFailedException(TableId table, Throwable why) {
      super("Table " + table + ": its rows cannot be encoded: " + why, why);
    }
  }

  /**
   * Puts rows into a cycle.
   *
   * @param unfinished whether they belong to a commit that has not come to its end
   * @throws EncodingFailedException if they cannot be written
   */
  void append(Cycle cycle, TableCourse table, CycleRows rows, boolean unfinished) {
    try {
      Part part = partFor(cycle, table, unfinished);
      part.append(rows);
      cycle.rows += rows.count();
      table.begun = true;
      if (part.full(config.parts())) {
        seal(cycle, part);
      }
    } catch (IOException | RuntimeException e) {
      throw new EncodingFailedException(table.id(), e);
    }
  }

  private Part partFor(Cycle cycle, TableCourse table, boolean unfinished) throws IOException {
    Optional<Part> there = cycle.part(table.id());
    if (there.isPresent()) {
      Part part = there.get();
      if (part.version() == table.version && part.ofUnfinishedCommit == unfinished) {
        return part;
      }
      seal(cycle, part);
    }
    int number = cycle.nextNumber(table.id());
    TableShape shape = table.shape();
    int version = table.version;
    Part part =
        new Part(
            cycle,
            shape,
            version,
            number,
            config.layout().dataFile(table.id(), cycle.name(), number),
            shared.store(),
            config.encoding(),
            shared.memory().force(table.id(), 0),
            () -> {
              guard.prove(cycle);
              schemas.require(table, shape, version);
            });
    part.ofLoad = Optional.ofNullable(table.loading).map(CycleLoad::start);
    part.ofUnfinishedCommit = unfinished;
    cycle.begin(part);
    return part;
  }

  private void seal(Cycle cycle, Part part) throws IOException {
    part.seal();
    cycle.sealed(part);
    lane(part.table()).submit(part);
  }

  /** No more rows come into a cycle. */
  void sealAll(Cycle cycle) throws IOException {
    for (Part part : cycle.openParts()) {
      seal(cycle, part);
    }
  }

  /**
   * Seals the largest file that is being written, so that its memory comes free.
   *
   * @throws EncodingFailedException if it cannot be finished
   */
  void sealLargest(Cycle cycle) {
    Optional<Part> largest =
        cycle.openParts().stream()
            .filter(part -> part.rows() > 0)
            .max(Comparator.comparingLong(Part::held));
    if (largest.isPresent()) {
      try {
        seal(cycle, largest.get());
      } catch (IOException | RuntimeException e) {
        throw new EncodingFailedException(largest.get().table(), e);
      }
    }
  }

  private UploadLane lane(TableId id) {
    TableCourse table = tables.get(id);
    UploadLane known = table == null ? null : table.lane;
    if (known != null) {
      return known;
    }
    UploadLane lane = new UploadLane(shared.slots(), shared.workers().timer(), new LaneNews());
    if (table != null) {
      table.lane = lane;
    }
    return lane;
  }

  /**
   * A table's rows are given up.
   *
   * @param unfinishedOnly whether only those of a commit that has not come to its end
   */
  static void drop(Cycle cycle, TableId table, boolean unfinishedOnly) {
    Optional<Part> writing = cycle.part(table);
    if (writing.isPresent() && (!unfinishedOnly || writing.get().ofUnfinishedCommit)) {
      cycle.rows -= writing.get().rows();
      cycle.forget(writing.get());
      writing.get().discard();
    }
    for (Part part : cycle.sealedParts()) {
      if (part.table().equals(table)
          && !part.dropped
          && (!unfinishedOnly || part.ofUnfinishedCommit)) {
        cycle.rows -= part.rows();
        part.dropped = true;
      }
    }
  }

  /** Nothing more is uploaded. */
  void stop() {
    tables
        .values()
        .forEach(
            table -> {
              if (table.lane != null) {
                table.lane.stop();
              }
            });
  }

  private final class LaneNews implements UploadLane.Listener {

    @Override
    public void published(Publication file) {
      settled((Part) file);
      shared.news().somethingChanged();
    }

    private void settled(Part part) {
      synchronized (shared.turn()) {
        part.published = true;
        listener.settled();
      }
    }

    @Override
    public void failed(Publication file, Throwable reason) {
      synchronized (shared.turn()) {
        Part part = (Part) file;
        if (part.dropped) {
          settled(part);
        } else {
          listener.failed(reason);
        }
      }
    }

    @Override
    public void emptied() {
      shared.news().somethingChanged();
    }
  }
}
