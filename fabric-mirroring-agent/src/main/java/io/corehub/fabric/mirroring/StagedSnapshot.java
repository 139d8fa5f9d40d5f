package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsException;
import io.corehub.runtime.Publication;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.ExclusiveRename;
import io.corehub.storage.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that becomes visible when it is complete. Its files are collected under their
 * temporary names; publishing writes the manifest, renames file after file, and deletes the
 * manifest. From the manifest on a later run can do the rest. Thread-safe while files are
 * collected, then confined to its lane.
 */
final class StagedSnapshot implements Publication {

  /**
   * Told of each file that became visible, in order; of the last one when the manifest is gone too.
   */
  interface Listener {
    void visible(FileFacts file);
  }

  /**
   * An uploaded file.
   *
   * @param facts what is known of it
   * @param rows rows in it
   * @param entry what the manifest says of it
   */
  record Staged(FileFacts facts, long rows, SnapshotManifest.Entry entry) {
    long length() {
      return entry.length();
    }
  }

  private final LandingZone zone;
  private final TableFolder folder;
  private final SnapshotManifest empty;
  private final Patience patience;
  private final Listener listener;
  private final List<Staged> files = new ArrayList<>();
  private boolean begun;
  private int visible;
  private @Nullable ExclusiveRename rename;

  /**
   * A snapshot without files.
   *
   * @param empty its manifest, to which the files are added
   */
  StagedSnapshot(
      LandingZone zone,
      TableFolder folder,
      SnapshotManifest empty,
      Patience patience,
      Listener listener) {
    this.zone = zone;
    this.folder = folder;
    this.empty = empty;
    this.patience = patience;
    this.listener = listener;
  }

  /** Adds a file that is uploaded; files come in the order of their numbers. */
  void add(StagedFile file) {
    synchronized (files) {
      files.add(new Staged(file.facts(), file.rows(), file.entry()));
    }
  }

  /** The files so far. */
  List<Staged> files() {
    synchronized (files) {
      return List.copyOf(files);
    }
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public Step upload() throws InterruptedException {
    return patience.attempt(
        () -> {
          if (folder.proofIsOld()) {
            folder.prove();
          }
          synchronized (files) {
            begun = true;
          }
          SnapshotManifest manifest = empty.of(files().stream().map(Staged::entry).toList());
          TableFolder.publishWhole(zone, folder.path(), manifest.name(), manifest.toJson());
          patience.recovered();
          return new Step.Done();
        });
  }

  @Override
  public Step publish() throws InterruptedException {
    return patience.attempt(
        () -> {
          List<Staged> all = files();
          if (visible < all.size()) {
            return renamed(all.get(visible), visible + 1 < all.size());
          }
          SnapshotManifest.delete(zone, folder.pathOf(empty.name()));
          patience.recovered();
          listener.visible(all.get(visible - 1).facts);
          return new Step.Done();
        });
  }

  private Step renamed(Staged next, boolean more) throws InterruptedException {
    ExclusiveRename running = rename;
    if (running == null) {
      running = NumberedFile.rename(zone, folder, next.facts);
      rename = running;
    }
    String temporary = folder.pathOf(next.entry.temporary());
    ExclusiveRename.Outcome outcome = running.attempt(temporary);
    if (outcome instanceof ExclusiveRename.Outcome.NotYet notYet) {
      return new Step.Again(patience.pauseAfter(notYet.answer()));
    }
    if (outcome instanceof ExclusiveRename.Outcome.UploadGone gone) {
      throw new BlockUpload.StreamLostException(temporary, gone.answer());
    }
    rename = null;
    visible++;
    patience.recovered();
    if (more) {
      listener.visible(next.facts);
    }
    return new Step.Again(Duration.ZERO);
  }

  /**
   * Removes what was uploaded, unless a manifest may stand by now: then the snapshot is complete,
   * and the next look at the folder goes on with it.
   */
  @Override
  public void abandon() {
    List<String> leftovers;
    synchronized (files) {
      leftovers =
          begun
              ? List.of()
              : files.stream().map(file -> folder.pathOf(file.entry.temporary())).toList();
      files.clear();
    }
    if (!leftovers.isEmpty()) {
      zone.workers().uploads().execute(() -> delete(leftovers));
    }
  }

  private void delete(List<String> leftovers) {
    try {
      for (String file : leftovers) {
        zone.client().delete(file, false);
      }
    } catch (DfsException e) {
      Logs.LOG.debug("Uploads of {} were not deleted", folder.path(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
