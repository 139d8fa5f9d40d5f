package io.corehub.hub.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {

  @Test
  void aNameIsCutAndSaysHowLongItWas() {
    assertThat(Shown.of("x".repeat(300))).hasSizeLessThan(230).endsWith("… (300 characters)");
  }

  @Test
  void aMessageKeepsTheAdviceAtItsEnd() {
    String message = "Table a: " + "why ".repeat(200) + "Set b to c.";

    assertThat(Shown.message(message)).isEqualTo(message);
  }

  @Test
  void neitherLeavesItsLine() {
    assertThat(Shown.of("a\nb")).isEqualTo("a\\u000ab");
    assertThat(Shown.message("a\nb")).isEqualTo("a\\u000ab");
  }
}
