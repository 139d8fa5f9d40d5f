package io.corehub.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secret, token and proxy password of a hub whose every request fails in every way occur in nothing
 * that the hub writes, with every log at its most talkative: not in logs, files, the landing zone,
 * or over HTTP.
 */
class SecretCanaryTest {

  private static final String LOUD =
      "-Dcorehub.log=TRACE -Dcorehub.log.libraries=TRACE -Djdk.httpclient.HttpClient.log=errors,requests,headers,content";
  private static final String PROXY_PASSWORD = "kN8-proxy/canary+1=";
  private static final String WRONG_SECRET = "kN8~wrong/canary+2.Q";
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");

  private static final String PAUSE = "{\"kind\":\"pause\",\"millis\":600000}\n";

  /** Faults of one request; the hub's request limit is two seconds. */
  private static final List<String> FAULTS =
      List.of(
          "{'type':'before'}",
          "{'type':'after'}",
          "{'type':'late','millis':100}",
          "{'type':'reset','afterBytes':1}",
          "{'type':'hang','millis':2500}",
          "{'type':'html200'}",
          "{'type':'redirect','location':'https://evil.example/x'}",
          "{'type':'challenge','resource':'https://graph.microsoft.com','tenant':'x'}",
          "{'type':'status','code':400,'errorCode':'BadRequest'}",
          "{'type':'status','code':401,'errorCode':'InvalidAuthenticationInfo'}",
          "{'type':'status','code':403,'errorCode':'AuthorizationFailure'}",
          "{'type':'status','code':404,'errorCode':'PathNotFound'}",
          "{'type':'status','code':409,'errorCode':'PathAlreadyExists'}",
          "{'type':'status','code':412,'errorCode':'ConditionNotMet'}",
          "{'type':'status','code':429,'errorCode':'TooManyRequests','headers':{'Retry-After':'1'}}",
          "{'type':'status','code':500,'errorCode':'OperationTimedOut'}",
          "{'type':'status','code':503,'errorCode':'ServerBusy'}");

  private static final List<String> SIGN_IN_FAULTS =
      List.of(
          "{'type':'before'}",
          "{'type':'after'}",
          "{'type':'reset','afterBytes':1}",
          "{'type':'html200'}",
          "{'type':'redirect','location':'https://evil.example/x'}",
          "{'type':'challenge','resource':'https://graph.microsoft.com','tenant':'x'}",
          "{'type':'status','code':401,'errorCode':'7000215'}",
          "{'type':'status','code':401,'errorCode':'7000222'}",
          "{'type':'status','code':400,'errorCode':'700016'}",
          "{'type':'status','code':400,'errorCode':'90002'}",
          "{'type':'status','code':400,'errorCode':'500011'}",
          "{'type':'status','code':400,'errorCode':'53003'}",
          "{'type':'status','code':429,'errorCode':'429'}",
          "{'type':'status','code':500,'errorCode':'90033'}",
          "{'type':'status','code':503,'errorCode':'90055'}");

