package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What OneLake refuses, request by request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneLakeStrictnessTest {
  private static final HttpRequest.BodyPublisher NO_BODY = HttpRequest.BodyPublishers.noBody();

  @TempDir static Path directory;
  private OneLakeEmulator emulator;
  private EmulatorClient client;
  private EmulatorConnection c;

  @BeforeAll
  void start() throws Exception {
    emulator = OneLakeEmulator.start(EmulatorOptions.in(directory).build());
    client = new EmulatorClient(emulator.connection());
    c = emulator.connection();
  }

  @AfterAll
  void stop() throws Exception {
    emulator.close();
  }

  private static void assertRefused(HttpResponse<String> response, int status, String code)
      throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("x-ms-error-code")).hasValue(code);
    assertThat(response.headers().firstValue("x-ms-request-id")).isPresent();
    assertThat(response.headers().firstValue("x-ms-version")).isPresent();
    assertThat(EmulatorClient.errorCode(response)).isEqualTo(code);
    assertThat(EmulatorClient.JSON.readTree(response.body()).path("error").path("message").asText())
        .isNotEmpty();
  }

  private Path onDisk(String below) {
    return directory
        .resolve(c.workspaceId())
        .resolve(c.mirroredDatabaseId())
        .resolve("Files/LandingZone")
        .resolve(below);
  }

  @Test
  void demandsATokenOfItsOwnEntra() throws Exception {
    HttpResponse<String> none =
        client.send(
            client
                .bare(client.path("x"))
                .header("x-ms-version", "2021-06-08")
                .method("HEAD", NO_BODY));
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("www-authenticate").orElseThrow())
        .startsWith("Bearer authorization_uri=")
        .contains(c.tenantId(), "resource_id=https://storage.azure.com");
    List<String> others =
        List.of("Bearer x", "Bearer a.b", "Basic eA==", "Bearer " + client.token() + "x");
    for (String header : others) {
      assertRefused(
          client.send(
              client
                  .bare(client.path("x"))
                  .header("x-ms-version", "2021-06-08")
                  .header("Authorization", header)
                  .GET()),
          401,
          "InvalidAuthenticationInfo");
    }
  }

  @Test
  void refusesExpiredTokens(@TempDir Path other) throws Exception {
    try (OneLakeEmulator shortLived =
        OneLakeEmulator.start(
            EmulatorOptions.in(other).tokenLifetime(Duration.ofSeconds(1)).build())) {
      EmulatorClient itsClient = new EmulatorClient(shortLived.connection());
      HttpRequest.Builder request = itsClient.dfs(itsClient.path("")).method("HEAD", NO_BODY);
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      int status = itsClient.send(request).statusCode();
      while (status == 200 && System.nanoTime() < deadline) {
        status = itsClient.send(request).statusCode();
      }
      assertThat(status).isEqualTo(401);
    }
  }

  @Test
  void demandsAVersion() throws Exception {
    assertRefused(
        client.send(
            client
                .bare(client.path("x"))
                .header("Authorization", "Bearer " + client.token())
                .GET()),
        400,
        "MissingRequiredHeader");
    assertRefused(
        client.send(
            client
                .bare(client.path("x"))
                .header("Authorization", "Bearer " + client.token())
                .header("x-ms-version", "latest")
                .GET()),
        400,
        "InvalidHeaderValue");
  }

  @Test
  void createAndFlushNeedALengthOfZero() throws Exception {
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("x");
    HttpRequest.BodyPublisher chunked =
        HttpRequest.BodyPublishers.ofInputStream(() -> java.io.InputStream.nullInputStream());
    for (HttpRequest.BodyPublisher wrong : List.of(body, chunked)) {
      assertRefused(
          client.send(client.dfs(client.path("zero?resource=file")).PUT(wrong)),
          400,
          "ContentLengthMustBeZero");
      client.put(client.path("zero?resource=file"));
      assertRefused(
          client.send(
              client.dfs(client.path("zero?action=flush&position=0")).method("PATCH", wrong)),
          400,
          "ContentLengthMustBeZero");
    }
    assertThat(client.flush(client.path("zero"), 0).statusCode()).isEqualTo(200);
  }

  @Test
  void pathsAreAllGuidsOrAllNames() throws Exception {
    String name = "emulated%20workspace";
    assertThat(c.workspaceName()).isEqualTo("emulated workspace");
    List<String> good =
        List.of(
            c.workspaceId() + "/" + c.mirroredDatabaseId() + "/Files/LandingZone",
            c.workspaceId().toUpperCase() + "/" + c.mirroredDatabaseId() + "/Files/LandingZone/",
            c.workspaceId() + "/" + c.mirroredDatabaseId() + "%2FFiles%2FLandingZone",
            name + "/mirror.MirroredDatabase/Files/LandingZone",
            name + "/mirror.mirroreddatabase/Files/LandingZone",
            name + "/lakehouse.Lakehouse/Files");
    for (String path : good) {
      assertThat(client.head(path).statusCode()).as(path).isEqualTo(200);
    }
    List<String> mixed =
        List.of(
            name + "/" + c.mirroredDatabaseId() + "/Files",
            name + "/" + c.mirroredDatabaseId() + ".MirroredDatabase/Files",
            name + "/mirror/Files",
            c.workspaceId() + "/mirror.MirroredDatabase/Files",
            c.workspaceId() + "/" + c.lakehouseId() + ".Lakehouse/Files");
    for (String path : mixed) {
      assertRefused(client.get(path + "/x"), 400, "FriendlyNameSupportDisabled");
    }
    assertRefused(client.get("nobody/mirror.MirroredDatabase/Files/x"), 404, "FilesystemNotFound");
    assertRefused(client.get(name + "/other.MirroredDatabase/Files/x"), 404, "PathNotFound");
    assertRefused(client.get(name + "/mirror.Lakehouse/Files/x"), 404, "PathNotFound");
  }

  @Test
  void listingsNameItemsAsTheyWereAddressed() throws Exception {
    client.put(client.path("shown/a?resource=file"));
    JsonNode byName =
        EmulatorClient.JSON.readTree(
            client
                .get(
                    "emulated%20workspace?resource=filesystem&recursive=false&directory=mirror.MirroredDatabase/Files/LandingZone/shown")
                .body());
    assertThat(byName.path("paths").path(0).path("name").asText())
        .isEqualTo("mirror.MirroredDatabase/Files/LandingZone/shown/a");
  }

  @Test
  void managedFoldersAreProtected() throws Exception {
    String item = c.workspaceId() + "/" + c.mirroredDatabaseId();
    client.put(client.path("managed/source?resource=file"));
    for (String path : List.of(item, item + "/Files", item + "/Tables")) {
      assertRefused(client.put(path + "?resource=directory"), 400, "OperationNotAllowedOnThePath");
      assertRefused(client.delete(path + "?recursive=true"), 400, "OperationNotAllowedOnThePath");
      assertRefused(
          client.put(
              path + "?mode=legacy", "x-ms-rename-source", "/" + client.path("managed/source")),
          400,
          "OperationNotAllowedOnThePath");
      assertRefused(
          client.put(client.path("managed/taken?mode=legacy"), "x-ms-rename-source", "/" + path),
          400,
          "OperationNotAllowedOnThePath");
    }
    assertThat(client.head(item).statusCode()).isEqualTo(200);
    assertThat(client.head(item + "/Files").statusCode()).isEqualTo(200);
  }

  @Test
  void aWorkspaceAnswersHeadOnly() throws Exception {
    String workspace = c.workspaceId();
    assertThat(client.head(workspace + "?resource=filesystem").statusCode()).isEqualTo(200);
    assertThat(client.get(workspace + "?resource=filesystem&recursive=false").statusCode())
        .isEqualTo(400);
    assertThat(client.get(workspace + "?restype=container").statusCode()).isEqualTo(400);
    assertThat(client.put(workspace + "?resource=filesystem").statusCode()).isEqualTo(400);
    assertThat(client.delete(workspace + "?resource=filesystem").statusCode()).isEqualTo(400);
    assertRefused(
        client.get(
            workspace + "?resource=filesystem&recursive=false&directory=" + c.mirroredDatabaseId()),
        400,
        "OperationNotAllowedOnThePath");
  }

  @Test
  void permissionHeadersAreIgnoredAndNamed() throws Exception {
    HttpResponse<String> response =
        client.put(client.path("acl?resource=file"), "x-ms-permissions", "rwx", "x-ms-owner", "me");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.headers().firstValue("x-ms-rejected-headers"))
        .hasValue("x-ms-owner,x-ms-permissions");
    assertThat(client.head(client.path("acl")).headers().firstValue("x-ms-owner"))
        .hasValue("$superuser");
    HttpResponse<String> setAcl =
        client.send(
            client.dfs(client.path("acl?action=setAccessControl")).method("PATCH", NO_BODY));
    assertRefused(setAcl, 400, "UnsupportedQueryParameter");
  }

  @Test
  void appendsByPutAsByPatch() throws Exception {
    String path = client.path("by-put");
    client.put(path + "?resource=file");
    assertThat(
            client
                .send(
                    client
                        .dfs(path + "?action=append&position=0")
                        .PUT(HttpRequest.BodyPublishers.ofString("abc")))
                .statusCode())
        .isEqualTo(202);
    assertThat(client.put(path + "?action=flush&position=3").statusCode()).isEqualTo(200);
    assertThat(client.get(path).body()).isEqualTo("abc");
  }

  @Test
  void flushNeedsThePositionOfAllThatArrived() throws Exception {
    String path = client.path("positions");
    client.put(path + "?resource=file");
    client.append(path, 3, "def", false);
    assertRefused(client.flush(path, 6), 400, "InvalidFlushPosition");
    client.append(path, 0, "abc", false);
    assertRefused(client.flush(path, 3), 400, "InvalidFlushPosition");
    assertRefused(client.flush(path, 7), 400, "InvalidFlushPosition");
    assertThat(Files.size(onDisk("positions"))).isZero();
    assertThat(client.flush(path, 6).statusCode()).isEqualTo(200);
    assertThat(client.flush(path, 6).statusCode()).as("repeated").isEqualTo(200);
    assertThat(Files.readString(onDisk("positions"))).isEqualTo("abcdef");
    assertRefused(client.append(path, 0, "abcdef", true), 400, "InvalidFlushPosition");
    assertThat(client.append(path, 6, "ghi", true).statusCode()).isEqualTo(202);
    assertThat(client.get(path).body()).isEqualTo("abcdefghi");
  }

  @Test
  void appendNeedsAFile() throws Exception {
    assertRefused(client.append(client.path("nothing"), 0, "x", false), 404, "PathNotFound");
    client.put(client.path("folder?resource=directory"));
    assertRefused(client.append(client.path("folder"), 0, "x", false), 409, "ResourceTypeMismatch");
    client.put(client.path("gone?resource=file"));
    client.append(client.path("gone"), 0, "x", false);
    Files.delete(onDisk("gone"));
    assertRefused(client.flush(client.path("gone"), 1), 404, "PathNotFound");
  }

  @Test
  void createMakesTheFoldersAboveButNotThroughAFile() throws Exception {
    assertThat(client.put(client.path("up/a/b?resource=file")).statusCode()).isEqualTo(201);
    assertThat(onDisk("up/a")).isDirectory();
    assertRefused(client.put(client.path("up/a/b/c?resource=file")), 409, "PathConflict");
    assertRefused(client.put(client.path("up/a?resource=file")), 409, "ResourceTypeMismatch");
  }

  @Test
  void pathsCannotLeaveTheItem() throws Exception {
    for (String path :
        List.of("..%2f..%2fescape", "a%2F..%2F..%2F..%2Fb", "%2e%2e/x", "a//b", "x%00y")) {
      HttpResponse<String> response = client.put(client.path(path + "?resource=file"));
      assertRefused(response, 400, "InvalidUri");
    }
    assertThat(directory.resolve("escape")).doesNotExist();
  }

  @Test
  void namesTheDiskCannotHoldAreRefused() throws Exception {
    assertRefused(
        client.put(client.path("x".repeat(300) + "?resource=file")), 400, "InvalidResourceName");
  }

  @Test
  void rangesFollowTheStorageService() throws Exception {
    String path = client.path("ranges");
    client.put(path + "?resource=file");
    client.append(path, 0, "0123456789", true);
    HttpResponse<String> middle = client.get(path, "Range", "bytes=2-4");
    assertThat(middle.statusCode()).isEqualTo(206);
    assertThat(middle.body()).isEqualTo("234");
    assertThat(middle.headers().firstValue("content-range")).hasValue("bytes 2-4/10");
    assertThat(client.get(path, "x-ms-range", "bytes=7-").body()).isEqualTo("789");
    assertThat(client.get(path, "Range", "bytes=8-100").body()).isEqualTo("89");
    assertRefused(client.get(path, "Range", "bytes=10-"), 416, "InvalidRange");
    assertRefused(client.get(path, "Range", "bytes=-3"), 400, "InvalidHeaderValue");
  }

  @Test
  void tellsWhatStandsAtAPath() throws Exception {
    String path = client.path("facts");
    HttpResponse<String> created = client.put(path + "?resource=file");
    assertThat(created.headers().firstValue("content-length")).hasValue("0");
    client.append(path, 0, "hello", true);
    HttpResponse<String> head = client.head(path);
    assertThat(head.headers().firstValue("content-length")).hasValue("5");
    assertThat(head.headers().firstValue("x-ms-resource-type")).hasValue("file");
    assertThat(head.headers().firstValue("last-modified")).isPresent();
    String etag = head.headers().firstValue("etag").orElseThrow();
    assertThat(etag).startsWith("\"").endsWith("\"");
    assertThat(client.get(path, "If-Match", "\"0x0\"").statusCode()).isEqualTo(412);
    assertThat(client.get(path, "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(client.head(client.path("missing")).statusCode()).isEqualTo(404);
    assertThat(client.head(client.path("missing")).headers().firstValue("x-ms-error-code"))
        .hasValue("PathNotFound");
  }

  @Test
  void renameSourcesMayHaveRealOrEncodedSlashes() throws Exception {
    for (String slash : List.of("/", "%2F")) {
      client.put(client.path("rename/my%20source?resource=file"));
      String source =
          "/"
              + c.workspaceId()
              + "/"
              + (client.landingZone + "/rename/my%20source").replace("/", slash);
      assertThat(
              client
                  .put(client.path("rename/target?mode=legacy"), "x-ms-rename-source", source)
                  .statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void filesChangedByHandAreSeenAtOnce() throws Exception {
    Files.createDirectories(onDisk("hand"));
    Files.writeString(onDisk("hand/planted"), "by hand");
    assertThat(client.get(client.path("hand/planted")).body()).isEqualTo("by hand");
    Files.writeString(onDisk("hand/planted"), "changed");
    assertThat(client.get(client.path("hand/planted")).body()).isEqualTo("changed");
    Files.delete(onDisk("hand/planted"));
    assertThat(client.head(client.path("hand/planted")).statusCode()).isEqualTo(404);
  }

  @Test
  void onlyCommittedFilesLieInTheOpen() throws Exception {
    client.put(client.path("clean/a?resource=file"));
    client.append(client.path("clean/a"), 0, "not yet", false);
    try (var files = Files.list(onDisk("clean"))) {
      List<Path> found = new ArrayList<>(files.toList());
      assertThat(found).containsExactly(onDisk("clean/a"));
      assertThat(Files.size(onDisk("clean/a"))).isZero();
    }
  }
}
