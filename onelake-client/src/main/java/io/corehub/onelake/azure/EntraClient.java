package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Sends to the authority host alone and judges the answers before the identity library sees them.
 * Thread-safe.
 */
final class EntraClient implements HttpClient {
  private static final Call CALL = Call.look(SignIn.OPERATION, "", 1 << 20);
  private static final Pattern AADSTS = Pattern.compile("AADSTS([0-9]{3,9})");

  /** Entra's own passing faults. */
  private static final Set<String> PASSING =
      Set.of("AADSTS90033", "AADSTS90055", "AADSTS50033", "AADSTS429");

  private final AuthorityHost authority;
  private final Transport transport;
  private final Clock clock;

  EntraClient(AuthorityHost authority, Transport transport, Clock clock) {
    this.authority = authority;
    this.transport = transport;
    this.clock = clock;
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return Mono.fromCallable(() -> sendSync(request, Context.NONE));
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    URL url = request.getUrl();
    int port = url.getPort() == -1 ? 443 : url.getPort();
    if (!"https".equals(url.getProtocol())
        || !authority.host().equals(url.getHost().toLowerCase(Locale.ROOT))
        || authority.port() != port) {
      throw new IllegalStateException(
          "The identity library turned to " + url.getAuthority() + " instead of " + authority);
    }
    BufferedAnswer answer = transport.send(request, CALL);
    judge(answer, url);
    return answer;
  }

  private void judge(BufferedAnswer answer, URL url) {
    int status = answer.getStatusCode();
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    boolean json = body.stripLeading().startsWith("{");
    if (status / 100 == 2 && json) {
      return;
    }
    Matcher aadsts = AADSTS.matcher(body);
    String code = aadsts.find() ? aadsts.group() : "";
    boolean serverFault = status == 408 || status == 429 || status >= 500;
    if (!serverFault && !json) {
      throw DfsException.of(Kind.NOT_ONELAKE, CALL.operation())
          .status(status)
          .transientFault(status / 100 == 2)
          .build(
              Failures.about(CALL, url)
                  + ": the answer (HTTP "
                  + status
                  + ") does not come from Microsoft Entra.");
    }
    Kind kind = Kind.SIGN_IN_REFUSED;
    if (status == 429) {
      kind = Kind.THROTTLED;
    } else if (serverFault || PASSING.contains(code)) {
      kind = Kind.TRANSIENT;
    }
    String description = ErrorDescription.of(body);
    throw DfsException.of(kind, CALL.operation())
        .status(status)
        .errorCode(code)
        .requestId(Failures.header(answer, HttpHeaderName.fromString("x-ms-request-id")))
        .retryAfter(RetryAfter.of(answer, clock))
        .build(
            Failures.about(CALL, url)
                + ": HTTP "
                + status
                + (description.isEmpty()
                    ? (code.isEmpty() ? "" : " " + code)
                    : ": " + description));
  }
}
