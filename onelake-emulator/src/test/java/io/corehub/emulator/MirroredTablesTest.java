package io.corehub.emulator;

import static io.corehub.emulator.ParquetFiles.metadata;
import static io.corehub.emulator.ParquetFiles.publish;
import static io.corehub.emulator.ParquetFiles.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the landing zone, one by one, on files alone. */
class MirroredTablesTest {
  private static final String KEYED =
      "required int32 id; optional binary name (STRING); optional int32 __rowMarker__;";
  private static final String PLAIN = "required int32 id; optional binary name (STRING);";

  @TempDir Path directory;
  private Path landingZone;
  private Path table;

  @BeforeEach
  void makeLandingZone() throws IOException {
    landingZone = directory.resolve("workspace/item/Files/LandingZone");
    table = landingZone.resolve("sales.schema/Orders");
    Files.createDirectories(table);
  }

  private MirroredTable mirrored() throws IOException {
    return MirroredTables.below(directory).find("sales.Orders").orElseThrow();
  }

  private List<String> rows() throws IOException {
    return rows(mirrored());
  }

  private static List<String> rows(MirroredTable mirrored) throws IOException {
    StringBuilder out = new StringBuilder();
    mirrored.writeJsonRows(out);
    return out.toString().lines().toList();
  }

  private static String json(int id, String name) {
    return "{\"id\":" + id + ",\"name\":\"" + name + "\"}";
  }

  @Test
  void markersInsertUpdateDeleteAndUpsert() throws IOException {
    metadata(table, "id");
    publish(table, 1, PLAIN, row(1, "a"), row(2, "b"), row(3, "c"));
    publish(
        table,
        2,
        KEYED,
        row(4, "d", 0),
        row(1, "A", 1),
        row(2, null, 2),
        row(3, "C", 4),
        row(5, "e", 4));
    assertThat(rows())
        .containsExactlyInAnyOrder(json(4, "d"), json(1, "A"), json(3, "C"), json(5, "e"));
  }

  @Test
  void insertsNeverCheckForDuplicates() throws IOException {
    metadata(table, "id");
    publish(table, 1, KEYED, row(1, "a", 0));
    publish(table, 2, KEYED, row(1, "b", 0));
    assertThat(rows()).containsExactly(json(1, "a"), json(1, "b"));
    publish(table, 3, KEYED, row(1, "c", 4));
    assertThat(rows()).containsExactly(json(1, "c"), json(1, "c"));
    publish(table, 4, KEYED, row(1, null, 2));
    assertThat(rows()).isEmpty();
  }

  @Test
  void updatesOfMissingRowsInsertAndDeletesOfThemDoNothing() throws IOException {
    metadata(table, "id");
    publish(table, 1, KEYED, row(1, "a", 1), row(2, "b", 2));
    assertThat(rows()).containsExactly(json(1, "a"));
    assertThat(mirrored().problem()).isEmpty();
  }

  @Test
  void rowsOfAFileApplyFromTopToBottom() throws IOException {
    metadata(table, "id");
    publish(
        table,
        1,
        KEYED,
        row(1, "a", 4),
        row(1, null, 2),
        row(1, "b", 4),
        row(2, "c", 4),
        row(2, null, 2));
    assertThat(rows()).containsExactly(json(1, "b"));
  }

