package io.corehub.hub.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePatternTest {

  @ParameterizedTest
  @CsvSource({
    "sales.Orders, sales.Orders, true",
    "sales.Orders, sales.orders, false",
    "sales.*, sales.Orders, true",
    "sales.*, other.Orders, false",
    "sales.*, sales, false",
    "*, sales.Orders, true",
    "*, Orders, true",
    "*.Orders, sales.Orders, true",
    "*.Orders, Orders, false",
    "Ord*, Orders, true",
    "Ord*s, Orders, true",
    "Ord*x, Orders, false",
    "a\\.b, a\\.b, true",
    "a*, a\\.b, true",
  })
  void matches(String pattern, String table, boolean expected) {
    assertThat(TablePattern.parse(pattern).matches(TableId.parse(table))).isEqualTo(expected);
  }

  @Test
  @Timeout(10)
  void manyStarsCostLittle() {
    TablePattern pattern = TablePattern.parse("*a".repeat(1000) + "b");

    assertThat(pattern.matches(TableId.of("a".repeat(10_000)))).isFalse();
  }
}
