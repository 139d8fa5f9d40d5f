package io.corehub.fabric.mirroring;

import io.corehub.onelake.PathEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of a table folder that Fabric has not applied, as they can be told from outside.
 * Immutable.
 *
 * <p>Fabric moves applied files away but leaves the last one. So the lowest number in the folder is
 * an applied file, unless it is the first of all and the table was never synced. Files that are
 * applied and not yet moved count as waiting; that Fabric synced after the last one was published
 * tells that this may be so.
 *
 * @param waiting the files, in order
 * @param kept the applied file that Fabric left in the folder
 * @param syncedSince whether Fabric applied something after the last file was published
 */
record Backlog(List<PathEntry> waiting, Optional<PathEntry> kept, boolean syncedSince) {

  /** Listings tell times to the second. */
  private static final Duration GRAIN = Duration.ofSeconds(1);

  private static final String FIRST = String.format("%020d", 1);

  /**
   * Tells it from a listing.
   *
   * @param listing the table folder
   * @param lastSync when Fabric last applied something to the table
   * @param publishedAt when the last file was published, if that is known from elsewhere
   */
  static Backlog of(Listing listing, Optional<Instant> lastSync, Optional<Instant> publishedAt) {
    List<PathEntry> files = new ArrayList<>(listing.numbered().values());
    if (files.isEmpty()) {
      return new Backlog(List.of(), Optional.empty(), lastSync.isPresent());
    }
    Instant last = files.get(files.size() - 1).lastModified().plus(GRAIN);
    boolean syncedSince =
        lastSync.isPresent()
            && !lastSync.get().isBefore(last)
            && publishedAt.map(at -> !lastSync.get().isBefore(at)).orElse(true);
    if (listing.numbered().firstKey().equals(FIRST) && lastSync.isEmpty()) {
      return new Backlog(List.copyOf(files), Optional.empty(), false);
    }
    return new Backlog(
        List.copyOf(files.subList(1, files.size())), Optional.of(files.get(0)), syncedSince);
  }

  /** The file Fabric applies next or stands at; the last applied one if there is no other. */
  Optional<PathEntry> next() {
    return waiting.isEmpty() ? kept : Optional.of(waiting.get(0));
  }
}
