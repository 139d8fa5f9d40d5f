package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the table folders, and judges what lies outside of them. Used once, by one caller. */
final class LayoutLook {
  private final TargetFiles files;
  private final Findings findings = new Findings("");
  private final Map<String, TableName> tables = new TreeMap<>();
  private final Map<TableName, String> byFoldedName = new HashMap<>();

  LayoutLook(TargetFiles files) {
    this.files = files;
  }

  /** Table folders by path. */
  Map<String, TableName> tables() {
    return tables;
  }

  List<Violation> violations() {
    return findings.all();
  }

  void root() throws IOException, InterruptedException {
    for (TargetFile entry : sorted(files.list(""))) {
      String name = entry.name();
      if (!entry.directory()) {
        if (name.equals(FileNames.PARTNER_EVENTS)) {
          PartnerEvents.judge(files, entry, findings);
        } else {
          fileOutside(entry);
        }
      } else if (FileNames.ignored(name)) {
        ignored(entry);
      } else if (name.equals(FileNames.SCHEMA_SUFFIX)) {
        findings.add(
            Rule.SCHEMA_NAME_EMPTY,
            entry.path(),
            "Its name is no more than the suffix of a schema folder. Put the schema's name before.");
      } else if (FileNames.schemaSuffixButForCase(name)) {
        schema(entry);
      } else {
        table(entry, new TableName("", name));
      }
    }
  }

  private void schema(TargetFile folder) throws IOException, InterruptedException {
    String name = folder.name();
    String schema = name.substring(0, name.length() - FileNames.SCHEMA_SUFFIX.length());
    if (!name.endsWith(FileNames.SCHEMA_SUFFIX)) {
      findings.add(
          Rule.SCHEMA_SUFFIX_CASE,
          folder.path(),
          "Fabric takes it for a table unless it ends in .schema in lower case. Rename it.");
    }
    for (TargetFile entry : sorted(files.list(folder.path()))) {
      if (!entry.directory()) {
        if (entry.name().equals(FileNames.PARTNER_EVENTS)) {
          PartnerEvents.elsewhere(entry, findings);
        } else {
          fileOutside(entry);
        }
      } else if (FileNames.ignored(entry.name())) {
        ignored(entry);
      } else {
        table(entry, new TableName(schema, entry.name()));
      }
    }
  }

  private void table(TargetFile folder, TableName name) {
    tables.put(folder.path(), name);
    String twin = byFoldedName.putIfAbsent(name.ignoringCase(), folder.path());
    if (twin != null) {
      findings.add(
          Rule.TABLES_DIFFER_BY_CASE,
          folder.path(),
          "It differs from '" + twin + "' only by case. Rename one of the tables.");
    }
  }

  private void ignored(TargetFile folder) throws IOException, InterruptedException {
    if (folder.name().equals(FileNames.SCRATCH)) {
      return;
    }
    if (Leftovers.holdsData(files, folder)) {
      findings.add(
          Rule.IGNORED_TABLE,
          folder.path(),
          "Fabric ignores names that begin with an underscore, and so the data in it. Rename the"
              + " folder.");
    } else {
      Leftovers.folder(folder, findings);
    }
  }

  private void fileOutside(TargetFile file) {
    if (FileNames.ignored(file.name())) {
      Leftovers.file(file, findings);
    } else if (FileNames.parquet(file.name()) || FileNames.otherData(file.name())) {
      findings.add(
          Rule.DATA_OUTSIDE_TABLE,
          file.path(),
          "A data file belongs into the folder of its table; here nobody reads it.");
    } else {
      findings.add(Rule.FILE_OUTSIDE_TABLE, file.path(), "It belongs to no table. Remove it.");
    }
  }

  private static List<TargetFile> sorted(List<TargetFile> entries) {
    return entries.stream().sorted(Comparator.comparing(TargetFile::name)).toList();
  }
}
