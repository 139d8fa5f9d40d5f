package io.corehub.hub.debezium;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Builds records as Debezium's PostgreSQL connector makes them. */
final class Records {

  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .field("schema", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
          .build();
  private static final Schema BLOCK =
      SchemaBuilder.struct()
          .name("event.block")
          .field("id", Schema.STRING_SCHEMA)
          .field("total_order", Schema.INT64_SCHEMA)
          .optional()
          .build();
  private static final Schema COUNT =
      SchemaBuilder.struct()
          .field("data_collection", Schema.STRING_SCHEMA)
          .field("event_count", Schema.INT64_SCHEMA)
          .build();
  private static final Schema TRANSACTION =
      SchemaBuilder.struct()
          .name("io.debezium.connector.common.TransactionMetadataValue")
          .field("status", Schema.STRING_SCHEMA)
          .field("id", Schema.STRING_SCHEMA)
          .field("event_count", Schema.OPTIONAL_INT64_SCHEMA)
          .field("data_collections", SchemaBuilder.array(COUNT).optional().build())
          .field("ts_ms", Schema.INT64_SCHEMA)
          .build();
  private static final Schema HEARTBEAT =
      SchemaBuilder.struct()
          .name("io.debezium.connector.common.Heartbeat")
          .field("ts_ms", Schema.INT64_SCHEMA)
          .build();
  static final Schema KEY = SchemaBuilder.struct().field("id", Schema.INT32_SCHEMA).build();
  static final Schema ROW =
      SchemaBuilder.struct()
          .optional()
          .field("id", Schema.INT32_SCHEMA)
          .field("text", Schema.OPTIONAL_STRING_SCHEMA)
          .build();
  static final Schema WIDER_ROW =
      SchemaBuilder.struct()
          .optional()
          .field("id", Schema.INT32_SCHEMA)
          .field("text", Schema.OPTIONAL_STRING_SCHEMA)
          .field("more", Schema.OPTIONAL_INT64_SCHEMA)
          .build();

  private final Map<Schema, Schema> envelopes = new LinkedHashMap<>();
  private long lsn = 1000;

  /** A transaction that can be ended. */
  static final class Transaction {
    final int id;
    final Map<String, Long> counts = new LinkedHashMap<>();
    int changes;

    Transaction(int id) {
      this.id = id;
    }
  }

  private Schema envelope(Schema row) {
    return envelopes.computeIfAbsent(
        row,
        r ->
            SchemaBuilder.struct()
                .name("corehub.s.t.Envelope")
                .field("before", r)
                .field("after", r)
                .field("source", SOURCE)
                .field("op", Schema.STRING_SCHEMA)
                .field("transaction", BLOCK)
                .build());
  }

  ChangeRecord begin(Transaction t) {
    return record(
        null,
        null,
        new Struct(TRANSACTION)
            .put("status", "BEGIN")
            .put("id", t.id + ":" + lsn)
            .put("ts_ms", 1L));
  }

  ChangeRecord end(Transaction t, long order) {
    List<Struct> counts = new ArrayList<>();
    t.counts.forEach(
        (table, count) ->
            counts.add(new Struct(COUNT).put("data_collection", table).put("event_count", count)));
    Struct value =
        new Struct(TRANSACTION)
            .put("status", "END")
            .put("id", t.id + ":" + order)
            .put("event_count", (long) t.changes)
            .put("data_collections", counts)
            .put("ts_ms", 1_700_000_000_000L);
    return new ChangeRecord(
        new SourceRecord(
            Map.of("server", "corehub"),
            Map.of("lsn", order, "lsn_commit", order),
            "corehub.transaction",
            value.schema(),
            value));
  }

  ChangeRecord heartbeat(long millis) {
    return record(null, null, new Struct(HEARTBEAT).put("ts_ms", millis));
  }

  ChangeRecord change(Transaction t, String table, String op, Struct before, Struct after) {
    Struct row = after == null ? before : after;
    Schema schema = row == null ? ROW : row.schema();
    t.counts.merge("s." + table, 1L, Long::sum);
    t.changes++;
    Struct value =
        new Struct(envelope(schema))
            .put("before", before)
            .put("after", after)
            .put("source", new Struct(SOURCE).put("schema", "s").put("table", table))
            .put("op", op)
            .put(
                "transaction",
                new Struct(BLOCK)
                    .put("id", t.id + ":" + (lsn + 1))
                    .put("total_order", (long) t.changes));
    Struct key = row == null ? null : new Struct(KEY).put("id", row.get("id"));
    return record(KEY, key, value);
  }

  static Struct row(int id, String text) {
    return new Struct(ROW).put("id", id).put("text", text);
  }

  private ChangeRecord record(Schema keySchema, Struct key, Struct value) {
    lsn++;
    return new ChangeRecord(
        new SourceRecord(
            Map.of("server", "corehub"),
            Map.of("lsn", lsn),
            "corehub.topic",
            null,
            keySchema,
            key,
            value.schema(),
            value));
  }
}
