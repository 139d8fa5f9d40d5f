package io.corehub.verify;

import static io.corehub.verify.Parquet.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.verify.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DamagedFilesTest {

  private static final String TYPES =
      "required int32 id; optional binary text (STRING); optional int64 at (TIMESTAMP(MICROS,true));"
          + " optional double d; optional boolean b; optional int64 n (DECIMAL(18,4));"
          + " optional int32 __rowMarker__;";

  private static byte[] file(CompressionCodecName codec, WriterVersion version, int rows) {
    List<Object[]> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(
          row(
              i,
              i % 7 == 0 ? null : "text " + i % 50,
              1_700_000_000_000_000L + i,
              i / 3.0,
              i % 2 == 0,
              (long) i * 1000,
              0));
    }
    return Parquet.of(TYPES)
        .codec(codec)
        .version(version)
        .rowGroupBytes(8 << 10)
        .rows(all.toArray(Object[][]::new));
  }

  private static List<Violation> verify(byte[] content) throws Exception {
    return new LandingZoneVerifier().verify(new MemoryFiles().put(Samples.file(1), content));
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"})
  void wholeFilesOfEveryCompressionAndPageVersionAreFine(CompressionCodecName codec)
      throws Exception {
    for (WriterVersion version : WriterVersion.values()) {
      assertThat(verify(file(codec, version, 3_000))).isEmpty();
    }
  }

  @Test
  void fileWithoutRowsIsFine() throws Exception {
    assertThat(verify(Parquet.of(TYPES).rows())).isEmpty();
  }

  @Test
  void everyTruncationIsFound() throws Exception {
    byte[] whole = file(CompressionCodecName.SNAPPY, WriterVersion.PARQUET_1_0, 50);
    for (int length = 1; length < whole.length; length += 13) {
      assertThat(verify(Arrays.copyOf(whole, length)))
          .as("the first %d of %d bytes", length, whole.length)
          .extracting(Violation::rule)
          .containsExactly("LZ-F1");
    }
  }

  @Test
  void textUnderAParquetNameIsFound() throws Exception {
    assertThat(verify("id,v\n1,a\n".getBytes(StandardCharsets.UTF_8)))
        .extracting(Violation::rule)
        .containsExactly("LZ-F1");
  }

  @Test
  void aByteChangedInAPageIsFoundByItsChecksum() throws Exception {
    byte[] content = file(CompressionCodecName.UNCOMPRESSED, WriterVersion.PARQUET_1_0, 100);
    int at = new String(content, StandardCharsets.ISO_8859_1).indexOf("text 3");
    content[at] = 'T';
    assertThat(verify(content))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.rule()).isEqualTo("LZ-F1");
              assertThat(violation.message()).containsIgnoringCase("crc");
            });
  }

  @Test
  void whatLiesBehindADamagedFileIsStillJudged() throws Exception {
    MemoryFiles zone =
        new MemoryFiles()
            .put(Samples.file(1), Samples.plain())
            .put(Samples.file(2), "nothing")
            .put(Samples.file(3), Samples.plain())
            .put(Samples.file(5), Samples.plain())
            .put("Other/00000000000000000002.parquet", Samples.plain());
    assertThat(new LandingZoneVerifier().verify(zone))
        .extracting(violation -> violation.rule() + " " + violation.table())
        .containsExactly("LZ-N1 Orders", "LZ-F1 Orders", "LZ-N2 Other");
  }

  @Test
  void aTargetThatDoesNotAnswerIsNoDamage() {
    MemoryFiles zone =
        new MemoryFiles().put(Samples.file(1), Samples.plain()).failing(Samples.file(1));
    assertThatThrownBy(() -> new LandingZoneVerifier().verify(zone))
        .isInstanceOf(IOException.class)
        .hasMessage("The target does not answer");
  }

  @Test
  void noPartOfALargeFileIsFetchedAgainAndAgain() throws Exception {
    byte[] content = file(CompressionCodecName.UNCOMPRESSED, WriterVersion.PARQUET_1_0, 200_000);
    assertThat(content.length).isGreaterThan(4 << 20);
    MemoryFiles zone = new MemoryFiles().put(Samples.file(1), content);
    assertThat(new LandingZoneVerifier().verify(zone)).isEmpty();
    assertThat(zone.bytesRead()).isLessThan(2L * content.length);
  }

  @Test
  void randomDamageIsReportedOrHarmlessAndNeverThrowsOrHangs() throws Exception {
    long seed = Long.getLong("verify.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> whole = new ArrayList<>();
    for (CompressionCodecName codec :
        List.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD)) {
      whole.add(file(codec, WriterVersion.PARQUET_1_0, 60));
      whole.add(file(codec, WriterVersion.PARQUET_2_0, 60));
    }
    int found = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] content = whole.get(i % whole.size()).clone();
      int changes = 1 + random.nextInt(3);
      for (int c = 0; c < changes; c++) {
        content[random.nextInt(content.length)] = (byte) random.nextInt(256);
      }
      int number = i;
      List<Violation> violations =
          Assertions.assertTimeoutPreemptively(
              Duration.ofSeconds(60),
              () -> verify(content),
              () -> "damage " + number + " with -Dverify.seed=" + seed);
      found += violations.isEmpty() ? 0 : 1;
    }
    assertThat(found).as("damaged files found, with -Dverify.seed=%d", seed).isGreaterThan(1_000);
  }
}
