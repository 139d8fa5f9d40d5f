package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What lies in a table folder, looked at once. Immutable.
 *
 * @param exists whether the folder is there
 * @param metadata whether it holds the metadata file
 * @param numbered published files by their twenty digits
 * @param temporary files under names of uploads
 * @param manifests manifests of staged snapshots
 * @param cleanUp names of the clean-up folders in it
 */
record Listing(
    boolean exists,
    boolean metadata,
    NavigableMap<String, PathEntry> numbered,
    List<PathEntry> temporary,
    List<PathEntry> manifests,
    Set<String> cleanUp) {

  /** Lists a folder: one request for a folder of less than a page. */
  static Listing of(DfsClient client, String folder) throws InterruptedException {
    NavigableMap<String, PathEntry> numbered = new TreeMap<>();
    List<PathEntry> temporary = new ArrayList<>();
    List<PathEntry> manifests = new ArrayList<>();
    Set<String> cleanUp = new HashSet<>();
    boolean[] metadata = {false};
    try {
      client.list(
          folder,
          false,
          entry -> {
            String name = entry.name();
            if (entry.directory()) {
              if (name.equals(FileName.CLEAN_UP[0]) || name.equals(FileName.CLEAN_UP[1])) {
                cleanUp.add(name);
              }
            } else if (FileName.isNumbered(name)) {
              numbered.put(FileName.digits(name), entry);
            } else if (FileName.isTemporary(name) || FileName.isManifestUpload(name)) {
              temporary.add(entry);
            } else if (FileName.isManifest(name)) {
              manifests.add(entry);
            } else {
              metadata[0] |= name.equals(FileName.METADATA);
            }
          });
    } catch (DfsException e) {
      if (e.kind() != DfsException.Kind.NOT_FOUND) {
        throw e;
      }
      return new Listing(false, false, new TreeMap<>(), List.of(), List.of(), Set.of());
    }
    return new Listing(true, metadata[0], numbered, temporary, manifests, cleanUp);
  }

  /** The file with the highest number in the folder itself. */
  Optional<PathEntry> highest() {
    return Optional.ofNullable(numbered.lastEntry()).map(entry -> entry.getValue());
  }

  /**
   * The file with the highest number in the folder or, only if it has none, in its clean-up
   * folders.
   */
  Optional<PathEntry> highestAnywhere(DfsClient client, String folder) throws InterruptedException {
    Optional<PathEntry> highest = highest();
    for (String name : FileName.CLEAN_UP) {
      if (numbered.isEmpty() && cleanUp.contains(name)) {
        Optional<PathEntry> there = Listing.of(client, folder + "/" + name).highest();
        if (there.isPresent()
            && (highest.isEmpty() || there.get().name().compareTo(highest.get().name()) > 0)) {
          highest = there;
        }
      }
    }
    return highest;
  }

  /**
   * A number that is missing between two that are there. A number that Fabric has moved away is
   * none, nor is one below it: what a late rename puts there is read by nobody.
   */
  Optional<String> gap(DfsClient client, String folder) throws InterruptedException {
    Optional<String> gap = gapBehind("");
    for (String name : FileName.CLEAN_UP) {
      if (gap.isPresent() && cleanUp.contains(name)) {
        Optional<PathEntry> processed = Listing.of(client, folder + "/" + name).highest();
        if (processed.isPresent()) {
          gap = gapBehind(FileName.digits(processed.get().name()));
        }
      }
    }
    return gap;
  }

  private Optional<String> gapBehind(String processed) {
    String before = processed;
    for (String digits : numbered.tailMap(processed, false).keySet()) {
      if (!before.isEmpty() && !next(before).equals(digits)) {
        return Optional.of(next(before));
      }
      before = digits;
    }
    return Optional.empty();
  }

  /** Whether there are files, but neither the first one nor a place it may have been moved to. */
  boolean beginsLate() {
    return cleanUp.isEmpty()
        && !numbered.isEmpty()
        && !numbered.firstKey().equals(String.format("%020d", 1));
  }

  private static String next(String digits) {
    return String.format("%020d", new BigInteger(digits).add(BigInteger.ONE));
  }

  /** A published file without bytes. */
  Optional<PathEntry> zeroByte() {
    return numbered.values().stream().filter(entry -> entry.length() == 0).findFirst();
  }
}
