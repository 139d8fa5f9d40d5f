package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.verify.FileFacts.Places;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** Judges one table folder: names, metadata, then every file in order. Used once, by one caller. */
final class TableVerification {
  /** Told of each file that was judged. */
  interface FileListener {
    void judged(long bytes);
  }

  private final TargetFiles files;
  private final FileListener listener;
  private final Findings findings;
  private final TableFolder folder;
  private final SchemaUnion union;
  private final Chain chain;
  private boolean marked;

  TableVerification(TargetFiles files, String path, TableName name, FileListener listener) {
    this.files = files;
    this.listener = listener;
    this.findings = new Findings(name.text());
    this.folder = new TableFolder(files, path, findings);
    this.union = new SchemaUnion(findings);
    this.chain = new Chain(findings);
  }

  List<Violation> run() throws IOException, InterruptedException {
    TableMetadata metadata;
    try {
      metadata = folder.look();
    } catch (NoSuchFileException e) {
      return findings.all(); // The table was deleted since it was listed.
    }
    if (metadata.delimited()) {
      return findings.all();
    }
    TableFolder.Order order = folder.order(metadata);
    for (TargetFile file : order.files()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("The verification was interrupted");
      }
      if (order.afterGap().contains(file)) {
        chain.interrupted();
      }
      judge(file, metadata);
      listener.judged(file.length());
    }
    return findings.all();
  }

  private void judge(TargetFile listed, TableMetadata metadata)
      throws IOException, InterruptedException {
    Optional<TargetFile> there = Optional.of(listed);
    Optional<FileFacts> facts = Optional.empty();
    while (facts.isEmpty()) {
      TargetFile file = there.get();
      try {
        facts = Optional.of(ParquetScan.read(files, file.path(), file));
      } catch (NoSuchFileException e) {
        there = folder.movedTo(file).filter(moved -> !moved.path().equals(file.path()));
        if (there.isEmpty()) {
          findings.add(
              Rule.VANISHED,
              listed.path(),
              "It went away since it was listed; the files behind it are judged without it.");
          chain.interrupted();
          return;
        }
      } catch (UnreadableFileException e) {
        findings.add(
            Rule.UNREADABLE,
            file.path(),
            "It is not whole, readable Parquet: "
                + e.getMessage()
                + ". Publish a good file under the same name.");
        chain.interrupted();
        return;
      }
    }
    judge(facts.get(), there.get(), metadata);
  }

  private void judge(FileFacts facts, TargetFile file, TableMetadata metadata) {
    String path = file.path();
    facts
        .codec()
        .ifPresent(
            codec ->
                findings.addOnce(
                    Rule.COMPRESSION,
                    path,
                    "It is compressed by "
                        + codec
                        + ". Use SNAPPY, GZIP, ZSTD or none. Its rows were not looked at."));
    if (facts.columns().isEmpty()) {
      findings.addOnce(Rule.NO_COLUMNS, path, "It has no column of a table.");
    }
    facts.columns().forEach(column -> type(column, path));
    union.next(facts.columns(), path);
    marker(facts, path, metadata);
    metadata.keyColumns().ifPresent(keys -> keys.forEach(key -> key(key, facts, path)));
    boolean numbered = FileNames.numbered(file.name()) && !metadata.byTime();
    chain.next(
        facts.chain(),
        numbered ? Optional.of(FileNames.digits(file.name())) : Optional.empty(),
        path,
        facts.rows(),
        facts.marker().isPresent());
    if (facts.marker().isPresent()) {
      marked = true;
    }
  }

  private void type(FileColumn column, String path) {
    column
        .broken()
        .ifPresent(
            rule ->
                findings.addOnce(
                    rule,
                    path,
                    "Column '" + column.name() + "' is " + column.type() + advice(rule)));
  }

  private static String advice(Rule rule) {
    return switch (rule) {
      case TYPE_TIME -> ". Whether Fabric takes it is not documented; text is safe.";
      case TYPE_PRECISION -> ". Write microseconds as INT64.";
      case TYPE_DECIMAL ->
          ". Use up to 38 digits as INT32, INT64 or FIXED_LEN_BYTE_ARRAY, or text.";
      case TYPE_NESTED -> ". Write it as JSON text.";
      default -> ". Use a wider signed number, or text.";
    };
  }

  private void marker(FileFacts facts, String path, TableMetadata metadata) {
    if (facts.marker().isEmpty()) {
      facts.columns().forEach(column -> markerName(column, path));
      if (marked && facts.rows() > 0) {
        findings.addOnce(
            Rule.MARKER_STOPS,
            path,
            "Files before it have a row marker. All its rows are "
                + (metadata.upsertByDefault() ? "upserts" : "inserted, even those that are there")
                + "; it does not begin the table anew.");
      }
      return;
    }
    if (!facts.markerLast()) {
      findings.addOnce(
          Rule.MARKER_PLACE, path, FileFacts.MARKER + " must be the last column of the file.");
    }
    if (!facts.marker().get().int32()) {
      findings.addOnce(
          Rule.MARKER_TYPE,
          path,
          FileFacts.MARKER + " must be INT32, is " + facts.marker().get().type() + ".");
      return;
    }
    places(facts, FileFacts.MARKER)
        .ifPresent(
            nulls ->
                findings.add(
                    Rule.MARKER_NULL,
                    path,
                    FileFacts.MARKER + " is NULL in " + where(nulls) + ". Write 0, 1, 2 or 4."));
    facts
        .markers()
        .unknown()
        .ifPresent(
            rows ->
                findings.add(
                    Rule.MARKER_VALUE,
                    path,
                    FileFacts.MARKER
                        + " is "
                        + facts.markers().unknownValue()
                        + " in "
                        + where(rows)
                        + ". Only 0, 1, 2 and 4 are defined."));
    boolean keyless = metadata.keyColumns().filter(List::isEmpty).isPresent();
    if (keyless) {
      facts
          .markers()
          .needKey()
          .ifPresent(
              rows ->
                  findings.add(
                      Rule.MARKER_WITHOUT_KEY,
                      path,
                      "Updates, deletes or upserts in "
                          + where(rows)
                          + ", but the table declares no key. Name keyColumns in "
                          + FileNames.METADATA
                          + "."));
    }
  }

  private void markerName(FileColumn column, String path) {
    String bare = column.name().replace("_", "");
    if (bare.equalsIgnoreCase("rowMarker")) {
      findings.addOnce(
          Rule.MARKER_NAME,
          path,
          "Column '"
              + column.name()
              + "' is data to Fabric, and every row an insert. Call it "
              + FileFacts.MARKER
              + ".");
    }
  }

  private void key(String key, FileFacts facts, String path) {
    if (facts.column(key).isPresent()) {
      places(facts, key)
          .ifPresent(
              nulls ->
                  findings.add(
                      Rule.KEY_NULL,
                      path,
                      "Key column '"
                          + key
                          + "' is NULL in "
                          + where(nulls)
                          + ". Such a row cannot be updated or deleted."));
      return;
    }
    Optional<FileColumn> twin =
        facts.columns().stream()
            .filter(column -> TableName.fold(column.name()).equals(TableName.fold(key)))
            .findFirst();
    if (twin.isPresent()) {
      findings.addOnce(
          Rule.KEY_CASE,
          path,
          "keyColumns says '"
              + key
              + "', the file '"
              + twin.get().name()
              + "'. Names must be equal.");
    } else {
      findings.addOnce(
          Rule.KEY_MISSING,
          path,
          "Key column '" + key + "' is missing. Write it, or correct keyColumns.");
    }
  }

  private static Optional<Places> places(FileFacts facts, String column) {
    return Optional.ofNullable(facts.nulls().get(column));
  }

  private static String where(Places places) {
    return places.count() == 1
        ? "row " + places.first()
        : places.count() + " rows, first in row " + places.first();
  }
}
