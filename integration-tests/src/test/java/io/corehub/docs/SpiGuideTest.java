package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The host on the SPI guide's page is the one that is compiled and run here. */
class SpiGuideTest {

  private static final Path PAGE = Path.of("..", "docs", "embedders", "spi-guide.md");
  private static final Path SOURCE = Path.of("src/test/java/io/corehub/docs/MinimalHost.java");
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void thePageShowsTheHostThatIsTested() throws IOException {
    String source = Files.readString(SOURCE);
    String page = Files.readString(PAGE);
    Matcher code = CODE.matcher(page);
    assertThat(code.find()).as("a block of Java on %s", PAGE).isTrue();
    if (Boolean.getBoolean("docs.update")) {
      Files.writeString(
          PAGE, page.substring(0, code.start(1)) + source + page.substring(code.end(1)));
      return;
    }
    assertThat(code.group(1))
        .as("spi-guide.md is stale: run this test with -Ddocs.update=true")
        .isEqualTo(source);
  }
}
