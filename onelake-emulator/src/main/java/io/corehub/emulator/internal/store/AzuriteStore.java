package io.corehub.emulator.internal.store;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.common.StorageSharedKeyCredential;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Committed files as block blobs in Azurite, one blob per path. Blobs know no directories: those
 * are kept here, and empty ones as marker blobs, as Azure does it. ETags are new after a restart.
 *
 * <p>Thread-safe.
 */
public final class AzuriteStore implements FileStore {
  private static final String ACCOUNT = "devstoreaccount1";

  /** Azurite's published development key; it guards nothing. */
  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final String CONTAINER = "onelake";
  private static final Map<String, String> FOLDER = Map.of("hdi_isfolder", "true");
  private static final Duration POLL = Duration.ofMillis(20);

  /** Where a file's bytes are. */
  private enum Place {
    BLOB_OF_ITS_PATH
  }

  private final AzuriteProcess process;
  private final BlobContainerClient blobs;
  private final Path scratch;
  private final AtomicLong scratchFiles = new AtomicLong();
  private final Tree<Place> tree;

  private AzuriteStore(
      AzuriteProcess process, BlobContainerClient blobs, Path scratch, Clock clock) {
    this.process = process;
    this.blobs = blobs;
    this.scratch = scratch;
    this.tree = new Tree<>(clock);
  }

  /**
   * Starts Azurite and learns what it holds.
   *
   * @param location where Azurite keeps its data
   * @param scratch for bytes on their way in or out; emptied here
   */
  public static AzuriteStore start(Path location, Path scratch, Clock clock) throws IOException {
    DirectoryStore.deleteTree(scratch);
    Files.createDirectories(scratch);
    AzuriteProcess process = AzuriteProcess.start(location);
    try {
      BlobServiceClient service =
          new BlobServiceClientBuilder()
              .endpoint(process.url() + "/" + ACCOUNT)
              .credential(new StorageSharedKeyCredential(ACCOUNT, KEY))
              .httpClient(new JdkHttpClientBuilder().build())
              .buildClient();
      BlobContainerClient container = service.getBlobContainerClient(CONTAINER);
      container.createIfNotExists();
      AzuriteStore store = new AzuriteStore(process, container, scratch, clock);
      store.load();
      return store;
    } catch (IOException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private void load() throws IOException {
    ListBlobsOptions withMetadata =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveMetadata(true));
    for (BlobItem blob : blobs.listBlobs(withMetadata, null)) {
      if (blob.getMetadata() != null && blob.getMetadata().containsKey("hdi_isfolder")) {
        tree.createDirectories(blob.getName());
      } else {
        tree.put(
            blob.getName(),
            new Tree.Leaf<>(Place.BLOB_OF_ITS_PATH, blob.getProperties().getContentLength()));
      }
    }
  }

  @Override
  public Optional<Entry> find(String path) {
    return tree.find(path);
  }

  @Override
  public List<Entry> children(String directory) {
    return tree.children(directory);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    if (tree.find(path).isEmpty()) {
      blob(path)
          .uploadWithResponse(
              new BlobParallelUploadOptions(BinaryData.fromBytes(new byte[0])).setMetadata(FOLDER),
              null,
              null);
      tree.createDirectories(path);
    }
  }

  @Override
  public void createFile(String path) throws IOException {
    blob(path).upload(BinaryData.fromBytes(new byte[0]), true);
    tree.put(path, new Tree.Leaf<>(Place.BLOB_OF_ITS_PATH, 0));
  }

  @Override
  public StagedFile stage() throws IOException {
    return ChannelFile.staged(nextScratch());
  }

  @Override
  public void commit(String path, StagedFile staged, long length) throws IOException {
    try (staged) {
      Path finished = ((ChannelFile) staged).finish(length);
      blob(path).uploadFromFile(finished.toString(), true);
      tree.put(path, new Tree.Leaf<>(Place.BLOB_OF_ITS_PATH, length));
    }
  }

  @Override
  public void move(String source, String destination) throws IOException {
    for (String path : blobsAtOrBelow(source)) {
      BlobClient from = blob(path);
      BlobClient to = blob(destination + path.substring(source.length()));
      to.beginCopy(from.getBlobUrl(), POLL).waitForCompletion();
      from.delete();
    }
    tree.move(source, destination);
  }

  @Override
  public void delete(String path) {
    for (String each : blobsAtOrBelow(path)) {
      blob(each).deleteIfExists();
    }
    tree.delete(path);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    tree.leaf(path);
    ChannelFile copy = ChannelFile.staged(nextScratch());
    boolean complete = false;
    try (OutputStream out = Files.newOutputStream(copy.path())) {
      blob(path).downloadStream(out);
      complete = true;
    } finally {
      if (!complete) {
        copy.close();
      }
    }
    return copy;
  }

  @Override
  public void close() throws IOException {
    process.close();
    DirectoryStore.deleteTree(scratch);
  }

  /** Paths of files and marked directories. */
  private List<String> blobsAtOrBelow(String path) {
    List<String> paths = new ArrayList<>();
    if (tree.find(path).map(Entry::directory).orElse(false)) {
      for (BlobItem blob : blobs.listBlobs(new ListBlobsOptions().setPrefix(path + "/"), null)) {
        paths.add(blob.getName());
      }
      if (blob(path).exists()) {
        paths.add(path);
      }
    } else if (tree.find(path).isPresent()) {
      paths.add(path);
    }
    return paths;
  }

  private BlobClient blob(String path) {
    return blobs.getBlobClient(path);
  }

  private Path nextScratch() {
    return scratch.resolve(Long.toString(scratchFiles.incrementAndGet()));
  }
}
