package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers what a test laid ready, one after the other, and keeps what was sent. Confined to one
 * caller at a time.
 */
final class ScriptedHttp implements HttpClient {
  final List<HttpRequest> requests = new ArrayList<>();
  private final Deque<Reply> replies = new ArrayDeque<>();

  private record Reply(int status, HttpHeaders headers, InputStream body) {}

  /** OneLake's own answer with further headers as alternating names and values. */
  ScriptedHttp oneLake(int status, String body, String... headers) {
    HttpHeaders all = headers(headers);
    all.set(HttpHeaderName.fromString("x-ms-request-id"), "r1");
    all.set(HttpHeaderName.fromString("x-ms-version"), "2021-06-08");
    return reply(status, all, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
  }

  /** An answer with these headers alone. */
  ScriptedHttp raw(int status, String body, String... headers) {
    return reply(
        status, headers(headers), new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
  }

  ScriptedHttp stream(int status, InputStream body) {
    HttpHeaders all = headers();
    all.set(HttpHeaderName.fromString("x-ms-request-id"), "r1");
    all.set(HttpHeaderName.fromString("x-ms-version"), "2021-06-08");
    return reply(status, all, body);
  }

  private ScriptedHttp reply(int status, HttpHeaders headers, InputStream body) {
    replies.add(new Reply(status, headers, body));
    return this;
  }

  private static HttpHeaders headers(String... namesAndValues) {
    HttpHeaders headers = new HttpHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.set(HttpHeaderName.fromString(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return headers;
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return Mono.fromCallable(() -> sendSync(request, Context.NONE));
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    requests.add(request.copy());
    if (replies.isEmpty()) {
      throw new AssertionError(
          "Nobody expected " + request.getHttpMethod() + " " + request.getUrl());
    }
    return new StreamedResponse(request, replies.removeFirst());
  }

  private static final class StreamedResponse extends HttpResponse {
    private final Reply reply;

    StreamedResponse(HttpRequest request, Reply reply) {
      super(request);
      this.reply = reply;
    }

    @Override
    public int getStatusCode() {
      return reply.status();
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
      return reply.headers().getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
      return reply.headers();
    }

    @Override
    public InputStream getBodyAsInputStreamSync() {
      return reply.body();
    }

    @Override
    public Flux<ByteBuffer> getBody() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Mono<String> getBodyAsString() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
      throw new UnsupportedOperationException();
    }
  }
}
