package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.file.datalake.DataLakeFileClient;
import com.azure.storage.file.datalake.DataLakeFileSystemClient;
import com.azure.storage.file.datalake.DataLakeFileSystemClientBuilder;
import com.azure.storage.file.datalake.DataLakeServiceVersion;
import com.azure.storage.file.datalake.models.DataLakeRequestConditions;
import com.azure.storage.file.datalake.models.ListPathsOptions;
import com.azure.storage.file.datalake.models.PathItem;
import com.azure.storage.file.datalake.options.DataLakeFileAppendOptions;
import com.azure.storage.file.datalake.options.DataLakeFileFlushOptions;
import com.azure.storage.file.datalake.options.DataLakePathCreateOptions;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries;
import io.corehub.onelake.internal.PathRules;
import io.corehub.onelake.internal.PercentEncoding;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The client of the real service, over Microsoft's storage library with its retries off. HEAD and
 * ranged GET, which the library would send to the blob host, are requests of our own to the DFS
 * host. Thread-safe.
 */
public final class AzureDfsClient implements DfsClient {
  private static final Duration SIGN_IN_LIMIT = Duration.ofSeconds(60);
  private static final int PAGE_ENTRIES = 5_000;
  private static final int MAX_PAGE_BYTES = 16 << 20;

  private final GuardedClient guarded;
  private final DataLakeFileSystemClient fileSystem;
  private final String item;
  private volatile boolean closeOnAppendRefused;
  private volatile boolean closed;

  private AzureDfsClient(
      OneLakeConnection connection, Optional<SSLContext> trust, ProxyChoice proxy) {
    this(
        connection,
        proxy,
        signInClient(connection, trust, proxy),
        HttpClients.create(trust, proxy, connection.tryTimeout()),
        Clock.systemUTC(),
        Retries.Time.SYSTEM);
  }

  /** For tests with a server, clock and time of their own. */
  AzureDfsClient(
      OneLakeConnection connection,
      ProxyChoice proxy,
      HttpClient toSignIn,
      HttpClient toOneLake,
      Clock clock,
      Retries.Time time) {
    ScheduledThreadPoolExecutor deadlines = deadlines();
    SignIn signIn =
        new SignIn(
            connection.credentials(),
            connection.authorityHost(),
            new Transport(
                toSignIn, signInProxy(connection, proxy), signInLimit(connection), deadlines),
            clock);
    guarded =
        new GuardedClient(
            connection.url(),
            new Transport(toOneLake, proxy, connection.tryTimeout(), deadlines),
            new TokenSource(signIn, clock, time),
            clock);
    item = connection.url().item().map(name -> name + "/").orElse("");
    fileSystem =
        new DataLakeFileSystemClientBuilder()
            .endpoint(connection.url().endpoint())
            .fileSystemName(PercentEncoding.segment(connection.url().fileSystem()))
            .serviceVersion(DataLakeServiceVersion.V2021_06_08)
            .configuration(HttpClients.noConfiguration())
            .pipeline(new HttpPipelineBuilder().httpClient(guarded).build())
            .buildClient();
  }

  /**
   * A client for this connection. Reads the certificate file; sends nothing yet.
   *
   * @throws InvalidValueException when the certificate file, or the proxy of the environment,
   *     cannot be used
   */
  public static DfsClient open(OneLakeConnection connection) {
    return new AzureDfsClient(
        connection,
        connection.trustedCertificates().map(TrustedCertificates::context),
        ProxyChoice.of(connection.proxy(), System.getenv()));
  }

  private static Duration signInLimit(OneLakeConnection connection) {
    Duration limit = connection.tryTimeout();
    return limit.compareTo(SIGN_IN_LIMIT) < 0 ? limit : SIGN_IN_LIMIT;
  }

  private static HttpClient signInClient(
      OneLakeConnection connection, Optional<SSLContext> trust, ProxyChoice proxy) {
    return HttpClients.create(trust, signInProxy(connection, proxy), signInLimit(connection));
  }

