package io.corehub.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes and where text goes. */
class MainTest {

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int hub(String... args) {
    return Main.run(args, new PrintWriter(out), new PrintWriter(err));
  }

  private String config(String yaml) throws Exception {
    return Files.writeString(directory.resolve("hub.yaml"), yaml).toString();
  }

  @Test
  void helpListsTheCommands() {
    assertThat(hub("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "demo",
            "run",
            "check",
            "agents",
            "emulator",
            "mirrored",
            "verify-cycles",
            "read-cycles");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "run",
        "check",
        "agents",
        "emulator",
        "mirrored",
        "verify-cycles",
        "read-cycles"
      })
  void everyCommandHasHelp(String command) {
    assertThat(hub(command, "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: hub " + command);
  }

  @Test
  void wrongUsageIsTwo() {
    assertThat(hub()).isEqualTo(2);
    assertThat(hub("rum")).isEqualTo(2);
    assertThat(hub("run")).isEqualTo(2);
    assertThat(hub("run", "--fast", "x")).isEqualTo(2);
    assertThat(hub("run", directory.resolve("none.yaml").toString())).isEqualTo(2);
    assertThat(hub("check", directory.toString())).isEqualTo(2);
    assertThat(hub("mirrored", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(hub("mirrored", "--format", "xml", directory.toString())).isEqualTo(2);
    assertThat(hub("emulator")).isEqualTo(2);
    assertThat(hub("emulator", "--directory", "x", "--storage", "tape")).isEqualTo(2);
    assertThat(hub("emulator", "--directory", "x", "--port", "70000")).isEqualTo(2);
    assertThat(hub("demo", "--port", "-1")).isEqualTo(2);
    assertThat(hub("demo", "--seconds", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("rum", "none.yaml", "tape", "70000");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void badConfigurationIsOneOnStandardErrorForRun() throws Exception {
    assertThat(hub("run", config("pipelines: [ { name: shop } ]"))).isEqualTo(1);
    assertThat(err.toString()).contains("shop: 'source' is missing").doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void badConfigurationIsOneOnStandardOutputForCheck() throws Exception {
    assertThat(hub("check", config("pipelines: [ { name: shop } ]"))).isEqualTo(1);
    assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("shop: "));
    assertThat(err.toString()).contains("2 findings need a change");
  }

  @Test
  void agentsAreListedAndDescribed() {
    assertThat(hub("agents")).isZero();
    assertThat(out.toString()).contains("fabric-open-mirroring", "landingZoneUrl");
  }

  @Test
  void unknownAgentIsOneAndNamesTheNearest() {
    assertThat(hub("agents", "fabric-open-mirorring")).isEqualTo(1);
    assertThat(err.toString()).contains("Did you mean 'fabric-open-mirroring'?");
  }

  @Test
  void exitCodeOfARunIsThatOfItsWorstPipeline() {
    assertThat(RunCommand.exitCode(List.of())).isZero();
    assertThat(
            RunCommand.exitCode(
                List.of(
                    io.corehub.hub.pipeline.Outcome.DONE,
                    io.corehub.hub.pipeline.Outcome.ACTION_REQUIRED)))
        .isEqualTo(1);
    assertThat(
            RunCommand.exitCode(
                List.of(
                    io.corehub.hub.pipeline.Outcome.UNEXPECTED,
                    io.corehub.hub.pipeline.Outcome.ACTION_REQUIRED)))
        .isEqualTo(3);
  }
}
