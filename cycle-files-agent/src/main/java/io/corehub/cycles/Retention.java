package io.corehub.cycles;

import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Removes cycles that are older than users want to keep, never the newest. The completed file goes
 * first: from then on nobody reads the cycle, and what is left of an interrupted removal is found
 * at the next one. Confined to one caller at a time.
 */
final class Retention {

  private static final Duration PAUSE = Duration.ofHours(1);

  private final ObjectStore store;
  private final CycleLayout layout;
  private final Duration kept;
  private Instant next = Instant.MIN;

  /**
   * Retention.
   *
   * @param kept how long completed cycles stay
   */
  Retention(ObjectStore store, CycleLayout layout, Duration kept) {
    this.store = store;
    this.layout = layout;
    this.kept = kept;
  }

  /** Removes what is old, at most once an hour; a storage that refuses is asked again later. */
  void run(Instant now) throws InterruptedException {
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(PAUSE);
    try {
      remove(now.minus(kept));
    } catch (StoreException e) {
      Logs.LOG.warn("Cycles older than {} were not removed: {}", kept, e.getMessage());
    }
  }

  private void remove(Instant before) throws InterruptedException {
    TreeSet<CycleName> completed = new TreeSet<>();
    for (ObjectStore.Entry entry : store.list(layout.completedRoot(), true)) {
      CycleFileName.of(entry.name())
          .filter(CycleFileName.Completed.class::isInstance)
          .ifPresent(name -> completed.add(name.cycle()));
    }
    if (completed.isEmpty()) {
      return;
    }
    CycleName newest = completed.last();
    Predicate<CycleName> old =
        name -> name.openedAt().isBefore(before) && name.compareTo(newest) < 0;
    for (CycleName name : completed) {
      if (old.test(name)) {
        store.delete(layout.completedFile(name));
      }
    }
    removeBelow(layout.completedRoot(), old);
    removeBelow(layout.contentsRoot(), old);
    if (layout.dataRoot().startsWith(layout.jobFolder())) {
      removeBelow(layout.dataRoot(), old);
    }
  }

  /** Files and folders that tell an old cycle's name. */
  private void removeBelow(String root, Predicate<CycleName> old) throws InterruptedException {
    String removed = "/";
    TreeSet<String> paths = new TreeSet<>();
    for (ObjectStore.Entry entry : store.list(root, true)) {
      boolean gone =
          entry.folder()
              ? CycleName.ofFolder(entry.name()).filter(old).isPresent()
              : CycleFileName.of(entry.name()).map(CycleFileName::cycle).filter(old).isPresent();
      if (gone) {
        paths.add(entry.path());
      }
    }
    for (String path : paths) {
      if (!path.startsWith(removed + "/")) {
        store.delete(path);
        removed = path;
      }
    }
  }
}
