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
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
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

  static DfsException proxyRefused(Call call, URL url) {
    return DfsException.of(Kind.NOT_ONELAKE, call.operation())
        .status(PROXY_AUTHENTICATION_REQUIRED)
        .build(
            about(call, url)
                + ": the proxy asks for a user and a password, or for others (HTTP 407). Check the proxy setting.");
  }

  static DfsException timeout(Throwable cause, Call call, URL url, Duration limit) {
    return DfsException.of(Kind.TIMEOUT, call.operation())
        .outcomeUnknown(call.changes())
        .build(
            about(call, url) + ": no complete answer within " + limit.toSeconds() + " s.", cause);
  }

  /** A request that got no answer, for a reason that the chain of causes tells. */
  static DfsException noAnswer(Throwable cause, Call call, URL url, Duration limit) {
    String about = about(call, url);
    if (find(cause, HttpConnectTimeoutException.class).isPresent()
        || find(cause, ConnectException.class).isPresent()
        || find(cause, UnknownHostException.class).isPresent()
        || find(cause, UnresolvedAddressException.class).isPresent()) {
      String why =
          find(cause, UnresolvedAddressException.class).isPresent()
                  || find(cause, UnknownHostException.class).isPresent()
              ? "the host's name is not known"
              : "nothing answers there";
      return DfsException.of(Kind.HOST_UNREACHABLE, call.operation())
          .build(about + ": " + why + ".", cause);
    }
    if (find(cause, HttpTimeoutException.class).isPresent()
        || find(cause, TimeoutException.class).isPresent()) {
      return timeout(cause, call, url, limit);
    }
    Optional<String> refused = tlsProblem(cause);
    if (refused.isPresent()) {
      return DfsException.of(Kind.TLS, call.operation())
          .build(about + ": the connection is not trusted: " + refused.get() + ".", cause);
    }
    String message = rootMessage(cause);
    if (message.contains("Tunnel failed")
        || message.toLowerCase(java.util.Locale.ROOT).contains("proxy auth")) {
      return DfsException.of(Kind.NOT_ONELAKE, call.operation())
          .build(
              about + ": the proxy refused the connection: " + LogText.safe(message) + ".", cause);
    }
    boolean handshake = find(cause, SSLHandshakeException.class).isPresent();
    return DfsException.of(Kind.CONNECTION_LOST, call.operation())
        .outcomeUnknown(call.changes() && !handshake)
        .build(about + ": the connection broke: " + LogText.safe(message) + ".", cause);
  }

  /** A peer that cannot be trusted; a connection that merely broke during the handshake is none. */
  private static Optional<String> tlsProblem(Throwable cause) {
    boolean certificate = find(cause, GeneralSecurityException.class).isPresent();
    Optional<SSLException> ssl = find(cause, SSLException.class);
    if (certificate
        || ssl.filter(SSLPeerUnverifiedException.class::isInstance).isPresent()
        || ssl.map(e -> String.valueOf(e.getMessage()))
            .filter(m -> m.contains("fatal alert") || m.contains("plaintext connection"))
            .isPresent()) {
      return Optional.of(LogText.safe(rootMessage(cause)));
    }
    return Optional.empty();
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
            .outcomeUnknown(unknown(kind, status, call))
            .build(
                about(call, url)
                    + ": HTTP "
                    + status
                    + (error.code().isEmpty() ? "" : " " + error.code())
                    + said
                    + (requestId.isEmpty() ? "" : " (request " + LogText.safe(requestId) + ")")));
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
