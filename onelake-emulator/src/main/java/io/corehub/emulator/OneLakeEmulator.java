package io.corehub.emulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.emulator.internal.proxy.ForwardProxy;
import io.corehub.emulator.internal.replica.FabricReplicator;
import io.corehub.emulator.internal.replica.ReplicatorSwitch;
import io.corehub.emulator.internal.server.EmulatorServer;
import io.corehub.emulator.internal.server.FederatedIssuer;
import io.corehub.emulator.internal.server.Identity;
import io.corehub.emulator.internal.store.AzuriteStore;
import io.corehub.emulator.internal.store.DirectoryStore;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.MemoryStore;
import io.corehub.emulator.internal.store.PathLocks;
import io.corehub.emulator.internal.tls.CertificateAuthority;
import io.corehub.emulator.internal.tls.ClientKeys;
import io.corehub.emulator.internal.tls.HostCertificates;
import io.corehub.emulator.internal.tls.Validity;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A running look-alike of OneLake and Entra on {@code https://localhost}.
 *
 * <ol>
 *   <li>{@link #start} listens, makes sure that the landing zone and the Lakehouse exist, and then
 *       writes {@code emulator.json}.
 *   <li>Clients work against the URLs of {@link #connection}.
 *   <li>{@link #close} stops at once. A later start in the same directory goes on with the same
 *       items, secret and certificate; data that was appended but not flushed is gone.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class OneLakeEmulator implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROXY_USER = "hub";

  private final EmulatorServer server;
  private final EmulatorConnection connection;
  private final Optional<ProxyConnection> proxy;
  private final Deque<AutoCloseable> resources;
  private final FabricReplicator replicator;

  private OneLakeEmulator(
      EmulatorServer server,
      FabricReplicator replicator,
      EmulatorConnection connection,
      Optional<ProxyConnection> proxy,
      Deque<AutoCloseable> resources) {
    this.server = server;
    this.replicator = replicator;
    this.connection = connection;
    this.proxy = proxy;
    this.resources = resources;
  }

  /**
   * Starts an emulator.
   *
   * @throws IOException when the port is taken, another emulator uses the directory, or the storage
   *     backend cannot be started; the message says what to change
   */
  public static OneLakeEmulator start(EmulatorOptions options) throws IOException {
    Deque<AutoCloseable> resources = new ArrayDeque<>();
    try {
      return start(options, Clock.systemUTC(), resources);
    } catch (IOException | RuntimeException e) {
      closeAll(resources, e);
      throw e;
    }
  }

  private static OneLakeEmulator start(
      EmulatorOptions options, Clock clock, Deque<AutoCloseable> resources) throws IOException {
    Path bookkeeping = Files.createDirectories(options.directory().resolve(".emulator"));
    resources.push(lock(bookkeeping.resolve("lock"), options.directory()));
    Path description = options.directory().resolve("emulator.json");
    Files.deleteIfExists(description);
    Identity identity = Identity.at(bookkeeping.resolve("identity.json"));
    CertificateAuthority authority =
        CertificateAuthority.in(
            bookkeeping, validity(options.certificateDates(), clock.instant()), clock);
    ClientKeys clientKeys = ClientKeys.at(bookkeeping.resolve("client.pem"), clock);
    FederatedIssuer issuer = FederatedIssuer.at(bookkeeping.resolve("federated-token"), clock);
    FileStore store = openStore(options, identity, bookkeeping, clock);
    resources.push(store);
    String database = identity.workspaceId() + "/" + identity.mirroredDatabaseId();
    store.createDirectories(database + "/Files/LandingZone");
    store.createDirectories(identity.workspaceId() + "/" + identity.lakehouseId() + "/Files");
    store.createDirectories(identity.adlsFileSystem());
    PathLocks locks = new PathLocks();
    ReplicatorSwitch turned = new ReplicatorSwitch();
    EmulatorServer server =
        EmulatorServer.start(
            options.port(),
            options.managedIdentityPort(),
            authority.serverContext(),
            identity,
            clientKeys,
            issuer,
            options.tokenLifetime(),
            store,
            locks,
            turned,
            clock);
    resources.push(server);
    FabricReplicator replicator =
        new FabricReplicator(store, locks, clock, database, turned, options.leftInPlace());
    resources.push(replicator);
    if (options.replicate()) {
      replicator.start(options.replicatorInterval());
    }
    Optional<ProxyConnection> proxy = Optional.empty();
    if (options.proxy() != ProxyMode.NONE) {
      proxy = Optional.of(startProxy(options.proxy(), server, authority, bookkeeping, resources));
    }
    EmulatorConnection connection =
        connection(server, identity, authority.caFile(), clientKeys.file(), issuer.file());
    writeDescription(description, connection, proxy);
    return new OneLakeEmulator(server, replicator, connection, proxy, resources);
  }

  private static Validity validity(CertificateDates dates, Instant now) {
    return switch (dates) {
      case VALID -> Validity.usual(now);
      case EXPIRED -> Validity.past(now);
      case NOT_YET_VALID -> Validity.future(now);
    };
  }

  private static ProxyConnection startProxy(
      ProxyMode mode,
      EmulatorServer server,
      CertificateAuthority authority,
      Path bookkeeping,
      Deque<AutoCloseable> resources)
      throws IOException {
    HostCertificates shown =
        HostCertificates.newAt(bookkeeping.resolve("proxy-ca.pem"), Clock.systemUTC());
    // A sign that has to be percent-encoded in a URL, as good passwords have.
    String password = "@" + UUID.randomUUID();
    ForwardProxy proxy =
        ForwardProxy.start(
            PROXY_USER,
            password,
            server.port(),
            new ForwardProxy.Rules(
                mode == ProxyMode.BLOCK,
                mode == ProxyMode.INTERCEPT ? Optional.of(shown) : Optional.empty(),
                authority.clientContext()));
    resources.push(proxy);
    return new ProxyConnection(
        "http://"
            + PROXY_USER
            + ":"
            + URLEncoder.encode(password, StandardCharsets.UTF_8)
            + "@localhost:"
            + proxy.port(),
        shown.caFile());
  }

  /** What clients need to connect. */
  public EmulatorConnection connection() {
    return connection;
  }

  /** What clients need to use the forward proxy; empty if there is none. */
  public Optional<ProxyConnection> proxy() {
    return proxy;
  }

  /**
   * Adds fault rules, as {@code POST controlUrl/faults} does.
   *
   * @param rules a JSON array of rules
   * @throws IllegalArgumentException naming what is wrong with the rules
   */
  public void addFaults(String rules) {
    try {
      server.addFaults(JSON.readTree(rules));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the fault rules are not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Applies everything that lies in the landing zone and returns when it is done; also without
   * {@link EmulatorOptions#replicate}.
   */
  public void replicateNow() throws IOException, InterruptedException {
    replicator.lookNow();
  }

  /** The mirrored database's tables as of the replicator's last look. */
  public MirroredTables tables() {
    return MirroredTables.of(replicator.tables());
  }

  /** Removes all fault rules; a late operation that is pending stays so. */
  public void clearFaults() {
    server.clearFaults();
  }

  /** The fault rules with {@code seen} and {@code fired}, as a JSON array. */
  public String faults() {
    return server.faults().toString();
  }

  /** The request log in order of arrival, as a JSON array. */
  public String requests() {
    try {
      return JSON.writeValueAsString(server.requests());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the request log holds plain values only", e);
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = new IOException("The emulator did not close cleanly");
    closeAll(resources, failure);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }

  private static FileStore openStore(
      EmulatorOptions options, Identity identity, Path bookkeeping, Clock clock)
      throws IOException {
    return switch (options.storage()) {
      case DIRECTORY -> new DirectoryStore(options.directory(), bookkeeping.resolve("uncommitted"));
      case MEMORY -> new MemoryStore(clock);
      case AZURITE ->
          AzuriteStore.start(
              identity.workspaceId(),
              bookkeeping.resolve("azurite"),
              bookkeeping.resolve("uncommitted"),
              clock);
    };
  }

  private static EmulatorConnection connection(
      EmulatorServer server,
      Identity identity,
      Path caFile,
      Path clientCertificate,
      Path federatedToken) {
    String workspace = server.baseUrl() + "/" + identity.workspaceId() + "/";
    return new EmulatorConnection(
        workspace + identity.mirroredDatabaseId() + "/Files/LandingZone",
        workspace + identity.lakehouseId() + "/Files",
        server.baseUrl() + "/" + identity.adlsFileSystem(),
        identity.workspaceId(),
        identity.workspaceName(),
        identity.mirroredDatabaseId(),
        identity.mirroredDatabaseName(),
        identity.lakehouseId(),
        identity.lakehouseName(),
        server.baseUrl() + "/",
        identity.tenantId(),
        identity.clientId(),
        identity.clientSecret(),
        clientCertificate,
        federatedToken,
        server.identityUrl(),
        EmulatorServer.identityHeader(identity),
        caFile,
        server.controlUrl());
  }

  private static void writeDescription(
      Path file, EmulatorConnection connection, Optional<ProxyConnection> proxy)
      throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("landingZoneUrl", connection.landingZoneUrl());
    fields.put("lakehouseFilesUrl", connection.lakehouseFilesUrl());
    fields.put("adlsUrl", connection.adlsUrl());
    fields.put("workspaceId", connection.workspaceId());
    fields.put("workspaceName", connection.workspaceName());
    fields.put("mirroredDatabaseId", connection.mirroredDatabaseId());
    fields.put("mirroredDatabaseName", connection.mirroredDatabaseName());
    fields.put("lakehouseId", connection.lakehouseId());
    fields.put("lakehouseName", connection.lakehouseName());
    fields.put("authorityHost", connection.authorityHost());
    fields.put("tenantId", connection.tenantId());
    fields.put("clientId", connection.clientId());
    fields.put("clientSecret", connection.clientSecret());
    fields.put("clientCertificate", connection.clientCertificate().toString());
    fields.put("federatedTokenFile", connection.federatedTokenFile().toString());
    fields.put("managedIdentityEndpoint", connection.managedIdentityEndpoint());
    fields.put("managedIdentityHeader", connection.managedIdentityHeader());
    fields.put("caCertificate", connection.caCertificate().toString());
    fields.put("controlUrl", connection.controlUrl());
    proxy.ifPresent(
        reached -> {
          fields.put("proxy", reached.url());
          fields.put("proxyCaCertificate", reached.caCertificate().toString());
        });
    Path draft = file.resolveSibling(".emulator").resolve("emulator.json.draft");
    JSON.writerWithDefaultPrettyPrinter().writeValue(draft.toFile(), fields);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static AutoCloseable lock(Path file, Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      throw new IOException(inUse(directory), e);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new IOException(inUse(directory));
    }
    return channel;
  }

  private static String inUse(Path directory) {
    return "Another emulator uses " + directory + "; stop it or choose another directory";
  }

  private static void closeAll(Deque<AutoCloseable> resources, Exception failure) {
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
  }
}
