package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaderName;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.internal.LogText;
import java.net.ConnectException;
import java.net.URL;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what went wrong with a request into the closed set of {@link DfsException} kinds.
 * Stateless.
 */
final class Failures {
  static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");
  private static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");
  private static final Pattern TUNNEL_FAILED = Pattern.compile("Tunnel failed, got: ([0-9]{3})");
  private static final Duration CLOCKS_AGREE = Duration.ofMinutes(5);
  private static final Set<String> ABSENT_PATH =
      Set.of("", "PathNotFound", "BlobNotFound", "ResourceNotFound", "NotFound");
  private static final Set<String> PRESENT_PATH =
      Set.of("", "PathAlreadyExists", "BlobAlreadyExists", "ResourceAlreadyExists");

  private Failures() {}

  /** {@code operation of path at host}, fit for a log line. */
  static String about(Call call, URL url) {
    String host =
        url.getHost() + (url.getPort() == -1 || url.getPort() == 443 ? "" : ":" + url.getPort());
    String path = call.path().isEmpty() ? "" : " of " + LogText.safe(call.path());
    return call.operation() + path + " at " + host;
  }

  /** The failure that stands somewhere in a chain of causes, if there is one. */
  static <T extends Throwable> Optional<T> find(@Nullable Throwable from, Class<T> type) {
    Set<Throwable> seen = new HashSet<>();
    for (Throwable at = from; at != null && seen.add(at); at = at.getCause()) {
      if (type.isInstance(at)) {
        return Optional.of(type.cast(at));
      }
    }
    return Optional.empty();
  }

  static DfsException proxyRefused(Call call, URL url, String proxy) {
    String off = System.getProperty("jdk.http.auth.tunneling.disabledSchemes", "");
    return DfsException.of(Kind.NOT_ONELAKE, call.operation())
        .status(PROXY_AUTHENTICATION_REQUIRED)
        .errorCode(DfsException.PROXY_SIGN_IN)
        .build(
            about(call, url)
                + ": "
                + proxy
                + " asks for a user and a password, or for others (HTTP 407)"
                + (off.toLowerCase(Locale.ROOT).contains("basic")
                    ? "; this Java runtime sends none, since jdk.http.auth.tunneling.disabledSchemes is '"
                        + LogText.safe(off)
                        + "'"
                    : "")
                + ".");
  }

  static DfsException timeout(Throwable cause, Call call, URL url, Duration limit) {
    return DfsException.of(Kind.TIMEOUT, call.operation())
        .outcomeUnknown(call.changes())
        .build(
            about(call, url) + ": no complete answer within " + limit.toSeconds() + " s.", cause);
  }

  /**
   * A request that got no answer, for a reason that the chain of causes tells.
   *
   * @param proxy what stands between here and the host, such as {@code proxy http://host:port};
   *     empty for nothing
   */
  static DfsException noAnswer(
      Throwable cause, Call call, URL url, Duration limit, Optional<String> proxy) {
    String about = about(call, url);
    if (find(cause, HttpConnectTimeoutException.class).isPresent()
        || find(cause, ConnectException.class).isPresent()
        || find(cause, UnknownHostException.class).isPresent()
        || find(cause, UnresolvedAddressException.class).isPresent()) {
      boolean unknown =
          find(cause, UnresolvedAddressException.class).isPresent()
              || find(cause, UnknownHostException.class).isPresent();
      String why =
          proxy
              .map(p -> unknown ? "the name of " + p + " is not known" : p + " does not answer")
              .orElse(unknown ? "the host's name is not known" : "nothing answers there");
      return DfsException.of(Kind.HOST_UNREACHABLE, call.operation())
          .build(about + ": " + why + ".", cause);
    }
    if (find(cause, HttpTimeoutException.class).isPresent()
        || find(cause, TimeoutException.class).isPresent()) {
      return timeout(cause, call, url, limit);
    }
    if (untrusted(cause)) {
      return DfsException.of(Kind.TLS, call.operation())
          .errorCode(certificateProblem(cause))
          .build(
              about + ": the connection is not trusted: " + LogText.safe(rootMessage(cause)) + ".",
              cause);
    }
    String message = rootMessage(cause);
    Matcher tunnel = TUNNEL_FAILED.matcher(message);
    if (tunnel.find()) {
      return tunnelFailed(
          Integer.parseInt(tunnel.group(1)), about, call, proxy.orElse("the proxy"), cause);
    }
    boolean handshake = find(cause, SSLHandshakeException.class).isPresent();
    return DfsException.of(Kind.CONNECTION_LOST, call.operation())
        .outcomeUnknown(call.changes() && !handshake)
        .build(about + ": the connection broke: " + LogText.safe(message) + ".", cause);
  }

