package io.corehub.lineage;

import static io.corehub.lineage.LineageBench.ORDERS;
import static io.corehub.lineage.LineageBench.changes;
import static io.corehub.lineage.LineageBench.shape;
import static io.corehub.lineage.LineageBench.snapshot;
import static io.corehub.lineage.LineageBench.snapshotStart;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.table.TableId;
import io.openlineage.client.OpenLineage.RunEvent;
import io.openlineage.client.OpenLineageClientUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * The real client and its transports against real files and servers, good and bad: whatever they
 * do, those who tell the news never wait.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SendingTest {

  @TempDir Path directory;

  private final LinkedBlockingQueue<RunEvent> received = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private HttpServer server;

  @BeforeEach
  void listen() {
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void stop() throws InterruptedException {
    release.countDown();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("lineage-shop")) {
        thread.interrupt();
        thread.join();
      }
    }
    logger().detachAppender(log);
    if (server != null) {
      server.stop(0);
    }
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(LineageEmitter.class);
  }

  private interface Behaviour {
    int answer(RunEvent event) throws InterruptedException;
  }

  private String serve(Behaviour behaviour) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "catalogue");
              thread.setDaemon(true);
              return thread;
            }));
    server.createContext(
        "/api/v1/lineage",
        exchange -> {
          String text =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          RunEvent event = OpenLineageClientUtils.runEventFromJson(text);
          int status;
          try {
            status = behaviour.answer(event);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          if (status < 300) {
            received.add(event);
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private String http(String url) throws IOException {
    return config("transport:\n  type: http\n  url: " + url + "\n  timeoutInMillis: 60000\n");
  }

  private String config(String yaml) throws IOException {
    return Files.writeString(directory.resolve("openlineage.yml"), yaml).toString();
  }

  private PipelineObserver observe(String configFile, String... more) {
    String[] pairs = new String[more.length + 4];
    pairs[0] = "configFile";
    pairs[1] = configFile;
    pairs[2] = "shutdownSeconds";
    pairs[3] = "30";
    System.arraycopy(more, 0, pairs, 4, more.length);
    LineageProvider provider = new LineageProvider();
    Map<String, String> values = LineageBench.settings(pairs);
    assertThat(provider.validate(values)).isEmpty();
    return provider
        .observe(
            provider.settings().parse(values),
            LineageBench.pipeline(
                LineageBench.POSTGRES, directory.resolve("shop.lineage"), InstantSource.system()))
        .orElseThrow();
  }

  private static void oneOrder(PipelineObserver observer) {
    observer.started();
    observer.tableShaped(shape(ORDERS, "id"));
    observer.snapshotStarted(ORDERS, snapshotStart());
    observer.filePublished(snapshot(ORDERS, 3));
    observer.snapshotEnded(ORDERS, "s1", true);
    observer.filePublished(changes(ORDERS, 2));
  }

  private static final String[] WHOLE_STORY = {
    "START shop",
    "START shop.sales.orders.snapshot",
    "COMPLETE shop.sales.orders.snapshot 3 rows in 1",
    "START shop.sales.orders",
    "RUNNING shop.sales.orders 2 rows in 1",
    "COMPLETE shop.sales.orders",
    "COMPLETE shop"
  };

  private static List<String> linesOf(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(LineageBench.line(OpenLineageClientUtils.runEventFromJson(line)));
    }
    return lines;
  }

  private List<String> receivedLines() {
    return received.stream().map(LineageBench::line).toList();
  }

  private RunEvent next() throws InterruptedException {
    RunEvent event = received.poll(60, TimeUnit.SECONDS);
    assertThat(event).as("an event comes").isNotNull();
    return event;
  }

  private List<String> warnings() {
    synchronized (log.list) {
      return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
  }

  @Test
  void theFileTransportGetsTheWholeStory() throws IOException {
    Path events = directory.resolve("out/events.jsonl");
    PipelineObserver observer =
        observe(config("transport:\n  type: file\n  location: " + events + "\n"));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(linesOf(events)).containsExactly(WHOLE_STORY);
    assertThat(Files.readString(directory.resolve("shop.lineage"))).isEqualTo("{\"open\":[]}");
  }

  @Test
  void theHttpTransportGetsTheWholeStory() throws IOException {
    PipelineObserver observer = observe(http(serve(event -> 201)));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(receivedLines()).containsExactly(WHOLE_STORY);
  }

  @Test
  void theCompositeTransportSendsToBoth() throws IOException {
    Path events = directory.resolve("events.jsonl");
    PipelineObserver observer =
        observe(
            config(
                "transport:\n  type: composite\n  continueOnFailure: false\n  transports:\n"
                    + "    - type: http\n      url: "
                    + serve(event -> 201)
                    + "\n    - type: file\n      location: "
                    + events
                    + "\n"));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(receivedLines()).containsExactly(WHOLE_STORY);
    assertThat(linesOf(events)).containsExactly(WHOLE_STORY);
  }

  @Test
  void twoPipelinesWriteOneFileWithoutMixingTheirLines() throws Exception {
    Path events = directory.resolve("events.jsonl");
    String config = config("transport:\n  type: file\n  location: " + events + "\n");
    LineageProvider provider = new LineageProvider();
    List<PipelineObserver> observers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      observers.add(
          provider
              .observe(
                  provider
                      .settings()
                      .parse(LineageBench.settings("configFile", config, "shutdownSeconds", "30")),
                  LineageBench.pipeline(
                      LineageBench.POSTGRES,
                      directory.resolve(i + ".lineage"),
                      InstantSource.system()))
              .orElseThrow());
    }
    String[] columns = new String[300];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = "column" + i;
    }
    for (PipelineObserver observer : observers) {
      observer.started();
      for (int i = 0; i < 20; i++) {
        TableId table = TableId.of("s", "t" + i);
        observer.tableShaped(shape(table, columns));
        observer.filePublished(changes(table, 1));
      }
    }
    for (PipelineObserver observer : observers) {
      observer.ended(Optional.empty());
      observer.close();
    }

    assertThat(linesOf(events)).hasSize(4 * (2 + 20 * 3));
  }

  @Test
  void theClientsOwnSwitchLeavesTheFacetOut() throws IOException {
    Path events = directory.resolve("events.jsonl");
    PipelineObserver observer =
        observe(
            config(
                "transport:\n  type: file\n  location: "
                    + events
                    + "\nfacets:\n  fabric_onelake:\n    disabled: true\n"));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(Files.readString(events)).doesNotContain("fabric_onelake").contains("columnLineage");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "transport: {type: nonsense} | transport",
        "transport: [ | expected the node content",
        "'transport: {type: kafka, topicName: t, properties: {}}' | kafka",
        "facets: {} | names no 'transport'",
        "'' | lineage.configFile"
      })
  void aConfigurationThatCannotBeUsedSwitchesLineageOffAndSaysSoOnce(String yaml, String why)
      throws IOException {
    PipelineObserver observer = observe(config(yaml));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(warnings()).hasSize(1);
    assertThat(warnings().get(0)).contains("no lineage is sent", "lineage.configFile", why);
  }

  @Test
  void aConfigurationThatIsMissingSwitchesLineageOff() {
    PipelineObserver observer = observe(directory.resolve("none.yml").toString());

    oneOrder(observer);
    observer.close();

    assertThat(warnings()).hasSize(1);
    assertThat(warnings().get(0)).contains("none.yml", "replication goes on");
  }

  @Test
  void aServerThatComesBackGetsEverythingInOrder() throws Exception {
    int[] failures = {2};
    PipelineObserver observer = observe(http(serve(event -> failures[0]-- > 0 ? 500 : 201)));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(receivedLines()).containsExactly(WHOLE_STORY);
  }

  @Test
  void anEventThatIsRefusedDoesNotHoldUpTheOthers() throws IOException {
    PipelineObserver observer =
        observe(http(serve(event -> event.getJob().getName().endsWith("snapshot") ? 400 : 201)));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(receivedLines())
        .containsExactly(
            "START shop",
            "START shop.sales.orders",
            "RUNNING shop.sales.orders 2 rows in 1",
            "COMPLETE shop.sales.orders",
            "COMPLETE shop");
    assertThat(warnings()).anyMatch(line -> line.contains("refuses an event"));
  }

  /** 10,000 files while the server holds the first request, answers errors, or is not there. */
  @ParameterizedTest
  @ValueSource(strings = {"hang", "500", "503", "dead", "full disk"})
  void newsIsNeverHeldUp(String trouble) throws Exception {
    PipelineObserver observer =
        observe(troubled(trouble), "queueSize", "10", "shutdownSeconds", "1");
    observer.started();
    List<TableId> tables = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      tables.add(TableId.of("sales", "t" + i));
      observer.tableShaped(shape(tables.get(i), "id"));
    }

    long begin = System.nanoTime();
    for (int i = 0; i < 10_000; i++) {
      observer.filePublished(changes(tables.get(i % 50), 1));
    }
    Duration told = Duration.ofNanos(System.nanoTime() - begin);
    long ending = System.nanoTime();
    observer.ended(Optional.empty());
    observer.close();
    Duration ended = Duration.ofNanos(System.nanoTime() - ending);

    assertThat(told).as("10,000 files").isLessThan(Duration.ofSeconds(2));
    assertThat(ended).as("the end").isLessThan(Duration.ofSeconds(4));
  }

  private String troubled(String trouble) throws IOException {
    return switch (trouble) {
      case "hang" ->
          http(
              serve(
                  event -> {
                    release.await();
                    return 201;
                  }));
      case "dead" -> {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
          yield http("http://127.0.0.1:" + free.getLocalPort());
        }
      }
      case "full disk" -> config("transport:\n  type: file\n  location: /dev/full\n");
      default -> http(serve(event -> Integer.parseInt(trouble)));
    };
  }

  @Test
  void runsThatWereLeftOpenAreAbortedByTheNextStart() throws Exception {
    String config = http(serve(event -> 201));
    PipelineObserver killed = observe(config);
    oneOrder(killed);
    RunEvent pipeline = next();
    next();
    next();
    RunEvent orders = next();
    // The process is killed here: nobody ends the first observer.

    PipelineObserver second = observe(config);
    second.started();
    RunEvent first = next();
    RunEvent another = next();
    RunEvent fresh = next();
    second.ended(Optional.empty());
    second.close();

    assertThat(List.of(LineageBench.line(first), LineageBench.line(another)))
        .containsExactly("ABORT shop", "ABORT shop.sales.orders");
    assertThat(first.getRun().getRunId()).isEqualTo(pipeline.getRun().getRunId());
    assertThat(another.getRun().getRunId()).isEqualTo(orders.getRun().getRunId());
    assertThat(LineageBench.line(fresh)).isEqualTo("START shop");
    assertThat(fresh.getRun().getRunId()).isNotEqualTo(pipeline.getRun().getRunId());
    assertThat(OpenLineageSchemas.find().problems(OpenLineageClientUtils.toJson(another)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "{\"open\":[{\"runId\":\"x\"}]}", "[]"})
  void whatIsRememberedMayBeDamaged(String memory) throws Exception {
    Files.writeString(directory.resolve("shop.lineage"), memory);
    PipelineObserver observer = observe(http(serve(event -> 201)));

    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(receivedLines()).containsExactly(WHOLE_STORY);
  }

  @Test
  void aFailureIsToldWithItsReasonAndWithoutSecrets() throws Exception {
    Path events = directory.resolve("events.jsonl");
    PipelineObserver observer =
        observe(config("transport:\n  type: file\n  location: " + events + "\n"));
    oneOrder(observer);

    observer.tableStopped(
        new TableStoppedException(
            ORDERS, ErrorCode.ACCESS, "Refused MARKER-SECRET, Bearer abcdef.TOKEN sig=TOKEN"));
    observer.agentStopped(new ActionRequiredException(ErrorCode.SIGN_IN, "MARKER-SECRET expired"));
    observer.ended(Optional.of("the pipeline failed"));
    observer.close();

    String all = Files.readString(events);
    assertThat(all).doesNotContain("MARKER-SECRET").doesNotContain("TOKEN").contains("Refused ***");
    assertThat(linesOf(events))
        .contains("FAIL shop.sales.orders 2 rows in 1", "FAIL shop")
        .doesNotContain("COMPLETE shop", "COMPLETE shop.sales.orders");
  }

  @Test
  void nothingIsToldAfterTheEnd() throws Exception {
    Path events = directory.resolve("events.jsonl");
    PipelineObserver observer =
        observe(config("transport:\n  type: file\n  location: " + events + "\n"));
    oneOrder(observer);
    observer.ended(Optional.empty());

    observer.filePublished(changes(ORDERS, 2));
    observer.tableStopped(new TableStoppedException(ORDERS, ErrorCode.ACCESS, "no"));
    observer.ended(Optional.of("no"));
    observer.close();
    observer.close();

    assertThat(linesOf(events)).containsExactly(WHOLE_STORY);
  }

  @Test
  void aPipelineThatNeverStartedTellsNothing() {
    PipelineObserver observer = observe(directory.resolve("none.yml").toString());

    observer.ended(Optional.of("no"));
    observer.close();

    assertThat(warnings()).isEmpty();
  }

  @Test
  void noThreadStaysBehind() throws Exception {
    PipelineObserver observer = observe(http(serve(event -> 201)));
    oneOrder(observer);
    observer.ended(Optional.empty());
    observer.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("lineage-shop") && thread.isAlive());
  }
}
