package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The folder of one table: sorts what lies in it, judges names and numbers, and says in which order
 * Fabric takes the files. Confined to one caller at a time.
 */
final class TableFolder {
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

  private final TargetFiles files;
  private final String path;
  private final Findings findings;
  private final NavigableMap<BigInteger, TargetFile> landed = new TreeMap<>();
  private final NavigableMap<BigInteger, TargetFile> processed = new TreeMap<>();
  private final List<TargetFile> others = new ArrayList<>();
  private boolean cleanedUp;
  private boolean nestedData;

  /**
   * The files in the order in which Fabric takes them, those with bytes only.
   *
   * @param files files, also those in the clean-up folders
   * @param afterGap those before which a number is missing
   */
  record Order(List<TargetFile> files, Set<TargetFile> afterGap) {}

  TableFolder(TargetFiles files, String path, Findings findings) {
    this.files = files;
    this.path = path;
    this.findings = findings;
  }

  /** Lists the folder, judges its metadata and everything in it that is no data. */
  TableMetadata look() throws IOException, InterruptedException {
    TableMetadata metadata = TableMetadata.NONE;
    for (TargetFile entry : sorted(files.list(path))) {
      if (entry.directory()) {
        directory(entry);
      } else if (entry.name().equals(FileNames.METADATA)) {
        metadata = TableMetadata.read(files, entry, findings);
      } else if (entry.name().equalsIgnoreCase(FileNames.METADATA)
          || entry.name().equalsIgnoreCase("metadata.json")) {
        findings.add(
            Rule.METADATA_NAME,
            entry.path(),
            "Fabric reads " + FileNames.METADATA + " only, so the table has no key. Rename it.");
      } else if (entry.name().equals(FileNames.PARTNER_EVENTS)) {
        PartnerEvents.elsewhere(entry, findings);
      } else if (FileNames.ignored(entry.name())) {
        Leftovers.file(entry, findings);
      } else if (FileNames.numbered(entry.name())) {
        landed.put(number(entry), entry);
      } else {
        others.add(entry);
      }
    }
    dropMovedMeanwhile();
    return metadata;
  }

  private void directory(TargetFile entry) throws IOException, InterruptedException {
    String name = entry.name();
    if (FileNames.CLEAN_UP.contains(name)) {
      cleanedUp = true;
      for (TargetFile file : listIfThere(entry.path())) {
        if (!file.directory() && FileNames.numbered(file.name())) {
          processed.put(number(file), file);
        }
      }
    } else if (FileNames.ignored(name)) {
      Leftovers.folder(entry, findings);
    } else if (name.indexOf('=') > 0) {
      findings.add(
          Rule.NESTED_FOLDER,
          entry.path(),
          "It looks like a partition. Microsoft's contract does not describe partitions; what lies in"
              + " it is not judged.");
    } else if (Leftovers.holdsData(files, entry)) {
      nestedData = true;
      findings.add(
          Rule.NESTED_DATA,
          entry.path(),
          "Fabric looks for tables directly below the landing zone or in a <name>.schema folder"
              + " there, and never here. Move the data, or end the upper folder's name in .schema.");
    } else {
      findings.add(
          Rule.NESTED_FOLDER, entry.path(), "A table folder has no folders of its own. Remove it.");
    }
  }

  /**
   * A live landing zone goes on: a file listed here may have been processed before the rest was.
   */
  private void dropMovedMeanwhile() throws IOException, InterruptedException {
    if (processed.isEmpty()
        || landed.isEmpty()
        || landed.firstKey().compareTo(processed.lastKey()) > 0) {
      return;
    }
    Set<String> still = new HashSet<>();
    files.list(path).forEach(entry -> still.add(entry.path()));
    landed.values().removeIf(file -> !still.contains(file.path()));
  }

  private List<TargetFile> listIfThere(String directory) throws IOException, InterruptedException {
    try {
      return files.list(directory);
    } catch (NoSuchFileException e) {
      return List.of(); // Cleaned up since it was listed.
    }
  }

  /** Judges names and numbers of the data files. */
  Order order(TableMetadata metadata) {
    if (metadata.byTime()) {
      return new Order(byTime(), Set.of());
    }
    others.forEach(this::misnamed);
    Set<TargetFile> afterGap = gaps();
    NavigableMap<BigInteger, TargetFile> all = new TreeMap<>(processed);
    landed.forEach(all::putIfAbsent);
    if (all.isEmpty() && !nestedData) {
      findings.add(
          Rule.TABLE_WITHOUT_FILES,
          path,
          "The table does not appear before its first file. An empty table needs a file without"
              + " rows.");
    }
    return new Order(withBytes(all.values()), afterGap);
  }

