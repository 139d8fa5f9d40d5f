package io.corehub.cycles;

import io.corehub.cycles.Manifest.FileEntry;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    Optional<CycleName> newest = newestCompleted();
    if (newest.isEmpty()) {
      return;
    }
    CycleName last = newest.get();
    Predicate<CycleName> old = name -> name.openedAt().isBefore(before) && name.compareTo(last) < 0;
    List<CycleFile> completed = files(layout.completedRoot(), old);
    for (CycleFile file : completed) {
      if (isOf(CycleFileName.Completed.class, file)) {
        store.delete(file.path());
      }
    }
    delete(completed);
    List<CycleFile> summaries = files(layout.contentsRoot(), old);
    if (layout.sharesData()) {
      deleteDataOf(summaries);
      delete(summaries);
    } else {
      delete(summaries);
      delete(files(layout.dataRoot(), old));
    }
  }

  private Optional<CycleName> newestCompleted() throws InterruptedException {
    TreeSet<CycleName> newest = new TreeSet<>();
    store.list(
        layout.completedRoot(),
        true,
        entry -> {
          CycleFileName.of(entry.name())
              .filter(CycleFileName.Completed.class::isInstance)
              .ifPresent(name -> newest.add(name.cycle()));
          if (newest.size() > 1) {
            newest.pollFirst();
          }
          return false;
        });
    return newest.isEmpty() ? Optional.empty() : Optional.of(newest.last());
  }

  private static boolean isOf(Class<? extends CycleFileName> kind, CycleFile file) {
    return CycleFileName.of(file.name()).filter(kind::isInstance).isPresent();
  }

  private List<CycleFile> files(String root, Predicate<CycleName> wanted)
      throws InterruptedException {
    List<CycleFile> files = new ArrayList<>();
    NestedJobs nested = new NestedJobs(layout.jobFolder());
    for (ObjectStore.Entry entry :
        store.list(
            root,
            true,
            entry -> {
              nested.look(entry.path());
              return of(entry).map(CycleFile::cycle).filter(wanted).isPresent();
            })) {
      of(entry).filter(file -> !nested.hold(file.path())).ifPresent(files::add);
    }
    return files;
  }

  /** A file of a cycle, or a folder that can be nothing else than a cycle's. */
  private Optional<CycleFile> of(ObjectStore.Entry entry) {
    if (!entry.folder()) {
      return CycleFileName.of(entry.name()).map(n -> new CycleFile(entry.path(), n.cycle()));
    }
    return CycleName.ofFolder(entry.name())
        .map(cycle -> new CycleFile(entry.path(), cycle))
        .filter(
            folder ->
                folder.folder().equals(layout.completedRoot())
                    || folder.folder().equals(layout.contentsRoot()));
  }

  private void delete(List<CycleFile> files) throws InterruptedException {
    Set<String> paths = new LinkedHashSet<>();
    files.forEach(file -> paths.add(file.whole()));
    for (String path : paths) {
      store.delete(path);
    }
  }

  /**
   * Other jobs may have files in the data directories: what is this job's, its manifests tell. They
   * go after the data, so that an interrupted removal finds them again.
   */
  private void deleteDataOf(List<CycleFile> summaries) throws InterruptedException {
    for (CycleFile summary : summaries) {
      if (isOf(CycleFileName.Manifest.class, summary)) {
        Optional<byte[]> manifest = store.read(summary.path(), Manifest.MAX_BYTES);
        try {
          if (manifest.isPresent()) {
            deleteData(Manifest.parse(manifest.get()));
          }
        } catch (IllegalArgumentException e) {
          Logs.LOG.warn(
              "{} {}. The data files of its cycle stay: delete them by hand.",
              store.address(summary.path()),
              e.getMessage());
        }
      }
    }
  }

  private void deleteData(Manifest of) throws InterruptedException {
    Set<String> folders = new LinkedHashSet<>();
    for (FileEntry entry : of.files()) {
      CycleFile file = new CycleFile(entry.path(), of.cycle());
      store.delete(file.path());
      if (!file.whole().equals(file.path())) {
        folders.add(file.folder());
      }
    }
    for (String folder : folders) {
      if (store.list(folder, false).isEmpty()) {
        store.delete(folder);
      }
    }
  }
}
