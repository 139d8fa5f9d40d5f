package io.corehub.hub.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclaredTablesTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"sales.Bücher\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}]}\n";

  @TempDir Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void areThoseOfAllFilesWhereverTheyAreDeclared() throws IOException {
    Path first =
        file(
            "first",
            TABLE
                + "\n{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"sales.Bücher\",\"after\":{\"columns\":\"kind table\"}}]}\n"
                + TABLE);
    Path second = file("second", "{\"table\":\"a\\\\.b\",\"columns\":[],\"kind\":\"table\"}");
    assertThat(DeclaredTables.in(List.of(first, second)))
        .contains(List.of(TableId.of("sales", "Bücher"), TableId.of("a.b")));
  }

  @Test
  void areNotKnownWhenALineIsMalformedOrAFileIsNoPlainOne() throws IOException {
    Path broken = file("broken", TABLE + "{\"kind\":\"table\",\"columns\":\n");
    assertThat(DeclaredTables.in(List.of(broken))).isEmpty();
    assertThat(DeclaredTables.in(List.of(directory))).isEmpty();
  }
}
