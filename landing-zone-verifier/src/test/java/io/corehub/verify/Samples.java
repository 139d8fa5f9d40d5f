package io.corehub.verify;

import static io.corehub.verify.Parquet.row;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** For each rule a landing zone that breaks it and no other. */
final class Samples {
  static final String PLAIN = "optional int32 id; optional binary v (STRING);";
  static final String MARKED = PLAIN + " optional int32 __rowMarker__;";

  private static final Map<Rule, Consumer<MemoryFiles>> BROKEN = new EnumMap<>(Rule.class);

  private Samples() {}

  static MemoryFiles of(Rule rule) {
    MemoryFiles zone = new MemoryFiles();
    Consumer<MemoryFiles> broken = BROKEN.get(rule);
    if (broken == null) {
      throw new AssertionError("Rule " + rule + " has no sample; add one here");
    }
    broken.accept(zone);
    return zone;
  }

  static String file(int number) {
    return String.format("Orders/%020d.parquet", number);
  }

  static byte[] plain() {
    return Parquet.of(PLAIN).rows(row(1, "a"));
  }

  static byte[] marked(int marker) {
    return Parquet.of(MARKED).rows(row(1, "a", marker));
  }

  static byte[] chained(ChainText chain) {
    return Parquet.of(MARKED).footer("cdc.chain", chain.toString()).rows(row(1, "a", 4));
  }

  /** A file without rows behind which another pipeline goes on. */
  static byte[] handedOver(ChainText chain) {
    chain.set("rows", "0").set("next", "{\"pipeline\":\"heir\",\"from\":\"1\"}");
    return Parquet.of(MARKED).footer("cdc.chain", chain.toString()).rows();
  }

  static byte[] loaded(ChainText chain) {
    return Parquet.of(PLAIN).footer("cdc.chain", chain.toString()).rows(row(1, "a"));
  }

  static MemoryFiles keyed(MemoryFiles zone) {
    return zone.put("Orders/_metadata.json", "{\"keyColumns\":[\"id\"]}");
  }

  private static void metadata(Rule rule, String json) {
    BROKEN.put(rule, zone -> zone.put("Orders/_metadata.json", json).put(file(1), plain()));
  }

  private static void type(Rule rule, String field) {
    BROKEN.put(rule, zone -> zone.put(file(1), Parquet.of("optional int32 id; " + field).rows()));
  }

  /** Two files of one column each. */
  private static void then(Rule rule, String first, String second) {
    BROKEN.put(
        rule,
        zone ->
            zone.put(file(1), Parquet.of("optional int32 id; " + first).rows())
                .put(file(2), Parquet.of("optional int32 id; " + second).rows()));
  }

  private static void chain(Rule rule, ChainText third) {
    BROKEN.put(
        rule,
        zone ->
            keyed(zone)
                .put(file(1), loaded(ChainText.snapshot(1)))
                .put(file(2), chained(ChainText.changes(2)))
                .put(file(3), chained(third)));
  }