  @TempDir Path directory;
  private Emulator emulator;
  private TunnelProxy proxy;
  private Path work;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
    proxy = new TunnelProxy("canary:" + PROXY_PASSWORD);
    work = Files.createDirectory(directory.resolve("work"));
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    emulator.close();
  }

  @Test
  void everyFailureOfEveryRequestKeepsTheSecrets() throws Exception {
    ArrayNode rules = Emulator.JSON.createArrayNode();
    StringBuilder stream = new StringBuilder();
    int tables = 0;
    for (String operation : List.of("create", "append", "rename", "head", "get")) {
      for (String fault : FAULTS) {
        String table = "t" + tables++;
        if (operation.equals("head") || operation.equals("get")) {
          // Nobody looks at a file unless the outcome of its rename is unknown.
          rules.add(rule("rename", table, 1, "{'type':'after'}"));
        }
        rules.add(rule(operation, table, 1, fault));
        declare(stream, table);
      }
    }
    stream.append(PAUSE);
    StringBuilder listed = new StringBuilder();
    for (int i = 0; i < FAULTS.size(); i++) {
      // No folder stands in a list's path, but workspaces may be named in two ways.
      rules.add(rule("list", "", i + 2, FAULTS.get(i)).put("path", workspace()));
      declare(listed, "t" + tables++);
    }
    listed.append(PAUSE);
    assertThat(tables).isGreaterThan(100);
    emulator.addFaults(rules.toString());
    String config = config(stream, "tryTimeoutInSeconds: 2", proxySetting());
    addPipelineByNames(Path.of(config), listed);
    List<String> told = new ArrayList<>();
    try (Hub.Running hub = Hub.start(Map.of("HUB_JAVA_OPTS", LOUD), "run", config)) {
      hub.awaitErrors("Status page");
      Matcher address = ADDRESS.matcher(hub.errors());
      assertThat(address.find()).isTrue();
      awaitFaults();
      for (String page : List.of("", "health", "metrics")) {
        told.add(get(address.group() + page));
      }
      Hub.Result result = hub.stop();
      told.add(result.output());
      told.add(result.errors());
    }
    assertThat(proxy.tunnels()).isPositive();
    assertThat(told.get(1)).contains("\"t0\"");
    // What would tell them does speak.
    assertThat(told.get(4))
        .contains("Authorization: Bearer ***", "TRACE", "DEBUG")
        .containsIgnoringCase("Proxy-Authorization: Basic ***");
    told.addAll(filesWritten());
    assertNoSecretIn(told);
  }

  @Test
  void everyFailureOfASignInKeepsTheSecrets() throws Exception {
    ArrayNode rules = Emulator.JSON.createArrayNode();
    for (int i = 0; i < SIGN_IN_FAULTS.size(); i++) {
      rules.add(rule("token", "", i + 1, SIGN_IN_FAULTS.get(i)));
    }
    String good = Files.readString(Path.of(config(new StringBuilder(), proxySetting())));
    String pipeline = good.substring(good.indexOf("  - name: shop"));
    StringBuilder yaml = new StringBuilder("pipelines:\n");
    yaml.append(
        pipeline
            .replace("shop", "wrong-secret")
            .replace(emulator.get("clientSecret"), WRONG_SECRET));
    yaml.append(
        pipeline.replace("shop", "wrong-client").replace(emulator.get("clientId"), "nobody"));
    yaml.append(
        pipeline.replace("shop", "wrong-tenant").replace(emulator.get("tenantId"), "no.example"));
    yaml.append(pipeline.replace("shop", "wrong-proxy").replace("canary:", "nobody:"));
    Path file = Files.writeString(work.resolve("wrong.yaml"), yaml);
    Hub.Result check = Hub.run(Map.of("HUB_JAVA_OPTS", LOUD), "check", file.toString()).exited(1);
    assertThat(check.output())
        .contains("wrong-secret: error", "wrong-client: error")
        .contains("wrong-tenant: error", "wrong-proxy: error");

    yaml = new StringBuilder("pipelines:\n");
    for (int i = 0; i < SIGN_IN_FAULTS.size(); i++) {
      yaml.append(pipeline.replace("shop", "p" + i));
    }
    Files.writeString(file, yaml);
    emulator.addFaults(rules.toString());
    try (Hub.Running run = Hub.start(Map.of("HUB_JAVA_OPTS", LOUD), "run", file.toString())) {
      awaitFaults();
      Hub.Result result = run.stop();
      assertThat(result.errors()).contains("AADSTS7000222");
      assertNoSecretIn(List.of(check.output(), check.errors(), result.output(), result.errors()));
    }
  }

  @Test
  void aSecretThatIsToldIsFound() throws Exception {
    for (String secret : secrets()) {
      assertThat(leaks("a" + secret + "b", secret)).isTrue();
      assertThat(leaks("form=" + URLEncoder.encode(secret, UTF_8), secret)).isTrue();
      for (String before : List.of("", "u", "u:")) {
        byte[] bytes = (before + secret).getBytes(UTF_8);
        assertThat(leaks("Basic " + Base64.getEncoder().encodeToString(bytes), secret)).isTrue();
      }
    }
    // A name is no secret: the hub tells it in every place where a secret could stand.
    String name = "canary" + Long.toUnsignedString(System.nanoTime(), 36);
    StringBuilder stream = new StringBuilder();
    declare(stream, name);
    Hub.Result result = Hub.run(Map.of("HUB_JAVA_OPTS", LOUD), "run", config(stream)).succeeded();
    assertThat(leaks(result.errors(), name)).isTrue();
    assertThat(filesWritten().stream().anyMatch(text -> leaks(text, name))).isTrue();
  }

  private static void declare(StringBuilder stream, String table) {
    stream.append(
        """
        {"kind":"table","table":"TABLE","columns":[{"name":"id","type":"INT"}],"primaryKey":["id"]}
        {"kind":"snapshot","table":"TABLE","rows":[{"id":1}]}
        {"kind":"snapshotEnd","table":"TABLE"}
        """
            .replace("TABLE", table));
  }

  private static ObjectNode rule(String operation, String table, int nth, String fault) {
    try {
      ObjectNode rule = Emulator.JSON.createObjectNode().put("operation", operation);
      rule.put("nth", nth).put("times", 1);
      if (!table.isEmpty()) {
        rule.put("path", "/**/" + table + "/*");
      }
      rule.set("fault", Emulator.JSON.readTree(fault.replace('\'', '"')));
      return rule;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitFaults() throws Exception {
    Await.until("every fault was met", () -> unmet().isEmpty(), () -> unmet().toString());
  }

  private List<JsonNode> unmet() {
    try {
      return emulator.faults().stream().filter(rule -> rule.get("fired").asInt() == 0).toList();
    } catch (Exception e) {
      throw new AssertionError("the emulator does not tell its faults", e);
    }
  }

  private String workspace() {
    return "/" + emulator.get("workspaceName");
  }

  /** A pipeline like the first, to the same place by other words. */
  private void addPipelineByNames(Path config, StringBuilder stream) throws IOException {
    Files.writeString(work.resolve("listed.changes.jsonl"), stream);
    String first = Files.readString(config);
    String second =
        first
            .substring(first.indexOf("  - name: shop"))
            .replace("name: shop", "name: listed")
            .replace("stream.changes", "listed.changes")
            .replace("/" + emulator.get("workspaceId"), workspace())
            .replace("/" + emulator.get("mirroredDatabaseId"), "/" + mirroredDatabase());
    Files.writeString(config, first + second);
  }

  private String mirroredDatabase() {
    String name = emulator.get("mirroredDatabaseName");
    return name.endsWith(".MirroredDatabase") ? name : name + ".MirroredDatabase";
  }

  private String proxySetting() {
    return "proxy: \"http://canary:"
        + URLEncoder.encode(PROXY_PASSWORD, UTF_8)
        + "@127.0.0.1:"
        + proxy.port()
        + "\"";
  }

  private String config(StringBuilder stream, String... settings) throws IOException {
    Pipeline pipeline = new Pipeline(work, emulator).lines(stream.toString());
    for (String setting : settings) {
      pipeline.set(setting.replaceAll(": .*", ""), setting.replaceFirst("[^:]*: ", ""));
    }
    return pipeline.hub("web: { port: 0 }").write();
  }

  /** Names and bytes of what the hub left in its state directory and in the landing zone. */
  private List<String> filesWritten() throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path root : List.of(work.resolve("state"), emulator.landingZone())) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          texts.add(file + "\n" + Files.readString(file, ISO_8859_1));
        }
      }
    }
    assertThat(texts).isNotEmpty();
    return texts;
  }

  private static String get(String address) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.headers().map() + "\n" + answer.body();
  }

  /** What must not be told; of the emulator's tokens the part that is the same in all. */
  private List<String> secrets() {
    String token =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString((emulator.get("clientId") + ".").getBytes(UTF_8));
    return List.of(
        emulator.get("clientSecret"),
        PROXY_PASSWORD,
        WRONG_SECRET,
        token.substring(0, token.length() / 4 * 4));
  }

  private void assertNoSecretIn(List<String> told) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String secret : secrets()) {
      for (String text : told) {
        for (String form : forms(secret)) {
          int at = text.indexOf(form);
          if (at >= 0) {
            found.put(
                secret, text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 200)));
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static boolean leaks(String text, String secret) {
    return forms(secret).stream().anyMatch(text::contains);
  }

  private static List<String> forms(String secret) {
    List<String> forms = new ArrayList<>(List.of(secret, URLEncoder.encode(secret, UTF_8)));
    for (int before = 0; before < 3; before++) {
      byte[] bytes = ("x".repeat(before) + secret).getBytes(UTF_8);
      String encoded = Base64.getEncoder().encodeToString(bytes);
      // Only whole groups, which do not depend on the bytes around them.
      String core = encoded.substring(before == 0 ? 0 : 4, bytes.length / 3 * 4);
      forms.add(core);
      forms.add(core.replace('+', '-').replace('/', '_'));
    }
    return forms;
  }

  /** A proxy that tunnels to this machine for those who know its password. Thread-safe. */
  private static final class TunnelProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String expected;
    private final java.util.concurrent.atomic.AtomicInteger tunnels =
        new java.util.concurrent.atomic.AtomicInteger();

    TunnelProxy(String userAndPassword) throws IOException {
      expected = "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(UTF_8));
      daemon(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    int tunnels() {
      return tunnels.get();
    }

    private void accept() {
      while (!server.isClosed()) {
        try {
          Socket caller = server.accept();
          daemon(() -> serve(caller));
        } catch (IOException e) {
          if (!server.isClosed()) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }

    private void serve(Socket caller) {
      try (caller) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(caller.getInputStream(), ISO_8859_1), 1);
        String request = in.readLine();
        boolean known = false;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
          known |= line.equalsIgnoreCase("Proxy-Authorization: " + expected);
        }
        if (request == null || !known) {
          String refusal =
              "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n";
          caller.getOutputStream().write(refusal.getBytes(ISO_8859_1));
          return;
        }
        tunnels.incrementAndGet();
        int port = Integer.parseInt(request.replaceAll("^CONNECT [^ ]*:(\\d+) .*", "$1"));
        try (Socket server = new Socket("localhost", port)) {
          caller.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
          daemon(() -> copy(server, caller));
          copy(caller, server);
        }
      } catch (IOException e) {
        // One side went away, as the faults have it.
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException e) {
        // One side went away, as the faults have it.
      }
    }

    private static void daemon(Runnable work) {
      Thread thread = new Thread(work, "proxy");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
