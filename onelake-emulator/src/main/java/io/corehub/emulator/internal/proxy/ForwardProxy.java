package io.corehub.emulator.internal.proxy;

import io.corehub.emulator.internal.tls.HostCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP proxy on the loopback interface that wants a user and a password. Whatever host a client
 * asks for, it is connected to the emulator, so that OneLake's real names lead there. Thread-safe.
 */
public final class ForwardProxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardProxy.class);
  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final String BLOCKED =
      "<html><body>This site is blocked by the rules of your organisation.</body></html>";

  /**
   * How the proxy treats those who signed in.
   *
   * @param block whether nobody is let through
   * @param intercept certificates to answer with; empty for a plain tunnel
   * @param toServer trusts the emulator
   */
  public record Rules(boolean block, Optional<HostCertificates> intercept, SSLContext toServer) {}

  private final ServerSocket listener;
  private final String authorization;
  private final int serverPort;
  private final Rules rules;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads;

  private ForwardProxy(ServerSocket listener, String authorization, int serverPort, Rules rules) {
    this.listener = listener;
    this.authorization = authorization;
    this.serverPort = serverPort;
    this.rules = rules;
    AtomicLong count = new AtomicLong();
    this.threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "emulator-proxy-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts to listen.
   *
   * @param user of the one who may use it
   * @param password of the same
   * @param serverPort the emulator's port on the loopback interface
   */
  public static ForwardProxy start(String user, String password, int serverPort, Rules rules)
      throws IOException {
    String expected =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    ServerSocket listener = new ServerSocket(0, 50, loopback());
    ForwardProxy proxy = new ForwardProxy(listener, expected, serverPort, rules);
    proxy.threads.execute(proxy::accept);
    return proxy;
  }

  public int port() {
    return listener.getLocalPort();
  }

  private static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        LOG.debug("The proxy stopped listening", e);
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      while (true) {
        Map<String, String> head = readHead(client.getInputStream());
        String[] request = head.getOrDefault("", "").split(" ", -1);
        if (request.length < 2) {
          return;
        }
        if (!head.getOrDefault("proxy-authorization", "").equals(authorization)) {
          answer(client, 407, "Proxy Authentication Required", "Sign in to the proxy.");
        } else if (!request[0].equals("CONNECT")) {
          answer(client, 405, "Method Not Allowed", "This proxy only tunnels.");
        } else if (rules.block()) {
          answer(client, 403, "Forbidden", BLOCKED);
        } else {
          connect(client, request[1].replaceAll(":\\d+$", ""));
          return;
        }
      }
    } catch (IOException e) {
      LOG.debug("A connection through the proxy broke off", e);
    } finally {
      open.remove(client);
    }
  }

  private void connect(Socket client, String host) throws IOException {
    try (Socket server = new Socket(loopback(), serverPort)) {
      client
          .getOutputStream()
          .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      if (rules.intercept().isEmpty()) {
        pump(client, server);
        return;
      }
      SSLContext shown = rules.intercept().get().contextFor(host);
      try (SSLSocket inner =
              (SSLSocket) shown.getSocketFactory().createSocket(client, host, -1, true);
          SSLSocket outer =
              (SSLSocket)
                  rules
                      .toServer()
                      .getSocketFactory()
                      .createSocket(server, "localhost", serverPort, true)) {
        inner.setUseClientMode(false);
        inner.startHandshake();
        pump(inner, outer);
      }
    }
  }

  private void pump(Socket client, Socket server) {
    open.add(server);
    try {
      threads.execute(() -> copy(server, client));
      copy(client, server);
    } finally {
      open.remove(server);
    }
  }

  /** Copies until one side ends, and then ends both. */
  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[16 * 1024];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      LOG.debug("A connection through the proxy ended", e);
    }
  }

  /** The headers by their names in lower case; the request line under an empty name. */
  private static Map<String, String> readHead(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0 || text.length() > MAX_HEAD_BYTES) {
        return Map.of();
      }
      text.append((char) next);
    }
    Map<String, String> head = new HashMap<>();
    String[] lines = text.toString().split("\r\n", -1);
    head.put("", lines[0]);
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && !line.equals(lines[0])) {
        head.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return head;
  }

  private static void answer(Socket client, int status, String reason, String body)
      throws IOException {
    String head =
        "HTTP/1.1 "
            + status
            + " "
            + reason
            + "\r\nProxy-Authenticate: Basic realm=\"emulator\"\r\nContent-Type: text/html\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    client.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
  }

  /** Stops at once; connections are cut. */
  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