  @Test
  void aMissingNumberBlocksAllThatFollow() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    publish(table, 3, PLAIN, row(3, "c"));
    assertThat(rows()).containsExactly(json(1, "a"));
    publish(table, 2, PLAIN, row(2, "b"));
    assertThat(rows()).containsExactly(json(1, "a"), json(2, "b"), json(3, "c"));
  }

  @Test
  void nothingAppliesBeforeNumberOne() throws IOException {
    publish(table, 2, PLAIN, row(2, "b"));
    assertThat(MirroredTables.below(directory).all()).isEmpty();
  }

  @Test
  void filesInTheCleanUpFoldersCount() throws IOException {
    publish(table.resolve("_ProcessedFiles"), 1, PLAIN, row(1, "a"));
    publish(table.resolve("_FilesReadyToDelete"), 2, PLAIN, row(2, "b"));
    publish(table, 3, PLAIN, row(3, "c"));
    assertThat(rows()).containsExactly(json(1, "a"), json(2, "b"), json(3, "c"));
  }

  @Test
  void anEmptyFileStopsTheTableUntilItIsReplaced() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    Path bad = table.resolve("00000000000000000002.parquet");
    Files.createFile(bad);
    publish(table, 3, PLAIN, row(3, "c"));
    assertThat(mirrored().problem())
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("InvalidFile", "00000000000000000002.parquet", "0 bytes"));
    assertThat(rows()).containsExactly(json(1, "a"));
    Files.delete(bad);
    publish(table, 2, PLAIN, row(2, "b"));
    assertThat(rows()).hasSize(3);
  }

  @Test
  void aDamagedFileIsAppliedNotEvenInPart() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    publish(
        table,
        2,
        "required int32 id; optional binary name (STRING); optional int32 __rowMarker__;",
        row(2, "b", 0),
        row(3, "c", 3));
    assertThat(mirrored().problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("__rowMarker__ is 3"));
    assertThat(rows()).containsExactly(json(1, "a"));
    Files.writeString(table.resolve("00000000000000000002.parquet"), "not Parquet at all");
    assertThat(mirrored().problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("not readable Parquet"));
  }

  @Test
  void aFileWithoutRowsMakesAnEmptyTable() throws IOException {
    publish(table, 1, PLAIN);
    assertThat(mirrored().columns()).containsExactly("id", "name");
    assertThat(mirrored().rowCount()).isZero();
    assertThat(mirrored().problem()).isEmpty();
  }

  @Test
  void markersOtherThanInsertNeedAKey() throws IOException {
    publish(table, 1, KEYED, row(1, "a", 0));
    publish(table, 2, KEYED, row(1, "b", 4));
    assertThat(mirrored().problem())
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("KeyColumnsMissing", "__rowMarker__ 4"));
    assertThat(rows()).containsExactly(json(1, "a"));
  }

  @Test
  void aKeyMayComeLaterButNotChange() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"), row(2, "b"));
    publish(table, 2, KEYED, row(1, "A", 4));
    metadata(table, "id");
    assertThat(rows()).containsExactlyInAnyOrder(json(2, "b"), json(1, "A"));
  }

  @Test
  void rowsWithoutMarkerAreUpsertsWhenTheMetadataSaysSo() throws IOException {
    Files.writeString(
        table.resolve("_metadata.json"),
        "{\"keyColumns\": [\"id\"], \"isUpsertDefaultRowMarker\": true}");
    publish(table, 1, PLAIN, row(1, "a"));
    publish(table, 2, PLAIN, row(1, "b"));
    assertThat(rows()).containsExactly(json(1, "b"));
  }

  @Test
  void addedColumnsAreNullInOlderRows() throws IOException {
    metadata(table, "id");
    publish(table, 1, PLAIN, row(1, "a"), row(2, "b"));
    publish(
        table,
        2,
        "required int32 id; optional int64 amount; optional binary name (STRING); optional int32 __rowMarker__;",
        row(2, 5L, "B", 4));
    publish(table, 3, KEYED, row(3, "c", 0));
    assertThat(mirrored().columns()).containsExactly("id", "name", "amount");
    assertThat(rows())
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"name\":\"a\",\"amount\":null}",
            "{\"id\":2,\"name\":\"B\",\"amount\":5}",
            "{\"id\":3,\"name\":\"c\",\"amount\":null}");
  }

  @Test
  void changesOfTypeNullabilityAndRequiredColumnsStopTheTable() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    List<String> others =
        List.of(
            "required int64 id; optional binary name (STRING);",
            "optional int32 id; optional binary name (STRING);",
            "required int32 id; optional binary name;",
            "optional binary name (STRING);",
            "required int32 id; optional binary name (STRING); required int32 extra;",
            "required int32 id; optional binary name (STRING); optional int32 NAME;");
    for (String other : others) {
      Path file = ParquetFiles.publish(table, 2, other);
      assertThat(mirrored().problem())
          .as(other)
          .hasValueSatisfying(problem -> assertThat(problem).contains("SchemaMergeFailure"));
      Files.delete(file);
    }
    publish(table, 2, "required int32 id;", row(2));
    assertThat(rows()).containsExactly(json(1, "a"), "{\"id\":2,\"name\":null}");
  }

  @Test
  void typesWithoutCounterpartStopTheTable() throws IOException {
    List<String> fields =
        List.of(
            "optional int64 x (TIMESTAMP(MILLIS,true));",
            "optional int64 x (TIMESTAMP(NANOS,true));",
            "optional int96 x;",
            "optional int32 x (INTEGER(32,false));",
            "optional binary x (JSON);",
            "optional fixed_len_byte_array(16) x (UUID);",
            "optional group x { optional int32 y; }",
            "repeated int32 x;");
    for (String field : fields) {
      Path file = ParquetFiles.publish(table, 1, field);
      assertThat(mirrored().problem())
          .as(field)
          .hasValueSatisfying(
              problem -> assertThat(problem).contains("UnsupportedDataType", "'x'"));
      Files.delete(file);
    }
  }

  @Test
  void theMarkerMustBeLastAndAnInteger() throws IOException {
    publish(table, 1, "optional int32 __rowMarker__; required int32 id;");
    assertThat(mirrored().problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("InvalidRowMarker", "last"));
    Files.delete(table.resolve("00000000000000000001.parquet"));
    publish(table, 1, "required int32 id; optional int64 __rowMarker__;");
    assertThat(mirrored().problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("InvalidRowMarker", "INT32"));
  }

  @Test
  void valuesAreWrittenAsInChangeStreams() throws IOException {
    publish(
        table,
        1,
        "optional boolean b; optional int32 s (INTEGER(16,true)); optional int32 i; optional int64 l;"
            + " optional float f; optional double d; optional int32 n (DECIMAL(9,2)); optional int64 m (DECIMAL(18,4));"
            + " optional fixed_len_byte_array(16) w (DECIMAL(38,10)); optional binary t (STRING); optional binary y;"
            + " optional int32 date (DATE); optional int64 lt (TIME(MICROS,false)); optional int64 ut (TIME(MICROS,true));"
            + " optional int64 ldt (TIMESTAMP(MICROS,false)); optional int64 udt (TIMESTAMP(MICROS,true));",
        row(
            true,
            -7,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            1.5f,
            Double.NaN,
            new BigDecimal("-12.50"),
            new BigDecimal("99999999999999.9999"),
            new BigDecimal("1234567890123456789012345678.0123456789"),
            "a\"\\\n\u0001ü",
            new byte[] {0, -1, 2},
            -1,
            3_600_000_000L,
            1L,
            -1L,
            1_700_000_000_500_000L),
        new Object[16]);
    assertThat(rows())
        .containsExactly(
            "{\"b\":true,\"s\":-7,\"i\":-2147483648,\"l\":9223372036854775807,\"f\":1.5,\"d\":\"NaN\",\"n\":\"-12.50\","
                + "\"m\":\"99999999999999.9999\",\"w\":\"1234567890123456789012345678.0123456789\","
                + "\"t\":\"a\\\"\\\\\\u000a\\u0001ü\",\"y\":\"AP8C\",\"date\":\"1969-12-31\",\"lt\":\"01:00:00\","
                + "\"ut\":\"00:00:00.000001Z\",\"ldt\":\"1969-12-31T23:59:59.999999\",\"udt\":\"2023-11-14T22:13:20.5Z\"}",
            "{\"b\":null,\"s\":null,\"i\":null,\"l\":null,\"f\":null,\"d\":null,\"n\":null,\"m\":null,\"w\":null,\"t\":null,"
                + "\"y\":null,\"date\":null,\"lt\":null,\"ut\":null,\"ldt\":null,\"udt\":null}");
  }

  @Test
  void namesAreEscapedAndUnderscoredFoldersIgnored() throws IOException {
    publish(landingZone.resolve("plain"), 1, PLAIN);
    publish(landingZone.resolve("a.b"), 1, PLAIN);
    publish(landingZone.resolve("x\\y.schema/t.u"), 1, PLAIN);
    publish(landingZone.resolve("_scratchPad"), 1, PLAIN);
    publish(landingZone.resolve("s.schema/_hidden"), 1, PLAIN);
    assertThat(MirroredTables.below(directory).all())
        .extracting(MirroredTable::name)
        .containsExactlyInAnyOrder("plain", "a\\.b", "x\\\\y.t\\.u");
  }

  @Test
  void findsALandingZoneWhereverItLies() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    for (Path start : List.of(directory, landingZone.getParent(), landingZone)) {
      assertThat(MirroredTables.below(start).find("sales.Orders")).isPresent();
    }
    assertThatThrownBy(() -> MirroredTables.below(directory.resolve("missing")))
        .hasMessageContaining("missing");
  }

  @Test
  void aFolderThatIsNoLandingZoneIsAnErrorAndAnEmptyOneIsNot() throws IOException {
    assertThat(MirroredTables.below(directory).all()).isEmpty();
    Path copied = Files.createDirectories(directory.resolve("copy/only"));
    publish(copied.resolve("orders"), 1, PLAIN, row(1, "a"));
    assertThat(MirroredTables.below(copied).find("orders")).isPresent();
    Path other = Files.createDirectories(directory.resolve("other/folder")).getParent();
    assertThatThrownBy(() -> MirroredTables.below(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No landing zone lies in " + other);
  }

  @Test
  void changesByTimeWhenTheMetadataSaysSo() throws IOException {
    Files.writeString(
        table.resolve("_metadata.json"),
        "{\"keyColumns\": [\"id\"], \"fileDetectionStrategy\": \"LastUpdateTimeFileDetection\"}");
    Path later = ParquetFiles.write(table.resolve("a.parquet"), KEYED, row(1, "later", 4));
    Path sooner = ParquetFiles.write(table.resolve("b.parquet"), KEYED, row(1, "sooner", 4));
    Files.setLastModifiedTime(sooner, java.nio.file.attribute.FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(later, java.nio.file.attribute.FileTime.fromMillis(2_000));
    assertThat(rows()).containsExactly(json(1, "later"));
  }

  @Test
  void writesCsv() throws IOException {
    publish(table, 1, PLAIN, row(1, "a,b"), row(2, ""), row(3, null), row(4, "say \"x\"\nnow"));
    StringBuilder out = new StringBuilder();
    mirrored().writeCsv(out);
    assertThat(out.toString())
        .isEqualTo("id,name\n1,\"a,b\"\n2,\"\"\n3,\n4,\"say \"\"x\"\"\nnow\"\n");
  }

  @Test
  void writesTheTableBesideTheRowWhenAsked() throws IOException {
    publish(table, 1, PLAIN, row(1, "a"));
    StringBuilder out = new StringBuilder();
    mirrored().writeJsonRowsWithTable(out);
    assertThat(out.toString())
        .isEqualTo("{\"table\":\"sales.Orders\",\"row\":{\"id\":1,\"name\":\"a\"}}\n");
  }

  @Test
  void checksumsAgreeWithTheSourceWhateverTheOrder() throws IOException {
    metadata(table, "id");
    publish(table, 1, PLAIN, row(1, "a"), row(2, "b"), row(3, null));
    publish(
        table,
        2,
        "required int32 id; optional binary name (STRING); optional int64 price (DECIMAL(18,4)); optional int32 __rowMarker__;",
        row(2, "b", new BigDecimal("1.5"), 4));
    RowChecksum source = new RowChecksum();
    source.add(List.of("price", "name", "id"), new Object[] {new BigDecimal("1.50"), "b", 2L});
    source.add(List.of("id"), new Object[] {3});
    source.add(List.of("id", "name"), new Object[] {1, "a"});
    assertThat(mirrored().checksum().value()).isEqualTo(source.value());
    assertThat(mirrored().checksum().rows()).isEqualTo(3);
    source.add(List.of("id"), new Object[] {4});
    assertThat(mirrored().checksum().value()).isNotEqualTo(source.value());
  }
}
