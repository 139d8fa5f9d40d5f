package io.corehub.verify;

import io.corehub.verify.FileFacts.Markers;
import io.corehub.verify.FileFacts.Places;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;

/**
 * Decodes every value of one leaf column, row group by row group, and counts what the rules ask.
 * Confined to one caller at a time.
 */
final class ColumnScan {
  private final ColumnDescriptor column;
  private final MessageType projection;
  private final Values values;
  private long row;
  private long nulls;
  private long firstNull;

  ColumnScan(ColumnDescriptor column, MessageType projection, boolean marker) {
    this.column = column;
    this.projection = projection;
    this.values = marker ? new MarkerValues() : new Values();
  }

  ColumnDescriptor column() {
    return column;
  }

  /** Its path, dots between the segments. */
  String name() {
    return String.join(".", column.getPath());
  }

  MessageType projection() {
    return projection;
  }

  boolean flat() {
    return column.getPath().length == 1 && column.getMaxRepetitionLevel() == 0;
  }

  /**
   * Decodes the column in a row group.
   *
   * @param count values in it, NULLs among them
   */
  void scan(PageReadStore group, long count, String createdBy) {
    ColumnReader reader =
        new ColumnReadStoreImpl(group, new Ignored(projection, values), projection, createdBy)
            .getColumnReader(column);
    int present = column.getMaxDefinitionLevel();
    for (long i = 0; i < count; i++) {
      row++;
      int level = reader.getCurrentDefinitionLevel();
      if (level > present) {
        throw new IllegalStateException("definition level " + level + " in a column without such");
      }
      if (level == present) {
        values.row = row;
        reader.writeCurrentValueToConverter();
      } else {
        nulls++;
        firstNull = nulls == 1 ? row : firstNull;
      }
      reader.consume();
    }
  }

  Optional<Places> nulls() {
    return nulls == 0 ? Optional.empty() : Optional.of(new Places(nulls, firstNull));
  }

  Markers markers() {
    return values instanceof MarkerValues markers ? markers.result() : Markers.NONE;
  }

  private static class Values extends PrimitiveConverter {
    long row;

    @Override
    public boolean hasDictionarySupport() {
      return false;
    }

    @Override
    public void setDictionary(Dictionary dictionary) {
      throw new UnsupportedOperationException("Values are decoded one by one");
    }

    @Override
    public void addBinary(Binary value) {}

    @Override
    public void addBoolean(boolean value) {}

    @Override
    public void addDouble(double value) {}

    @Override
    public void addFloat(float value) {}

    @Override
    public void addInt(int value) {}

    @Override
    public void addLong(long value) {}
  }

  private static final class MarkerValues extends Values {
    private static final int INSERT = 0;
    private static final int UPDATE = 1;
    private static final int DELETE = 2;
    private static final int UPSERT = 4;

    private long unknown;
    private long firstUnknown;
    private int unknownValue;
    private long needKey;
    private long firstNeedingKey;

    @Override
    public void addInt(int value) {
      if (value == UPDATE || value == DELETE || value == UPSERT) {
        needKey++;
        firstNeedingKey = needKey == 1 ? row : firstNeedingKey;
      } else if (value != INSERT) {
        unknown++;
        if (unknown == 1) {
          firstUnknown = row;
          unknownValue = value;
        }
      }
    }

    Markers result() {
      return new Markers(
          unknown == 0 ? Optional.empty() : Optional.of(new Places(unknown, firstUnknown)),
          unknownValue,
          needKey == 0 ? Optional.empty() : Optional.of(new Places(needKey, firstNeedingKey)));
    }
  }

  private static final class Ignored extends GroupConverter {
    private final GroupType type;
    private final PrimitiveConverter leaf;

    Ignored(GroupType type, PrimitiveConverter leaf) {
      this.type = type;
      this.leaf = leaf;
    }

    @Override
    public Converter getConverter(int field) {
      return type.getType(field).isPrimitive()
          ? leaf
          : new Ignored(type.getType(field).asGroupType(), leaf);
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }
}
