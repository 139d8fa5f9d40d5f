package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.file.datalake.DataLakeDirectoryClient;
import com.azure.storage.file.datalake.DataLakeFileClient;
import com.azure.storage.file.datalake.DataLakeFileSystemClient;
import com.azure.storage.file.datalake.models.DataLakeRequestConditions;
import com.azure.storage.file.datalake.models.DataLakeStorageException;
import com.azure.storage.file.datalake.models.FileRange;
import com.azure.storage.file.datalake.models.ListPathsOptions;
import com.azure.storage.file.datalake.models.PathItem;
import com.azure.storage.file.datalake.models.PathProperties;
import com.azure.storage.file.datalake.options.DataLakeFileAppendOptions;
import com.azure.storage.file.datalake.options.DataLakeFileFlushOptions;
import com.azure.storage.file.datalake.options.DataLakePathCreateOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One scenario through Microsoft's own clients, the same for every storage backend. */
class StorageScenarioTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Context NONE = Context.NONE;

  @Nested
  class OnDirectory extends Scenario {
    OnDirectory() {
      super(StorageBackend.DIRECTORY);
    }
  }

  @Nested
  class InMemory extends Scenario {
    InMemory() {
      super(StorageBackend.MEMORY);
    }
  }

  @Nested
  class OnAzurite extends Scenario {
    OnAzurite() {
      super(StorageBackend.AZURITE);
    }

    @Override
    void prepare() throws Exception {
      assumeThat(canRun("node", "--version") && canRun("npm", "--version"))
          .as("node and npm are needed to start Azurite")
          .isTrue();
    }

    private static boolean canRun(String... command) throws InterruptedException {
      try {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
      } catch (IOException e) {
        return false;
      }
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Scenario {
    @TempDir static Path directory;

    private final StorageBackend backend;
    private OneLakeEmulator emulator;
    private EmulatorClient client;
    private DataLakeFileSystemClient workspace;

    Scenario(StorageBackend backend) {
      this.backend = backend;
    }

    /** What a backend needs before the emulator starts; may skip the scenario. */
    void prepare() throws Exception {}

    @BeforeAll
    void start() throws Exception {
      prepare();
      emulator =
          OneLakeEmulator.start(
              EmulatorOptions.in(directory.resolve(backend.name())).storage(backend).build());
      client = new EmulatorClient(emulator.connection());
      workspace = client.workspace();
    }

    @AfterAll
    void stop() throws Exception {
      if (emulator != null) {
        emulator.close();
      }
    }

    private DataLakeFileClient file(String below) {
      return workspace.getFileClient(client.landingZone + "/" + below);
    }

    private DataLakeFileClient written(String below, String content) {
      DataLakeFileClient file = file(below);
      file.createWithResponse(new DataLakePathCreateOptions(), LIMIT, NONE);
      file.appendWithResponse(
          BinaryData.fromString(content),
          0,
          new DataLakeFileAppendOptions().setFlush(true),
          LIMIT,
          NONE);
      return file;
    }

    private static String read(DataLakeFileClient file) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      file.read(out);
      return out.toString(StandardCharsets.UTF_8);
    }

    private void rename(DataLakeFileClient from, String to, boolean overwrite) {
      from.renameWithResponse(
          null,
          client.landingZone + "/" + to,
          null,
          overwrite ? null : new DataLakeRequestConditions().setIfNoneMatch("*"),
          LIMIT,
          NONE);
    }

    private static DataLakeStorageException refusal(
        org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
      return catchThrowableOfType(DataLakeStorageException.class, call);
    }

    @Test
    void publishesByAppendFlushAndRename() {
      DataLakeFileClient temp = file("publish/_1.tmp.parquet");
      temp.createWithResponse(
          new DataLakePathCreateOptions()
              .setRequestConditions(new DataLakeRequestConditions().setIfNoneMatch("*")),
          LIMIT,
          NONE);
      temp.append(BinaryData.fromString("world"), 6);
      temp.append(BinaryData.fromString("hello "), 0);
      assertThat(temp.getProperties().getFileSize()).isZero();
      temp.flushWithResponse(11, new DataLakeFileFlushOptions().setClose(true), LIMIT, NONE);
      assertThat(temp.getProperties().getFileSize()).isEqualTo(11);
      String etag = temp.getProperties().getETag();

      rename(temp, "publish/00000000000000000001.parquet", false);

      DataLakeFileClient published = file("publish/00000000000000000001.parquet");
      assertThat(read(published)).isEqualTo("hello world");
      assertThat(published.getProperties().getETag()).isEqualTo(etag);
      assertThat(temp.exists()).isFalse();
    }

    @Test
    void refusesToCreateWhatIsThereOnlyWhenAsked() {
      DataLakeFileClient file = written("create/a", "x");
      DataLakeStorageException refused =
          refusal(
              () ->
                  file.createWithResponse(
                      new DataLakePathCreateOptions()
                          .setRequestConditions(
                              new DataLakeRequestConditions().setIfNoneMatch("*")),
                      LIMIT,
                      NONE));
      assertThat(refused.getStatusCode()).isEqualTo(409);
      assertThat(refused.getErrorCode()).isEqualTo("PathAlreadyExists");
      assertThat(read(file)).isEqualTo("x");

      file.create(true);

      assertThat(file.getProperties().getFileSize()).isZero();
    }

    @Test
    void renameReplacesUnlessItMustNot() {
      DataLakeFileClient target = written("rename/target", "old");
      DataLakeStorageException refused =
          refusal(() -> rename(written("rename/new", "new"), "rename/target", false));
      assertThat(refused.getStatusCode()).isEqualTo(409);
      assertThat(refused.getErrorCode()).isEqualTo("PathAlreadyExists");
      assertThat(read(target)).isEqualTo("old");

      rename(file("rename/new"), "rename/target", true);

      assertThat(read(target)).isEqualTo("new");
    }

    @Test
    void renameNamesWhatIsMissing() {
      DataLakeStorageException noSource =
          refusal(() -> rename(file("rename-missing/source"), "rename-missing/target", false));
      assertThat(noSource.getStatusCode()).isEqualTo(404);
      assertThat(noSource.getErrorCode()).isEqualTo("SourcePathNotFound");

      DataLakeFileClient source = written("rename-missing/source", "x");
      DataLakeStorageException noParent =
          refusal(() -> rename(source, "rename-missing/no/where", false));
      assertThat(noParent.getStatusCode()).isEqualTo(404);
      assertThat(noParent.getErrorCode()).isEqualTo("RenameDestinationParentPathNotFound");
    }

    @Test
    void renameChecksTheSourceWhenAsked() {
      DataLakeFileClient source = written("rename-etag/source", "x");
      DataLakeStorageException refused =
          refusal(
              () ->
                  source.renameWithResponse(
                      null,
                      client.landingZone + "/rename-etag/target",
                      new DataLakeRequestConditions().setIfMatch("\"0x1\""),
                      null,
                      LIMIT,
                      NONE));
      assertThat(refused.getStatusCode()).isEqualTo(412);

      source.renameWithResponse(
          null,
          client.landingZone + "/rename-etag/target",
          new DataLakeRequestConditions().setIfMatch(source.getProperties().getETag()),
          null,
          LIMIT,
          NONE);

      assertThat(read(file("rename-etag/target"))).isEqualTo("x");
    }

    @Test
    void onlyOneOfManyRenamesToOneNameWins() throws Exception {
      int writers = 8;
      List<DataLakeFileClient> sources = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        sources.add(written("race/_" + i, "content of " + i));
      }
      ExecutorService threads = Executors.newFixedThreadPool(writers);
      List<Future<Integer>> outcomes = new ArrayList<>();
      for (DataLakeFileClient source : sources) {
        Callable<Integer> attempt =
            () -> {
              DataLakeStorageException refused = refusal(() -> rename(source, "race/1", false));
              return refused == null ? 201 : refused.getStatusCode();
            };
        outcomes.add(threads.submit(attempt));
      }
      List<Integer> codes = new ArrayList<>();
      for (Future<Integer> outcome : outcomes) {
        codes.add(outcome.get());
      }
      threads.shutdown();
      assertThat(codes).containsOnly(201, 409).containsOnlyOnce(201);
      int winner = codes.indexOf(201);
      assertThat(read(file("race/1"))).isEqualTo("content of " + winner);
    }

    @Test
    void listsInPagesAndByDepth() {
      for (int i = 0; i < 7; i++) {
        written("list/" + i + ".parquet", "x".repeat(i + 1));
      }
      written("list/3/inner.parquet", "deep");
      String directory = client.landingZone + "/list";
      List<String> flat = new ArrayList<>();
      List<Integer> pages = new ArrayList<>();
      workspace
          .listPaths(new ListPathsOptions().setPath(directory).setMaxResults(3), LIMIT)
          .iterableByPage()
          .forEach(
              page -> {
                pages.add(page.getValue().size());
                page.getValue().forEach(item -> flat.add(item.getName()));
              });
      assertThat(pages).containsExactly(3, 3, 2);
      assertThat(flat)
          .hasSize(8)
          .contains(directory + "/3", directory + "/6.parquet")
          .doesNotContain(directory + "/3/inner.parquet");

      List<PathItem> deep = new ArrayList<>();
      workspace
          .listPaths(
              new ListPathsOptions().setPath(directory).setRecursive(true).setMaxResults(2), LIMIT)
          .forEach(deep::add);
      assertThat(deep).extracting(PathItem::getName).hasSize(9).doesNotHaveDuplicates();
      PathItem inner =
          deep.stream().filter(item -> item.getName().endsWith("inner.parquet")).findFirst().get();
      assertThat(inner.getContentLength()).isEqualTo(4);
      assertThat(inner.isDirectory()).isFalse();
      assertThat(inner.getETag()).isNotEmpty();
      assertThat(inner.getLastModified()).isNotNull();
      assertThat(deep).filteredOn(PathItem::isDirectory).hasSize(1);
    }

    @Test
    void listingAMissingFolderSaysSo() {
      DataLakeStorageException refused =
          refusal(
              () ->
                  workspace
                      .listPaths(
                          new ListPathsOptions().setPath(client.landingZone + "/nowhere"), LIMIT)
                      .forEach(item -> {}));
      assertThat(refused.getStatusCode()).isEqualTo(404);
      assertThat(refused.getErrorCode()).isEqualTo("PathNotFound");
    }

    @Test
    void readsRanges() {
      DataLakeFileClient file = written("ranges/a", "0123456789");
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      file.readWithResponse(out, new FileRange(3, 4L), null, null, false, LIMIT, NONE);
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("3456");
    }

    @Test
    void deletesFilesAndFolders() {
      DataLakeFileClient file = written("delete/a/b", "x");
      DataLakeDirectoryClient folder = workspace.getDirectoryClient(client.landingZone + "/delete");
      assertThat(refusal(folder::delete).getErrorCode()).isEqualTo("DirectoryNotEmpty");
      file.delete();
      assertThat(file.exists()).isFalse();
      assertThat(file.deleteIfExists()).isFalse();
      folder.deleteRecursively();
      assertThat(folder.exists()).isFalse();
      assertThat(refusal(folder::delete).getErrorCode()).isEqualTo("PathNotFound");
    }

    @Test
    void keepsNamesOfAllKinds() {
      List<String> names =
          List.of(
              "My Orders",
              "50%25",
              "a+b",
              "a%2Bb",
              "x#y",
              "größe",
              "日本",
              "q?r",
              "a&b=c",
              "tilde~'()!");
      for (String name : names) {
        DataLakeFileClient temp = written("names/" + name + "/_temp", name);
        temp.renameWithResponse(
            null,
            client.landingZone + "/names/" + name + "/final",
            null,
            new DataLakeRequestConditions().setIfNoneMatch("*"),
            LIMIT,
            NONE);
      }
      List<String> found = new ArrayList<>();
      workspace
          .listPaths(
              new ListPathsOptions().setPath(client.landingZone + "/names").setRecursive(true),
              LIMIT)
          .forEach(
              item -> {
                if (!item.isDirectory()) {
                  found.add(item.getName());
                }
              });
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              names.stream()
                  .map(name -> client.landingZone + "/names/" + name + "/final")
                  .toList());
    }

    @Test
    void tellsFoldersFromFiles() {
      DataLakeDirectoryClient folder =
          workspace.getDirectoryClient(client.landingZone + "/folders/empty");
      folder.createIfNotExists();
      folder.createIfNotExists();
      PathProperties properties = folder.getProperties();
      assertThat(properties.isDirectory()).isTrue();
      assertThat(written("folders/file", "x").getProperties().isDirectory()).isFalse();
      List<PathItem> items = new ArrayList<>();
      workspace
          .listPaths(new ListPathsOptions().setPath(client.landingZone + "/folders"), LIMIT)
          .forEach(items::add);
      assertThat(items).extracting(PathItem::isDirectory).containsExactly(true, false);
    }

    @Test
    void movesFoldersWithAllTheyHold() {
      written("move/from/a/b", "deep");
      workspace
          .getDirectoryClient(client.landingZone + "/move/from")
          .renameWithResponse(null, client.landingZone + "/move/to", null, null, LIMIT, NONE);
      assertThat(read(file("move/to/a/b"))).isEqualTo("deep");
      assertThat(file("move/from/a/b").exists()).isFalse();
    }

    @Test
    void uploadsLargeFilesInParallelBlocks() throws Exception {
      int block = 1 << 20;
      byte[] content = new byte[5 * block + 17];
      new java.util.Random(42).nextBytes(content);
      DataLakeFileClient file = file("large/a");
      file.create();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<?>> blocks = new ArrayList<>();
      for (int from = 0; from < content.length; from += block) {
        int position = from;
        byte[] part =
            java.util.Arrays.copyOfRange(content, from, Math.min(content.length, from + block));
        blocks.add(threads.submit(() -> file.append(BinaryData.fromBytes(part), position)));
      }
      for (Future<?> done : blocks) {
        done.get();
      }
      threads.shutdown();
      file.flushWithResponse(
          content.length, new DataLakeFileFlushOptions().setClose(true), LIMIT, NONE);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      file.read(out);
      assertThat(out.toByteArray()).isEqualTo(content);
    }

    @Test
    void otherWorkspacesAndItemsAreMissing() {
      String nobody = "00000000-0000-0000-0000-000000000000";
      assertThat(
              refusal(
                      () ->
                          client
                              .fileSystem(nobody)
                              .getFileClient(client.landingZone + "/x")
                              .create())
                  .getErrorCode())
          .isEqualTo("FilesystemNotFound");
      assertThat(
              refusal(() -> workspace.getFileClient(nobody + "/Files/LandingZone/x").create())
                  .getErrorCode())
          .isEqualTo("PathNotFound");
    }

    @Test
    void keepsFilesOverARestart() throws Exception {
      assumeThat(backend).isNotEqualTo(StorageBackend.MEMORY);
      Path place = directory.resolve("restart-" + backend.name());
      EmulatorOptions options = EmulatorOptions.in(place).storage(backend).build();
      String name = "50% a+b%2B ü/file";
      EmulatorConnection before;
      try (OneLakeEmulator first = OneLakeEmulator.start(options)) {
        before = first.connection();
        EmulatorClient writer = new EmulatorClient(before);
        DataLakeFileSystemClient files = writer.workspace();
        DataLakeFileClient file = files.getFileClient(writer.landingZone + "/" + name);
        file.create();
        file.append(BinaryData.fromString("kept"), 0);
        file.flush(4, true);
        files.getDirectoryClient(writer.landingZone + "/empty").create();
      }
      try (OneLakeEmulator second = OneLakeEmulator.start(options)) {
        assertThat(second.connection().workspaceId()).isEqualTo(before.workspaceId());
        assertThat(second.connection().clientSecret()).isEqualTo(before.clientSecret());
        assertThat(second.connection().caCertificate())
            .hasSameTextualContentAs(before.caCertificate());
        EmulatorClient reader = new EmulatorClient(second.connection());
        DataLakeFileSystemClient files = reader.workspace();
        assertThat(read(files.getFileClient(reader.landingZone + "/" + name))).isEqualTo("kept");
        assertThat(
                files
                    .getDirectoryClient(reader.landingZone + "/empty")
                    .getProperties()
                    .isDirectory())
            .isTrue();
      }
    }

    @Test
    void plainFileSystemsHaveNoItems() {
      DataLakeFileSystemClient adls = client.fileSystem("adls");
      DataLakeFileClient file = adls.getFileClient("any/where");
      file.create();
      file.append(BinaryData.fromString("x"), 0);
      file.flush(1, true);
      assertThat(read(file)).isEqualTo("x");
      List<String> root = new ArrayList<>();
      adls.listPaths(new ListPathsOptions().setPath(""), LIMIT)
          .forEach(item -> root.add(item.getName()));
      assertThat(root).contains("any");
    }
  }
}
