package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/** The running HTTPS server on the loopback interface. Thread-safe. */
public final class EmulatorServer implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final HttpsServer http;
  private final ExecutorService threads;
  private final FaultRules faults;
  private final RequestLog log;

  private EmulatorServer(
      HttpsServer http, ExecutorService threads, FaultRules faults, RequestLog log) {
    this.http = http;
    this.threads = threads;
    this.faults = faults;
    this.log = log;
  }

  /** Starts to listen. */
  public static EmulatorServer start(
      int port,
      SSLContext tls,
      Identity identity,
      Duration tokenLifetime,
      FileStore store,
      PathLocks locks,
      Clock clock)
      throws IOException {
    // Read once by the JDK's server, before its first use: small answers must not wait for more.
    setDefault("sun.net.httpserver.nodelay", "true");
    setDefault("sun.net.httpserver.idleInterval", "300");
    setDefault("sun.net.httpserver.maxIdleConnections", "2000");
    HttpsServer http;
    try {
      http =
          HttpsServer.create(
              new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
              BACKLOG);
    } catch (BindException e) {
      throw new IOException(
          "Port " + port + " of 127.0.0.1 is taken; choose another, or 0 for any free one", e);
    }
    http.setHttpsConfigurator(new HttpsConfigurator(tls));
    String authorityHost = "https://localhost:" + http.getAddress().getPort() + "/";
    TokenIssuer tokens = new TokenIssuer(identity.tokenKey(), tokenLifetime, clock);
    FaultRules faults = new FaultRules();
    RequestLog log = new RequestLog(clock);
    http.createContext(
        "/",
        new RequestHandler(
            new DfsEndpoint(identity, tokens, authorityHost, store, locks),
            new EntraEndpoint(identity, tokens, clock),
            new ControlEndpoint(faults, log),
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
    http.start();
    return new EmulatorServer(http, threads, faults, log);
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
    threads.shutdownNow();
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
