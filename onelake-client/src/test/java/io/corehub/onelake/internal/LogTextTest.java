package io.corehub.onelake.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LogTextTest {
  @Test
  void keepsPlainText() {
    assertThat(LogText.safe("Sales Team/Bestellungen für Ägypten 日本 😀"))
        .isEqualTo("Sales Team/Bestellungen für Ägypten 日本 😀");
  }

  @Test
  void putsEverythingOnOneVisibleLine() {
    assertThat(LogText.safe("a\nb\tc\u001b[31md\u202ee\u2028f\u0000g\ud800h"))
        .isEqualTo("a b c\\u001b[31md\\u202ee\\u2028f\\u0000g\\ud800h");
  }

  @Test
  void masksWhatLooksLikeASecret() {
    assertThat(
            LogText.safe(
                "Authorization: Bearer abc.def-1 ?sv=1&sig=A%2Fb&se=2 client_secret=x~y \"access_token\":\"zzz\""))
        .isEqualTo(
            "Authorization: Bearer *** ?sv=1&sig=***&se=2 client_secret=*** \"access_token\":\"***\"");
  }

  @Test
  void boundsItsLength() {
    assertThat(LogText.safe("x".repeat(100_000))).hasSize(301).endsWith("…");
    assertThat(LogText.safe("x".repeat(300))).hasSize(300);
  }

  @Test
  void isSafeForRandomText() {
    Random random = new Random(42);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < 50; c++) {
        text.append((char) random.nextInt(0x10000));
      }
      assertThat(LogText.safe(text.toString()).chars())
          .noneMatch(
              c ->
                  Character.isISOControl(c)
                      || Character.getType(c) == Character.FORMAT
                      || Character.getType(c) == Character.LINE_SEPARATOR);
    }
  }
}
