package io.corehub.hub.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.Meters;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.WebConfig;
import io.corehub.hub.pipeline.PipelineStatus;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebServerTest {

  private final PrometheusMeters meters = new PrometheusMeters();
  private volatile TableStatus.State tableState = TableStatus.State.CHANGES;
  private volatile TargetReport.Condition condition = TargetReport.Condition.CONSUMING;
  private WebServer server;

  @BeforeEach
  void start() {
    server =
        WebServer.start(new WebConfig("127.0.0.1", 0), meters, "my <hub>", () -> List.of(status()));
  }

  @AfterEach
  void stop() {
    server.close();
    meters.close();
  }

  private PipelineStatus status() {
    return new PipelineStatus(
        "shop",
        PipelineStatus.Phase.RUNNING,
        Optional.empty(),
        Optional.of(new SourcePosition("line", 42, "")),
        List.of(
            new TableStatus(
                TableId.of("a\"<b>"),
                tableState,
                true,
                Optional.of("00000000000000000007.parquet"),
                Optional.of(new SourcePosition("line", 41, "")),
                Optional.empty(),
                2,
                7,
                1234,
                99,
                tableState == TableStatus.State.STOPPED
                    ? Optional.of("Because <script>")
                    : Optional.empty(),
                Optional.of(target()))),
        Map.of());
  }

  private TargetReport target() {
    boolean failed = condition == TargetReport.Condition.FAILED;
    return new TargetReport(
        condition,
        failed ? "Failed" : "Replicating",
        failed ? "E7: no <merge>" : "",
        failed ? Optional.of("00000000000000000006.parquet") : Optional.empty(),
        failed,
        OptionalLong.of(55),
        Optional.of(Instant.parse("2026-01-02T03:04:05Z")),
        OptionalInt.of(3),
        Optional.of(Instant.now().minusSeconds(120)),
        Instant.parse("2026-01-02T03:05:00Z"),
        failed ? Optional.of("Load it <anew>.") : Optional.empty());
  }

  @Test
  void healthMetricsAndPageTellWhatTheTargetSays() throws Exception {
    JsonNode well = new ObjectMapper().readTree(get("/health").body()).findValue("target");
    assertThat(well.path("condition").asText()).isEqualTo("consuming");
    assertThat(well.path("state").asText()).isEqualTo("Replicating");
    assertThat(well.path("operations").asLong()).isEqualTo(55);
    assertThat(well.path("lastSync").asText()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(well.path("filesWaiting").asInt()).isEqualTo(3);
    assertThat(well.path("lagSeconds").asDouble()).isBetween(120.0, 180.0);
    assertThat(well.has("problem")).isFalse();

    condition = TargetReport.Condition.NOT_CONSUMING;
    assertThat(get("/health").statusCode()).isEqualTo(200);
    assertThat(get("/").body()).contains("Replicating, not consuming");
    assertThat(get("/metrics").body())
        .contains("corehub_table_target_not_consuming{pipeline=\"shop\",table=\"a\\\"<b>\"} 1\n")
        .contains("corehub_table_target_files_waiting{pipeline=\"shop\",table=\"a\\\"<b>\"} 3\n");

    condition = TargetReport.Condition.FAILED;
    HttpResponse<String> failed = get("/health");
    assertThat(failed.statusCode()).isEqualTo(503);
    JsonNode told = new ObjectMapper().readTree(failed.body()).findValue("target");
    assertThat(told.path("error").asText()).isEqualTo("E7: no <merge>");
    assertThat(told.path("file").asText()).isEqualTo("00000000000000000006.parquet");
    assertThat(told.path("fileInferred").asBoolean()).isTrue();
    assertThat(told.path("problem").asText()).isEqualTo("Load it <anew>.");
    assertThat(get("/").body()).contains("Failed", "Load it &lt;anew&gt;.");
    assertThat(get("/metrics").body())
        .contains("corehub_table_target_failed{pipeline=\"shop\",table=\"a\\\"<b>\"} 1\n")
        .contains("corehub_table_target_not_consuming{pipeline=\"shop\",table=\"a\\\"<b>\"} 0\n")
        .contains(
            "corehub_table_target_operations_total{pipeline=\"shop\",table=\"a\\\"<b>\"} 55\n")
        .contains(
            "corehub_table_target_state{pipeline=\"shop\",table=\"a\\\"<b>\",state=\"Failed\"} 1\n");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url()).resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void healthTellsPipelinesAndTables() throws Exception {
    HttpResponse<String> well = get("/health");
    assertThat(well.statusCode()).isEqualTo(200);
    assertThat(well.body())
        .contains(
            "\"confirmedPosition\" : \"42\"", "00000000000000000007.parquet", "\"queue\" : 2");

    tableState = TableStatus.State.STOPPED;
    HttpResponse<String> stopped = get("/health");
    assertThat(stopped.statusCode()).isEqualTo(503);
    assertThat(stopped.body()).contains("\"state\" : \"stopped\"", "Because <script>");
  }

  @Test
  void metricsHaveThePrefixAndEscapedLabels() throws Exception {
    Meters shop = meters.of("shop");
    shop.add("files.published", 2, "table", "t");
    shop.add("files.published", 1, "table", "t");
    shop.gauge("budget.bytes", () -> 5);
    shop.seconds("upload", 0.5);

    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(answer.body())
        .contains("corehub_files_published_total{pipeline=\"shop\",table=\"t\"} 3.0")
        .contains("corehub_budget_bytes{pipeline=\"shop\"} 5.0")
        .contains("corehub_upload_seconds_sum{pipeline=\"shop\"} 0.5")
        .contains("corehub_table_rows_published_total{pipeline=\"shop\",table=\"a\\\"<b>\"} 1234");
    assertThat(answer.body().lines())
        .filteredOn(line -> !line.startsWith("#"))
        .allMatch(line -> line.startsWith("corehub_"));
  }

  @Test
  void pageEscapesNamesAndLoadsNothing() throws Exception {
    tableState = TableStatus.State.STOPPED;
    HttpResponse<String> page = get("/");

    assertThat(page.body())
        .contains("my &lt;hub&gt;", "a&quot;&lt;b&gt;", "Because &lt;script&gt;", "1,234")
        .doesNotContain("<script", "src=", "http://", "https://");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'");
  }

  @Test
  void foreignHostHeaderIsRefused() throws Exception {
    URI url = URI.create(server.url());
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 421").doesNotContain("shop");
    }
  }

  @Test
  void takenPortIsOneClearError() {
    int port = URI.create(server.url()).getPort();

    assertThatExceptionOfType(WebException.class)
        .isThrownBy(
            () -> WebServer.start(new WebConfig("127.0.0.1", port), meters, "x", List::of).close())
        .withMessageContaining("127.0.0.1:" + port)
        .withMessageContaining("hub.web");
  }
}
