package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.corehub.emulator.internal.replica.ReplicatorSwitch;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import io.corehub.emulator.internal.tls.ClientKeys;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/**
 * The running servers on the loopback interface: OneLake and Entra over HTTPS, and the endpoint of
 * managed identities, which Azure serves over plain HTTP. Thread-safe.
 */
public final class EmulatorServer implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final HttpsServer http;
  private final HttpServer identities;
  private final ExecutorService threads;
  private final FaultRules faults;
  private final RequestLog log;

  private EmulatorServer(
      HttpsServer http,
      HttpServer identities,
      ExecutorService threads,
      FaultRules faults,
      RequestLog log) {
    this.http = http;
    this.identities = identities;
    this.threads = threads;
    this.faults = faults;
    this.log = log;
  }

  /** Starts to listen. */
  public static EmulatorServer start(
      int port,
      int identityPort,
      SSLContext tls,
      Identity identity,
      ClientKeys clientKeys,
      FederatedIssuer issuer,
      Duration tokenLifetime,
      FileStore store,
      PathLocks locks,
      ReplicatorSwitch replicator,
      Clock clock)
      throws IOException {
    // Read once by the JDK's server, before its first use: small answers must not wait for more.
    setDefault("sun.net.httpserver.nodelay", "true");
    setDefault("sun.net.httpserver.idleInterval", "300");
    setDefault("sun.net.httpserver.maxIdleConnections", "2000");
    HttpsServer http = HttpsServer.create();
    HttpServer identities = HttpServer.create();
    bind(http, port);
    try {
      bind(identities, identityPort);
    } catch (IOException e) {
      http.stop(0);
      throw e;
    }
    http.setHttpsConfigurator(new HttpsConfigurator(tls));
    String authorityHost = "https://localhost:" + http.getAddress().getPort() + "/";
    TokenIssuer tokens = new TokenIssuer(identity.tokenKey(), tokenLifetime, clock);
    FaultRules faults = new FaultRules();
    RequestLog log = new RequestLog(clock);
    DfsEndpoint dfs = new DfsEndpoint(identity, tokens, authorityHost, store, locks);
    ControlEndpoint control = new ControlEndpoint(faults, log, replicator);
    String tenant = authorityHost + identity.tenantId();
    ClientAssertions assertions =
        new ClientAssertions(
            clientKeys.certificate(),
            issuer,
            List.of(tenant + "/oauth2/v2.0/token", tenant + "/v2.0"),
            clock);
    http.createContext(
        "/",
        new RequestHandler(
            dfs,
            new EntraEndpoint(identity, tokens, assertions, clock),
            false,
            control,
            faults,
            log));
    identities.createContext(
        "/",
        new RequestHandler(
            dfs,
            new ManagedIdentityEndpoint(identity, identityHeader(identity), tokens),
            true,
            control,
            faults,
            log));
    AtomicLong count = new AtomicLong();
    ExecutorService threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "onelake-emulator-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    http.setExecutor(threads);
    identities.setExecutor(threads);
    http.start();
    identities.start();
    return new EmulatorServer(http, identities, threads, faults, log);
  }

  private static void bind(HttpServer server, int port) throws IOException {
    try {
      server.bind(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
          BACKLOG);
    } catch (BindException e) {
      throw new IOException(
          "Port " + port + " of 127.0.0.1 is taken; choose another, or 0 for any free one", e);
    }
  }

  /** What App Service tells its processes; the same after a restart. */
  public static String identityHeader(Identity identity) {
    return UUID.nameUUIDFromBytes(identity.tokenKey().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Base of the endpoint of managed identities, without a slash at the end. */
  public String identityUrl() {
    return "http://127.0.0.1:" + identities.getAddress().getPort();
  }

  /** Port on the loopback interface. */
  public int port() {
    return http.getAddress().getPort();
  }

  /** Base of every URL, without a slash at the end. */
  public String baseUrl() {
    return "https://localhost:" + port();
  }

  /** Base of the control operations. */
  public String controlUrl() {
    return baseUrl() + RequestHandler.CONTROL;
  }

  /**
   * Adds fault rules.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public void addFaults(JsonNode rules) {
    faults.add(rules);
  }

  /** The fault rules with their counts. */
  public JsonNode faults() {
    return faults.describe();
  }

  public void clearFaults() {
    faults.clear();
  }

  /** The request log. */
  public List<Map<String, Object>> requests() {
    return log.describe(0);
  }

  /** Stops at once; requests under way are cut off. */
  @Override
  public void close() {
    http.stop(0);
    identities.stop(0);
    threads.shutdownNow();
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
