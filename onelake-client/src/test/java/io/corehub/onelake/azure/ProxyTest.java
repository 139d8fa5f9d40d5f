package io.corehub.onelake.azure;

import static io.corehub.onelake.azure.AzureDfsClientTest.failure;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.ProxyServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTest {
  @TempDir static Path directory;
  private static EmulatedOneLake oneLake;

  @BeforeAll
  static void start() throws IOException {
    oneLake = new EmulatedOneLake(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    oneLake.close();
  }

  @Test
  void tunnelsThroughAProxyThatWantsAPassword() throws Exception {
    try (TunnelProxy proxy = new TunnelProxy("me:p@ss");
        DfsClient client = open("http://me:p%40ss@127.0.0.1:" + proxy.port())) {
      assertThat(client.head("Files/LandingZone")).isPresent();
      assertThat(oneLake.requests().toString()).doesNotContainIgnoringCase("proxy-authorization");
      assertThat(proxy.tunnels)
          .isNotEmpty()
          .allMatch(target -> target.equals(oneLake.connection.host()));
    }
  }

  @Test
  void saysThatTheProxyRefused() throws Exception {
    try (TunnelProxy proxy = new TunnelProxy("me:right");
        DfsClient client = open("http://me:CANARY@127.0.0.1:" + proxy.port())) {
      DfsException failure = failure(() -> client.head("Files/LandingZone"));
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.NOT_ONELAKE);
      assertThat(failure.getMessage()).contains("proxy").doesNotContain("CANARY");
      assertThat(proxy.tunnels).isEmpty();
    }
  }

  @Test
  void saysThatTheProxyIsNotThere() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (DfsClient client = open("http://127.0.0.1:" + port)) {
      assertThat(failure(() -> client.head("Files/LandingZone")).kind())
          .isEqualTo(Kind.HOST_UNREACHABLE);
    }
  }

  @Test
  void takesTheProxyOfTheEnvironmentExceptForHostsItExempts() {
    Map<String, String> environment =
        Map.of(
            "HTTPS_PROXY",
            "http://proxy.example:3128",
            "NO_PROXY",
            "internal.example, .corp, *.lan");
    ProxySelector selector = ProxyChoice.of(Optional.empty(), environment).selector();
    assertThat(selector.select(URI.create("https://onelake.dfs.fabric.microsoft.com/")))
        .extracting(Proxy::address)
        .containsExactly(InetSocketAddress.createUnresolved("proxy.example", 3128));
    for (String direct :
        List.of(
            "localhost",
            "127.0.0.1",
            "internal.example",
            "x.internal.example",
            "a.corp",
            "b.lan")) {
      assertThat(selector.select(URI.create("https://" + direct + "/")))
          .as(direct)
          .containsExactly(Proxy.NO_PROXY);
    }
    assertThat(selector.select(URI.create("https://notinternal.example/")))
        .extracting(Proxy::type)
        .containsExactly(Proxy.Type.HTTP);
  }

  @Test
  void prefersTheSettingAndFallsBackToTheRuntime() {
    Map<String, String> environment = Map.of("https_proxy", "http://env.example:1");
    ProxySelector chosen =
        ProxyChoice.of(Optional.of(ProxyServer.parse("set.example:2")), environment).selector();
    assertThat(chosen.select(URI.create("https://localhost/")))
        .extracting(proxy -> ((InetSocketAddress) proxy.address()).getHostString())
        .containsExactly("set.example");
    assertThat(ProxyChoice.of(Optional.empty(), Map.of()).selector())
        .isSameAs(ProxySelector.getDefault());
    assertThatThrownBy(
            () -> ProxyChoice.of(Optional.empty(), Map.of("HTTPS_PROXY", "socks5://CANARY@x")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void givesThePasswordOnlyToTheProxy() {
    Map<String, String> environment =
        Map.of("HTTPS_PROXY", "http://me:p%40ss@proxy.example:3128", "NO_PROXY", "direct.example");
    ProxyChoice choice = ProxyChoice.of(Optional.empty(), environment);
    assertThat(choice.authorization(URI.create("https://onelake.dfs.fabric.microsoft.com/")))
        .contains("Basic " + Base64.getEncoder().encodeToString("me:p@ss".getBytes(ISO_8859_1)));
    assertThat(choice.authorization(URI.create("https://direct.example/"))).isEmpty();
    assertThat(choice.authorization(URI.create("https://localhost/"))).isEmpty();
  }

  private static DfsClient open(String proxy) {
    return AzureDfsClient.open(oneLake.landingZone().withProxy(ProxyServer.parse(proxy)));
  }

  /** A proxy that tunnels to loopback for those who know its password. Thread-safe. */
  private static final class TunnelProxy implements AutoCloseable {
    final List<String> tunnels = new CopyOnWriteArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String expected;

    TunnelProxy(String userAndPassword) throws IOException {
      expected =
          "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(ISO_8859_1));
      daemon(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    private void accept() {
      while (!server.isClosed()) {
        try {
          Socket client = server.accept();
          daemon(() -> serve(client));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void serve(Socket client) {
      try (client) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1), 1);
        while (true) {
          String request = in.readLine();
          if (request == null) {
            return;
          }
          String authorization = "";
          for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("proxy-authorization:")) {
              authorization = line.substring(line.indexOf(':') + 1).strip();
            }
          }
          if (authorization.equals(expected)) {
            tunnel(client, request.split(" ")[1]);
            return;
          }
          answer(
              client,
              "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n");
        }
      } catch (IOException e) {
        // The client went away.
      }
    }

    private void tunnel(Socket client, String target) throws IOException {
      tunnels.add(target);
      int colon = target.lastIndexOf(':');
      try (Socket upstream =
          new Socket(
              InetAddress.getLoopbackAddress(), Integer.parseInt(target.substring(colon + 1)))) {
        answer(client, "HTTP/1.1 200 OK\r\n\r\n");
        Thread back = daemon(() -> copy(upstream, client));
        copy(client, upstream);
        back.interrupt();
      }
    }

    private static void answer(Socket client, String text) throws IOException {
      client.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    private static void copy(Socket from, Socket to) {
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        in.transferTo(out);
        to.shutdownOutput();
      } catch (IOException e) {
        // One side went away.
      }
    }

    private static Thread daemon(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
