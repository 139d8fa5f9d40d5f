package io.corehub.hub.debezium;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a Debezium connector say, told apart by the names of their schemas. Immutable
 * view of a record.
 *
 * @param record the record
 */
record ChangeRecord(SourceRecord record) {

  private static final String TRANSACTION = "io.debezium.connector.common.TransactionMetadataValue";
  private static final String HEARTBEAT = "io.debezium.connector.common.Heartbeat";

  /** Headers of the delete and the insert that a change of the key arrives as. */
  private static final String NEW_KEY = "__debezium.newkey";

  private static final String OLD_KEY = "__debezium.oldkey";

  /** What a record is. */
  enum Kind {
    BEGIN,
    END,
    HEARTBEAT,
    INSERT,
    UPDATE,
    DELETE,
    TRUNCATE,
    /** Nothing that concerns a table, such as a logical message. */
    OTHER
  }

  Kind kind() {
    if (!(record.value() instanceof Struct value)) {
      return Kind.OTHER;
    }
    String name = value.schema().name();
    if (TRANSACTION.equals(name)) {
      return value.getString("status").equals("END") ? Kind.END : Kind.BEGIN;
    }
    if (HEARTBEAT.equals(name)) {
      return Kind.HEARTBEAT;
    }
    if (value.schema().field("op") == null) {
      return Kind.OTHER;
    }
    return switch (value.getString("op")) {
      case "c", "r" -> Kind.INSERT;
      case "u" -> Kind.UPDATE;
      case "d" -> Kind.DELETE;
      case "t" -> Kind.TRUNCATE;
      default -> Kind.OTHER;
    };
  }

  Struct value() {
    return (Struct) record.value();
  }

  /**
   * Name of the transaction: of BEGIN, END and changes. PostgreSQL's is the number before the
   * colon; what follows it differs from record to record.
   */
  String transaction() {
    Struct holder =
        value().schema().field("transaction") == null ? value() : value().getStruct("transaction");
    if (holder == null) {
      throw new IllegalStateException(
          "A change of " + collection() + " arrived outside of a transaction");
    }
    String id = holder.getString("id");
    int colon = id.indexOf(':');
    return colon < 0 ? id : id.substring(0, colon);
  }

  /** Schema and name of the table, joined by a dot, as END counts them. */
  String collection() {
    return schemaName() + "." + tableName();
  }

  String schemaName() {
    return value().getStruct("source").getString("schema");
  }

  String tableName() {
    return value().getStruct("source").getString("table");
  }

  @Nullable Struct before() {
    return value().getStruct("before");
  }

  @Nullable Struct after() {
    return value().getStruct("after");
  }

  /** Schema of the table's rows. */
  Schema rowSchema() {
    return value().schema().field("after").schema();
  }

  @Nullable Schema keySchema() {
    return record.keySchema();
  }

  /** Whether this is the delete of a row that comes back under another key with the next record. */
  boolean givesKeyUp() {
    return record.headers().lastWithName(NEW_KEY) != null;
  }

  /** Whether this is the insert of a row that the record before deleted under another key. */
  boolean takesKey() {
    return record.headers().lastWithName(OLD_KEY) != null;
  }

  /** The log position that the record's offset tells; of an END record the end of the commit. */
  long position() {
    Object lsn = record.sourceOffset().get("lsn");
    if (lsn instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("Offset " + record.sourceOffset() + " holds no 'lsn'");
  }

  long epochMillis() {
    return value().getInt64("ts_ms");
  }

  long eventCount() {
    Long count = value().getInt64("event_count");
    return count == null ? 0 : count;
  }

  /** Changes by table, as END counts them. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new HashMap<>();
    List<Struct> collections = value().getArray("data_collections");
    if (collections != null) {
      for (Struct collection : collections) {
        counts.put(collection.getString("data_collection"), collection.getInt64("event_count"));
      }
    }
    return counts;
  }

  /** About how many bytes the rows of this record hold. */
  long roughBytes() {
    return roughBytes(before()) + roughBytes(after());
  }

  private static long roughBytes(@Nullable Struct row) {
    if (row == null) {
      return 0;
    }
    long bytes = 64;
    for (Field field : row.schema().fields()) {
      Object cell = row.getWithoutDefault(field.name());
      bytes += 24;
      if (cell instanceof String text) {
        bytes += text.length();
      } else if (cell instanceof ByteBuffer buffer) {
        bytes += buffer.remaining();
      } else if (cell instanceof byte[] array) {
        bytes += array.length;
      } else if (cell instanceof List<?> list) {
        bytes += 32L * list.size();
      }
    }
    return bytes;
  }
}
