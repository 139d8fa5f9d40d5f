package io.corehub.parquet.internal;

import io.corehub.parquet.MalformedFooterException;
import io.corehub.parquet.ParquetFooter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the file metadata of any writer. */
public final class FooterParser {

  // Far above what is met; they bound the memory that hostile bytes can ask for.
  private static final int MOST_SCHEMA_ELEMENTS = 100_000;
  private static final int MOST_ROW_GROUPS = 200_000;
  private static final int MOST_KEY_VALUES = 10_000;
  private static final int MOST_KEY_VALUE_CHARACTERS = 8 << 20;
  private static final int MOST_NESTING = 64;
  private static final int MOST_PATH_CHARACTERS = 4 << 20;

  private final CompactReader in;
  private final long fileLength;
  private List<ParquetFooter.Column> columns = List.of();
  private final List<ParquetFooter.RowGroup> rowGroups = new ArrayList<>();
  private final Map<String, String> keyValues = new LinkedHashMap<>();
  private @Nullable String createdBy;
  private long rowCount = -1;
  private long pathCharacters;

  private FooterParser(CompactReader in, long fileLength) {
    this.in = in;
    this.fileLength = fileLength;
  }

  /**
   * Reads file metadata.
   *
   * @param bytes array that holds it
   * @param from first byte
   * @param end byte behind the last
   * @param fileLength length of the file
   * @return the footer
   * @throws MalformedFooterException if the bytes are no file metadata
   */
  public static ParquetFooter parse(byte[] bytes, int from, int end, long fileLength)
      throws MalformedFooterException {
    return new FooterParser(new CompactReader(bytes, from, end), fileLength).parse();
  }

  private ParquetFooter parse() throws MalformedFooterException {
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      switch (field) {
        case 2 -> readSchema();
        case 3 -> rowCount = in.number();
        case 4 -> readRowGroups();
        case 5 -> readKeyValues();
        case 6 -> createdBy = in.text();
        default -> in.skip();
      }
    }
    check();
    return new ParquetFooter(
        columns, rowCount, rowGroups, keyValues, Optional.ofNullable(createdBy));
  }

  private void check() throws MalformedFooterException {
    if (columns.isEmpty()) {
      throw new MalformedFooterException("The footer names no columns");
    }
    long rows = 0;
    for (ParquetFooter.RowGroup rowGroup : rowGroups) {
      rows += rowGroup.rows();
      if (rowGroup.rows() < 0 || rows < 0) {
        throw new MalformedFooterException(
            "The footer has a row group of " + rowGroup.rows() + " rows");
      }
    }
    if (rows != rowCount) {
      throw new MalformedFooterException(
          "The footer says " + rowCount + " rows, its row groups hold " + rows);
    }
  }

  private void readSchema() throws MalformedFooterException {
    int size = in.structs(MOST_SCHEMA_ELEMENTS, "schema elements");
    List<SchemaNode> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      nodes.add(SchemaNode.read(in));
    }
    if (nodes.isEmpty() || nodes.get(0).isLeaf()) {
      throw new MalformedFooterException("The footer's schema has no root");
    }
    List<ParquetFooter.Column> leaves = new ArrayList<>();
    int next = 1;
    for (int child = 0; child < nodes.get(0).children(); child++) {
      next = addLeaves(nodes, next, "", false, true, leaves, 0);
    }
    if (next != nodes.size()) {
      throw new MalformedFooterException(
          "The footer's schema has " + (nodes.size() - next) + " elements that belong nowhere");
    }
    columns = leaves;
  }

  /** Adds the columns of an element and returns the index of the element behind it. */
  private int addLeaves(
      List<SchemaNode> nodes,
      int index,
      String parents,
      boolean optionalAbove,
      boolean flat,
      List<ParquetFooter.Column> leaves,
      int depth)
      throws MalformedFooterException {
    if (index >= nodes.size() || depth > MOST_NESTING) {
      throw new MalformedFooterException(
          "The footer's schema lacks elements, or nests more than " + MOST_NESTING + " deep");
    }
    SchemaNode node = nodes.get(index);
    boolean optional = optionalAbove || node.isOptional();
    pathCharacters += parents.length() + node.name().length();
    if (pathCharacters > MOST_PATH_CHARACTERS) {
      throw new MalformedFooterException(
          "The footer's columns have names of more than " + MOST_PATH_CHARACTERS + " characters");
    }
    if (node.isLeaf()) {
      // A repeated value, or one inside a group, is not one of our columns whatever its type.
      boolean ours = flat && (node.isOptional() || node.isRequired());
      leaves.add(
          new ParquetFooter.Column(
              parents + node.name(),
              optional,
              ours ? node.type() : Optional.empty(),
              node.description()));
      return index + 1;
    }
    int next = index + 1;
    for (int child = 0; child < node.children(); child++) {
      next =
          addLeaves(nodes, next, parents + node.name() + ".", optional, false, leaves, depth + 1);
    }
    return next;
  }

  private void readRowGroups() throws MalformedFooterException {
    int size = in.structs(MOST_ROW_GROUPS, "row groups");
    for (int i = 0; i < size; i++) {
      rowGroups.add(readRowGroup());
    }
  }

  private ParquetFooter.RowGroup readRowGroup() throws MalformedFooterException {
    long rows = -1;
    long compressedBytes = 0;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      switch (field) {
        case 1 -> {
          int chunks = in.structs(MOST_SCHEMA_ELEMENTS, "column chunks");
          for (int i = 0; i < chunks; i++) {
            long bytes = readChunkBytes();
            compressedBytes += bytes;
            if (bytes < 0 || compressedBytes < 0 || compressedBytes > fileLength) {
              throw new MalformedFooterException(
                  "The footer has column chunks of more bytes than the file: " + bytes);
            }
          }
        }
        case 3 -> rows = in.number();
        default -> in.skip();
      }
    }
    return new ParquetFooter.RowGroup(rows, compressedBytes);
  }

  private long readChunkBytes() throws MalformedFooterException {
    long bytes = 0;
    int field = 0;
    while ((field = in.field(field)) != CompactReader.STOP) {
      if (field == 3) {
        in.struct();
        int inner = 0;
        while ((inner = in.field(inner)) != CompactReader.STOP) {
          if (inner == 7) {
            bytes = in.number();
          } else {
            in.skip();
          }
        }
      } else {
        in.skip();
      }
    }
    return bytes;
  }

  private void readKeyValues() throws MalformedFooterException {
    int size = in.structs(MOST_KEY_VALUES, "key-value entries");
    long characters = 0;
    for (int i = 0; i < size; i++) {
      String key = null;
      String value = "";
      int field = 0;
      while ((field = in.field(field)) != CompactReader.STOP) {
        switch (field) {
          case 1 -> key = in.text();
          case 2 -> value = in.text();
          default -> in.skip();
        }
      }
      if (key == null) {
        throw new MalformedFooterException("The footer has a key-value entry without a key");
      }
      characters += key.length() + value.length();
      if (characters > MOST_KEY_VALUE_CHARACTERS) {
        throw new MalformedFooterException(
            "The footer's key-value entries have more than "
                + MOST_KEY_VALUE_CHARACTERS
                + " characters");
      }
      keyValues.put(key, value);
    }
  }
}
