package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.verify.FolderFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.CycleReader;
import io.corehub.cyclereader.CycleRow;
import io.corehub.cyclereader.CycleVerifier;
import io.corehub.cycles.CycleLayout.Choices;
import io.corehub.cycles.Manifest.FileEntry;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written here a reader that shares no code with it reads back, and judges to be right. */
class WrittenAndReadTest {

  private static final TableSchema ALL_TYPES =
      new TableSchema(
          TableId.of("sales", "all types %"),
          List.of(
              Column.of("id", ColumnType.of(Kind.INT)),
              Column.of("short", ColumnType.of(Kind.SHORT)),
              Column.of("long", ColumnType.of(Kind.LONG)),
              Column.of("float", ColumnType.of(Kind.FLOAT)),
              Column.of("double", ColumnType.of(Kind.DOUBLE)),
              Column.of("decimal", ColumnType.decimal(10, 2)),
              Column.of("wide", ColumnType.decimal(30, 5)),
              Column.of("boolean", ColumnType.of(Kind.BOOLEAN)),
              Column.of("te\"xt, ", ColumnType.of(Kind.STRING)),
              Column.of("bytes", ColumnType.of(Kind.BYTE_ARRAY)),
              Column.of("date", ColumnType.of(Kind.LOCAL_DATE)),
              Column.of("time", ColumnType.of(Kind.LOCAL_TIME)),
              Column.of("utc time", ColumnType.of(Kind.OFFSET_TIME)),
              Column.of("timestamp", ColumnType.of(Kind.LOCAL_DATE_TIME)),
              Column.of("instant", ColumnType.of(Kind.OFFSET_DATE_TIME)),
              Column.of("array", ColumnType.of(Kind.ARRAY)),
              Column.of("map", ColumnType.of(Kind.MAP))),
          List.of("id"),
          1);

  private static final String FULL_JSON =
      "{\"id\":1,\"short\":-7,\"long\":9223372036854775807,\"float\":0.1,\"double\":1.0E300,"
          + "\"decimal\":\"-5.50\",\"wide\":\"1234567890123456789012345.67890\",\"boolean\":true,"
          + "\"te\\\"xt, \":\"a \\\"b\\\",\\r\\nc \uD83D\uDE00\",\"bytes\":\"AP8=\","
          + "\"date\":\"2024-02-29\",\"time\":\"23:59:59.5\",\"utc time\":\"23:30:00Z\","
          + "\"timestamp\":\"2026-11-29T10:00:05.123456\",\"instant\":\"1969-12-31T23:59:59Z\","
          + "\"array\":[1,\"a\"],\"map\":{\"k\":null}}";

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private static SourceRow full(int id) {
    return SourceRow.of(
        ALL_TYPES,
        id,
        -7,
        Long.MAX_VALUE,
        0.1f,
        1e300,
        "-5.5",
        "1234567890123456789012345.6789",
        true,
        "a \"b\",\r\nc \uD83D\uDE00",
        new byte[] {0, -1},
        LocalDate.parse("2024-02-29"),
        LocalTime.parse("23:59:59.5"),
        OffsetTime.parse("01:30:00+02:00"),
        LocalDateTime.parse("2026-11-29T10:00:05.123456"),
        Instant.parse("1969-12-31T23:59:59Z"),
        "[1,\"a\"]",
        "{\"k\":null}");
  }

  private static SourceRow empty(int id) {
    Object[] cells = new Object[ALL_TYPES.columns().size()];
    cells[0] = id;
    cells[3] = Float.NaN;
    cells[4] = Double.NEGATIVE_INFINITY;
    cells[8] = "";
    cells[9] = new byte[0];
    return SourceRow.of(ALL_TYPES, cells);
  }

  private static SourceCommit commit(long position, SourceChange... changes) {
    return new SourceCommit(
        Commit.at(new SourcePosition("t", position, "token")), List.of(changes));
  }

  private void save(String path, byte[] bytes) throws IOException {
    Files.createDirectories(folder.resolve(path).getParent());
    Files.write(folder.resolve(path), bytes);
  }

