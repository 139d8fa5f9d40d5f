package io.corehub.onelake.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AzureDfsClientTest {
  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;

  private DfsClient client;
  private String folder;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    oneLake.close();
  }

  @BeforeEach
  void open() throws InterruptedException {
    client = oneLake.signedIn();
    folder = "Files/LandingZone/T" + UUID.randomUUID();
  }

  @AfterEach
  void close() {
    oneLake.clearFaults();
    client.close();
  }

  @Test
  void publishesASmallFileInThreeRequests() throws Exception {
    publish(folder + "/_1.parquet", folder + "/1.parquet", "rows");

    assertThat(oneLake.operations()).containsExactly("create", "append", "rename");
    JsonNode append = oneLake.requests().get(1);
    assertThat(append.get("query").get("flush").asText()).isEqualTo("true");
    assertThat(append.get("query").get("close").asText()).isEqualTo("true");
    JsonNode rename = oneLake.requests().get(2);
    assertThat(header(rename, "if-none-match")).isEqualTo("*");
    assertThat(header(rename, "x-ms-rename-source"))
        .isEqualTo(
            "/"
                + oneLake.connection.workspaceId()
                + "/"
                + oneLake.connection.mirroredDatabaseId()
                + "/"
                + folder
                + "/_1.parquet");
    assertThat(client.read(folder + "/1.parquet", 0, 100)).isEqualTo("rows".getBytes(UTF_8));
  }

  @Test
  void writesRealSlashesAndAPinnedVersion() throws Exception {
    client.create(folder + "/f", true);
    client.head(folder + "/f");
    client.list(folder, false, entry -> {});
    for (JsonNode request : oneLake.requests()) {
      assertThat(request.get("rawPath").asText()).doesNotContainIgnoringCase("%2f");
      assertThat(header(request, "x-ms-version")).isEqualTo("2021-06-08");
      assertThat(request.get("headers").toString().toLowerCase(java.util.Locale.ROOT))
          .doesNotContain("accept-encoding");
    }
    assertThat(oneLake.requests().get(0).get("rawPath").asText()).endsWith(folder + "/f");
  }

  @Test
  void writesAFileInBlocksOfAnyOrder() throws Exception {
    String path = folder + "/f";
    client.create(path, true);
    client.append(path, 4, bytes("5678"), AppendMode.APPEND);
    client.append(path, 0, bytes("1234"), AppendMode.APPEND);
    assertThat(client.head(path).orElseThrow().length()).isZero();
    client.flush(path, 8, true);

    assertThat(client.read(path, 2, 4)).isEqualTo("3456".getBytes(UTF_8));
    assertThat(client.read(path, 6, 100)).isEqualTo("78".getBytes(UTF_8));
    assertThat(client.read(path, 8, 100)).isEmpty();
    assertThat(client.read(path, 800, 100)).isEmpty();
  }

  @Test
  void sendsTheRemainingBytesOfABufferAndLeavesItsPosition() throws Exception {
    ByteBuffer buffer = bytes("0123456789");
    buffer.position(3).limit(6);
    client.create(folder + "/f", true);
    client.append(folder + "/f", 0, buffer, AppendMode.APPEND_FLUSH);
    assertThat(buffer.position()).isEqualTo(3);
    assertThat(client.read(folder + "/f", 0, 100)).isEqualTo("345".getBytes(UTF_8));
  }

  @Test
  void readsAnEmptyFileAsNoBytes() throws Exception {
    client.create(folder + "/f", true);
    assertThat(client.read(folder + "/f", 0, 10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b", "50%", "a%2Fb", "a+b", "a#b", "a?b", "ü", "日本", "a&b=c", "a;b", "'a\"", "😀", "a~b",
        "%2e%2e", "x@y:z", "[a]", "{b}", "a^b`c|d", "$web"
      })
  void carriesAnyNameUnchanged(String name) throws Exception {
    String path = folder + "/" + name + "/" + name;
    publish(folder + "/" + name + "/_t", path, "x");

    assertThat(list(folder, true))
        .extracting(PathEntry::path)
        .containsExactlyInAnyOrder(folder + "/" + name, path);
    assertThat(list(folder + "/" + name, false)).extracting(PathEntry::path).containsExactly(path);
    PathProperties properties = client.head(path).orElseThrow();
    assertThat(properties.length()).isEqualTo(1);
    assertThat(properties.directory()).isFalse();
    client.delete(path, false);
    assertThat(client.head(path)).isEmpty();
  }

  @Test
  void listsWhatIsThere() throws Exception {
    client.createDirectory(folder + "/d");
    publish(folder + "/_t", folder + "/f", "abc");
    List<PathEntry> entries = list(folder, false);
    assertThat(entries).extracting(PathEntry::name).containsExactly("d", "f");
    assertThat(entries).extracting(PathEntry::directory).containsExactly(true, false);
    assertThat(entries).extracting(PathEntry::length).containsExactly(0L, 3L);
    PathProperties properties = client.head(folder + "/f").orElseThrow();
    assertThat(entries.get(1).lastModified()).isEqualTo(properties.lastModified());
    assertThat(entries.get(1).etag()).isEqualTo(properties.etag()).startsWith("\"");
  }

  @Test
  void tellsOutcomesApart() throws Exception {
    client.create(folder + "/a", true);
    client.create(folder + "/b", true);
    assertThat(failure(() -> client.create(folder + "/a", true)).kind())
        .isEqualTo(Kind.ALREADY_EXISTS);
    DfsException taken = failure(() -> client.renameIfAbsent(folder + "/a", folder + "/b"));
    assertThat(taken.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(taken.outcomeUnknown()).isTrue();
    assertThat(taken.errorCode()).isEqualTo("PathAlreadyExists");
    assertThat(taken.requestId()).isNotEmpty();
    assertThat(failure(() -> client.renameIfAbsent(folder + "/none", folder + "/c")).kind())
        .isEqualTo(Kind.SOURCE_NOT_FOUND);
    assertThat(failure(() -> client.renameIfAbsent(folder + "/a", folder + "/no/c")).kind())
        .isEqualTo(Kind.PARENT_NOT_FOUND);
    assertThat(failure(() -> client.flush(folder + "/a", 7, true)).kind())
        .isEqualTo(Kind.INVALID_FLUSH_POSITION);
    assertThat(failure(() -> list(folder + "/none", false)).kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(failure(() -> client.read(folder + "/none", 0, 1)).kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(failure(() -> client.delete(folder + "/none", false)).kind())
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(failure(() -> client.delete(folder, false)).kind()).isEqualTo(Kind.CONFLICT);
    client.delete(folder, true);
    assertThat(client.head(folder)).isEmpty();
  }

  @Test
  void leavesAnExistingDirectoryAloneButNotAFileInItsPlace() throws Exception {
    client.createDirectory(folder);
    client.createDirectory(folder);
    client.create(folder + "/f", true);
    assertThat(failure(() -> client.createDirectory(folder + "/f")).kind())
        .isEqualTo(Kind.ALREADY_EXISTS);
  }

  @Test
  void worksWithNames() throws Exception {
    OneLakeUrl url =
        LandingZoneUrl.of(
                "https://" + oneLake.connection.host(),
                oneLake.connection.workspaceName(),
                oneLake.connection.mirroredDatabaseName().replace(".MirroredDatabase", ""),
                oneLake.hosts)
            .url();
    try (DfsClient named = AzureDfsClient.open(oneLake.to(url))) {
      named.create(folder + "/f", true);
      List<PathEntry> entries = new ArrayList<>();
      named.list(folder, false, entries::add);
      assertThat(entries).extracting(PathEntry::path).containsExactly(folder + "/f");
    }
    assertThat(client.head(folder + "/f")).isPresent();
  }

  @Test
  void worksWithAFileSystemWithoutItems() throws Exception {
    OneLakeUrl url = OneLakeUrl.parse(oneLake.connection.adlsUrl(), oneLake.hosts);
    try (DfsClient adls = AzureDfsClient.open(oneLake.to(url))) {
      adls.create("a/b/c", true);
      List<PathEntry> entries = new ArrayList<>();
      adls.list("", true, entries::add);
      assertThat(entries).extracting(PathEntry::path).containsExactly("a", "a/b", "a/b/c");
      adls.delete("a", true);
    }
  }

  @Test
  void reportsAMissingItemAsSuchAndNotAsAnAbsentFile() {
    OneLakeUrl url = oneLake.landingZone().url();
    OneLakeUrl other =
        new OneLakeUrl(
            url.host(),
            url.port(),
            url.fileSystem(),
            java.util.Optional.of(UUID.randomUUID().toString()),
            url.segments());
    try (DfsClient lost = AzureDfsClient.open(oneLake.to(other))) {
      DfsException failure = failure(() -> lost.create("Files/LandingZone/f", true));
      assertThat(failure.kind()).isIn(Kind.CONTAINER_NOT_FOUND, Kind.NOT_FOUND);
    }
  }

  @Test
  void failsEveryCallOnceClosed() {
    client.close();
    client.close();
    assertThat(failure(() -> client.head(folder)).kind()).isEqualTo(Kind.CLOSED);
    assertThat(failure(() -> client.create(folder, true)).kind()).isEqualTo(Kind.CLOSED);
    assertThat(failure(() -> list(folder, true)).kind()).isEqualTo(Kind.CLOSED);
    assertThat(failure(() -> client.delete(folder, true)).kind()).isEqualTo(Kind.CLOSED);
  }

  @Test
  void leavesNoThreadThatKeepsTheProcessAlive() throws Exception {
    client.create(folder + "/f", true);
    client.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(
            thread ->
                thread.getName().startsWith("onelake")
                    || thread.getName().startsWith("HttpClient")
                    || thread.getName().startsWith("azure")
                    || thread.getName().startsWith("ForkJoin")
                    || thread.getName().startsWith("reactor"))
        .allMatch(Thread::isDaemon);
  }

  private void publish(String temporary, String path, String content) throws InterruptedException {
    client.create(temporary, true);
    client.append(temporary, 0, bytes(content), AppendMode.APPEND_FLUSH_CLOSE);
    client.renameIfAbsent(temporary, path);
  }

  private List<PathEntry> list(String path, boolean recursive) throws InterruptedException {
    List<PathEntry> entries = new ArrayList<>();
    client.list(path, recursive, entries::add);
    return entries;
  }

  private static String header(JsonNode request, String name) {
    for (var field : request.get("headers").properties()) {
      if (field.getKey().equalsIgnoreCase(name)) {
        JsonNode value = field.getValue();
        return value.isArray() ? value.get(0).asText() : value.asText();
      }
    }
    return "";
  }

  static DfsException failure(ThrowingCallable call) {
    return catchThrowableOfType(DfsException.class, call);
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