  private List<TargetFile> byTime() {
    List<TargetFile> all = new ArrayList<>(processed.values());
    all.addAll(landed.values());
    for (TargetFile file : others) {
      if (FileNames.parquet(file.name())) {
        all.add(file);
      } else {
        foreign(file);
      }
    }
    all.sort(Comparator.comparing(TargetFile::lastModified).thenComparing(TargetFile::name));
    return withBytes(all);
  }

  private List<TargetFile> withBytes(Iterable<TargetFile> all) {
    List<TargetFile> whole = new ArrayList<>();
    for (TargetFile file : all) {
      if (file.length() == 0) {
        findings.add(
            Rule.ZERO_BYTES,
            file.path(),
            "It has no bytes. Publish a whole file, without rows if need be, under the same name.");
      } else {
        whole.add(file);
      }
    }
    return whole;
  }

  private Set<TargetFile> gaps() {
    Set<TargetFile> after = new HashSet<>();
    Optional<BigInteger> before =
        processed.isEmpty() ? Optional.empty() : Optional.of(processed.lastKey());
    for (TargetFile file : landed.values()) {
      BigInteger number = number(file);
      if (number.signum() == 0) {
        findings.add(
            Rule.NUMBER_ZERO, file.path(), "Numbers begin at 1; Fabric never reads this file.");
        continue;
      }
      if (number.compareTo(MAX_LONG) > 0) {
        findings.add(
            Rule.NUMBER_OVERFLOW,
            file.path(),
            "Most programs cannot count beyond " + MAX_LONG + ". Number the files from 1.");
      }
      if (!processed.isEmpty() && number.compareTo(processed.lastKey()) <= 0) {
        findings.add(
            Rule.NUMBER_PASSED,
            file.path(),
            "Fabric has processed number "
                + processed.lastKey()
                + " and does not go back: the rows of this file are lost. Publish them under the next"
                + " number.");
        continue;
      }
      gap(before, number, file).ifPresent(after::add);
      before = Optional.of(number);
    }
    return after;
  }

  private Optional<TargetFile> gap(
      Optional<BigInteger> before, BigInteger number, TargetFile file) {
    if (before.isEmpty()) {
      if (number.equals(BigInteger.ONE) || cleanedUp) {
        return Optional.empty();
      }
      findings.add(
          Rule.FIRST_NUMBER,
          file.path(),
          "It is the first file, and Fabric waits for number 1. Number the files from 1.");
      return Optional.of(file);
    }
    BigInteger expected = before.get().add(BigInteger.ONE);
    if (number.equals(expected)) {
      return Optional.empty();
    }
    BigInteger last = number.subtract(BigInteger.ONE);
    findings.add(
        Rule.GAP,
        file.path(),
        (last.equals(expected)
                ? "Number " + expected + " is missing"
                : "Numbers " + expected + " to " + last + " are missing")
            + " before it; Fabric waits for that number and reads nothing more. Publish what is"
            + " missing, or load the table into a new folder.");
    return Optional.of(file);
  }

  private void misnamed(TargetFile file) {
    String name = file.name();
    if (FileNames.numberedButForCase(name)) {
      findings.add(
          Rule.EXTENSION_CASE,
          file.path(),
          "The extension must be .parquet in lower case. Rename the file.");
    } else if (FileNames.digitsOnly(name)) {
      findings.add(
          Rule.DIGITS,
          file.path(),
          "A number has 20 digits, this one "
              + name.indexOf('.')
              + ". Fabric never reads it. Rename the file.");
    } else if (FileNames.parquet(name)) {
      findings.add(
          Rule.UNNUMBERED,
          file.path(),
          "Fabric reads 20-digit numbers only. Rename the file, or set fileDetectionStrategy to"
              + " LastUpdateTimeFileDetection.");
    } else {
      foreign(file);
    }
  }

  private void foreign(TargetFile file) {
    if (FileNames.otherData(file.name())) {
      findings.add(
          Rule.FOREIGN_DATA,
          file.path(),
          "The table is Parquet, so nobody reads this file. Publish its rows as Parquet, or remove"
              + " it.");
    } else {
      findings.add(Rule.FOREIGN_FILE, file.path(), "It is no data file. Remove it.");
    }
  }

  /** Where a file lies that was moved since it was listed. */
  Optional<TargetFile> movedTo(TargetFile file) throws IOException, InterruptedException {
    for (String folder : FileNames.CLEAN_UP) {
      for (TargetFile entry : listIfThere(path + "/" + folder)) {
        if (entry.name().equals(file.name())) {
          return Optional.of(entry);
        }
      }
    }
    return Optional.empty();
  }

  private static List<TargetFile> sorted(List<TargetFile> entries) {
    return entries.stream().sorted(Comparator.comparing(TargetFile::name)).toList();
  }

  private static BigInteger number(TargetFile file) {
    return new BigInteger(FileNames.digits(file.name()));
  }
}
