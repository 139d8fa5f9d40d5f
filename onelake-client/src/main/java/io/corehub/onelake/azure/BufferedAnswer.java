package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer whose body was read within its limits and lies in memory. Immutable. */
final class BufferedAnswer extends HttpResponse {
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  BufferedAnswer(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
    super(request);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  byte[] body() {
    return body;
  }

  @Override
  public int getStatusCode() {
    return status;
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester")
  public @Nullable String getHeaderValue(String name) {
    return headers.getValue(com.azure.core.http.HttpHeaderName.fromString(name));
  }

  @Override
  public HttpHeaders getHeaders() {
    return headers;
  }

  @Override
  public Flux<ByteBuffer> getBody() {
    return Flux.defer(() -> Flux.just(ByteBuffer.wrap(body)));
  }

  @Override
  public BinaryData getBodyAsBinaryData() {
    return BinaryData.fromBytes(body);
  }

  @Override
  public Mono<byte[]> getBodyAsByteArray() {
    return Mono.just(body);
  }

  @Override
  public Mono<String> getBodyAsString() {
    return getBodyAsString(StandardCharsets.UTF_8);
  }

  @Override
  public Mono<String> getBodyAsString(Charset charset) {
    return Mono.just(new String(body, charset));
  }

  @Override
  public HttpResponse buffer() {
    return this;
  }
}
