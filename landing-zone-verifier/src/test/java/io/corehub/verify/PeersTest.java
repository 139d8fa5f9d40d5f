package io.corehub.verify;

import static io.corehub.verify.Parquet.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.verify.VerificationListener;
import io.corehub.agent.verify.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;

/** Landing zones as other publishers leave them. */
class PeersTest {

  private static List<String> verify(MemoryFiles zone) throws Exception {
    return new LandingZoneVerifier()
        .verify(zone).stream().map(v -> v.rule() + " " + v.table() + " " + v.file()).toList();
  }

  @Test
  void plainPublisherOfSnapshotAndChangesIsFine() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put(
                "_partnerEvents.json",
                "{\"partnerName\":\"P\",\"sourceInfo\":{\"sourceType\":\"S\"}}")
            .put("sales.schema/Orders/_metadata.json", "{\"keyColumns\":[\"id\"]}")
            .put("sales.schema/Orders/00000000000000000001.parquet", Samples.plain())
            .put("sales.schema/Orders/00000000000000000002.parquet", Samples.marked(4))
            .put("sales.schema/Orders/00000000000000000003.parquet", Samples.marked(2))
            .put("Log/00000000000000000001.parquet", Samples.marked(0))
            .directory("_scratchPad");
    assertThat(verify(zone)).isEmpty();
  }

  @Test
  void filesCleanedUpCountForNumbersAndColumns() throws Exception {
    MemoryFiles zone =
        Samples.keyed(new MemoryFiles())
            .put("Orders/_ProcessedFiles/00000000000000000007.parquet", Samples.plain())
            .put("Orders/_FilesReadyToDelete/00000000000000000008.parquet", Samples.marked(4))
            .put("Orders/_FilesReadyToDeleteInfo.json", "{}")
            .put(Samples.file(9), Samples.marked(4));
    assertThat(verify(zone)).isEmpty();
    zone.put(
            Samples.file(10),
            Parquet.of("optional int64 id; optional int32 __rowMarker__;").rows(row(1, 4)))
        .put(Samples.file(12), Samples.marked(4));
    assertThat(verify(zone))
        .containsExactly(
            "LZ-N1 Orders " + Samples.file(12),
            "LZ-S1 Orders " + Samples.file(10),
            "LZ-S1 Orders " + Samples.file(12));
  }

  @Test
  void cleanedUpFilesWhoseSuccessorIsMissingAreAGap() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put("Orders/_ProcessedFiles/00000000000000000007.parquet", Samples.plain())
            .put(Samples.file(9), Samples.plain());
    assertThat(verify(zone)).containsExactly("LZ-N1 Orders " + Samples.file(9));
  }

  @Test
  void markerFirstIsToldOnceForTheTable() throws Exception {
    byte[] first =
        Parquet.of("optional int32 __rowMarker__; optional int32 id;")
            .codec(CompressionCodecName.SNAPPY)
            .rows(row(0, 1));
    MemoryFiles zone =
        Samples.keyed(new MemoryFiles()).put(Samples.file(1), first).put(Samples.file(2), first);
    assertThat(verify(zone)).containsExactly("LZ-R1 Orders " + Samples.file(1));
  }

  @Test
  void namesDoNotCountWhereFilesComeByTime() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put(
                "Orders/_metadata.json",
                "{\"keyColumns\":[\"id\"],\"fileDetectionStrategy\":\"LastUpdateTimeFileDetection\"}")
            .put("Orders/f1b4c0de-0000-4000-8000-000000000001.parquet", Samples.plain())
            .put("Orders/a1b4c0de-0000-4000-8000-000000000002.parquet", Samples.marked(4));
    assertThat(verify(zone)).containsExactly("LZ-M9 Orders Orders/_metadata.json");
    zone.put("Orders/01b4c0de-0000-4000-8000-000000000003.parquet", "not Parquet");
    assertThat(verify(zone))
        .containsExactly(
            "LZ-M9 Orders Orders/_metadata.json",
            "LZ-F1 Orders Orders/01b4c0de-0000-4000-8000-000000000003.parquet");
  }

  @Test
  void delimitedTextIsToldAndNotJudged() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put(
                "Orders/_metadata.json",
                "{\"keyColumns\":[\"id\"],\"FileFormat\":\"DelimitedText\",\"FileExtension\":\"csv\","
                    + "\"SchemaDefinition\":{\"Columns\":[]},\"FileFormatTypeProperties\":{}}")
            .put("Orders/00000000000000000002.csv", "id,v\n1,a\n");
    assertThat(verify(zone)).containsExactly("LZ-M10 Orders Orders/_metadata.json");
  }

  @Test
  void metadataOfAnyBytesIsToldAndTheRestJudged() throws Exception {
    byte[][] contents = {
      {},
      {0, 0, (byte) 0xd8, 0x00, 1, 2, 3, 4},
      {(byte) 0xff, (byte) 0xfe, 0},
      "[".repeat(5_000).getBytes(StandardCharsets.UTF_8),
      "{\"keyColumns\":[\"id\"]} x".getBytes(StandardCharsets.UTF_8)
    };
    for (byte[] content : contents) {
      MemoryFiles zone =
          new MemoryFiles()
              .put("_partnerEvents.json", content)
              .put("Orders/_metadata.json", content)
              .put(Samples.file(1), Samples.marked(2))
              .put(Samples.file(3), Samples.marked(2));
      assertThat(verify(zone))
          .containsExactly(
              "LZ-P2  _partnerEvents.json",
              "LZ-M1 Orders Orders/_metadata.json",
              "LZ-N1 Orders " + Samples.file(3));
    }
  }

  @Test
  void aChainWithAHandoverAndACommitInTwoFilesIsFine() throws Exception {
    MemoryFiles zone =
        Samples.keyed(new MemoryFiles())
            .put(Samples.file(1), Samples.loaded(ChainText.snapshot(1)))
            .put(
                Samples.file(2),
                Samples.chained(ChainText.changes(2).text("to", "30").set("toDone", "false")))
            .put(
                Samples.file(3),
                Samples.handedOver(ChainText.changes(3).text("from", "30").text("to", "30")))
            .put(
                Samples.file(4),
                Samples.chained(
                    ChainText.changes(4)
                        .text("pipeline", "heir")
                        .text("timeline", "u")
                        .text("from", "1")
                        .text("to", "18446744073709551615")));
    assertThat(verify(zone)).isEmpty();
  }

  @Test
  void aPipelineThatGoesOnWithATableItHandedOverIsFound() throws Exception {
    MemoryFiles zone =
        Samples.keyed(new MemoryFiles())
            .put(Samples.file(1), Samples.loaded(ChainText.snapshot(1)))
            .put(
                Samples.file(2),
                Samples.handedOver(ChainText.changes(2).text("from", "5").text("to", "5")))
            .put(Samples.file(3), Samples.chained(ChainText.changes(3)));
    assertThat(verify(zone)).containsExactly("LZ-C7 Orders " + Samples.file(3));
  }

  @Test
  void aFileCopiedToTheNextNumberIsFound() throws Exception {
    byte[] second = Samples.chained(ChainText.changes(2));
    MemoryFiles zone =
        Samples.keyed(new MemoryFiles())
            .put(Samples.file(1), Samples.loaded(ChainText.snapshot(1)))
            .put(Samples.file(2), second)
            .put(Samples.file(3), second);
    assertThat(verify(zone)).containsExactly("LZ-C2 Orders " + Samples.file(3));
  }

  @Test
  void theOrderOfWhatIsFoundDependsOnTheFilesAlone() throws Exception {
    MemoryFiles zone = new MemoryFiles();
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      zone.put("t" + i + "/00000000000000000002.parquet", Samples.plain());
      expected.add("LZ-N2 t" + i + " t" + i + "/00000000000000000002.parquet");
    }
    assertThat(verify(zone)).isEqualTo(expected);
  }

  @Test
  void progressCountsTablesFilesAndBytes() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put(Samples.file(1), Samples.plain())
            .put("Other/00000000000000000001.parquet", Samples.plain());
    List<VerificationListener.Progress> told = new ArrayList<>();
    new LandingZoneVerifier()
        .verify(
            zone,
            new VerificationListener() {
              @Override
              public void violated(Violation violation) {
                throw new AssertionError(violation);
              }

              @Override
              public void progress(Progress progress) {
                told.add(progress);
              }
            });
    long bytes = 2L * Samples.plain().length;
    assertThat(told).last().isEqualTo(new VerificationListener.Progress(2, 2, 2, bytes));
  }
}