  /** A managed identity's endpoint is on this machine; no proxy could reach it. */
  private static ProxyChoice signInProxy(OneLakeConnection connection, ProxyChoice proxy) {
    return connection.credentials() instanceof Credentials.ManagedIdentity
        ? ProxyChoice.none()
        : proxy;
  }

  private static ScheduledThreadPoolExecutor deadlines() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "onelake-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    // Its thread ends by itself when there is nothing to watch, so that calls under way may end
    // after close.
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @Override
  public Optional<PathProperties> head(String path) throws InterruptedException {
    Call call = Call.look("head", item + PathRules.requireFile(path), 0);
    requireOpen(call);
    try {
      BufferedAnswer answer = guarded.send(HttpMethod.HEAD, call, null);
      return Optional.of(Answers.properties(answer, call));
    } catch (DfsException e) {
      if (e.kind() == Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException {
    String path = item + PathRules.requireDirectory(directory);
    String wire = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    Call call = Call.listing(wire, MAX_PAGE_BYTES);
    ListPathsOptions options =
        new ListPathsOptions().setRecursive(recursive).setMaxResults(PAGE_ENTRIES);
    if (!wire.isEmpty()) {
      options.setPath(wire);
    }
    String below = directory.isEmpty() ? "" : directory + "/";
    requireOpen(call);
    Iterator<PagedResponse<PathItem>> pages =
        guarded.during(call, () -> fileSystem.listPaths(options, null).iterableByPage().iterator());
    while (guarded.during(call, pages::hasNext)) {
      for (PathItem entry : guarded.during(call, pages::next).getElements()) {
        entries.accept(entry(entry, below, call));
      }
    }
  }

  /** Names come back below the file system; OneLake may write the item in them as id or as name. */
  private PathEntry entry(PathItem entry, String below, Call call) {
    String name = entry.getName() == null ? "" : entry.getName();
    String path = item.isEmpty() ? name : name.substring(name.indexOf('/') + 1);
    if (entry.getContentLength() < 0
        || !path.startsWith(below)
        || path.length() == below.length()) {
      throw DfsException.of(Kind.UNEXPECTED_ANSWER, call.operation())
          .build(
              "list of "
                  + call.path()
                  + ": the answer names a path outside of the directory, or a length below zero.");
    }
    OffsetDateTime modified = entry.getLastModified();
    return new PathEntry(
        path,
        entry.isDirectory(),
        entry.isDirectory() ? 0 : entry.getContentLength(),
        modified == null ? Instant.EPOCH : modified.toInstant(),
        quoted(entry.getETag()));
  }

  /** Lists tell etags without the quotes that they have in headers. */
  private static String quoted(@Nullable String etag) {
    if (etag == null || etag.isEmpty()) {
      return "";
    }
    return etag.endsWith("\"") ? etag : '"' + etag + '"';
  }

  @Override
  public void create(String path, boolean ifAbsent) throws InterruptedException {
    Call call = Call.change("create", item + PathRules.requireFile(path));
    run(call, () -> file(call).createWithResponse(creation(ifAbsent), null, Context.NONE));
  }

  @Override
  public void createDirectory(String path) throws InterruptedException {
    Call call = Call.change("create", item + PathRules.requireFile(path));
    try {
      run(
          call,
          () ->
              fileSystem
                  .getDirectoryClient(PercentEncoding.segment(call.path()))
                  .createWithResponse(creation(true), null, Context.NONE));
    } catch (DfsException e) {
      boolean there =
          e.kind() == Kind.ALREADY_EXISTS
              && head(path).filter(PathProperties::directory).isPresent();
      if (!there) {
        throw e;
      }
    }
  }

  private static DataLakePathCreateOptions creation(boolean ifAbsent) {
    DataLakePathCreateOptions options = new DataLakePathCreateOptions();
    return ifAbsent ? options.setRequestConditions(absent()) : options;
  }

  private static DataLakeRequestConditions absent() {
    return new DataLakeRequestConditions().setIfNoneMatch("*");
  }

  @Override
  public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException {
    if (position < 0 || !bytes.hasRemaining()) {
      throw new IllegalArgumentException(
          "An append needs bytes and a position of 0 or more, not " + position);
    }
    String whole = item + PathRules.requireFile(path);
    if (mode != AppendMode.APPEND_FLUSH_CLOSE || closeOnAppendRefused) {
      append(Call.change("append", whole), position, bytes, mode == AppendMode.APPEND_FLUSH);
    } else {
      try {
        append(Call.closing("append", whole), position, bytes, true);
        return;
      } catch (DfsException e) {
        if (!e.errorCode().equals("InvalidQueryParameterValue")) {
          throw e;
        }
        closeOnAppendRefused = true;
      }
      append(Call.change("append", whole), position, bytes, false);
    }
    if (mode == AppendMode.APPEND_FLUSH_CLOSE) {
      flush(path, position + bytes.remaining(), true);
    }
  }

  private void append(Call call, long position, ByteBuffer bytes, boolean flush)
      throws InterruptedException {
    BinaryData body = BinaryData.fromByteBuffer(bytes.slice());
    DataLakeFileAppendOptions options = new DataLakeFileAppendOptions().setFlush(flush);
    run(call, () -> file(call).appendWithResponse(body, position, options, null, Context.NONE));
  }

  @Override
  public void flush(String path, long length, boolean close) throws InterruptedException {
    Call call = Call.change("flush", item + PathRules.requireFile(path));
    DataLakeFileFlushOptions options = new DataLakeFileFlushOptions().setClose(close);
    run(call, () -> file(call).flushWithResponse(length, options, null, Context.NONE));
  }

  @Override
  public String renameIfAbsent(String from, String to) throws InterruptedException {
    Call call = Call.rename(item + PathRules.requireFile(from), item + PathRules.requireFile(to));
    String destination = PercentEncoding.segment(call.path());
    requireOpen(call);
    return guarded.during(
        call,
        () ->
            Optional.ofNullable(
                    file(call)
                        .renameWithResponse(null, destination, null, absent(), null, Context.NONE)
                        .getHeaders()
                        .getValue(HttpHeaderName.ETAG))
                .orElse(""));
  }

  @Override
  public byte[] read(String path, long offset, int length) throws InterruptedException {
    if (offset < 0 || length < 1 || length > MAX_READ_BYTES) {
      throw new IllegalArgumentException("Cannot read " + length + " bytes from " + offset);
    }
    Call call = Call.look("read", item + PathRules.requireFile(path), length);
    requireOpen(call);
    try {
      BufferedAnswer answer =
          guarded.send(HttpMethod.GET, call, "bytes=" + offset + "-" + (offset + length - 1));
      return Answers.range(answer, offset, length, call);
    } catch (DfsException e) {
      if (e.status().orElse(0) == 416) {
        return new byte[0];
      }
      throw e;
    }
  }

  @Override
  public void delete(String path, boolean recursive) throws InterruptedException {
    delete(path, recursive, null);
  }

  @Override
  public void deleteTree(String path, String etag) throws InterruptedException {
    delete(path, true, etag.isEmpty() ? null : new DataLakeRequestConditions().setIfMatch(etag));
  }

  private void delete(
      String path, boolean recursive, @Nullable DataLakeRequestConditions conditions)
      throws InterruptedException {
    Call call = Call.change("delete", item + PathRules.requireFile(path));
    // Of a large directory the server deletes a part with each request; the library goes on until
    // all is gone.
    run(
        call,
        () ->
            fileSystem
                .getDirectoryClient(PercentEncoding.segment(call.path()))
                .deleteWithResponse(recursive, conditions, null, Context.NONE));
  }

  @Override
  public void close() {
    closed = true;
  }

  private DataLakeFileClient file(Call call) {
    String path = call.renameSource().orElse(call.path());
    return fileSystem.getFileClient(PercentEncoding.segment(path));
  }

  private void run(Call call, Runnable work) throws InterruptedException {
    requireOpen(call);
    guarded.during(
        call,
        () -> {
          work.run();
          return true;
        });
  }

  private void requireOpen(Call call) {
    if (closed) {
      throw DfsException.of(Kind.CLOSED, call.operation())
          .build(call.operation() + " of " + call.path() + ": the client was closed.");
    }
  }
}
