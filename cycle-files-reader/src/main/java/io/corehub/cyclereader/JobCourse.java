package io.corehub.cyclereader;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the cycles so far leave for the judgement of the next: where each table and the job stand,
 * and which files were named. Confined to one caller at a time.
 */
final class JobCourse {

  private final CycleFindings findings;
  private final boolean manifests;
  private final Map<String, RowSequence> lastRows = new HashMap<>();
  private final Set<Long> named = new HashSet<>();
  private final Set<CycleId> unjudged = new HashSet<>();
  private final Map<String, Optional<SchemaDoc>> schemas = new HashMap<>();
  private Optional<CycleId> cycle = Optional.empty();
  private Optional<RowSequence> current = Optional.empty();
  private Optional<CycleManifest> manifest = Optional.empty();

  /**
   * Before the first cycle.
   *
   * @param manifests whether any cycle has a manifest
   */
  JobCourse(CycleFindings findings, boolean manifests) {
    this.findings = findings;
    this.manifests = manifests;
  }

  CycleFindings findings() {
    return findings;
  }

  boolean manifests() {
    return manifests;
  }

  /** The completed cycle before. */
  Optional<CycleId> cycle() {
    return cycle;
  }

  /** The greatest current sequence so far. */
  Optional<RowSequence> current() {
    return current;
  }

  /** The last manifest that could be read. */
  Optional<CycleManifest> manifest() {
    return manifest;
  }

  /** Takes a row of a table; returns the one before it if that does not come before. */
  Optional<RowSequence> row(String table, RowSequence sequence) {
    RowSequence before = lastRows.put(table, sequence);
    return Optional.ofNullable(before)
        .filter(b -> b.text().length() == sequence.text().length() && b.compareTo(sequence) >= 0);
  }

  /** Notes a file that a completed cycle names; false if one did already. */
  boolean name(String path) {
    return named.add(fingerprint(path));
  }

  /** Notes a cycle of which nobody knows what its files should be. */
  void cannotJudge(CycleId of) {
    unjudged.add(of);
  }

  boolean isJudged(CycleId of) {
    return !unjudged.contains(of);
  }

  /** Schema files by path, so that each is read and told of once. */
  Map<String, Optional<SchemaDoc>> schemas() {
    return schemas;
  }

  boolean isNamed(String path) {
    return named.contains(fingerprint(path));
  }

  /** 64 bits, so that a job of millions of files needs little memory. */
  private static long fingerprint(String path) {
    long hash = 1_469_598_103_934_665_603L;
    for (int i = 0; i < path.length(); i++) {
      hash = (hash ^ path.charAt(i)) * 1_099_511_628_211L;
      hash ^= hash >>> 32;
    }
    return hash;
  }

  void ended(CycleId ended, Optional<RowSequence> at, Optional<CycleManifest> with) {
    cycle = Optional.of(ended);
    if (at.isPresent() && current.filter(c -> c.compareTo(at.get()) >= 0).isEmpty()) {
      current = at;
    }
    manifest = with.isPresent() ? with : manifest;
  }
}
