package io.corehub.hub.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDirectoryTest {

  private static final PipelineState STATE =
      new PipelineState(
          7, Optional.of(new SourcePosition("line", -1, "to\"ken")), new AgentState("{\"a\":1}"));

  @TempDir Path directory;

  @Test
  void givesBackWhatWasWritten() {
    try (StateDirectory state = StateDirectory.lock(directory.resolve("new/state"))) {
      assertThat(state.stateOf("shop").read()).isEqualTo(PipelineState.NONE);
      state.stateOf("shop").write(STATE);
      assertThat(state.stateOf("shop").read()).isEqualTo(STATE);
      state.stateOf("shop").write(PipelineState.NONE);
      assertThat(state.stateOf("shop").read()).isEqualTo(PipelineState.NONE);
    }
  }

  @Test
  void fileCanBeReadByPeople() throws Exception {
    try (StateDirectory state = StateDirectory.lock(directory)) {
      state.stateOf("shop").write(STATE);
    }
    assertThat(Files.readString(directory.resolve("shop.json")))
        .contains("\"order\" : \"18446744073709551615\"", "\"epoch\" : 7");
  }

  @Test
  void hubKilledWhileWritingLeavesTheOldState() throws Exception {
    try (StateDirectory state = StateDirectory.lock(directory)) {
      state.stateOf("shop").write(STATE);
      Files.writeString(directory.resolve("shop.json.draft"), "{\"version\": 1, \"pipel");
      assertThat(state.stateOf("shop").read()).isEqualTo(STATE);
      state.stateOf("shop").write(STATE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"version\": 2}",
        "{\"version\": 1, \"pipeline\": \"other\", \"epoch\": 1, \"agentState\": \"\"}",
        "{\"version\": 1, \"pipeline\": \"shop\", \"epoch\": \"x\", \"agentState\": \"\"}",
        "{\"version\": 1, \"pipeline\": \"shop\", \"epoch\": 1, \"agentState\": \"\", \"confirmed\": {}}",
        "{\"version\": 1, \"pipeline\": \"shop\", \"epoch\": 1, \"agentState\": \"\", \"confirmed\":"
            + " {\"timeline\": \"a\", \"order\": \"-1\", \"token\": \"\"}}"
      })
  void corruptFileIsOneClearError(String content) throws Exception {
    Files.writeString(directory.resolve("shop.json"), content);
    try (StateDirectory state = StateDirectory.lock(directory)) {
      StateFile file = state.stateOf("shop");
      assertThatExceptionOfType(StateException.class)
          .isThrownBy(file::read)
          .withMessageContaining("shop.json cannot be read")
          .withMessageContaining("delete it");
    }
  }

  @Test
  void secondHubIsRefused() {
    StateDirectory first = StateDirectory.lock(directory);
    assertThatExceptionOfType(StateException.class)
        .isThrownBy(() -> StateDirectory.lock(directory))
        .withMessageContaining("Another hub uses the state directory")
        .withMessageContaining(directory.toString());
    first.close();
    first.close();
    StateDirectory.lock(directory).close();
  }

  @Test
  void spoolIsEmptyAtEachStart() throws Exception {
    try (StateDirectory state = StateDirectory.lock(directory)) {
      Path spool = state.emptySpoolOf("../a/b");
      assertThat(spool).startsWith(directory.resolve("spool"));
      Files.writeString(spool.resolve("left"), "x");
      Files.createDirectories(spool.resolve("deep/er"));
      assertThat(state.emptySpoolOf("../a/b")).isEqualTo(spool).isEmptyDirectory();
    }
  }

  @Test
  void differentIdsHaveDifferentFiles() {
    assertThat(StateDirectory.fileName("a/b")).isEqualTo("a%2Fb");
    assertThat(StateDirectory.fileName("..")).isEqualTo("%2E%2E");
    assertThat(StateDirectory.fileName("a%2Fb")).isEqualTo("a%252Fb");
    assertThat(StateDirectory.fileName("ü")).isEqualTo("%C3%BC");
  }
}
