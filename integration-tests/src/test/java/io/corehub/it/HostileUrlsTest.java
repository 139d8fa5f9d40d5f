package io.corehub.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.corehub.agent.AgentContext;
import io.corehub.agent.Finding;
import io.corehub.agent.Meters;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.testkit.RecordingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A landing zone URL that leads anywhere but to OneLake is refused before anybody is spoken to. A
 * listener of ours stands for the rest of the world: foreign names reach it as a proxy, addresses
 * of this machine directly, and the sign-in in either way.
 */
class HostileUrlsTest {

  private static final String WORKSPACE = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";
  private static final String ITEM = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  private static final String PATH = "/" + WORKSPACE + "/" + ITEM + "/Files/LandingZone";
  private static final String ONELAKE = "onelake.dfs.fabric.microsoft.com";
  private static final ObjectMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** Hosts, with what may stand around them in a URL; PORT is the listener's. */
  private static final String AUTHORITIES =
      """
      onelake.dfs.fabric.microsoft.com@evil.example
      onelake.dfs.fabric.microsoft.com:443@evil.example
      onelake.dfs.fabric.microsoft.com@127.0.0.1:PORT
      onelake.dfs.fabric.microsoft.com:x@localhost:PORT
      user:secret@onelake.dfs.fabric.microsoft.com
      evil.example@onelake.dfs.fabric.microsoft.com
      @onelake.dfs.fabric.microsoft.com
      onelake.dfs.fabric.microsoft.com.evil.example
      onelake.dfs.fabric.microsoft.com.evil.example.
      onelake.dfs.fabric.microsoft.com.localhost:PORT
      onelake.dfs.fabric.microsoft.com-evil.example
      evil.onelake.dfs.fabric.microsoft.com
      westus-onelake.dfs.fabric.microsoft.com.evil.example
      west.us-onelake.dfs.fabric.microsoft.com
      west-us-onelake.dfs.fabric.microsoft.com
      -onelake.dfs.fabric.microsoft.com
      westus_onelake.dfs.fabric.microsoft.com
      evilonelake.dfs.fabric.microsoft.com
      onelake.dfs.fabric.microsoft.com:PORT
      onelake.dfs.fabric.microsoft.com:8443
      onelake.dfs.fabric.microsoft.com:0
      onelake.dfs.fabric.microsoft.com:
      onelake.dfs.fabric.microsoft.com:-443
      onelake.dfs.fabric.microsoft.com:4433333333
      onelake.dfs.fabric.microsoft.com..
      onelake%2edfs.fabric.microsoft.com
      onelake.dfs.fabric.microsoft.com%2eevil.example
      onelake.dfs.fabric.microsoft.com%00.evil.example
      onelake.dfs.fabric.microsoft.com%23.evil.example
      onelake.dfs.fabric.microsoft.com%40evil.example
      onelake\uFF0Edfs\uFF0Efabric\uFF0Emicrosoft\uFF0Ecom
      onelake\u3002dfs\u3002fabric\u3002microsoft\u3002com
      \uFF4Fnelake.dfs.fabric.microsoft.com
      \u03BFnelake.dfs.fabric.microsoft.com
      onelake.dfs.fabric.m\u0456crosoft.com
      xn--nelake-vxf.dfs.fabric.microsoft.com
      onelake.dfs.fabric.microsoft.com\u2044.evil.example
      onelake.dfs.fabric.microsoft.com\u200b.evil.example
      onelake.dfs.fabric.microsoft.com\u202e
      onelake.dfs.fabric.rnicrosoft.com
      onelake.dfs.fabric.microsoft.co
      onelake.dfs.fabric.microsoft.com.cn
      dfs.fabric.microsoft.com
      api.fabric.microsoft.com
      onelake.table.fabric.microsoft.com
      evil.blob.fabric.microsoft.com
      3f2504e04f8911d39a0c0305e82c3301.z3e.dfs.fabric.microsoft.com
      3f2504e04f8911d39a0c0305e82c3301.z3F2.dfs.fabric.microsoft.com
      3f2504e04f8911d39a0c0305e82c330.z3f.dfs.fabric.microsoft.com
      4f2504e04f8911d39a0c0305e82c3301.z4f.dfs.fabric.microsoft.com
      evil.z3f.dfs.fabric.microsoft.com
      account.dfs.core.windows.net
      localhost
      localhost:PORT
      127.0.0.1:PORT
      127.1:PORT
      0x7f.1:PORT
      0177.0.0.1:PORT
      2130706433:PORT
      [::1]:PORT
      [::ffff:127.0.0.1]:PORT
      [::1%25lo]:PORT
      169.254.169.254
      [fd00:ec2::254]
      """;

