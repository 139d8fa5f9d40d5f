package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.OneLakeUrl;
import io.corehub.onelake.internal.PercentEncoding;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The bottom of the storage library's pipeline: what it sends goes out with the address, the
 * version and the token that we chose, and what comes back is judged before the library sees it.
 * Thread-safe.
 *
 * <ul>
 *   <li>The address is built from the {@link Call}, with real slashes between segments, in the
 *       rename source too; the library would encode the slashes, which OneLake's rename may not
 *       understand.
 *   <li>{@code x-ms-version} is pinned, so that a new library does not silently ask for another
 *       protocol.
 *   <li>A token goes to the connection's host alone, for one scope in one tenant. What a server's
 *       {@code WWW-Authenticate} asks for is never read.
 *   <li>After a 401 the request is sent once more with a fresh token. Nothing else is sent twice.
 *   <li>A success whose {@code x-ms-rejected-headers} names a condition we sent is a failure.
 * </ul>
 */
final class GuardedClient implements HttpClient {
  static final String VERSION = "2021-06-08";
  private static final HttpHeaderName X_MS_VERSION = HttpHeaderName.fromString("x-ms-version");
  private static final HttpHeaderName RENAME_SOURCE =
      HttpHeaderName.fromString("x-ms-rename-source");
  private static final HttpHeaderName CLIENT_REQUEST_ID =
      HttpHeaderName.fromString("x-ms-client-request-id");
  private static final HttpHeaderName REJECTED = HttpHeaderName.fromString("x-ms-rejected-headers");
  private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");
  private static final List<HttpHeaderName> CONDITIONS =
      List.of(
          HttpHeaderName.IF_NONE_MATCH,
          HttpHeaderName.IF_MATCH,
          HttpHeaderName.IF_MODIFIED_SINCE,
          HttpHeaderName.IF_UNMODIFIED_SINCE,
          HttpHeaderName.fromString("x-ms-source-if-match"),
          HttpHeaderName.fromString("x-ms-source-if-none-match"));

  private final OneLakeUrl url;
  private final Transport transport;
  private final TokenSource tokens;
  private final Clock clock;

  // Per client, so that a consumer of one client's listing may use another; emptied after each
  // call.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Running> running = new ThreadLocal<>();

  GuardedClient(OneLakeUrl url, Transport transport, TokenSource tokens, Clock clock) {
    this.url = url;
    this.transport = transport;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * A call that the storage library is busy with on the calling thread, and how it failed: the
   * library passes exceptions on in changed form, or only their causes. Confined to that thread.
   */
  private static final class Running {
    private final Call call;
    private @Nullable DfsException failure;

    Running(Call call) {
      this.call = call;
    }
  }

  /** Something the storage library does on the calling thread. */
  @FunctionalInterface
  interface Work<T> {
    T run();
  }

  /** Runs work of the storage library whose requests belong to a call. */
  <T> T during(Call call, Work<T> work) throws InterruptedException {
    Running mine = new Running(call);
    running.set(mine);
    try {
      return work.run();
    } catch (RuntimeException e) {
      Optional<InterruptedException> interrupt = Failures.find(e, InterruptedException.class);
      if (interrupt.isPresent() || Thread.interrupted()) {
        InterruptedException interrupted =
            new InterruptedException(call.operation() + " was interrupted");
        interrupted.initCause(e);
        throw interrupted;
      }
      throw mine.failure == null ? notUnderstood(call, e) : mine.failure;
    } finally {
      running.remove();
    }
  }

  private DfsException notUnderstood(Call call, RuntimeException cause) {
    return DfsException.of(Kind.UNEXPECTED_ANSWER, call.operation())
        .outcomeUnknown(call.changes())
        .build(
            call.operation() + " at " + url.authority() + ": the answer could not be understood.",
            cause);
  }

  /** Sends a request that the storage library has no way to send to the DFS host. */
  BufferedAnswer send(HttpMethod method, Call call, @Nullable String range)
      throws InterruptedException {
    HttpRequest request = new HttpRequest(method, url.endpoint());
    if (range != null) {
      request.setHeader(HttpHeaderName.RANGE, range);
    }
    return during(call, () -> sendSync(request, Context.NONE));
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    // The library appends through its asynchronous side and waits for it on the calling thread.
    return Mono.fromCallable(() -> sendSync(request, Context.NONE));
  }

  @Override
  public BufferedAnswer sendSync(HttpRequest request, Context context) {
    Running mine = running.get();
    if (mine == null) {
      throw new IllegalStateException("The storage library sent a request of its own accord");
    }
    try {
      return exchange(request, mine.call);
    } catch (DfsException e) {
      mine.failure = e;
      throw e;
    }
  }

  private BufferedAnswer exchange(HttpRequest request, Call call) {
    address(request, call);
    TokenSource.Token token = tokens.get();
    BufferedAnswer answer = attempt(request, call, token);
    if (answer.getStatusCode() == 401) {
      Optional<TokenSource.Token> fresh = tokens.afterRefusalOf(token);
      if (fresh.isPresent()) {
        token = fresh.get();
        answer = attempt(request, call, token);
      }
    }
    if (answer.getStatusCode() != 401) {
      token.accepted();
    }
    judge(answer, call, request);
    return answer;
  }

  private BufferedAnswer attempt(HttpRequest request, Call call, TokenSource.Token token) {
    request.setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.value());
    request.setHeader(CLIENT_REQUEST_ID, UUID.randomUUID().toString());
    return transport.send(request, call);
  }

  private void address(HttpRequest request, Call call) {
    StringBuilder to = new StringBuilder(url.endpoint());
    to.append(onFileSystem(call.wirePath()));
    String query = request.getUrl().getQuery();
    if (query != null && !query.isEmpty()) {
      to.append('?').append(query);
    }
    if (call.close()) {
      to.append(query == null || query.isEmpty() ? '?' : '&').append("close=true");
    }
    request.setUrl(to.toString());
    request.setHeader(X_MS_VERSION, VERSION);
    call.renameSource().ifPresent(source -> request.setHeader(RENAME_SOURCE, onFileSystem(source)));
  }

  private String onFileSystem(String path) {
    String encoded = "/" + PercentEncoding.segment(url.fileSystem());
    return path.isEmpty() ? encoded : encoded + "/" + PercentEncoding.path(path);
  }

  private void judge(BufferedAnswer answer, Call call, HttpRequest request) {
    Optional<DfsException> failure = Failures.of(answer, call, request.getUrl(), clock);
    if (failure.isPresent()) {
      throw failure.get();
    }
    String rejected = Failures.header(answer, REJECTED).toLowerCase(Locale.ROOT);
    if (rejected.isEmpty()) {
      return;
    }
    List<String> ignored = List.of(rejected.split("[,;\\s]+"));
    for (HttpHeaderName condition : CONDITIONS) {
      boolean sent = request.getHeaders().getValue(condition) != null;
      if (sent && ignored.contains(condition.getCaseInsensitiveName())) {
        throw DfsException.of(Kind.CONDITION_IGNORED, call.operation())
            .status(answer.getStatusCode())
            .requestId(Failures.header(answer, REQUEST_ID))
            .outcomeUnknown(call.changes())
            .build(
                Failures.about(call, request.getUrl())
                    + ": the server ignored "
                    + condition.getCaseSensitiveName()
                    + ", so an existing file may have been replaced.");
      }
    }
  }
}
