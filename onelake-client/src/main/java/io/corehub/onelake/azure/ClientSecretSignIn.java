package io.corehub.onelake.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import com.azure.identity.ClientSecretCredentialBuilder;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.TenantId;
import io.corehub.onelake.internal.LogText;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Signs in with a client secret: one token request to the authority host, for OneLake's scope in
 * the configured tenant, each time anew. Thread-safe.
 */
final class ClientSecretSignIn implements Supplier<TokenSource.Grant> {
  /** OneLake takes tokens of this audience alone. */
  static final String SCOPE = "https://storage.azure.com/.default";

  private static final Call CALL = Call.look("sign-in", "", 1 << 20);
  private static final Pattern AADSTS = Pattern.compile("AADSTS([0-9]{3,9})");
  private static final Pattern DESCRIPTION =
      Pattern.compile("\"error_description\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.){0,2000})\"");

  /** Entra's own passing faults. */
  private static final Set<String> PASSING =
      Set.of("AADSTS90033", "AADSTS90055", "AADSTS50033", "AADSTS429");

  private final AuthorityHost authority;
  private final TenantId tenant;
  private final Credentials.ClientSecret credentials;
  private final Transport transport;
  private final Clock clock;

  ClientSecretSignIn(
      AuthorityHost authority,
      TenantId tenant,
      Credentials.ClientSecret credentials,
      Transport transport,
      Clock clock) {
    this.authority = authority;
    this.tenant = tenant;
    this.credentials = credentials;
    this.transport = transport;
    this.clock = clock;
  }

  @Override
  public TokenSource.Grant get() {
    try {
      AccessToken token =
          new ClientSecretCredentialBuilder()
              // First: it resets the authority host.
              .configuration(HttpClients.noConfiguration())
              .authorityHost(authority.toString())
              .tenantId(tenant.value())
              .clientId(credentials.clientId())
              .clientSecret(credentials.secret().reveal())
              .disableInstanceDiscovery()
              .executorService(new CallingThread())
              .pipeline(new HttpPipelineBuilder().httpClient(new EntraClient()).build())
              .build()
              .getTokenSync(new TokenRequestContext().addScopes(SCOPE));
      return new TokenSource.Grant(token.getToken(), token.getExpiresAt().toInstant());
    } catch (RuntimeException e) {
      if (Failures.find(e, InterruptedException.class).isPresent()) {
        throw e;
      }
      throw Failures.find(e, DfsException.class)
          .orElseGet(
              () ->
                  DfsException.of(Kind.UNEXPECTED_ANSWER, CALL.operation())
                      .build(
                          "sign-in at "
                              + authority.host()
                              + ": the answer could not be understood.",
                          e));
    }
  }

  /**
   * Sends to the authority host alone and judges the answers before the identity library sees them.
   */
  private final class EntraClient implements HttpClient {
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
      BufferedAnswer answer = transport.send(request, context, CALL);
      judge(answer, url);
      return answer;
    }
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
    String description = description(body);
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

  /** The sentence before Entra's trace ids. */
  private static String description(String body) {
    Matcher match = DESCRIPTION.matcher(body);
    if (!match.find()) {
      return "";
    }
    String text = match.group(1).replace("\\r", " ").replace("\\n", " ").replace("\\u0027", "'");
    int end = text.indexOf("Trace ID");
    return LogText.safe(end < 0 ? text : text.substring(0, end)).strip();
  }
}