  @TempDir Path directory;
  private Listener world;
  private Emulator emulator;

  @BeforeEach
  void start() throws Exception {
    world = new Listener();
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
  }

  @AfterEach
  void stop() throws Exception {
    emulator.close();
    world.close();
  }

  private List<String> hostile() {
    List<String> urls = new ArrayList<>();
    String port = String.valueOf(world.port());
    AUTHORITIES
        .lines()
        .map(authority -> "https://" + authority.replace("PORT", port) + PATH)
        .forEach(urls::add);
    String listener = "127.0.0.1:" + port;
    Stream.of(
            "http://" + ONELAKE + PATH,
            "http://" + listener + PATH,
            "https:\\\\" + ONELAKE + PATH,
            "https://" + listener + "\\@" + ONELAKE + PATH,
            "https://" + ONELAKE + "\\." + listener + PATH,
            "https://" + listener + "?@" + ONELAKE + PATH,
            "https://" + listener + "#@" + ONELAKE + PATH,
            "https://" + listener + "/https://" + ONELAKE + PATH,
            "https://" + ONELAKE + "#@" + listener + PATH,
            "//" + listener + PATH,
            "https:/" + listener + PATH,
            "https:" + listener + PATH,
            "https:///" + listener + PATH,
            "https://" + ONELAKE + "\r\nHost: " + listener + PATH,
            "https://" + ONELAKE + "\t@" + listener + PATH,
            "https://" + ONELAKE + "\u0000@" + listener + PATH,
            "abfss://" + WORKSPACE + "@" + listener + "/" + ITEM + "/Files/LandingZone",
            "abfss://" + WORKSPACE + "@" + ONELAKE + "@" + listener + "/" + ITEM,
            "ftp://" + listener + PATH,
            "file:///etc/passwd",
            "jar:https://" + listener + PATH + "!/",
            "https://" + ONELAKE + PATH + "/%2e%2e/%2e%2e",
            "https://" + ONELAKE + PATH + "/%252e%252e",
            "https://" + ONELAKE + "/" + WORKSPACE + "/..%2f" + ITEM + "/Files/LandingZone",
            "https://" + ONELAKE + PATH + "/%0d%0aHost:%20" + listener)
        .forEach(urls::add);
    return urls;
  }

  @Test
  void theHubSpeaksToNobody() throws Exception {
    List<String> urls = hostile();
    assertThat(urls).doesNotHaveDuplicates().hasSizeGreaterThan(80);
    StringBuilder yaml = new StringBuilder("pipelines:\n");
    for (int i = 0; i < urls.size(); i++) {
      yaml.append("  - name: p").append(i).append("q\n");
      yaml.append("    source: { type: change-stream, files: [ ./none.jsonl ] }\n    target:\n");
      yaml.append("      agent: fabric-open-mirroring\n      settings:\n");
      for (Map.Entry<String, String> setting : settings(urls.get(i)).entrySet()) {
        yaml.append("        ").append(setting.getKey()).append(": ");
        yaml.append(ASCII.writeValueAsString(setting.getValue())).append('\n');
      }
    }
    Path file = Files.writeString(directory.resolve("hub.yaml"), yaml);
    Map<String, String> proxy = Map.of("HTTPS_PROXY", "http://127.0.0.1:" + world.port());
    Hub.Result check = Hub.run(proxy, "check", file.toString()).exited(1);
    Hub.Result run = Hub.run(proxy, "run", file.toString()).exited(1);

    for (int i = 0; i < urls.size(); i++) {
      assertThat(check.output() + run.errors())
          .as(urls.get(i))
          .containsPattern("(?m)^p" + i + "q: .*landingZoneUrl")
          .containsPattern("(?m)^ +p" + i + "q: .*landingZoneUrl");
    }
    nobodyHeardAnything();
  }

