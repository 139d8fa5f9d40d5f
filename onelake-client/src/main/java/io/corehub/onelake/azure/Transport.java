package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends one request and reads its answer whole, within a time limit and a size limit; no redirect
 * is followed, nothing is sent twice, no compression is asked for. Every way not to get an answer
 * becomes a {@link DfsException}. Thread-safe.
 *
 * <p>The storage library's own time limit does not hold for its synchronous calls, so it is kept
 * here: by the HTTP client up to the answer's headers, by closing the stream for its body.
 */
final class Transport {
  private static final HttpHeaderName CONTENT_LENGTH = HttpHeaderName.CONTENT_LENGTH;
  private static final HttpHeaderName ACCEPT_ENCODING = HttpHeaderName.ACCEPT_ENCODING;

  /** Room for an error's body, whatever the call expects. */
  private static final int LEAST_CAP = 64 << 10;

  private final HttpClient http;
  private final ProxyChoice proxy;
  private final Duration limit;
  private final ScheduledExecutorService deadlines;

  /**
   * @param http without redirects, its response timeout set to {@code limit}
   * @param proxy what {@code http} was built with
   * @param limit for one request with its answer
   * @param deadlines where streams that take too long are closed
   */
  Transport(
      HttpClient http, ProxyChoice proxy, Duration limit, ScheduledExecutorService deadlines) {
    this.http = http;
    this.proxy = proxy;
    this.limit = limit;
    this.deadlines = deadlines;
  }

  BufferedAnswer send(HttpRequest request, Call call) {
    long began = System.nanoTime();
    request.getHeaders().remove(ACCEPT_ENCODING);
    proxy
        .authorization(URI.create(request.getUrl().toString()))
        .ifPresent(header -> request.setHeader(HttpHeaderName.PROXY_AUTHORIZATION, header));
    try {
      // Without the library's context, which can ask the HTTP client to read a body whole,
      // unbounded.
      HttpResponse answer = http.sendSync(request, Context.NONE);
      if (answer.getStatusCode() == Failures.PROXY_AUTHENTICATION_REQUIRED) {
        // Such an answer has no body, not even an empty one to close.
        throw Failures.proxyRefused(
            call, request.getUrl(), between(request).orElse("something in between"));
      }
      try (HttpResponse response = answer) {
        byte[] body = body(request, response, call, began);
        return new BufferedAnswer(request, response.getStatusCode(), response.getHeaders(), body);
      }
    } catch (DfsException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (Failures.find(e, InterruptedException.class).isPresent()) {
        throw new IllegalStateException(call.operation() + " was interrupted", e);
      }
      throw Failures.noAnswer(e, call, request.getUrl(), limit, between(request));
    }
  }

  /** The proxy that a request takes, in words. */
  private Optional<String> between(HttpRequest request) {
    return proxy.server(URI.create(request.getUrl().toString())).map(server -> "proxy " + server);
  }

  private byte[] body(HttpRequest request, HttpResponse response, Call call, long began)
      throws IOException {
    String declared = response.getHeaderValue(CONTENT_LENGTH);
    if ("0".equals(declared) || request.getHttpMethod() == com.azure.core.http.HttpMethod.HEAD) {
      return new byte[0];
    }
    int most = Math.max(call.maxAnswerBytes(), LEAST_CAP);
    long remaining = limit.toNanos() - (System.nanoTime() - began);
    AtomicBoolean late = new AtomicBoolean();
    InputStream in = response.getBodyAsInputStreamSync();
    Future<?> watch =
        deadlines.schedule(
            () -> {
              late.set(true);
              in.close();
              return null;
            },
            Math.max(1, remaining),
            TimeUnit.NANOSECONDS);
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream(512);
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (out.size() + n > most) {
          throw DfsException.of(Kind.UNEXPECTED_ANSWER, call.operation())
              .status(response.getStatusCode())
              .outcomeUnknown(call.changes())
              .build(
                  Failures.about(call, request.getUrl())
                      + ": the answer is larger than "
                      + most
                      + " bytes.");
        }
        out.write(buffer, 0, n);
      }
      return out.toByteArray();
    } catch (IOException e) {
      if (late.get()) {
        throw Failures.timeout(e, call, request.getUrl(), limit);
      }
      throw e;
    } finally {
      watch.cancel(false);
    }
  }
}
