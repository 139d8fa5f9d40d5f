package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The hub's own log configuration writes one line for each message, whatever stands in it. */
class LogLinesTest {

  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void start() throws Exception {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        Objects.requireNonNull(LogLinesTest.class.getResource("/logback.xml")));
  }

  @AfterEach
  void stop() {
    context.stop();
    System.setErr(before);
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

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
  void noCharacterBreaksHidesOrTurnsALine() {
    Logger log = context.getLogger("some.Library");
    int messages = 0;
    for (int c = 0; c < 0x3000; c++) {
      if (hidden(c)) {
        log.warn("table {} stopped", "a" + Character.toString(c) + "2026 ERROR admin ok");
        messages++;
      }
    }
    for (String rest : List.of("\ufeff", "\udb40\udc41", "\ud800", "\ufff9")) {
      log.warn("table {} stopped", "a" + rest + "b");
      messages++;
    }
    assertThat(lines())
        .hasSize(messages)
        .allSatisfy(
            line -> {
              assertThat(line).matches("\\d{4}-.* WARN  Library - table a.+ stopped");
              assertThat(line.codePoints()).noneMatch(LogLinesTest::hidden);
            });
  }

  @Test
  void whatExceptionsSayPassesForNoLogLine() {
    Exception cause = new IllegalStateException("bad\u202e\r\n2026-01-01 ERROR Hub - admin ok");
    Exception failure = new IllegalArgumentException("value 'x\n\tat evil.Frame'", cause);
    failure.addSuppressed(new java.io.IOException("disk\u2028gone"));
    context.getLogger("Hub").error("It failed", failure);
    assertThat(lines())
        .filteredOn(line -> !line.startsWith("\tat ") && !line.matches("\t\t?(at|\\.\\.\\.) .*"))
        .satisfiesExactly(
            line -> assertThat(line).endsWith("Hub - It failed"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "java.lang.IllegalArgumentException: value 'x | \\u0009at evil.Frame'"),
            line ->
                assertThat(line).isEqualTo("\tSuppressed: java.io.IOException: disk\\u2028gone"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "Caused by: java.lang.IllegalStateException: bad\\u202e | 2026-01-01 ERROR"
                            + " Hub - admin ok"));
    assertThat(lines()).noneMatch(line -> line.contains("\tat evil"));
    assertThat(lines()).anyMatch(line -> line.startsWith("\tat io.corehub.hub.cli.LogLinesTest"));
  }

  @Test
  void secretsAreStillMasked() {
    context
        .getLogger("Hub")
        .error("sent Authorization: Bearer abc.def", new Exception("sig=SECRET"));
    assertThat(written.toString(StandardCharsets.UTF_8))
        .contains("***")
        .doesNotContain("abc.def", "SECRET");
  }
}
