package io.corehub.hub.web;

import io.corehub.hub.config.WebConfig;
import io.corehub.hub.pipeline.PipelineStatus;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics}, {@code /health} and the status page. Read-only. Thread-safe.
 *
 * <p>A request must name the server's own host, so that a page elsewhere cannot read it by pointing
 * a name of its own at this address. More than {@value #REQUESTS_PER_SECOND} requests in a second
 * are answered with 429, so that whoever asks cannot take the hub's time. If there is a token, a
 * request without it is answered with 401, and where others than this machine can ask there must be
 * one.
 */
public final class WebServer implements AutoCloseable {

  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /** Most requests that are answered in a second in the long run. */
  static final int REQUESTS_PER_SECOND = 200;

  /** Most that are answered at once after a time without any. */
  static final int REQUESTS_AT_ONCE = 1_000;

  private final WebConfig config;
  private final PrometheusMeters meters;
  private final String hubName;
  private final Supplier<List<PipelineStatus>> statuses;
  private final RequestRate rate =
      new RequestRate(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE, System::nanoTime);
  private final Optional<TokenCheck> token;
  private final Javalin server;

  private WebServer(
      WebConfig config,
      PrometheusMeters meters,
      String hubName,
      Supplier<List<PipelineStatus>> statuses) {
    this.config = config;
    this.meters = meters;
    this.hubName = hubName;
    this.statuses = statuses;
    this.token = config.token().map(TokenCheck::new);
    this.server =
        Javalin.create(
            c -> {
              c.startup.showJavalinBanner = false;
              c.startup.showOldJavalinVersionWarning = false;
              c.routes.before(this::guard);
              c.routes.get("/metrics", this::metrics);
              c.routes.get("/health", this::health);
              c.routes.get("/", this::page);
            });
  }

  /**
   * Starts listening.
   *
   * @param config where
   * @param meters figures to show
   * @param hubName name of the hub
   * @param statuses how the pipelines stand now
   * @return the running server
   * @throws WebException if the address cannot be listened on, or is not this machine's alone and
   *     there is no token
   */
  public static WebServer start(
      WebConfig config,
      PrometheusMeters meters,
      String hubName,
      Supplier<List<PipelineStatus>> statuses) {
    refuseOpenDoor(config);
    WebServer web = new WebServer(config, meters, hubName, statuses);
    try {
      web.server.start(config.host(), config.port());
    } catch (RuntimeException e) {
      throw new WebException(
          "The web server cannot listen on "
              + config.host()
              + ":"
              + config.port()
              + " ("
              + rootMessage(e)
              + "). Change 'hub.web', or free the port.",
          e);
    }
    return web;
  }

  /** What the address means counts, not how it looks: a name may be made to mean another one. */
  private static void refuseOpenDoor(WebConfig config) {
    if (config.token().isEmpty() && !(config.loopback() && meansLoopback(config.host()))) {
      throw new WebException(
          "The web server would answer everybody who reaches '"
              + config.host()
              + "'. Set 'hub.web.token', or leave out 'hub.web.host'.");
    }
  }

  private static boolean meansLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException nowhere) {
      return false;
    }
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /**
   * Where the status page is.
   *
   * @return URL
   */
  public String url() {
    String host = config.host();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + "/";
  }

  private void guard(Context context) {
    context.header("Content-Security-Policy", StatusPage.CONTENT_SECURITY_POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("Cache-Control", "no-store");
    if (!rate.admits()) {
      context.status(HttpStatus.TOO_MANY_REQUESTS);
      context.header("Retry-After", "1");
      context.result("More than " + REQUESTS_PER_SECOND + " requests in a second.\n");
      context.skipRemainingHandlers();
    } else if (!knows(context.header("Host"))) {
      context.status(HttpStatus.MISDIRECTED_REQUEST);
      context.result("This server does not answer for that host name.\n");
      context.skipRemainingHandlers();
    } else if (token.isPresent() && !token.get().admits(context.header("Authorization"))) {
      context.status(HttpStatus.UNAUTHORIZED);
      context.header("WWW-Authenticate", TokenCheck.CHALLENGE);
      context.result(
          "Show the token of 'hub.web.token': as bearer token, or as password of any user.\n");
      context.skipRemainingHandlers();
    }
  }

  private boolean knows(@org.jspecify.annotations.Nullable String header) {
    if (header == null) {
      return false;
    }
    String host = header.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    if (LOOPBACK_NAMES.contains(host) || host.equals(config.host().toLowerCase(Locale.ROOT))) {
      return true;
    }
    // Listening on every address: any address of ours will do, but no name but our own.
    return wildcard() && (isAddress(host) || host.equals(ownName()));
  }

  private boolean wildcard() {
    return config.host().equals("0.0.0.0") || config.host().equals("::");
  }

  private static boolean isAddress(String host) {
    return host.matches("\\d{1,3}(\\.\\d{1,3}){3}") || host.startsWith("[");
  }

  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private void metrics(Context context) {
    context.contentType("text/plain; version=0.0.4; charset=utf-8");
    context.result(meters.scrape() + PipelineMetrics.text(statuses.get()));
  }

  private void health(Context context) {
    List<PipelineStatus> now = statuses.get();
    boolean healthy = now.stream().allMatch(PipelineStatus::healthy);
    context.status(healthy ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    context.contentType("application/json; charset=utf-8");
    context.result(HealthReport.json(healthy, now));
  }

  private void page(Context context) {
    context.contentType("text/html; charset=utf-8");
    context.result(StatusPage.html(hubName, statuses.get()));
  }

  @Override
  public void close() {
    server.stop();
  }
}
