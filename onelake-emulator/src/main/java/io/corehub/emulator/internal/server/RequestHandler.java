package io.corehub.emulator.internal.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every request of a port to its endpoint, by way of the fault that is due, if any.
 * Thread-safe.
 */
final class RequestHandler implements HttpHandler {
  static final String CONTROL = "/_emulator";

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
  private static final String DEFAULT_VERSION = "2021-06-08";
  private static final byte[] PORTAL =
      "<html><body>Please sign in to use this network.</body></html>"
          .getBytes(StandardCharsets.UTF_8);

  private final DfsEndpoint dfs;
  private final TokenEndpoint tokens;
  private final boolean tokensOnly;
  private final ControlEndpoint control;
  private final FaultRules faults;
  private final RequestLog log;

  /**
   * @param tokensOnly whether token requests are all that the port serves
   */
  RequestHandler(
      DfsEndpoint dfs,
      TokenEndpoint tokens,
      boolean tokensOnly,
      ControlEndpoint control,
      FaultRules faults,
      RequestLog log) {
    this.dfs = dfs;
    this.tokens = tokens;
    this.tokensOnly = tokensOnly;
    this.control = control;
    this.faults = faults;
    this.log = log;
  }

  /** Serves a request; what it throws makes the server break the connection. */
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      serve(exchange);
    } catch (IOException e) {
      LOG.debug("{} {} broke off", exchange.getRequestMethod(), exchange.getRequestURI(), e);
      throw e;
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
      throw e;
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    CountedBody body = new CountedBody(exchange.getRequestBody());
    Call call;
    try {
      call = read(exchange, body);
    } catch (RefusedException e) {
      body.drain();
      Answer answer = Answer.dfsError(e.status(), e.code(), e.text());
      send(exchange, answer.with("x-ms-request-id", UUID.randomUUID().toString()), -1, -1);
      return;
    }
    if (tokensOnly && call.operation() != Operation.TOKEN) {
      body.drain();
      send(exchange, Answer.json(404, Map.of("error", "not_found")), -1, -1);
      return;
    }
    if (call.path().equals(CONTROL) || call.path().startsWith(CONTROL + "/")) {
      send(exchange, control.handle(call), -1, -1);
      return;
    }
    Optional<FaultRules.Due> due = faults.next(call);
    RequestLog.Line line = log.arrived(call, due.map(FaultRules.Due::type).orElse(null));
    try {
      if (due.isEmpty()) {
        answer(exchange, call, perform(call, line), body, line);
      } else {
        fail(exchange, call, due.get().fault(), body, line);
      }
    } finally {
      line.received(body.count());
    }
  }

  private static Call read(HttpExchange exchange, CountedBody body) throws IOException {
    URI uri = exchange.getRequestURI();
    String rawPath =
        uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String path = PercentDecoding.decode(rawPath);
    Map<String, String> query = PercentDecoding.query(uri.getRawQuery());
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
      headers.put(header.getKey().toLowerCase(Locale.ROOT), String.join(",", header.getValue()));
    }
    String method = exchange.getRequestMethod();
    return new Call(
        UUID.randomUUID().toString(),
        Operation.of(method, path, query, headers),
        method,
        path,
        rawPath,
        query,
        headers,
        body,
        -1);
  }

  private Answer perform(Call call, RequestLog.Line line) throws IOException {
    if (call.operation() != Operation.TOKEN) {
      return dfs.handle(call);
    }
    byte[] form = call.body().readNBytes(64 * 1024);
    Map<String, String> fields = EntraEndpoint.form(form);
    line.sentForm(fields);
    return tokens.token(call, fields);
  }

  private void fail(
      HttpExchange exchange, Call call, Fault fault, CountedBody body, RequestLog.Line line)
      throws IOException {
    if (fault instanceof Fault.After) {
      perform(call, line).close();
      body.drain();
    } else if (fault instanceof Fault.Late late) {
      perform(held(call, body, late.millis()), line).close();
    } else if (fault instanceof Fault.Hang hang) {
      answer(exchange, call, perform(held(call, body, hang.millis()), line), body, line);
    } else if (fault instanceof Fault.Status status) {
      if (status.applied()) {
        perform(call, line).close();
      }
      answer(exchange, call, injected(call, status), body, line);
    } else if (fault instanceof Fault.Reset reset) {
      breakOff(exchange, call, reset.afterBytes(), body, line);
    } else if (fault instanceof Fault.Slow slow) {
      Call slowed = call.withBody(Pace.slow(call.body(), slow.bytesPerSecond()));
      answer(exchange, call, perform(slowed, line), body, line, slow.bytesPerSecond(), -1);
    } else if (fault instanceof Fault.StoresShort) {
      long half = Math.max(0, call.contentLength()) / 2;
      answer(exchange, call, perform(call.withStoreLimit(half), line), body, line);
    } else if (fault instanceof Fault.Html html) {
      body.drain();
      line.answered(html.code());
      send(exchange, Answer.bytes(html.code(), "text/html; charset=utf-8", PORTAL), -1, -1);
    } else if (fault instanceof Fault.Redirect redirect) {
      Answer answer = Answer.empty(307).with("Location", redirect.location());
      answer(exchange, call, answer, body, line);
    } else if (fault instanceof Fault.Challenge challenge) {
      Answer answer =
          Answer.dfsError(401, "InvalidAuthenticationInfo", "Another token is wanted.")
              .with("WWW-Authenticate", dfs.challenge(challenge.tenant(), challenge.resource()));
      answer(exchange, call, answer, body, line);
    } else if (fault instanceof Fault.ForeignFile foreign) {
      dfs.plant(call, foreign.content());
      answer(exchange, call, perform(call, line), body, line);
    }
    // Fault.Before: the connection is closed by the caller, and nothing was done.
  }

  /** The request with all of its body in memory, after the pause. */
  private static Call held(Call call, CountedBody body, long millis) throws IOException {
    Call whole = call.withBody(new ByteArrayInputStream(body.readAllBytes()));
    Pace.pause(millis);
    return whole;
  }

  private Answer injected(Call call, Fault.Status status) {
    Answer answer;
    if (status.code() < 300) {
      answer = Answer.empty(status.code());
    } else if (call.operation() == Operation.TOKEN) {
      String code = status.errorCode().isEmpty() ? "90033" : status.errorCode();
      answer = tokens.injected(status.code(), code);
    } else {
      String code = status.errorCode().isEmpty() ? "InternalError" : status.errorCode();
      answer = dfs.injected(call, status.code(), code);
      if (!status.codeInHeader()) {
        answer.without("x-ms-error-code");
      }
    }
    status.headers().forEach(answer::with);
    return answer;
  }

  /**
   * Cuts an upload after so many bytes of its body; anything else after so many of the answer's.
   */
  private void breakOff(
      HttpExchange exchange, Call call, long afterBytes, CountedBody body, RequestLog.Line line)
      throws IOException {
    if (call.operation() == Operation.GET || call.operation() == Operation.LIST) {
      answer(exchange, call, perform(call, line), body, line, -1, afterBytes);
      return;
    }
    byte[] buffer = new byte[16 * 1024];
    long left = afterBytes;
    while (left > 0) {
      int read = body.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        return;
      }
      left -= read;
    }
  }

  private void answer(
      HttpExchange exchange, Call call, Answer answer, CountedBody body, RequestLog.Line line)
      throws IOException {
    answer(exchange, call, answer, body, line, -1, -1);
  }

  private void answer(
      HttpExchange exchange,
      Call call,
      Answer answer,
      CountedBody body,
      RequestLog.Line line,
      long bytesPerSecond,
      long cutAfter)
      throws IOException {
    try (answer) {
      body.drain();
      answer
          .with("x-ms-request-id", call.requestId())
          .with("x-ms-version", call.header("x-ms-version").orElse(DEFAULT_VERSION));
      call.header("x-ms-client-request-id")
          .ifPresent(id -> answer.with("x-ms-client-request-id", id));
      line.answered(answer.status());
      send(exchange, answer, bytesPerSecond, cutAfter);
    }
  }

  private static void send(HttpExchange exchange, Answer answer, long bytesPerSecond, long cutAfter)
      throws IOException {
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    boolean bodiless = exchange.getRequestMethod().equals("HEAD") || answer.status() == 304;
    if (bodiless || answer.bodyLength() == 0) {
      exchange.sendResponseHeaders(answer.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(answer.status(), answer.bodyLength());
    try (OutputStream out = exchange.getResponseBody()) {
      OutputStream shaped = out;
      if (bytesPerSecond > 0) {
        shaped = Pace.slow(out, bytesPerSecond);
      } else if (cutAfter >= 0) {
        shaped = new CutOutput(out, cutAfter);
      }
      answer.writeBody(shaped);
    }
  }
}
