package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** Judges the rows of a cycle. Of each rule a file breaks, the first row is told. */
final class RowsJudgement {

  private static final int TRUNCATION = 0;
  private static final int LOAD = 1;
  private static final int DURING_LOAD = 2;
  private static final int CDC = 4;

  private final TargetFiles files;
  private final JobCourse course;
  private final CycleFindings findings;
  private final boolean combined;
  private final Optional<RowSequence> current;
  private final Optional<RowSequence> before;
  private final Optional<CycleManifest> manifest;
  private Optional<RowSequence> greatest = Optional.empty();
  private boolean whole = true;

  /**
   * A cycle.
   *
   * @param combined whether its contents file is one of a combined job
   * @param current its current sequence, if known
   * @param manifest its manifest, if it has one
   */
  RowsJudgement(
      TargetFiles files,
      JobCourse course,
      boolean combined,
      Optional<RowSequence> current,
      Optional<CycleManifest> manifest) {
    this.files = files;
    this.course = course;
    this.findings = course.findings();
    this.combined = combined;
    this.current = current;
    this.before = course.current();
    this.manifest = manifest;
  }

  /** Whether every file could be read to its end, and no row lies behind the current sequence. */
  boolean whole() {
    return whole;
  }

  /** Whether there was a row of a change. */
  boolean any() {
    return greatest.isPresent();
  }

  /** The greatest row of a commit among those of all tables. */
  Optional<RowSequence> lastOfCommit(String order) {
    return greatest.filter(s -> s.order().equals(order));
  }

  /** What the rows of one file or line come to. */
  private static final class Total {
    OperationCounts counts = OperationCounts.NONE;
    long rows;
    Optional<RowSequence> first = Optional.empty();
    Optional<RowSequence> last = Optional.empty();
    boolean whole = true;

    void add(Total other) {
      counts = counts.plus(other.counts);
      first = first.isPresent() ? first : other.first;
      last = other.last.isPresent() ? other.last : last;
      whole &= other.whole;
    }
  }

  /**
   * Judges the files of a line.
   *
   * @param contents path of the contents file
   * @param data its files in order
   * @param schema their schema, if known
   * @param missing whether files are missing, so that counts say nothing
   */
  void line(
      CycleContents.Line line,
      String contents,
      List<TargetFile> data,
      Optional<SchemaDoc> schema,
      boolean missing,
      LongConsumer judged)
      throws IOException {
    Total total = new Total();
    total.whole = !missing;
    for (TargetFile file : data) {
      Total ofFile = file(line, file, schema);
      checkManifest(line, file, ofFile);
      total.add(ofFile);
      judged.accept(file.length());
    }
    whole &= total.whole;
    if (!total.whole) {
      return;
    }
    if (!total.counts.equals(line.counts())) {
      findings.add(
          CycleRule.COUNTS,
          line.table(),
          contents,
          "Its line counts " + line.counts() + ", and the files have " + total.counts + ".");
    }
    boolean bounds =
        total.first.filter(line.start()::equals).isPresent()
            && total.last.filter(line.end()::equals).isPresent();
    if (!bounds && total.counts.total() > 0 && line.start().prefixed() == combined) {
      findings.add(
          CycleRule.BOUNDS,
          line.table(),
          contents,
          "Its line tells "
              + line.start()
              + " to "
              + line.end()
              + ", and the rows go from "
              + total.first.map(RowSequence::text).orElse("none")
              + " to "
              + total.last.map(RowSequence::text).orElse("none")
              + ".");
    }
    total.last.ifPresent(last -> checkState(line, last));
  }

  private void checkState(CycleContents.Line line, RowSequence last) {
    if (manifest.isEmpty()) {
      return;
    }
    CycleManifest said = manifest.get();
    List<String> tables =
        said.tables().keySet().stream().filter(table -> isCalled(table, line.table())).toList();
    if (tables.isEmpty()) {
      findings.add(
          CycleRule.STATE,
          line.table(),
          said.path(),
          "It has no state of the table, and the cycle has rows of it.");
    }
    if (tables.size() != 1) {
      return;
    }
    CycleManifest.State state = Objects.requireNonNull(said.tables().get(tables.get(0)));
    boolean ofChange = !last.prefixed() || last.phase() > LOAD;
    if (state.schemaVersion() < line.schemaVersion()
        || (last.prefixed() && state.incarnation() < last.incarnation())
        || (ofChange && state.appliedOrder().compareTo(last.order()) < 0)) {
      findings.add(
          CycleRule.STATE,
          tables.get(0),
          said.path(),
          "The table stands at "
              + state
              + ", and the cycle has rows of version "
              + line.schemaVersion()
              + " up to "
              + last
              + ".");
    }
  }

  /** Whether a table may be the one of a name in a contents file, which may lack the schema. */
  private static boolean isCalled(String table, String name) {
    String plain = table.replace("\\.", ".").replace("\\\\", "\\");
    return plain.equals(name) || plain.endsWith("." + name);
  }

  private Total file(CycleContents.Line line, TargetFile file, Optional<SchemaDoc> schema)
      throws IOException {
    Total total = new Total();
    Told told = new Told(line.table(), file.path());
    try (DataRows rows = DataRows.open(files, file, schema)) {
      while (rows.next()) {
        row(line, rows, total, told);
      }
      if (total.rows == 0) {
        told.once(CycleRule.NO_ROWS, "It has no rows.");
      }
    } catch (DataRows.ColumnsException e) {
      told.once(CycleRule.DATA_COLUMNS, "In this file " + e.getMessage() + ".");
      total.whole = false;
    } catch (CycleFormatException e) {
      told.once(CycleRule.DATA_DAMAGED, "In this file " + e.reason() + ".");
      total.whole = false;
    }
    return total;
  }

