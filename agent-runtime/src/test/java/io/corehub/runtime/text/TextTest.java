package io.corehub.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {

  private static boolean hidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @Test
  void noCharacterThatHidesOrForgesStandsInALine() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      String text = "a" + Character.toString(c) + "b";
      String expected = hidden(c) ? String.format("a\\u%04xb", c) : text;
      assertThat(Text.line(text)).isEqualTo(expected);
      assertThat(Text.shown(text)).isEqualTo(expected);
    }
  }

  @Test
  void aLineIsNotShortened() {
    String longLine = "x".repeat(5_000) + "\n";
    assertThat(Text.line(longLine)).isEqualTo("x".repeat(5_000) + "\\u000a");
    assertThat(Text.shown(longLine)).hasSize(121).endsWith("…");
  }
}