  @Test
  void anAgentSpeaksToNobodyEvenForAHostThatAsksNotWhetherSettingsAreValid() throws Exception {
    for (String url : hostile()) {
      assertThat(provider().validate(settings(url)))
          .as(url)
          .extracting(SettingProblem::setting)
          .containsExactly("landingZoneUrl");
      Map<String, String> proxied = settings(url);
      proxied.put("proxy", "http://127.0.0.1:" + world.port());
      for (Map<String, String> settings : List.of(settings(url), proxied)) {
        assertThat(catchThrowable(() -> check(settings))).as(url).isNotNull();
      }
    }
    nobodyHeardAnything();
  }

  @Test
  void aUrlOfOneLakeIsTheOneThatIsSpokenTo() throws Exception {
    Map<String, String> settings = settings("https://" + ONELAKE + PATH);
    settings.remove("authorityHost");
    settings.put("proxy", "http://127.0.0.1:" + world.port());
    assertThat(check(settings)).anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
    assertThat(world.connections()).isPositive();
  }

  private void nobodyHeardAnything() throws Exception {
    assertThat(emulator.requests()).isEmpty();
    assertThat(world.connections()).isZero();
  }

  private Map<String, String> settings(String url) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("landingZoneUrl", url);
    settings.put("tenantId", emulator.get("tenantId"));
    settings.put("username", emulator.get("clientId"));
    settings.put("password", emulator.get("clientSecret"));
    settings.put("authorityHost", emulator.get("authorityHost"));
    settings.put("trustedCertificates", emulator.get("caCertificate"));
    // The sign-in host alone: naming it must not open the landing zone to its neighbours.
    settings.put("allowedHosts", java.net.URI.create(emulator.get("authorityHost")).getAuthority());
    return settings;
  }

  private static TargetAgentProvider provider() {
    return ServiceLoader.load(TargetAgentProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(found -> found.descriptor().id().equals("fabric-open-mirroring"))
        .findFirst()
        .orElseThrow();
  }

  private static List<Finding> check(Map<String, String> values) throws InterruptedException {
    TargetAgentProvider provider = provider();
    try (TargetAgent agent =
        provider.create(
            provider.descriptor().settings().parse(values),
            new AgentContext(
                "shop", 1, "test", "", new RecordingListener(), Clock.systemUTC(), Meters.NONE))) {
      return agent.check();
    }
  }

  /** Counts who connects, refuses what a proxy is asked for, and hangs up. Thread-safe. */
  private static final class Listener implements AutoCloseable {
    private static final String REFUSAL = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    private final ServerSocket server = new ServerSocket(0);
    private final AtomicInteger connections = new AtomicInteger();

    Listener() throws IOException {
      Thread accepting = new Thread(this::accept, "listener");
      accepting.setDaemon(true);
      accepting.start();
    }

    int port() {
      return server.getLocalPort();
    }

    /** Connections so far; one of ours, made now, proves that all before it were counted. */
    int connections() throws IOException {
      try (Socket own = new Socket(InetAddress.getLoopbackAddress(), port())) {
        own.getInputStream().read();
        return connections.decrementAndGet();
      }
    }

    private void accept() {
      while (!server.isClosed()) {
        try (Socket caller = server.accept()) {
          connections.incrementAndGet();
          caller.getOutputStream().write(REFUSAL.getBytes(US_ASCII));
        } catch (IOException e) {
          if (!server.isClosed()) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
