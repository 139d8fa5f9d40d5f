package io.corehub.onelake.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.internal.LogText;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Asks the platform's endpoint for managed identities and judges its answers before the identity
 * library sees them. Thread-safe.
 *
 * <p>That endpoint is the one place of this module that is spoken to in plain HTTP: Azure serves it
 * at 169.254.169.254 on virtual machines, and at a link-local or loopback address that the
 * environment names in App Service, Functions and Container Apps. Such addresses are never routed,
 * so nothing leaves the machine's own host; every other address is refused, whatever the
 * environment says. No proxy may stand in between. What comes back, the token, is not sent there:
 * like every token it goes to the connection's host alone.
 *
 * <p>Unlike Entra's, this answer is kept by the identity library, for the whole process, until five
 * minutes before its end, and so does the platform: asking again after a refusal brings the same
 * token.
 */
final class ManagedIdentityClient implements HttpClient {
  private static final Call CALL = Call.look(SignIn.OPERATION, "", 1 << 20);
  private static final Pattern OWN_HOST =
      Pattern.compile(
          "localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|169\\.254\\.\\d{1,3}\\.\\d{1,3}|\\[::1\\]");

  private static final String ARC =
      "Azure Arc's way to give tokens out is not supported; choose another credential, such as a"
          + " certificate.";

  private final Transport transport;
  private final Clock clock;

  ManagedIdentityClient(Transport transport, Clock clock) {
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
    if (!"http".equals(url.getProtocol())
        || url.getUserInfo() != null
        || !OWN_HOST.matcher(url.getHost().toLowerCase(Locale.ROOT)).matches()) {
      throw DfsException.of(Kind.SIGN_IN_REFUSED, CALL.operation())
          .build(
              "sign-in: the environment names "
                  + LogText.safe(url.getProtocol() + "://" + url.getHost())
                  + " as the endpoint of managed identities, which is no link-local or loopback"
                  + " address over http. Correct AZURE_POD_IDENTITY_AUTHORITY_HOST or"
                  + " IDENTITY_ENDPOINT, or choose another credential.");
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
    // 404 and 410 while the endpoint is being updated, says its documentation.
    boolean passing =
        status == 404 || status == 408 || status == 410 || status == 429 || status >= 500;
    if (!passing && !json && !isArc(answer)) {
      throw DfsException.of(Kind.NOT_ONELAKE, CALL.operation())
          .status(status)
          .transientFault(status / 100 == 2)
          .build(
              Failures.about(CALL, url)
                  + ": the answer (HTTP "
                  + status
                  + ") does not come from an endpoint of managed identities.");
    }
    Kind kind = status == 429 ? Kind.THROTTLED : passing ? Kind.TRANSIENT : Kind.SIGN_IN_REFUSED;
    String description = ErrorDescription.of(body);
    throw DfsException.of(kind, CALL.operation())
        .status(status)
        .retryAfter(RetryAfter.of(answer, clock))
        .build(
            Failures.about(CALL, url)
                + ": HTTP "
                + status
                + (description.isEmpty() ? "" : ": " + description)
                + (isArc(answer) ? " " + ARC : ""));
  }

  /** Azure Arc wants what stands in a file that only its own group may read. */
  private static boolean isArc(BufferedAnswer answer) {
    return answer.getStatusCode() == 401
        && Failures.header(answer, HttpHeaderName.WWW_AUTHENTICATE).startsWith("Basic realm=");
  }
}
