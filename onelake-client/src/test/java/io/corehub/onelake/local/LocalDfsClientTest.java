package io.corehub.onelake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.onelake.DfsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDfsClientTest {

  @TempDir Path directory;

  /** No later try would do better, so the table stops instead of holding up its pipeline. */
  @ParameterizedTest
  @CsvSource({"n, 256", "é, 128"})
  void aNameThatTheDiskDoesNotTakeIsRefusedOnce(String letter, int times) {
    String name = letter.repeat(times);

    assertThatThrownBy(
            () -> new LocalDfsClient(directory).create("data/" + name + "/part.csv", true))
        .isInstanceOfSatisfying(
            DfsException.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(DfsException.Kind.BAD_REQUEST);
              assertThat(refused.transientFault()).isFalse();
            })
        .hasMessageContainingAll("too long", "rename the table", "leave it out");
  }

  @Test
  void theLongestNameIsTaken() throws Exception {
    String name = "n".repeat(255);

    new LocalDfsClient(directory).create(name, true);

    assertThat(Files.exists(directory.resolve(name))).isTrue();
  }

  @Test
  void whatADiskMayBeCuredOfIsTriedAgain() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));

    assertThatThrownBy(() -> new LocalDfsClient(directory).read(folder.getFileName() + "", 0, 1))
        .isInstanceOfSatisfying(
            DfsException.class, failed -> assertThat(failed.transientFault()).isTrue());
  }
}
