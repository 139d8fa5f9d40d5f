package io.corehub.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.settings.Secret;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScrubberTest {

  private final Scrubber scrubber =
      new Scrubber(List.of(new Secret("hunter2"), new Secret(" "), new Secret("")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sign-in with hunter2 failed | sign-in with *** failed",
        "got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln back | got *** back",
        "Authorization: Bearer abc.def-ghi rest | Authorization: Bearer *** rest",
        "url?sv=1&sig=a%2Fb%3D&se=2 | url?sv=1&sig=***&se=2",
        "user=u password=p@ss; next | user=u password=***; next",
        "client_secret: 'x' | client_secret: 'x'",
        "{\"apiKey\":\"abc\"} | {\"apiKey\":\"***\"}",
        "jdbc:postgresql://u:p@db/shop | jdbc:postgresql://***@db/shop",
        "Table sales.orders, column 'token': 70000 | Table sales.orders, column 'token': 70000"
      })
  void whatLooksLikeASecretIsGone(String text, String clean) {
    assertThat(scrubber.clean(text)).isEqualTo(clean);
  }

  @Test
  void aMessageIsNeverEndless() {
    assertThat(scrubber.clean("x".repeat(1_000_000))).hasSizeLessThan(2_100);
  }
}