  private void row(CycleContents.Line line, DataRows rows, Total total, Told told) {
    total.rows++;
    String operation = rows.operation();
    Optional<OperationCounts> counted = total.counts.plus(operation);
    if (counted.isEmpty() || (!combined && "TXY".contains(operation) && !isTruncation(operation))) {
      told.once(
          CycleRule.OPERATION,
          "Row "
              + total.rows
              + " has the operation type '"
              + operation
              + "', which "
              + (combined ? "a combined" : "an incremental")
              + " job has not.");
    }
    total.counts = counted.orElse(total.counts);
    total.whole &= counted.isPresent();
    Optional<RowSequence> sequence =
        RowSequence.parse(rows.sequence()).filter(s -> s.prefixed() == combined);
    if (sequence.isEmpty()) {
      told.once(
          CycleRule.SEQUENCE,
          "Row "
              + total.rows
              + " has the sequence '"
              + rows.sequence()
              + "' instead of "
              + (combined ? "52" : "32")
              + " digits.");
      total.whole = false;
    } else {
      sequence(line, operation, sequence.get(), total, told);
    }
    values(operation, rows, told);
  }

  /** A job may write truncations even if it is an incremental one. */
  private static boolean isTruncation(String operation) {
    return operation.equals("T");
  }

  private void values(String operation, DataRows rows, Told told) {
    try {
      if (!operation.equals("T")) {
        rows.row();
        rows.before();
      }
    } catch (CycleFormatException e) {
      told.once(CycleRule.VALUE, "In this file " + e.reason() + ".");
    }
  }

  private void sequence(
      CycleContents.Line line, String operation, RowSequence sequence, Total total, Told told) {
    total.first = total.first.isPresent() ? total.first : Optional.of(sequence);
    total.last = Optional.of(sequence);
    course
        .row(line.table(), sequence)
        .ifPresent(
            earlier ->
                told.once(
                    CycleRule.ROW_ORDER,
                    "A row with the sequence " + sequence + " follows one with " + earlier + "."));
    if (sequence.prefixed()) {
      prefix(line, operation, sequence, told);
    }
    if (current.filter(c -> c.order().compareTo(sequence.order()) < 0).isPresent()) {
      told.once(
          CycleRule.BEYOND_CURRENT,
          "A row has the sequence "
              + sequence
              + ", and the cycle's current sequence is "
              + current.get()
              + ".");
      whole = false;
    }
    if (!combined && before.filter(b -> b.order().compareTo(sequence.order()) >= 0).isPresent()) {
      told.once(
          CycleRule.SPLIT,
          "A row has the sequence "
              + sequence
              + ", and an earlier cycle ended at "
              + before.get()
              + ".");
    }
    if (!sequence.prefixed() || sequence.phase() > LOAD) {
      note(sequence.position());
    }
  }

  /** Keeps the greatest row of the greatest commit. */
  private void note(RowSequence position) {
    if (greatest.filter(g -> g.compareTo(position) >= 0).isEmpty()) {
      greatest = Optional.of(position);
    }
  }

  private void prefix(CycleContents.Line line, String operation, RowSequence sequence, Told told) {
    if (sequence.schemaVersion() != line.schemaVersion()) {
      told.once(
          CycleRule.PREFIX_VERSION,
          "A row has the sequence "
              + sequence
              + ", and its line tells version "
              + line.schemaVersion()
              + ".");
    }
    Set<String> allowed =
        switch (sequence.phase()) {
          case TRUNCATION -> Set.of("T");
          case LOAD -> Set.of("I", "T");
          case DURING_LOAD -> Set.of("X", "Y", "T");
          case DURING_LOAD + 1, CDC -> Set.of("I", "U", "D", "T");
          default -> Set.of();
        };
    if (!allowed.contains(operation)) {
      told.once(
          CycleRule.PHASE,
          "A row of phase " + sequence.phase() + " has the operation type '" + operation + "'.");
    }
  }

  private void checkManifest(CycleContents.Line line, TargetFile file, Total total)
      throws IOException {
    Optional<CycleManifest.Entry> entry = manifest.map(m -> m.files().get(file.path()));
    if (entry.isEmpty()) {
      return;
    }
    CycleManifest.Entry said = entry.get();
    TargetStream.Sum sum = TargetStream.sum(files, file.path());
    if (sum.bytes() != said.bytes() || !sum.sha256().equals(said.sha256())) {
      findings.add(
          CycleRule.DATA_CHANGED,
          line.table(),
          file.path(),
          "It has "
              + sum.bytes()
              + " bytes with the hash "
              + sum.sha256()
              + ", and had "
              + said.bytes()
              + " with "
              + said.sha256()
              + " when it was written.");
    }
    boolean same =
        said.rows() == total.counts.total()
            && total.first.filter(f -> f.text().equals(said.firstSequence())).isPresent()
            && total.last.filter(l -> l.text().equals(said.lastSequence())).isPresent()
            && said.schemaVersion() == line.schemaVersion()
            && isCalled(said.table(), line.table());
    if (total.whole && total.counts.total() > 0 && !same) {
      findings.add(
          CycleRule.MANIFEST_FILE,
          line.table(),
          file.path(),
          "The manifest tells " + said + ", and the file has " + total.counts + ".");
    }
  }

  /** Tells each rule once of a file. */
  private final class Told {
    private final String table;
    private final String file;
    private final Set<CycleRule> rules = new TreeSet<>();

    Told(String table, String file) {
      this.table = table;
      this.file = file;
    }

    void once(CycleRule rule, String message) {
      if (rules.add(rule)) {
        findings.add(rule, table, file, message);
      }
    }
  }
}
