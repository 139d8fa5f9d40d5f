package io.corehub.onelake.azure;

import io.corehub.onelake.TestCertificates;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A server on the loopback interface that answers every request with exactly the bytes it is told
 * to, well formed or not, and keeps what it was sent. Thread-safe.
 */
final class RawServer implements AutoCloseable {
  private static final String PASSWORD = "changeit";
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]{1,9})");

  /** Bytes that follow a request. */
  @FunctionalInterface
  interface Answer {
    void to(OutputStream out) throws IOException;

    static Answer of(String text) {
      return out -> out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * A certificate that a server shows.
   *
   * @param pem file that a client may trust it by
   */
  record Shown(SSLContext context, Path pem) {

    /** A certificate that signs itself, made by the JDK's keytool with these options. */
    static Shown selfSigned(Path directory, String... options) throws Exception {
      Path pfx = TestCertificates.pfx(directory.resolve("shown.p12"), PASSWORD, "EC", options);
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(pfx)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      Path pem = directory.resolve("shown.pem");
      Files.writeString(
          pem,
          TestCertificates.pem(
              "CERTIFICATE", TestCertificates.certificate(pfx, PASSWORD).getEncoded()));
      return new Shown(context, pem);
    }
  }

  private final ServerSocket listening;
  private final Layer layer;
  private final boolean eager;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();
  private final AtomicLong sent = new AtomicLong();
  private volatile Answer answer;

  private RawServer(Layer layer, boolean eager, Answer answer) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.layer = layer;
    this.eager = eager;
    this.answer = answer;
    daemon(this::accept);
  }

  /** Over TLS; of these protocols alone, if any is named. */
  static RawServer overTls(Shown shown, Answer answer, String... protocols) throws IOException {
    return new RawServer(
        socket -> {
          SSLSocket secured =
              (SSLSocket) shown.context.getSocketFactory().createSocket(socket, null, true);
          if (protocols.length > 0) {
            secured.setEnabledProtocols(protocols);
          }
          return secured;
        },
        false,
        answer);
  }

  /** Without TLS; answers whatever it is sent as soon as something came. */
  static RawServer plain(Answer answer) throws IOException {
    return new RawServer(socket -> socket, true, answer);
  }

  private interface Layer {
    Socket over(Socket socket) throws IOException;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Name and port, as {@code allowedHosts} takes them. */
  String authority() {
    return "localhost:" + port();
  }

  void answer(Answer next) {
    answer = next;
    requests.clear();
    sent.set(0);
  }

  /** Heads of the requests that came through, bodies left out. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** Bytes of answers that a client, or the network before it, took. */
  long sentBytes() {
    return sent.get();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        open.add(socket);
        daemon(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket accepted) {
    try (accepted;
        Socket socket = layer.over(accepted)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = new Counted(socket.getOutputStream());
      String head = head(in);
      while (!head.isEmpty()) {
        Matcher length = LENGTH.matcher(head);
        in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
        requests.add(head);
        answer.to(out);
        out.flush();
        if (!head.toLowerCase(Locale.ROOT).startsWith("head ")) {
          return; // Bodies may end with the connection.
        }
        head = head(in);
      }
    } catch (IOException gone) {
      // The client hung up, as it should on most of what it is told.
    } finally {
      open.remove(accepted);
    }
  }

  private String head(InputStream in) throws IOException {
    if (eager) {
      byte[] some = new byte[8192];
      return new String(some, 0, Math.max(0, in.read(some)), StandardCharsets.ISO_8859_1);
    }
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int state = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.write(b);
      state = b == (state % 2 == 0 ? '\r' : '\n') ? state + 1 : 0;
      if (state == 4) {
        break;
      }
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private final class Counted extends OutputStream {
    private final OutputStream to;

    Counted(OutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
      to.write(b);
      sent.incrementAndGet();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      to.write(bytes, offset, length);
      sent.addAndGet(length);
    }

    @Override
    public void flush() throws IOException {
      to.flush();
    }
  }

  /** Cuts every connection; the sockets below TLS, which wait for no writer. */
  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
