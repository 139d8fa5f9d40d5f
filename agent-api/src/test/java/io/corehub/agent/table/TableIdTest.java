package io.corehub.agent.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableIdTest {

  private static final String LETTERS = "ab.\\%é /\uD83D\uDE00\0";

  @Test
  void readsBackWhatItWrites() {
    for (int seed = 0; seed < 20_000; seed++) {
      TableId table = random(new Random(seed), 1 + seed % 6);

      assertThat(TableId.parse(table.toString())).as("seed %d", seed).isEqualTo(table);
    }
  }

  @Test
  void writesDifferentTablesDifferently() {
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      TableId one = random(random, 3);
      TableId other = random(random, 3);

      assertThat(one.toString().equals(other.toString()))
          .as("seed %d: %s and %s", seed, one, other)
          .isEqualTo(one.equals(other));
    }
  }

  private static TableId random(Random random, int maxLength) {
    String name = part(random, maxLength);
    return random.nextBoolean() ? TableId.of(name) : TableId.of(part(random, maxLength), name);
  }

  private static String part(Random random, int maxLength) {
    StringBuilder part = new StringBuilder();
    for (int i = 1 + random.nextInt(maxLength); i > 0; i--) {
      part.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return part.toString();
  }

  @Test
  void escapesOnlyDotsAndBackslashes() {
    assertThat(TableId.of("a.b", "c\\d e")).hasToString("a\\.b.c\\\\d e");
    assertThat(TableId.parse("sales.Orders")).isEqualTo(TableId.of("sales", "Orders"));
    assertThat(TableId.parse("Orders").schema()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a.b.c", "a\\", "a\\x", "\\"})
  void refusesWhatIsNoTableAndNamesIt(String text) {
    assertThatThrownBy(() -> TableId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void refusesEmptyParts() {
    assertThatThrownBy(() -> TableId.of("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TableId.of("", "a")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sortsBySchemaThenName() {
    List<TableId> tables =
        new ArrayList<>(
            List.of(TableId.of("b", "a"), TableId.of("a", "z"), TableId.of("x"), TableId.of("a")));

    Collections.sort(tables);

    assertThat(tables)
        .containsExactly(
            TableId.of("a"), TableId.of("x"), TableId.of("a", "z"), TableId.of("b", "a"));
  }
}
