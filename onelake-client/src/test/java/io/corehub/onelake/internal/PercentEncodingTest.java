package io.corehub.onelake.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PercentEncodingTest {
  @Test
  void encodesAllButTheUnreserved() {
    assertThat(PercentEncoding.segment("aZ09-._~")).isEqualTo("aZ09-._~");
    assertThat(PercentEncoding.segment("a b+c%d/e#ü")).isEqualTo("a%20b%2Bc%25d%2Fe%23%C3%BC");
    assertThat(PercentEncoding.path("a b/c+d//e")).isEqualTo("a%20b/c%2Bd//e");
  }

  @Test
  void decodesWhatItEncoded() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < 12; c++) {
        int codePoint = random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(0x80);
        if (!Character.isSurrogate((char) codePoint)) {
          text.appendCodePoint(codePoint);
        }
      }
      String plain = text.toString();
      assertThat(PercentEncoding.decode(PercentEncoding.segment(plain))).contains(plain);
    }
  }

  @Test
  void decodesNothingBroken() {
    for (String broken : new String[] {"%", "%2", "%zz", "a%", "%ff", "%c0%ae", "%ed%a0%80"}) {
      assertThat(PercentEncoding.decode(broken)).as(broken).isEmpty();
    }
    assertThat(PercentEncoding.decode("a+b")).contains("a+b");
  }
}
