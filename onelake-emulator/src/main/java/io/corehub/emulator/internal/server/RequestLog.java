package io.corehub.emulator.internal.server;

import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of the server, in order of arrival, without secrets. The newest requests are kept:
 * 100,000 of them, fewer (but 10,000 at least) when they would take more than a sixteenth of the
 * heap. Thread-safe.
 */
final class RequestLog {
  private static final int BYTES_PER_LINE = 2_500;
  private static final int MAX_KEPT =
      (int)
          Math.max(
              10_000, Math.min(100_000, Runtime.getRuntime().maxMemory() / 16 / BYTES_PER_LINE));

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final Set<String> SECRET_HEADERS =
      Set.of(
          "authorization",
          "cookie",
          "proxy-authorization",
          "x-identity-header",
          "x-ms-copy-source-authorization");
  private static final Set<String> SECRET_FIELDS =
      Set.of("client_secret", "client_assertion", "password", "refresh_token", "code", "assertion");

  /** One request; its outcome is filled in while it is served. */
  static final class Line {
    private final long id;
    private final Instant at;
    private final Call call;
    private final @Nullable String fault;
    private volatile Map<String, String> form = Map.of();
    private volatile long bytes;
    private volatile int status;

    private Line(long id, Instant at, Call call, @Nullable String fault) {
      this.id = id;
      this.at = at;
      // Without its body, which would hold on to the connection.
      this.call = call.withBody(InputStream.nullInputStream());
      this.fault = fault;
    }

    void answered(int code) {
      status = code;
    }

    void received(long count) {
      bytes = count;
    }

    void sentForm(Map<String, String> fields) {
      form = without(fields, SECRET_FIELDS);
    }

    private Map<String, Object> describe() {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("id", id);
      line.put("at", TIME.format(at));
      line.put("operation", call.operation().word());
      line.put("method", call.method());
      line.put("path", call.path());
      line.put("rawPath", call.rawPath());
      line.put("query", call.query());
      line.put("headers", without(call.headers(), SECRET_HEADERS));
      line.put("form", form);
      line.put("bytes", bytes);
      line.put("status", status == 0 ? null : status);
      line.put("fault", fault);
      return line;
    }
  }

  private final Clock clock;
  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  private long lastId;

  RequestLog(Clock clock) {
    this.clock = clock;
  }

  synchronized Line arrived(Call call, @Nullable String fault) {
    if (lines.size() == MAX_KEPT) {
      lines.removeFirst();
    }
    Line line = new Line(++lastId, clock.instant(), call, fault);
    lines.add(line);
    return line;
  }

  /** The requests behind {@code afterId}. */
  List<Map<String, Object>> describe(long afterId) {
    List<Line> copy;
    synchronized (this) {
      copy = new ArrayList<>(lines);
    }
    return copy.stream().filter(line -> line.id > afterId).map(Line::describe).toList();
  }

  synchronized void clear() {
    lines.clear();
  }

  private static Map<String, String> without(Map<String, String> fields, Set<String> secret) {
    Map<String, String> kept = new LinkedHashMap<>(fields);
    kept.keySet().removeAll(secret);
    return kept;
  }
}
