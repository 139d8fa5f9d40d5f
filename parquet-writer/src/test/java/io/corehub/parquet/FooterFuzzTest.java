package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the bytes say, a footer is read or refused: quickly, and without much memory. */
class FooterFuzzTest {

  private static final Duration LIMIT = Duration.ofSeconds(1);

  @Test
  void someHundredMutationsAreReadOrRefused() throws Exception {
    mutate(600, 1);
  }

  @Tag("full")
  @Test
  void tenThousandMutationsAreReadOrRefused() throws Exception {
    mutate(10_000, 2);
  }

  @Test
  void hugeClaimedSizesCostNothing() {
    // A list of two billion schema elements; of row groups; a key of a gigabyte.
    refused(new byte[] {0x29, (byte) 0xFC, -1, -1, -1, -1, 7, 0});
    refused(new byte[] {0x49, (byte) 0xFC, -1, -1, -1, -1, 7, 0});
    refused(new byte[] {0x59, 0x1C, 0x18, -1, -1, -1, -1, 3, 0});
    // An unknown map, and an unknown list of maps.
    refused(new byte[] {0x7B, -1, -1, -1, -1, 7, (byte) 0xCC, 0});
    refused(new byte[] {0x79, (byte) 0xFB, -1, -1, -1, -1, 7, 0});
  }

  @Test
  void deepNestingDoesNotOverflowTheStack() {
    byte[] nested = new byte[4 << 20];
    Arrays.fill(nested, (byte) 0x1C);
    refused(nested);
    Arrays.fill(nested, (byte) 0x19);
    refused(nested);
  }

  @Test
  void aFooterFullOfSmallElementsIsBounded() {
    // Field 2: a list that claims as many schema elements as there are bytes, each empty.
    ByteArrayOutputStream elements = new ByteArrayOutputStream();
    elements.writeBytes(new byte[] {0x29, (byte) 0xFC, -1, -1, -1, 3});
    elements.writeBytes(new byte[FooterReader.MAX_FOOTER_BYTES - 100]);
    refused(elements.toByteArray());
    // Fields without meaning, one byte each, up to the longest footer.
    byte[] flags = new byte[FooterReader.MAX_FOOTER_BYTES];
    Arrays.fill(flags, (byte) 0x11);
    refused(flags);
    // Field 5: key-value entries without a byte more than they need.
    ByteArrayOutputStream entries = new ByteArrayOutputStream();
    int count = 3_000_000;
    entries.writeBytes(new byte[] {0x59, (byte) 0xFC});
    for (int rest = count; rest > 0; rest >>>= 7) {
      entries.write(rest > 0x7F ? rest & 0x7F | 0x80 : rest);
    }
    for (int i = 0; i < count; i++) {
      entries.writeBytes(new byte[] {0x18, 1, 'k', 0});
    }
    refused(entries.toByteArray());
  }

  private static void refused(byte[] footer) {
    byte[] file =
        ByteBuffer.allocate(footer.length + 12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {'P', 'A', 'R', '1'})
            .put(footer)
            .putInt(footer.length)
            .put(new byte[] {'P', 'A', 'R', '1'})
            .array();
    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () ->
            Assertions.assertThrows(
                MalformedFooterException.class, () -> FooterReader.read(file, file.length)));
  }

  private static void mutate(int count, long seed) throws Exception {
    MemorySink sink = new MemorySink();
    Sample sample = RoundTripTest.everyType(300, 0.2, 10, 8);
    try (ParquetWriter writer =
        ParquetWriter.open(
            sample.schema(),
            new WriterOptions(Compression.SNAPPY, RowGroupPolicy.exactly(100)),
            sink)) {
      writer.append(sample.vectors(), 0, 300);
      writer.keyValue("key", "value");
      writer.finish();
    }
    byte[] file = sink.bytes();
    int footerBytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    byte[] tail = Arrays.copyOfRange(file, file.length - footerBytes - 8, file.length);
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < count; i++) {
      byte[] mutated = tail.clone();
      int mutations = 1 + random.nextInt(4);
      for (int m = 0; m < mutations; m++) {
        // The first fields decide most: mutate the schema as often as the rest.
        int bound = random.nextBoolean() ? footerBytes : Math.min(1500, footerBytes);
        int at = random.nextInt(bound);
        switch (random.nextInt(4)) {
          case 0 -> mutated[at] = (byte) random.nextInt();
          case 1 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> mutated[at] = (byte) 0xFF;
          default -> {
            int length = Math.min(random.nextInt(20), footerBytes - at);
            System.arraycopy(mutated, random.nextInt(footerBytes - length), mutated, at, length);
          }
        }
      }
      long started = System.nanoTime();
      try {
        FooterReader.read(mutated, file.length);
      } catch (MalformedFooterException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("Mutation " + i + " of seed " + seed, e);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .as("mutation %d of seed %d", i, seed)
          .isLessThan(LIMIT);
    }
    assertThat(refused).as("mutations refused").isGreaterThan(count / 4);
  }
}
