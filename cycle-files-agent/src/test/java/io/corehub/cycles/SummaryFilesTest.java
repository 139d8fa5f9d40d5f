package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.CycleLayout.Choices;
import io.corehub.cycles.Manifest.FileEntry;
import io.corehub.cycles.Manifest.TableState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryFilesTest {

  private static final CycleName CYCLE = new CycleName(Instant.parse("2026-11-29T10:00:05Z"));
  private static final CycleLayout LAYOUT =
      CycleLayout.of(Choices.usual("sales_cdc", DataFormat.CSV));
  private static final TableId ORDERS = TableId.of("sales", "orders");
  private static final TableId CUSTOMERS = TableId.of("sales", "customers");
  private static final String HASH = "a".repeat(64);

  private static DataFileFacts file(
      TableId table, int version, int part, RowCounts counts, long firstOrder, long lastOrder) {
    return new DataFileFacts(
        LAYOUT.dataFile(table, CYCLE, part),
        table,
        version,
        part,
        100,
        HASH,
        counts,
        Sequence.of(firstOrder, 1).toString(),
        Sequence.of(lastOrder, 2).toString());
  }

  private static RowCounts counts(long inserts, long updates, long deletes) {
    return new RowCounts(inserts, updates, deletes, 0, 0, 0);
  }

  private static String contents(
      List<DataFileFacts> files, CycleLayout layout, boolean combined, boolean eachFile) {
    return new String(
        ContentsFile.bytes(CYCLE, files, layout, PathStyle.RELATIVE, combined, eachFile),
        StandardCharsets.UTF_8);
  }

  @Test
  void aTableHasOneLineForAllItsPartsInTheOrderOfNames() {
    assertThat(
            contents(
                List.of(
                    file(ORDERS, 1, 2, counts(1, 0, 2), 103, 104),
                    file(ORDERS, 1, 1, counts(2, 1, 0), 101, 103),
                    file(CUSTOMERS, 1, 1, counts(1, 1, 0), 101, 103)),
                LAYOUT,
                false,
                false))
        .isEqualTo(
            """
            "table_name","cycle_name","cycle_path","start_sequence","end_sequence","inserts","updates","deletes","schema_version","schema_path"
            "customers","2026-11-29-10-00-05","sales_cdc/data/customers/data/2026-11-29-10-00-05","00000000000000000101000000000001","00000000000000000103000000000002","1","1","0","1","sales_cdc/data/customers/schema/V1/customers.schema"
            "orders","2026-11-29-10-00-05","sales_cdc/data/orders/data/2026-11-29-10-00-05","00000000000000000101000000000001","00000000000000000104000000000002","3","1","2","1","sales_cdc/data/orders/schema/V1/orders.schema"
            """);
  }

  @Test
  void aCycleWithoutRowsHasAHeader() {
    assertThat(contents(List.of(), LAYOUT, true, false))
        .isEqualTo(
            """
            "table_name","cycle_name","cycle_path","start_sequence","end_sequence","inserts","updates","deletes","truncates","initial_load_inserts","initial_load_deletes","schema_version","schema_path"
            """);
  }

  @Test
  void combinedJobsCountTruncatesThenYThenX() {
    assertThat(
            contents(
                    List.of(file(ORDERS, 1, 1, new RowCounts(1, 2, 3, 4, 5, 6), 1, 2)),
                    LAYOUT,
                    true,
                    false)
                .lines()
                .skip(1))
        .containsExactly(
            "\"orders\",\"2026-11-29-10-00-05\","
                + "\"sales_cdc/data/orders/data/2026-11-29-10-00-05\","
                + "\"00000000000000000001000000000001\",\"00000000000000000002000000000002\","
                + "\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"1\","
                + "\"sales_cdc/data/orders/schema/V1/orders.schema\"");
  }

  @Test
  void twoSchemaVersionsInOneCycleMakeOneLinePerFile() {
    String text =
        contents(
            List.of(
                file(ORDERS, 1, 1, counts(1, 0, 0), 1, 1),
                file(ORDERS, 2, 2, counts(2, 0, 0), 2, 2),
                file(CUSTOMERS, 1, 1, counts(1, 0, 0), 1, 1),
                file(CUSTOMERS, 1, 2, counts(1, 0, 0), 1, 1)),
            LAYOUT,
            false,
            false);
    assertThat(text.lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("customers/data/2026-11-29-10-00-05\",\"", "\"2\""),
            line -> assertThat(line).contains("/orders_20261129100005.csv\"", "/V1/orders.schema"),
            line ->
                assertThat(line)
                    .contains("/orders_20261129100005_0002.csv\"", "/V2/orders.schema"));
  }

  @Test
  void eachFileHasALineWhenAskedForAndWithoutCycleFolders() {
    List<DataFileFacts> files =
        List.of(
            file(ORDERS, 1, 1, counts(1, 0, 0), 1, 1), file(ORDERS, 1, 2, counts(2, 0, 0), 2, 2));
    assertThat(contents(files, LAYOUT, false, true).lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("orders_20261129100005.csv\"", ",\"1\",\"0\",\"0\","),
            line ->
                assertThat(line)
                    .contains("orders_20261129100005_0002.csv\"", ",\"2\",\"0\",\"0\","));
    CycleLayout flat =
        CycleLayout.of(
            new Choices(
                "sales_cdc",
                "{TaskTargetDirectory}/{SchemaName}/{TableName}",
                "{TaskTargetDirectory}/schemas/{TableName}",
                "{TaskTargetDirectory}/cycle/completed",
                "{TaskTargetDirectory}/cycle/contents",
                "",
                false,
                false,
                true,
                DataFormat.CSV,
                false));
    assertThat(contents(files, flat, false, false).lines().skip(1))
        .hasSize(2)
        .allMatch(line -> line.startsWith("\"sales.orders\","));
  }

  @Test
  void namesAreQuotedAndPathsMayBeAbsolute() {
    TableId odd = TableId.of("a \"b\",c");
    String text =
        new String(
            ContentsFile.bytes(
                CYCLE,
                List.of(file(odd, 1, 1, counts(1, 0, 0), 1, 1)),
                LAYOUT,
                PathStyle.absolute("file:///cdc"),
                false,
                false),
            StandardCharsets.UTF_8);
    assertThat(text.lines().skip(1))
        .containsExactly(
            "\"a \"\"b\"\",c\",\"2026-11-29-10-00-05\","
                + "\"file:///cdc/sales_cdc/data/a %22b%22,c/data/2026-11-29-10-00-05\","
                + "\"00000000000000000001000000000001\",\"00000000000000000001000000000002\","
                + "\"1\",\"0\",\"0\",\"1\","
                + "\"file:///cdc/sales_cdc/data/a %22b%22,c/schema/V1/a %22b%22,c.schema\"");
  }

  @Test
  void theCompletedFileIsOneLine() {
    CompletedFile completed =
        new CompletedFile(
            CYCLE,
            CYCLE.openedAt(),
            Instant.parse("2026-11-29T10:00:40.0129Z"),
            Sequence.of(103, 2),
            LAYOUT.contentsFile(CYCLE),
            EndReason.NORMAL_COMMIT);
    assertThat(new String(completed.bytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            "cycle_name","start_time","end_time","current_sequence","contents_path","reason"
            "2026-11-29-10-00-05","2026-11-29T10:00:05.000Z","2026-11-29T10:00:40.012Z","00000000000000000103000000000002","sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv","NORMAL_COMMIT"
            """);
    SequencePrefix prefix = new SequencePrefix(1, 1, Phase.CDC);
    assertThatThrownBy(
            () ->
                new CompletedFile(
                    CYCLE,
                    CYCLE.openedAt(),
                    CYCLE.openedAt(),
                    new Sequence(Optional.of(prefix), 103, 2),
                    "x",
                    EndReason.NORMAL_COMMIT))
        .hasMessageContaining("no prefix");
  }

  private static Manifest manifest(boolean rollback) {
    return new Manifest(
        "9f86d081-884c-4d65-9a2f-eaa0c55ad015",
        "shop",
        CYCLE,
        Optional.of(new CycleName(Instant.parse("2026-11-29T09:00:00Z"))),
        new SourcePosition("t-1", Long.parseUnsignedLong("18446744073709551615"), "{\"lsn\":1}"),
        EndReason.NORMAL_COMMIT,
        CYCLE.openedAt(),
        Instant.parse("2026-11-29T10:00:40Z"),
        Map.of(
            ORDERS,
            new TableState(2, 3, Phase.CDC, "3-abc", 103),
            TableId.of("a.b", "c"),
            new TableState(1, 1, Phase.DURING_LOAD, "1-x", 0)),
        List.of(FileEntry.of(file(ORDERS, 3, 1, counts(2, 1, 0), 101, 103))),
        rollback);
  }

  @Test
  void theManifestHoldsWhatTheNextStartNeeds() {
    assertThat(new String(manifest(false).bytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"v":1,"job":"9f86d081-884c-4d65-9a2f-eaa0c55ad015","pipeline":"shop","cycle":"2026-11-29-10-00-05","previousCycle":"2026-11-29-09-00-00","timeline":"t-1","order":"18446744073709551615","token":"{\\"lsn\\":1}","reason":"NORMAL_COMMIT","startTime":"2026-11-29T10:00:05.000Z","endTime":"2026-11-29T10:00:40.000Z","tables":{"a\\\\.b.c":{"incarnation":1,"schemaVersion":1,"phase":2,"schemaHash":"1-x","appliedOrder":"0"},"sales.orders":{"incarnation":2,"schemaVersion":3,"phase":4,"schemaHash":"3-abc","appliedOrder":"103"}},"files":[{"path":"sales_cdc/data/orders/data/2026-11-29-10-00-05/orders_20261129100005.csv","table":"sales.orders","schemaVersion":3,"rows":3,"bytes":100,"sha256":"%s","firstSequence":"00000000000000000101000000000001","lastSequence":"00000000000000000103000000000002"}]}
            """
                .formatted(HASH));
    assertThat(new String(manifest(true).bytes(), StandardCharsets.UTF_8))
        .endsWith("],\"rollback\":true}\n");
  }

  @Test
  void theManifestReadsBack() {
    for (boolean rollback : new boolean[] {true, false}) {
      assertThat(Manifest.parse(manifest(rollback).bytes())).isEqualTo(manifest(rollback));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"v\":1 | \"v\":2 | has the form v 2",
        "\"job\":  | \"boj\": | has no job",
        "\"order\":\"18446744073709551615\" | \"order\":\"-1\" | '-1' as its order",
        "\"order\":\"18446744073709551615\" | \"order\":7 | order that is no text",
        "\"phase\":4 | \"phase\":5 | no phase 5",
        "\"phase\":4 | \"phase\":4.5 | phase that is no whole number",
        "\"cycle\":\"2026-11-29-10-00-05\" | \"cycle\":\"x\" | names no cycle by 'x'",
        "\"startTime\":\"2026-11-29T10:00:05.000Z\" | \"startTime\":\"noon\" | time that is none",
        "\"rows\":3 | \"rows\":null | has no rows",
        "\"files\":[ | \"files\":[, | is not JSON"
      })
  void aDamagedManifestIsRefusedWithAReason(String good, String bad, String reason) {
    String text = new String(manifest(false).bytes(), StandardCharsets.UTF_8);
    assertThat(text).contains(good);
    byte[] damaged = text.replace(good, bad).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Manifest.parse(damaged))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }
}