  static {
    BROKEN.put(
        Rule.NESTED_DATA,
        zone -> zone.put("archive/sales.schema/Orders/00000000000000000001.parquet", plain()));
    BROKEN.put(Rule.NESTED_FOLDER, zone -> zone.put(file(1), plain()).directory("Orders/notes"));
    BROKEN.put(Rule.DATA_OUTSIDE_TABLE, zone -> zone.put("00000000000000000001.parquet", plain()));
    BROKEN.put(Rule.FILE_OUTSIDE_TABLE, zone -> zone.put("sales.schema/readme.md", "hello"));
    BROKEN.put(
        Rule.TABLES_DIFFER_BY_CASE,
        zone ->
            zone.put("sales.schema/Orders/00000000000000000001.parquet", plain())
                .put("sales.schema/ORDERS/00000000000000000001.parquet", plain()));
    BROKEN.put(
        Rule.IGNORED_TABLE, zone -> zone.put("_Orders/00000000000000000001.parquet", plain()));
    BROKEN.put(Rule.SCHEMA_NAME_EMPTY, zone -> zone.directory(".schema"));
    BROKEN.put(
        Rule.SCHEMA_SUFFIX_CASE,
        zone -> zone.put("sales.Schema/Orders/00000000000000000001.parquet", plain()));
    BROKEN.put(Rule.TABLE_WITHOUT_FILES, Samples::keyed);

    BROKEN.put(Rule.GAP, zone -> zone.put(file(1), plain()).put(file(3), plain()));
    BROKEN.put(Rule.FIRST_NUMBER, zone -> zone.put(file(2), plain()));
    BROKEN.put(Rule.ZERO_BYTES, zone -> zone.put(file(1), plain()).put(file(2), ""));
    BROKEN.put(Rule.DIGITS, zone -> zone.put(file(1), plain()).put("Orders/2.parquet", plain()));
    BROKEN.put(
        Rule.UNNUMBERED, zone -> zone.put(file(1), plain()).put("Orders/part-2.parquet", plain()));
    BROKEN.put(
        Rule.EXTENSION_CASE,
        zone -> zone.put(file(1), plain()).put("Orders/00000000000000000002.PARQUET", plain()));
    BROKEN.put(
        Rule.NUMBER_OVERFLOW,
        zone ->
            zone.put("Orders/99999999999999999999.parquet", plain())
                .directory("Orders/_FilesReadyToDelete"));
    BROKEN.put(Rule.NUMBER_ZERO, zone -> zone.put(file(0), plain()).put(file(1), plain()));
    BROKEN.put(Rule.FOREIGN_DATA, zone -> zone.put(file(1), plain()).put("Orders/2.csv", "1,a"));
    BROKEN.put(Rule.FOREIGN_FILE, zone -> zone.put(file(1), plain()).put("Orders/a.crc", "x"));
    BROKEN.put(
        Rule.NUMBER_PASSED,
        zone ->
            zone.put("Orders/_ProcessedFiles/00000000000000000002.parquet", plain())
                .put(file(2), plain())
                .put(file(3), plain()));

    metadata(Rule.METADATA_UNREADABLE, "{\"keyColumns\": [\"id\"]");
    metadata(Rule.METADATA_PROPERTY, "{\"keyColumns\": [\"id\"], \"keyColumn\": 1}");
    metadata(Rule.KEYS_MALFORMED, "{\"keyColumns\": \"id\"}");
    metadata(Rule.KEYS_DUPLICATE, "{\"keyColumns\": [\"id\", \"id\"]}");
    metadata(Rule.KEYS_EMPTY, "{\"keyColumns\": []}");
    metadata(Rule.KEYS_TWO_SPELLINGS, "{\"keyColumns\": [\"id\"], \"KeyColumns\": [\"v\"]}");
    metadata(Rule.KEYS_SAID_TWICE, "{\"keyColumns\": [\"id\"], \"KeyColumns\": [\"id\"]}");
    metadata(Rule.DETECTION_UNKNOWN, "{\"fileDetectionStrategy\": \"ByName\"}");
    metadata(
        Rule.DETECTION_BY_TIME, "{\"fileDetectionStrategy\": \"LastUpdateTimeFileDetection\"}");
    metadata(Rule.DELIMITED_TEXT, "{\"FileFormat\": \"CSV\"}");
    metadata(Rule.UPSERT_DEFAULT, "{\"isUpsertDefaultRowMarker\": true}");
    BROKEN.put(
        Rule.METADATA_NAME,
        zone ->
            zone.put("Orders/metadata.json", "{\"keyColumns\":[\"id\"]}").put(file(1), plain()));

    BROKEN.put(
        Rule.UNREADABLE, zone -> zone.put(file(1), Arrays.copyOf(plain(), plain().length - 20)));
    BROKEN.put(
        Rule.COMPRESSION,
        zone ->
            zone.put(
                file(1), Parquet.of(PLAIN).codec(CompressionCodecName.LZ4_RAW).rows(row(1, "a"))));
    BROKEN.put(
        Rule.NO_COLUMNS,
        zone -> zone.put(file(1), Parquet.of("optional int32 __rowMarker__;").rows(row(0))));
    BROKEN.put(
        Rule.VANISHED, zone -> zone.put(file(1), plain()).put(file(2), plain()).vanishing(file(1)));

    type(Rule.TYPE_TIME, "optional int64 t (TIME(MICROS,false));");
    type(Rule.TYPE_PRECISION, "optional int64 t (TIMESTAMP(NANOS,true));");
    type(Rule.TYPE_UNKNOWN, "optional int32 n (INTEGER(32,false));");
    type(Rule.TYPE_DECIMAL, "optional fixed_len_byte_array(17) n (DECIMAL(39,2));");
    type(Rule.TYPE_NESTED, "repeated int32 list;");
    type(Rule.COLUMNS_DIFFER_BY_CASE, "optional int32 ID;");

    BROKEN.put(
        Rule.MARKER_PLACE,
        zone ->
            zone.put(
                file(1),
                Parquet.of("optional int32 __rowMarker__; optional int32 id;").rows(row(0, 1))));
    BROKEN.put(
        Rule.MARKER_TYPE,
        zone ->
            zone.put(
                file(1),
                Parquet.of("optional int32 id; optional int64 __rowMarker__;").rows(row(1, 0))));
    BROKEN.put(
        Rule.MARKER_NAME,
        zone ->
            zone.put(
                file(1),
                Parquet.of("optional int32 id; optional int32 rowMarker;").rows(row(1, 0))));
    BROKEN.put(
        Rule.MARKER_NULL,
        zone -> zone.put(file(1), Parquet.of(MARKED).rows(row(1, "a", 0), row(2, "b", null))));
    BROKEN.put(
        Rule.MARKER_VALUE,
        zone -> zone.put(file(1), Parquet.of(MARKED).rows(row(1, "a", 0), row(2, "b", 3))));
    BROKEN.put(Rule.MARKER_WITHOUT_KEY, zone -> zone.put(file(1), marked(2)));
    BROKEN.put(
        Rule.MARKER_STOPS, zone -> keyed(zone).put(file(1), marked(4)).put(file(2), plain()));
    BROKEN.put(Rule.MARKER_ABSENT, zone -> keyed(zone).put(file(1), loaded(ChainText.changes(1))));

    then(Rule.SCHEMA_TYPE, "optional int32 n;", "optional int32 n (INTEGER(16,true));");
    then(
        Rule.SCHEMA_DECIMAL,
        "optional int64 n (DECIMAL(10,2));",
        "optional int64 n (DECIMAL(10,3));");
    then(Rule.SCHEMA_NULLABILITY, "required int32 n;", "optional int32 n;");
    then(Rule.SCHEMA_CASE, "optional int32 n;", "optional int32 N;");
    then(Rule.SCHEMA_REQUIRED_GONE, "required int32 n;", "");
    then(Rule.SCHEMA_REQUIRED_NEW, "", "required int32 n;");

    BROKEN.put(
        Rule.KEY_NULL,
        zone -> keyed(zone).put(file(1), Parquet.of(PLAIN).rows(row(1, "a"), row(null, "b"))));
    BROKEN.put(
        Rule.KEY_MISSING,
        zone -> keyed(zone).put(file(1), Parquet.of("optional int32 n;").rows(row(1))));
    BROKEN.put(
        Rule.KEY_CASE,
        zone -> keyed(zone).put(file(1), Parquet.of("optional int32 ID;").rows(row(1))));

    BROKEN.put(
        Rule.PARTNER_PLACE,
        zone ->
            zone.put(file(1), plain())
                .put(
                    "Orders/_partnerEvents.json",
                    "{\"partnerName\":\"P\",\"sourceInfo\":{\"sourceType\":\"S\"}}"));
    BROKEN.put(
        Rule.PARTNER_SHAPE, zone -> zone.put("_partnerEvents.json", "{\"partnerName\":\"P\"}"));

    BROKEN.put(
        Rule.LEFT_UPLOAD,
        zone ->
            zone.put(file(1), plain())
                .put("Orders/_00000000000000000002." + ChainText.id(2) + ".parquet", plain()));
    BROKEN.put(
        Rule.LEFT_SNAPSHOT,
        zone ->
            zone.put(file(1), plain()).put("Orders/_snapshot_" + ChainText.id(2) + ".json", "{}"));
    BROKEN.put(Rule.LEFT_OTHER, zone -> zone.put(file(1), plain()).put("Orders/_SUCCESS", ""));

    chain(Rule.CHAIN_UNREADABLE, ChainText.changes(3).set("v", "2"));
    chain(Rule.CHAIN_NUMBER, ChainText.changes(4));
    chain(Rule.CHAIN_PREVIOUS, ChainText.changes(3).text("prev", ChainText.id(1)));
    chain(Rule.CHAIN_FILE_TWICE, ChainText.changes(3).text("fileId", ChainText.id(2)));
    chain(Rule.CHAIN_INCARNATION, ChainText.changes(3).text("incarnation", ChainText.id(1001)));
    chain(Rule.CHAIN_EPOCH, ChainText.changes(3).set("epoch", "6"));
    chain(Rule.CHAIN_OWNER, ChainText.changes(3).text("pipeline", "other"));
    chain(Rule.CHAIN_POSITIONS, ChainText.changes(3).text("from", "25"));
    chain(Rule.CHAIN_ROWS, ChainText.changes(3).set("rows", "2"));
    BROKEN.put(
        Rule.CHAIN_STRANGER,
        zone ->
            keyed(zone)
                .put(file(1), loaded(ChainText.snapshot(1)))
                .put(file(2), marked(4))
                .put(file(3), chained(ChainText.changes(3))));
  }
}