  private static DfsException tunnelFailed(
      int status, String about, Call call, String proxy, Throwable cause) {
    if (status >= 500) {
      return DfsException.of(Kind.HOST_UNREACHABLE, call.operation())
          .status(status)
          .build(about + ": " + proxy + " cannot connect to it (HTTP " + status + ").", cause);
    }
    boolean signIn = status == PROXY_AUTHENTICATION_REQUIRED;
    return DfsException.of(Kind.NOT_ONELAKE, call.operation())
        .status(status)
        .errorCode(signIn ? DfsException.PROXY_SIGN_IN : DfsException.PROXY_REFUSED)
        .build(
            about
                + ": "
                + proxy
                + (signIn
                    ? " asks for a user and a password, or for others (HTTP "
                    : " does not let the connection through (HTTP ")
                + status
                + ").",
            cause);
  }

  private static String certificateProblem(Throwable cause) {
    if (find(cause, CertificateExpiredException.class).isPresent()
        || find(cause, CertificateNotYetValidException.class).isPresent()) {
      return DfsException.NOT_VALID_NOW;
    }
    String message = rootMessage(cause);
    if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
      return DfsException.OTHER_HOST;
    }
    return find(cause, CertPathBuilderException.class).isPresent()
        ? DfsException.UNTRUSTED_ISSUER
        : "";
  }

  /** A peer that cannot be trusted; a connection that merely broke during the handshake is none. */
  private static boolean untrusted(Throwable cause) {
    boolean certificate = find(cause, GeneralSecurityException.class).isPresent();
    Optional<SSLException> ssl = find(cause, SSLException.class);
    return certificate
        || ssl.filter(SSLPeerUnverifiedException.class::isInstance).isPresent()
        || ssl.map(e -> String.valueOf(e.getMessage()))
            .filter(m -> m.contains("fatal alert") || m.contains("plaintext connection"))
            .isPresent();
  }

  private static String rootMessage(Throwable cause) {
    String message = cause.getClass().getSimpleName();
    Set<Throwable> seen = new HashSet<>();
    for (Throwable at = cause; at != null && seen.add(at); at = at.getCause()) {
      if (at.getMessage() != null && !at.getMessage().isBlank()) {
        message = at.getMessage();
      }
    }
    return message;
  }

  /**
   * The failure that an answer tells, or empty when the answer is a success that counts.
   *
   * <p>An answer that states a fact (success, absence, presence) counts only with the two headers
   * that OneLake always sends; anything else in between could state it as well.
   */
  static Optional<DfsException> of(BufferedAnswer answer, Call call, URL url, Clock clock) {
    int status = answer.getStatusCode();
    String requestId = header(answer, REQUEST_ID);
    boolean ours = !requestId.isEmpty() && !header(answer, VERSION).isEmpty();
    boolean statesFact =
        status / 100 == 2 || status == 404 || status == 409 || status == 412 || status == 416;
    boolean serverFault = status == 408 || status == 429 || status >= 500;
    if (status / 100 == 3) {
      return Optional.of(
          DfsException.of(Kind.NOT_ONELAKE, call.operation())
              .status(status)
              .requestId(requestId)
              .outcomeUnknown(call.changes())
              .build(
                  about(call, url)
                      + ": answered with a redirect (HTTP "
                      + status
                      + "), which is never followed."));
    }
    if (statesFact ? !ours : requestId.isEmpty() && !serverFault) {
      return Optional.of(
          DfsException.of(Kind.NOT_ONELAKE, call.operation())
              .status(status)
              .transientFault(status / 100 == 2)
              .outcomeUnknown(call.changes())
              .build(
                  about(call, url)
                      + ": the answer (HTTP "
                      + status
                      + ") does not come from OneLake: it lacks x-ms-request-id or x-ms-version."));
    }
    if (status / 100 == 2) {
      return Optional.empty();
    }
    ErrorBody error = ErrorBody.of(answer);
    Kind kind = kind(status, error.code(), call);
    String said = error.message().isEmpty() ? "" : ": " + error.message();
    return Optional.of(
        DfsException.of(kind, call.operation())
            .status(status)
            .errorCode(error.code())
            .requestId(requestId)
            .retryAfter(RetryAfter.of(answer, clock))
            .clockAhead(status == 401 ? clockAhead(answer, clock) : null)
            .outcomeUnknown(unknown(kind, status, call))
            .build(
                about(call, url)
                    + ": HTTP "
                    + status
                    + (error.code().isEmpty() ? "" : " " + error.code())
                    + said
                    + (requestId.isEmpty() ? "" : " (request " + LogText.safe(requestId) + ")")));
  }

  private static @Nullable Duration clockAhead(BufferedAnswer answer, Clock clock) {
    String date = header(answer, HttpHeaderName.DATE);
    if (date.isEmpty()) {
      return null;
    }
    try {
      Instant theirs = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
      Duration ahead = Duration.between(theirs, clock.instant());
      return ahead.abs().compareTo(CLOCKS_AGREE) > 0 ? ahead : null;
    } catch (DateTimeException e) {
      // Not a date: nothing is known of the server's clock.
      return null;
    }
  }

  private static Kind kind(int status, String code, Call call) {
    if (code.equals("CapacityNotActive")) {
      return Kind.CAPACITY_PAUSED;
    }
    return switch (status) {
      case 400 ->
          code.equals("InvalidFlushPosition") ? Kind.INVALID_FLUSH_POSITION : Kind.BAD_REQUEST;
      case 401 -> Kind.UNAUTHORIZED;
      case 403 -> Kind.FORBIDDEN;
      case 404 -> absent(code, call);
      case 408, 500, 502, 504 -> Kind.TRANSIENT;
      case 409 -> PRESENT_PATH.contains(code) ? Kind.ALREADY_EXISTS : Kind.CONFLICT;
      case 412 -> Kind.CONDITION_NOT_MET;
      case 429 -> Kind.THROTTLED;
      case 503 -> code.equals("ServerBusy") ? Kind.THROTTLED : Kind.TRANSIENT;
      default -> status > 504 ? Kind.TRANSIENT : Kind.BAD_REQUEST;
    };
  }

  private static Kind absent(String code, Call call) {
    if (code.equals("SourcePathNotFound")) {
      return Kind.SOURCE_NOT_FOUND;
    }
    if (code.equals("RenameDestinationParentPathNotFound")) {
      return Kind.PARENT_NOT_FOUND;
    }
    if (ABSENT_PATH.contains(code)) {
      return call.isRename() ? Kind.SOURCE_NOT_FOUND : Kind.NOT_FOUND;
    }
    return Kind.CONTAINER_NOT_FOUND;
  }

  /**
   * Whether a change may have been made all the same. A rename is doubtful after every answer that
   * an earlier, late request of the same name could explain, and after a 403, which can stand for
   * an existing destination.
   */
  private static boolean unknown(Kind kind, int status, Call call) {
    if (!call.changes()) {
      return false;
    }
    if (status >= 500 || status == 408) {
      return true;
    }
    return call.isRename()
        && status != 400
        && status != 401
        && status != 429
        && kind != Kind.BAD_REQUEST;
  }

  static String header(BufferedAnswer answer, HttpHeaderName name) {
    String value = answer.getHeaders().getValue(name);
    return value == null ? "" : value;
  }
}
