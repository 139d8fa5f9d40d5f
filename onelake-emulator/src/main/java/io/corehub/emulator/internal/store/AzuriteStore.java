package io.corehub.emulator.internal.store;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.BlobServiceVersion;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import java.io.Closeable;
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
import java.util.regex.Pattern;

/**
 * Committed files as block blobs in Azurite, one blob per path. Blobs know no directories: those
 * are kept here, and empty ones as marker blobs, as Azure does it. ETags are new after a restart.
 *
 * <p>The Azurite is started and ended by the store, unless the system property {@value
 * #URL_PROPERTY} holds the address of the blob service of one that runs already, such as {@code
 * http://127.0.0.1:10000}. That one, version 3.35 or newer, is neither started nor stopped, and the
 * blobs stay in it.
 *
 * <p>Thread-safe.
 */
public final class AzuriteStore implements FileStore {
  /** Names the system property for an Azurite that runs already. */
  public static final String URL_PROPERTY = "corehub.azurite.url";

  private static final String ACCOUNT = "devstoreaccount1";

  /** Azurite's published development key; it guards nothing. */
  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  /** The newest that the pinned Azurite knows; it refuses the newer ones of this client. */
  private static final BlobServiceVersion API = BlobServiceVersion.V2025_11_05;

  /** Azurite is near: a second try mends a lost connection, more only delay the bad news. */
  private static final RequestRetryOptions RETRIES =
      new RequestRetryOptions(
          RetryPolicyType.FIXED,
          3,
          Duration.ofMinutes(1),
          Duration.ofMillis(200),
          Duration.ofMillis(200),
          null);

  private static final Map<String, String> FOLDER = Map.of("hdi_isfolder", "true");
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Pattern BLOB_SERVICE = Pattern.compile("https?://[^/?#@\\s]+");
  private static final String ADVICE =
      ". Start Azurite 3.35 or newer there, or leave the property out: the emulator then starts its"
          + " own.";

  /** Where a file's bytes are. */
  private enum Place {
    BLOB_OF_ITS_PATH
  }

  private final Closeable azurite;
  private final BlobContainerClient blobs;
  private final Path scratch;
  private final AtomicLong scratchFiles = new AtomicLong();
  private final Tree<Place> tree;

  private AzuriteStore(Closeable azurite, BlobContainerClient blobs, Path scratch, Clock clock) {
    this.azurite = azurite;
    this.blobs = blobs;
    this.scratch = scratch;
    this.tree = new Tree<>(clock);
  }

  /**
   * Starts Azurite, or takes the one that {@value #URL_PROPERTY} names, and learns what it holds.
   *
   * @param owner sets the blobs of one emulator apart from those of others in the same Azurite:
   *     lower-case letters, digits and dashes
   * @param location where an Azurite started here keeps its data
   * @param scratch for bytes on their way in or out; emptied here
   * @throws IOException when Azurite cannot be started or does not answer; says what to change
   */
  public static AzuriteStore start(String owner, Path location, Path scratch, Clock clock)
      throws IOException {
    String running = System.getProperty(URL_PROPERTY, "");
    if (!running.isEmpty()) {
      return onRunning(running, owner, scratch, clock);
    }
    AzuriteProcess process = AzuriteProcess.start(location);
    try {
      return open(process.url(), process, owner, scratch, clock);
    } catch (IOException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /** Takes the Azurite at {@code url} and leaves it running. */
  static AzuriteStore onRunning(String url, String owner, Path scratch, Clock clock)
      throws IOException {
    String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    if (!BLOB_SERVICE.matcher(base).matches()) {
      throw new IOException(
          "System property "
              + URL_PROPERTY
              + " is '"
              + url
              + "', must be the address of Azurite's blob service without an account,"
              + " such as http://127.0.0.1:10000");
    }
    try {
      return open(base, () -> {}, owner, scratch, clock);
    } catch (BlobStorageException e) {
      throw new IOException(
          named(base) + " answers " + e.getStatusCode() + " " + e.getErrorCode() + ADVICE, e);
    } catch (RuntimeException e) {
      throw new IOException(named(base) + " does not answer" + ADVICE, e);
    }
  }

  private static String named(String url) {
    return "The Azurite at " + url + " (system property " + URL_PROPERTY + ")";
  }

  private static AzuriteStore open(
      String url, Closeable azurite, String owner, Path scratch, Clock clock) throws IOException {
    DirectoryStore.deleteTree(scratch);
    Files.createDirectories(scratch);
    BlobServiceClient service =
        new BlobServiceClientBuilder()
            .endpoint(url + "/" + ACCOUNT)
            .credential(new StorageSharedKeyCredential(ACCOUNT, KEY))
            .serviceVersion(API)
            .retryOptions(RETRIES)
            .httpClient(new JdkHttpClientBuilder().build())
            .buildClient();
    BlobContainerClient container = service.getBlobContainerClient("onelake-" + owner);
    container.createIfNotExists();
    AzuriteStore store = new AzuriteStore(azurite, container, scratch, clock);
    store.load();
    return store;
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
    azurite.close();
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
