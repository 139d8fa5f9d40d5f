package io.corehub.onelake.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class InMemoryDfsClientTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T10:00:00Z"), ZoneOffset.UTC);

  private final InMemoryFileSystem fileSystem = new InMemoryFileSystem(CLOCK);
  private final DfsClient client = fileSystem.client();

  @Test
  void publishesInThreeSteps() throws Exception {
    client.create("Files/LandingZone/T/_1.parquet", true);
    client.append("Files/LandingZone/T/_1.parquet", 0, bytes("abc"), AppendMode.APPEND_FLUSH_CLOSE);
    client.renameIfAbsent("Files/LandingZone/T/_1.parquet", "Files/LandingZone/T/1.parquet");

    assertThat(client.read("Files/LandingZone/T/1.parquet", 0, 10))
        .isEqualTo("abc".getBytes(UTF_8));
    assertThat(client.head("Files/LandingZone/T/_1.parquet")).isEmpty();
    assertThat(client.head("Files/LandingZone/T").orElseThrow().directory()).isTrue();
  }

  @Test
  void showsAppendedBytesOnlyAfterFlush() throws Exception {
    client.create("f", true);
    client.append("f", 3, bytes("def"), AppendMode.APPEND);
    client.append("f", 0, bytes("abc"), AppendMode.APPEND);
    assertThat(client.read("f", 0, 10)).isEmpty();

    client.flush("f", 6, true);

    assertThat(client.read("f", 2, 2)).isEqualTo("cd".getBytes(UTF_8));
    assertThat(client.read("f", 6, 2)).isEmpty();
  }

  @Test
  void refusesFlushWhoseLengthDoesNotAddUp() throws Exception {
    client.create("f", true);
    client.append("f", 0, bytes("abc"), AppendMode.APPEND);
    client.append("f", 4, bytes("e"), AppendMode.APPEND);

    assertThat(kind(() -> client.flush("f", 5, true))).isEqualTo(Kind.INVALID_FLUSH_POSITION);
    assertThat(kind(() -> client.flush("f", 3, true))).isEqualTo(Kind.INVALID_FLUSH_POSITION);
    client.append("f", 3, bytes("d"), AppendMode.APPEND);
    client.flush("f", 5, true);
    assertThat(client.head("f").orElseThrow().length()).isEqualTo(5);
  }

  @Test
  void takesTheSameBlockTwice() throws Exception {
    client.create("f", true);
    client.append("f", 0, bytes("abc"), AppendMode.APPEND);
    client.append("f", 0, bytes("abc"), AppendMode.APPEND);
    client.flush("f", 3, false);
    assertThat(client.head("f").orElseThrow().length()).isEqualTo(3);
  }

  @Test
  void renameNeverReplaces() throws Exception {
    client.create("a/x", true);
    client.create("a/y", true);
    assertThat(kind(() -> client.renameIfAbsent("a/x", "a/y"))).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(kind(() -> client.renameIfAbsent("a/z", "a/w"))).isEqualTo(Kind.SOURCE_NOT_FOUND);
    assertThat(kind(() -> client.renameIfAbsent("a/x", "b/x"))).isEqualTo(Kind.PARENT_NOT_FOUND);
  }

  @Test
  void renameMovesADirectoryWithAllItHolds() throws Exception {
    client.create("a/b/x", true);
    client.renameIfAbsent("a/b", "a/c");
    assertThat(client.head("a/c/x")).isPresent();
    assertThat(client.head("a/b")).isEmpty();
  }

  @Test
  void listsOneLevelOrAll() throws Exception {
    client.create("t/2", true);
    client.create("t/1", true);
    client.create("t/sub/3", true);
    client.create("t0/4", true);
    assertThat(names("t", false)).containsExactly("t/1", "t/2", "t/sub");
    assertThat(names("t", true)).containsExactly("t/1", "t/2", "t/sub", "t/sub/3");
    assertThat(names("", false)).containsExactly("t", "t0");
    assertThat(kind(() -> names("u", false))).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void createIfAbsentLeavesAnExistingFileAlone() throws Exception {
    client.create("f", true);
    client.append("f", 0, bytes("abc"), AppendMode.APPEND_FLUSH);
    assertThat(kind(() -> client.create("f", true))).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(client.head("f").orElseThrow().length()).isEqualTo(3);
    client.create("f", false);
    assertThat(client.head("f").orElseThrow().length()).isZero();
  }

  @Test
  void deletesADirectoryOnlyRecursivelyWhenItHoldsSomething() throws Exception {
    client.create("d/f", true);
    assertThat(kind(() -> client.delete("d", false))).isEqualTo(Kind.CONFLICT);
    client.delete("d", true);
    assertThat(client.head("d")).isEmpty();
    assertThat(kind(() -> client.delete("d", true))).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void refusesPathsThatLeaveTheItem() {
    for (String path : List.of("", "/a", "a/", "a//b", "a/../b", ".", "a\nb")) {
      assertThatThrownBy(() -> client.create(path, true))
          .as(path)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void losesAnAnswerWhenAFaultSaysSo() throws Exception {
    Faults lost =
        new Faults() {
          @Override
          public void after(Request request) {
            if (request.operation() == Operation.RENAME) {
              throw DfsException.of(Kind.CONNECTION_LOST, "rename")
                  .outcomeUnknown(true)
                  .build("answer lost");
            }
          }
        };
    client.create("a", true);
    DfsClient unlucky = fileSystem.client(lost);
    assertThat(kind(() -> unlucky.renameIfAbsent("a", "b"))).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(client.head("b")).isPresent();
  }

  private List<String> names(String directory, boolean recursive) throws InterruptedException {
    List<PathEntry> entries = new ArrayList<>();
    client.list(directory, recursive, entries::add);
    return entries.stream().map(PathEntry::path).toList();
  }

  private static Kind kind(ThrowingCallable call) {
    return catchThrowableOfType(DfsException.class, call).kind();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
