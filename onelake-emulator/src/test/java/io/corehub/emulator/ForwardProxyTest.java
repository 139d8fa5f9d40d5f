package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The forward proxy, spoken to byte by byte. */
class ForwardProxyTest {
  private static final String ONELAKE = "onelake.dfs.fabric.microsoft.com";

  @TempDir Path directory;

  @Test
  void wantsToKnowWhoComes() throws Exception {
    try (OneLakeEmulator emulator = start(ProxyMode.TUNNEL);
        Socket client = connect(emulator)) {
      assertThat(ask(client, "")).startsWith("HTTP/1.1 407 ").contains("Proxy-Authenticate: Basic");
      assertThat(ask(client, basic("hub:wrong"))).startsWith("HTTP/1.1 407 ");
    }
  }

  @Test
  void letsNobodyThroughWhenItBlocks() throws Exception {
    try (OneLakeEmulator emulator = start(ProxyMode.BLOCK);
        Socket client = connect(emulator)) {
      assertThat(ask(client, basic(words(emulator))))
          .startsWith("HTTP/1.1 403 ")
          .contains("text/html");
    }
  }

  @Test
  void leadsEveryNameToTheEmulator() throws Exception {
    try (OneLakeEmulator emulator = start(ProxyMode.TUNNEL);
        Socket client = connect(emulator)) {
      assertThat(ask(client, basic(words(emulator)))).startsWith("HTTP/1.1 200 ");
      assertThat(head(client, "localhost", emulator.connection().caCertificate()))
          .startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void showsCertificatesOfItsOwnWhenItInspects() throws Exception {
    try (OneLakeEmulator emulator = start(ProxyMode.INTERCEPT);
        Socket client = connect(emulator)) {
      assertThat(ask(client, basic(words(emulator)))).startsWith("HTTP/1.1 200 ");
      assertThat(head(client, ONELAKE, emulator.proxy().orElseThrow().caCertificate()))
          .startsWith("HTTP/1.1 401 ");
    }
  }

  private OneLakeEmulator start(ProxyMode mode) throws Exception {
    return OneLakeEmulator.start(
        EmulatorOptions.in(directory).storage(StorageBackend.MEMORY).proxy(mode).build());
  }

  private static Socket connect(OneLakeEmulator emulator) throws Exception {
    ProxyConnection proxy = emulator.proxy().orElseThrow();
    assertThat(proxy.toString()).doesNotContain(words(emulator));
    return new Socket("127.0.0.1", URI.create(proxy.url()).getPort());
  }

  private static String words(OneLakeEmulator emulator) {
    return URI.create(emulator.proxy().orElseThrow().url()).getUserInfo();
  }

  private static String basic(String words) {
    return "Proxy-Authorization: Basic "
        + Base64.getEncoder().encodeToString(words.getBytes(StandardCharsets.UTF_8))
        + "\r\n";
  }

  private static String ask(Socket client, String header) throws Exception {
    return exchange(
        client, "CONNECT " + ONELAKE + ":443 HTTP/1.1\r\nHost: " + ONELAKE + "\r\n" + header);
  }

  /** A HEAD inside the tunnel, by a client that checks the certificate for {@code host}. */
  private static String head(Socket tunnel, String host, Path trusted) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(trusted)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, managers.getTrustManagers(), null);
    SSLSocket inner = (SSLSocket) tls.getSocketFactory().createSocket(tunnel, host, 443, true);
    SSLParameters checked = inner.getSSLParameters();
    checked.setEndpointIdentificationAlgorithm("HTTPS");
    inner.setSSLParameters(checked);
    return exchange(inner, "HEAD /somewhere HTTP/1.1\r\nHost: " + host + "\r\n");
  }

  /** Sends a request without a body and reads the answer with its body. */
  private static String exchange(Socket socket, String head) throws Exception {
    socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      assertThat(next).as("the answer so far: %s", answer).isNotNegative();
      answer.append((char) next);
    }
    java.util.regex.Matcher length =
        java.util.regex.Pattern.compile("(?i)content-length: (\\d+)").matcher(answer);
    if (length.find() && !head.startsWith("HEAD")) {
      answer.append(
          new String(
              socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))),
              StandardCharsets.US_ASCII));
    }
    return answer.toString();
  }
}