  /** Writes one cycle, as an agent would, in parts of one run each. */
  private void write(CycleLayout layout, CommitBatch batch, boolean header, boolean eachFile)
      throws IOException {
    CycleName cycle = new CycleName(Instant.parse("2026-11-29T10:00:05Z"));
    NumberedCommits numbered = new NumberedCommits(batch.commits(), 0);
    List<DataFileFacts> facts = new ArrayList<>();
    EncodingChoices choices = new EncodingChoices(header, EncodingChoices.USUAL.parquet());
    TableShape shape = TableShape.of(ALL_TYPES, ColumnChoices.USUAL, layout.format());
    for (TableEvent event : batch.events()) {
      RowChanges changes = (RowChanges) event;
      int part = facts.size() + 1;
      String path = layout.dataFile(changes.table(), cycle, part);
      MemorySink sink = new MemorySink();
      try (DataFileWriter writer = DataFileWriter.open(shape, choices, sink)) {
        writer.append(
            new RowRules(shape, () -> {}, RowLimit.ofHeap(Runtime.getRuntime().maxMemory()))
                .changes(changes, 0, changes.rowCount(), numbered, Optional.empty()));
        facts.add(writer.finish(path, 1, part));
      }
      save(path, sink.bytes());
    }
    if (layout.writesSchemaFiles()) {
      save(layout.schemaFile(ALL_TYPES.table(), 1), SchemaFile.bytes(shape, 1));
    }
    Optional<String> avro = layout.avroFile(ALL_TYPES.table(), 1);
    if (avro.isPresent()) {
      save(avro.get(), SchemaFile.bytes(shape, 1));
    }
    SourcePosition last = batch.commits().get(batch.commits().size() - 1).position();
    Instant end = Instant.parse("2026-11-29T10:00:40Z");
    save(
        layout.manifestFile(cycle),
        new Manifest(
                "job-1",
                "shop",
                cycle,
                Optional.empty(),
                last,
                EndReason.NORMAL_COMMIT,
                cycle.openedAt(),
                end,
                Map.of(
                    ALL_TYPES.table(), new TableState(1, 1, Phase.CDC, shape.hash(), last.order())),
                facts.stream().map(FileEntry::of).toList(),
                false)
            .bytes());
    save(
        layout.contentsFile(cycle),
        ContentsFile.bytes(cycle, facts, layout, PathStyle.RELATIVE, false, eachFile));
    save(
        layout.completedFile(cycle),
        new CompletedFile(
                cycle,
                cycle.openedAt(),
                end,
                Sequence.of(last.order(), numbered.rows(batch.commits().size() - 1)),
                layout.contentsFile(cycle),
                EndReason.NORMAL_COMMIT)
            .bytes());
  }

  private static CommitBatch batch() {
    return CommitBatches.of(
        List.of(
            commit(
                101,
                new SourceChange.Insert(full(1)),
                new SourceChange.Insert(empty(2)),
                new SourceChange.Update(full(1), empty(3))),
            commit(102, new SourceChange.Delete(full(1)))),
        BeforeImage.FULL);
  }

  private List<CycleRow> read() throws IOException {
    List<CycleRow> rows = new ArrayList<>();
    try (FolderFiles files = new FolderFiles(folder)) {
      new CycleReader(files, CycleDirectories.usual("sales_cdc")).read(Optional.empty(), rows::add);
    }
    return rows;
  }

  private List<Violation> judged() throws Exception {
    try (FolderFiles files = new FolderFiles(folder)) {
      return new CycleVerifier(CycleDirectories.usual("sales_cdc")).verify(files);
    }
  }

  static Stream<Arguments> kinds() {
    return Stream.of(DataFormat.values())
        .flatMap(
            format ->
                Stream.of(true, false)
                    .flatMap(
                        header ->
                            Stream.of(true, false)
                                .map(eachFile -> Arguments.of(format, header, eachFile))));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyValueComesBackAndNoRuleIsBroken(DataFormat format, boolean header, boolean eachFile)
      throws Exception {
    Choices usual = Choices.usual("sales_cdc", format);
    CycleLayout layout =
        CycleLayout.of(
            new Choices(
                usual.taskTargetDirectory(),
                usual.dataDirectory(),
                usual.schemaDirectory(),
                usual.cycleCompletionDirectory(),
                usual.cycleContentsDirectory(),
                "",
                header,
                true,
                eachFile,
                format,
                true));
    write(layout, batch(), header, eachFile);
    assertThat(judged()).isEmpty();
    List<CycleRow> rows = read();
    JsonNode full = JSON.readTree(FULL_JSON);
    assertThat(rows).extracting(CycleRow::operation).containsExactly("I", "I", "U", "D");
    assertThat(rows)
        .extracting(CycleRow::sequence)
        .containsExactly(
            Sequence.of(101, 1).toString(),
            Sequence.of(101, 2).toString(),
            Sequence.of(101, 3).toString(),
            Sequence.of(102, 1).toString());
    assertThat(rows).extracting(CycleRow::table).containsOnly("all types %");
    assertThat(rows.get(0).row())
        .hasValueSatisfying(row -> assertThat(row).hasToString(full.toString()));
    assertThat(rows.get(2).before())
        .hasValueSatisfying(row -> assertThat(row).hasToString(full.toString()));
    JsonNode empty = rows.get(1).row().orElseThrow();
    assertThat(empty.get("float").asText()).isEqualTo("NaN");
    assertThat(empty.get("double").asText()).isEqualTo("-Infinity");
    assertThat(empty.get("te\"xt, ").asText("null")).isEmpty();
    assertThat(empty.get("bytes").asText("null")).isEmpty();
    assertThat(empty.get("date").isNull()).isTrue();
    assertThat(rows.get(0).before()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataFormat.class,
      names = {"PARQUET"})
  void aParquetJobNeedsNoSchemaFile(DataFormat format) throws Exception {
    write(CycleLayout.of(Choices.usual("sales_cdc", format)), batch(), true, false);
    assertThat(judged()).isEmpty();
    JsonNode row = read().get(0).row().orElseThrow();
    assertThat(row.get("array").asText())
        .as("text, where no schema tells more")
        .isEqualTo("[1,\"a\"]");
    assertThat(row.get("decimal").asText()).isEqualTo("-5.50");
    assertThat(read().get(2).before().orElseThrow().get("id").asInt()).isEqualTo(1);
  }
}
