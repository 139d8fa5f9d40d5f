package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsvBufferTest {

  private static final int SEED = 7;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CsvBuffer buffer = new CsvBuffer(bytes);

  private String written() throws IOException {
    buffer.flush();
    String text = bytes.toString(StandardCharsets.ISO_8859_1);
    bytes.reset();
    return text;
  }

  /** Every pattern of quotes, beside their neighbours in the code and bytes with the high bit. */
  @Test
  void quotesAreDoubledWhereverTheyStand() throws IOException {
    String others = "!#\u00a2 ";
    Random random = new Random(SEED);
    for (int length = 0; length <= 18; length++) {
      for (int quotes = 0; quotes < 1 << Math.min(length, 12); quotes++) {
        StringBuilder text = new StringBuilder("##");
        for (int i = 0; i < length; i++) {
          boolean quote = i < 12 ? (quotes >>> i & 1) == 1 : random.nextInt(4) == 0;
          text.append(quote ? '"' : others.charAt(random.nextInt(others.length())));
        }
        byte[] source = (text + "\"\"").getBytes(StandardCharsets.ISO_8859_1);
        buffer.spare();
        buffer.escaped(source, 2, length);
        assertThat(written()).isEqualTo(text.substring(2).replace("\"", "\"\""));
      }
    }
  }

  @Test
  void numbersOfEveryLengthHaveAllTheirDigits() throws IOException {
    for (long power = 1; power > 0 && power <= Long.MAX_VALUE / 10; power *= 10) {
      for (long number : new long[] {power - 1, power, power + 1, 10 * power - 1}) {
        for (long signed : new long[] {number, -number}) {
          buffer.spare();
          buffer.number(signed);
          assertThat(written()).isEqualTo(Long.toString(signed));
        }
      }
    }
    for (long number : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
      buffer.spare();
      buffer.number(number);
      assertThat(written()).isEqualTo(Long.toString(number));
    }
  }

  @Test
  void digitsAreFilledUpWithZeros() throws IOException {
    for (int least = 1; least <= 18; least++) {
      for (long number : new long[] {0, 7, 42, 12_345_678_901L}) {
        buffer.spare();
        buffer.digits(number, least);
        assertThat(written()).isEqualTo(("%0" + least + "d").formatted(number));
      }
    }
  }
}
