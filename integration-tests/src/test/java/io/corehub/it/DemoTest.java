package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The demo on real parts: PostgreSQL in, mirrored tables out, both compared. */
class DemoTest {

  @Test
  void demoEndsWithEveryTableEqual() throws Exception {
    Hub.Result result =
        Hub.run("demo", "--seconds", "15", "--port", "0", "--no-browser").succeeded();
    assertThat(result.output()).contains("Files/LandingZone").containsIgnoringCase("checksum");
  }
}
