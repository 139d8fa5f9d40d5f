package io.corehub.emulator.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Azurite that somebody else runs. */
class RunningAzuriteTest {
  private static final String ADVICE = "leave the property out";

  @TempDir Path directory;

  @Test
  void isLeftRunningWithAllItHolds() throws Exception {
    assumeThatCode(() -> new ProcessBuilder("npm", "--version").start().waitFor())
        .as("npm is needed to start Azurite")
        .doesNotThrowAnyException();
    try (AzuriteProcess azurite = AzuriteProcess.start(directory.resolve("azurite"))) {
      try (AzuriteStore first = on(azurite.url(), "first")) {
        first.write("a/b", "kept".getBytes(StandardCharsets.UTF_8));
      }
      try (AzuriteStore again = on(azurite.url() + "/", "first")) {
        assertThat(new String(again.read("a/b"), StandardCharsets.UTF_8)).isEqualTo("kept");
      }
      try (AzuriteStore other = on(azurite.url(), "other")) {
        assertThat(other.find("a/b")).isEmpty();
      }
    }
  }

  @Test
  void isNamedWhenItDoesNotAnswer() throws Exception {
    String url;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + free.getLocalPort();
    }
    assertThatThrownBy(() -> on(url, "first"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(url, AzuriteStore.URL_PROPERTY, "does not answer", ADVICE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:10000",
        "ftp://127.0.0.1:10000",
        "http://127.0.0.1:10000/devstoreaccount1",
        "http://"
      })
  void hasTheAddressOfABlobService(String url) {
    assertThatThrownBy(() -> on(url, "first"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(AzuriteStore.URL_PROPERTY, "'" + url + "'", "such as");
  }

  private AzuriteStore on(String url, String owner) throws IOException {
    return AzuriteStore.onRunning(url, owner, directory.resolve("scratch"), Clock.systemUTC());
  }
}
