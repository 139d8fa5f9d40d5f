package io.corehub.hub.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import io.corehub.hub.source.TableOutline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclaredTablesTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"sales.Bücher\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}]}\n";

  private static final String KEYED =
      "{\"kind\":\"table\",\"table\":\"sales.Bücher\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
          + "{\"name\":\"n\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}\n";

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
    Path second =
        file("second", "{\"table\":\"a\\\\.b\",\"columns\":[],\"kind\":\"table\"}\n" + KEYED);
    assertThat(DeclaredTables.in(List.of(first, second)))
        .contains(
            List.of(
                new TableOutline(TableId.of("sales", "Bücher"), List.of("id"), List.of()),
                new TableOutline(TableId.of("a.b"), List.of(), List.of()),
                new TableOutline(
                    TableId.of("sales", "Bücher"), List.of("id", "n"), List.of("id"))));
  }

  @Test
  void areNotKnownWhenALineIsMalformedOrAFileIsNoPlainOne() throws IOException {
    Path broken = file("broken", TABLE + "{\"kind\":\"table\",\"columns\":\n");
    assertThat(DeclaredTables.in(List.of(broken))).isEmpty();
    assertThat(DeclaredTables.in(List.of(directory))).isEmpty();
  }
}
