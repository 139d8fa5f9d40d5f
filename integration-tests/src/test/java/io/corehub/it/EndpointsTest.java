package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running hub tells over HTTP. */
class EndpointsTest {

  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

  @TempDir Path directory;

  @Test
  void metricsHealthAndStatusPageTellHowTheTablesStand() throws Exception {
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      String config =
          new Pipeline(directory, emulator)
              .lines(
                  "{\"kind\":\"table\",\"table\":\"good\",\"columns\":[{\"name\":\"id\",\"type\":\"SHORT\"}],\"primaryKey\":[\"id\"]}\n"
                      + "{\"kind\":\"table\",\"table\":\"bad\",\"columns\":[{\"name\":\"id\",\"type\":\"SHORT\"}],\"primaryKey\":[\"id\"]}\n"
                      + "{\"kind\":\"snapshot\",\"table\":\"good\",\"rows\":[{\"id\":1}]}\n{\"kind\":\"snapshotEnd\",\"table\":\"good\"}\n{\"kind\":\"snapshotEnd\",\"table\":\"bad\"}\n"
                      + "{\"kind\":\"pause\",\"millis\":4000}\n"
                      + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"bad\",\"after\":{\"id\":70000}}]}\n"
                      + "{\"kind\":\"pause\",\"millis\":600000}\n")
              .hub("web: { port: 0 }")
              .write();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        hub.awaitErrors("http://127.0.0.1:");
        Matcher address = ADDRESS.matcher(hub.errors());
        assertThat(address.find()).isTrue();
        String base = address.group();
        Await.until("healthy", () -> get(base + "/health").body().contains("good"), hub::errors);
        assertThat(get(base + "/health").statusCode()).isEqualTo(200);
        Await.until(
            "stopped table is told", () -> get(base + "/health").statusCode() == 503, hub::errors);
        JsonNode health = Emulator.JSON.readTree(get(base + "/health").body());
        assertThat(health.toString()).contains("shop").contains("bad").contains("70000");
        assertThat(get(base + "/metrics").body())
            .contains("corehub_table_files_published_total{pipeline=\"shop\",table=\"good\"} 1\n")
            .doesNotContain("corehub_files_published_total", "corehub_rows_published_total");
        assertThat(get(base + "/").body()).contains("good").contains("bad").contains("70000");
        assertThat(get(base + "/").headers().firstValue("Content-Security-Policy")).isPresent();
        String log = hub.stop().exited(143).errors();
        assertThat(log.lines().filter(line -> line.contains("ERROR") && line.contains("70000")))
            .hasSize(1);
      }
    }
  }

  @Test
  void anotherAddressIsServedOnlyWithATokenWhichStatusKnows() throws Exception {
    String token = "kN8-door/token+0=";
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      Pipeline pipeline =
          new Pipeline(directory, emulator)
              .lines(
                  "{\"kind\":\"table\",\"table\":\"good\",\"columns\":[{\"name\":\"id\",\"type\":\"SHORT\"}]}\n"
                      + "{\"kind\":\"snapshotEnd\",\"table\":\"good\"}\n{\"kind\":\"pause\",\"millis\":600000}\n");
      String config = pipeline.hub("web: { host: 0.0.0.0, port: 0 }").write();
      for (String command : List.of("check", "run", "status")) {
        Hub.Result refused = Hub.run(command, config).exited(1);
        assertThat(refused.output() + refused.errors()).contains("'hub.web.token' is missing");
      }
      Files.writeString(
          Path.of(config),
          Files.readString(Path.of(config))
              .replace("port: 0 }", "port: 0, token: \"${env:DOOR}\" }"));
      try (Hub.Running hub = Hub.start(Map.of("DOOR", token), "run", config)) {
        hub.awaitErrors("http://0.0.0.0:");
        Matcher address = Pattern.compile("http://0\\.0\\.0\\.0:(\\d+)").matcher(hub.errors());
        assertThat(address.find()).isTrue();
        String base = "http://127.0.0.1:" + address.group(1);
        for (String path : List.of("/", "/health", "/metrics")) {
          assertThat(get(base + path).statusCode()).isEqualTo(401);
          assertThat(get(base + path, "Bearer " + token).statusCode()).isEqualTo(200);
        }
        Await.until(
            "the table has a file",
            () -> get(base + "/health", "Bearer " + token).body().contains("lastFile"),
            hub::errors);
        // Only who is let in learns an age; without it, the state is read instead.
        Hub.Result asked = Hub.run(Map.of("DOOR", token), "status", config).succeeded();
        assertThat(asked.output()).contains("good", "0.0 s");
        Hub.Result other = Hub.run(Map.of("DOOR", token + "x"), "status", config).succeeded();
        assertThat(other.output()).contains("good").doesNotContain("0.0 s");
        Hub.Result stopped = hub.stop().exited(143);
        assertThat(stopped.errors() + asked.output() + asked.errors() + other.errors())
            .doesNotContain(token);
      }
    }
  }

  private static HttpResponse<String> get(String address) throws Exception {
    return get(address, "");
  }

  private static HttpResponse<String> get(String address, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
