package io.corehub.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns of a table after the files so far, and what a next file may not change in them.
 * Confined to one caller at a time.
 */
final class SchemaUnion {
  private final Map<String, FileColumn> columns = new LinkedHashMap<>();
  private final Map<String, String> byFoldedName = new HashMap<>();
  private final Findings findings;

  SchemaUnion(Findings findings) {
    this.findings = findings;
  }

  /** Judges the columns of the next file and takes them over. */
  void next(List<FileColumn> file, String path) {
    boolean first = columns.isEmpty();
    Map<String, String> inFile = new HashMap<>();
    for (FileColumn column : file) {
      String twin = inFile.putIfAbsent(TableName.fold(column.name()), column.name());
      if (twin != null) {
        findings.addOnce(
            Rule.COLUMNS_DIFFER_BY_CASE,
            path,
            "Columns '" + twin + "' and '" + column.name() + "' of the file are one to Fabric.");
        continue;
      }
      FileColumn known = columns.get(column.name());
      if (known != null) {
        compare(known, column, path);
      } else {
        joins(column, first, path);
      }
      columns.put(column.name(), column);
      byFoldedName.putIfAbsent(TableName.fold(column.name()), column.name());
    }
    Set<String> present = new HashSet<>(inFile.values());
    for (FileColumn known : columns.values()) {
      if (!known.nullable() && !present.contains(known.name())) {
        findings.addOnce(
            Rule.SCHEMA_REQUIRED_GONE,
            path,
            "Column '"
                + known.name()
                + "' is missing here, and earlier files say that it is not nullable. Go on writing"
                + " it, or load the table into a new folder.");
      }
    }
  }

  private void compare(FileColumn known, FileColumn column, String path) {
    if (!known.type().equals(column.type())) {
      findings.add(
          known.decimal() && column.decimal() ? Rule.SCHEMA_DECIMAL : Rule.SCHEMA_TYPE,
          path,
          "Column '"
              + column.name()
              + "' is "
              + column.type()
              + " here and "
              + known.type()
              + " in earlier files. Fabric stops here; load the table into a new folder.");
    } else if (known.nullable() != column.nullable()) {
      findings.add(
          Rule.SCHEMA_NULLABILITY,
          path,
          "Column '"
              + column.name()
              + "' is "
              + nullability(column)
              + " here and "
              + nullability(known)
              + " in earlier files. Fabric stops here; write it as before.");
    }
  }

  private void joins(FileColumn column, boolean first, String path) {
    String twin = byFoldedName.get(TableName.fold(column.name()));
    if (twin != null) {
      findings.add(
          Rule.SCHEMA_CASE,
          path,
          "Column '"
              + column.name()
              + "' was called '"
              + twin
              + "' in earlier files. Write one name only.");
    } else if (!first && !column.nullable()) {
      findings.add(
          Rule.SCHEMA_REQUIRED_NEW,
          path,
          "Column '"
              + column.name()
              + "' joins with this file and is not nullable, but older rows have no value for it."
              + " Write it as OPTIONAL.");
    }
  }

  private static String nullability(FileColumn column) {
    return column.nullable() ? "nullable" : "not nullable";
  }
}
