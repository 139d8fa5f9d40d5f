package io.corehub.onelake;

import io.corehub.onelake.internal.LogText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A request to OneLake or a sign-in that did not succeed. Its message names the operation, the host
 * and what the server said; it never holds a secret or a token, and text of the server is made safe
 * for a log line. Immutable.
 *
 * <table>
 *   <caption>What to do next</caption>
 *   <tr><th>transientFault</th><th>outcomeUnknown</th><th></th></tr>
 *   <tr><td>yes</td><td>no</td><td>nothing was done: try again</td></tr>
 *   <tr><td>yes</td><td>yes</td><td>look whether it was done, then try again</td></tr>
 *   <tr><td>no</td><td>yes</td><td>look whether it was done; if not, a person must act</td></tr>
 *   <tr><td>no</td><td>no</td><td>nothing was done; a person must act, or the kind is the answer</td></tr>
 * </table>
 */
public final class DfsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Error code of {@link Kind#TLS}: no authority that is trusted here signed the certificate. */
  public static final String UNTRUSTED_ISSUER = "untrusted-issuer";

  /** Error code of {@link Kind#TLS}: by this machine's clock the certificate is not valid. */
  public static final String NOT_VALID_NOW = "not-valid-now";

  /** Error code of {@link Kind#TLS}: the certificate is for other hosts. */
  public static final String OTHER_HOST = "other-host";

  /** Error code of {@link Kind#NOT_ONELAKE}: the proxy wants a user and a password. */
  public static final String PROXY_SIGN_IN = "proxy-sign-in";

  /** Error code of {@link Kind#NOT_ONELAKE}: the proxy does not let the connection through. */
  public static final String PROXY_REFUSED = "proxy-refused";

  /** Error code of {@link Kind#BAD_REQUEST}: the store takes no such name, or no such long one. */
  public static final String NAME_REFUSED = "InvalidResourceName";

  /** What went wrong. */
  public enum Kind {
    /** The path does not exist. */
    NOT_FOUND,
    /** The path, or a rename's destination, exists already. */
    ALREADY_EXISTS,
    /** A condition of the request did not hold (412). */
    CONDITION_NOT_MET,
    /** A rename's source does not exist. */
    SOURCE_NOT_FOUND,
    /** The directory that is to hold the path does not exist. */
    PARENT_NOT_FOUND,
    /** The workspace, item or file system does not exist. */
    CONTAINER_NOT_FOUND,
    /** A flush at a length that the appended bytes do not add up to. */
    INVALID_FLUSH_POSITION,
    /** The request contradicts the state of the path in another way (409). */
    CONFLICT,
    /** The token was refused, a fresh one too (401). */
    UNAUTHORIZED,
    /** The identity may not do this (403). */
    FORBIDDEN,
    /** The request itself was refused (other 4xx). */
    BAD_REQUEST,
    /** Too many requests (429), or the service is busy (503). */
    THROTTLED,
    /** The service failed (408, 5xx). */
    TRANSIENT,
    /** The Fabric capacity is paused. */
    CAPACITY_PAUSED,
    /** No complete answer within the time limit. */
    TIMEOUT,
    /** The connection broke after it was made. */
    CONNECTION_LOST,
    /** The host's name is unknown, or nothing answers there. */
    HOST_UNREACHABLE,
    /** The host's certificate is not trusted, or the handshake failed. */
    TLS,
    /** The answer is not OneLake's: a proxy, a portal or a redirect answered. */
    NOT_ONELAKE,
    /** The server ignored a condition of the request, so its success proves nothing. */
    CONDITION_IGNORED,
    /** The answer is OneLake's but cannot be understood, or is too large. */
    UNEXPECTED_ANSWER,
    /** Microsoft Entra refused to sign in. */
    SIGN_IN_REFUSED,
    /** The client was closed. */
    CLOSED
  }

  private final Kind kind;
  private final String operation;
  private final int status;
  private final String errorCode;
  private final String requestId;
  private final @Nullable Duration retryAfter;
  private final @Nullable Duration clockAhead;
  private final boolean transientFault;
  private final boolean outcomeUnknown;

  private DfsException(Builder from, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = from.kind;
    this.operation = from.operation;
    this.status = from.status;
    this.errorCode = from.errorCode;
    this.requestId = from.requestId;
    this.retryAfter = from.retryAfter;
    this.clockAhead = from.clockAhead;
    this.transientFault = from.transientFault;
    this.outcomeUnknown = from.outcomeUnknown;
  }

  /**
   * Starts an exception of a kind; by default it is transient as its kind is, and its outcome is
   * known.
   */
  public static Builder of(Kind kind, String operation) {
    return new Builder(kind, operation);
  }

  public Kind kind() {
    return kind;
  }

  /** The operation in one word: {@code create}, {@code rename}, {@code sign-in}, and so on. */
  public String operation() {
    return operation;
  }

  /** The HTTP status, or empty when there was no answer. */
  public OptionalInt status() {
    return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
  }

  /**
   * The service's own error code ({@code PathNotFound}, {@code AADSTS7000215}); where no service
   * answered, one of the words below; else an empty string.
   */
  public String errorCode() {
    return errorCode;
  }

  /**
   * How far this machine's clock is ahead of the server's, negative when it is behind; empty when
   * they agree within five minutes, or nothing is known. Told with {@link Kind#UNAUTHORIZED}.
   */
  public Optional<Duration> clockAhead() {
    return Optional.ofNullable(clockAhead);
  }

  /** The service's id of the request, or an empty string. */
  public String requestId() {
    return requestId;
  }

  /** How long the service asks to wait before the next request. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Whether a file that was to be read, and therefore had been seen before, is gone. */
  public boolean fileVanished() {
    return kind == Kind.NOT_FOUND && operation.equals("read");
  }

  /** Whether the same request may succeed later without anybody changing anything. */
  public boolean transientFault() {
    return transientFault;
  }

  /** Whether a request that changes something may have been, or may yet be, carried out. */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /** Collects the parts of an exception. Confined to one caller at a time. */
  public static final class Builder {
    private final Kind kind;
    private final String operation;
    private int status;
    private String errorCode = "";
    private String requestId = "";
    private @Nullable Duration retryAfter;
    private @Nullable Duration clockAhead;
    private boolean transientFault;
    private boolean outcomeUnknown;

    private Builder(Kind kind, String operation) {
      this.kind = Objects.requireNonNull(kind);
      this.operation = Objects.requireNonNull(operation);
      this.transientFault =
          switch (kind) {
            case THROTTLED,
                TRANSIENT,
                CAPACITY_PAUSED,
                TIMEOUT,
                CONNECTION_LOST,
                HOST_UNREACHABLE ->
                true;
            case NOT_FOUND,
                ALREADY_EXISTS,
                CONDITION_NOT_MET,
                SOURCE_NOT_FOUND,
                PARENT_NOT_FOUND,
                CONTAINER_NOT_FOUND,
                INVALID_FLUSH_POSITION,
                CONFLICT,
                UNAUTHORIZED,
                FORBIDDEN,
                BAD_REQUEST,
                TLS,
                NOT_ONELAKE,
                CONDITION_IGNORED,
                UNEXPECTED_ANSWER,
                SIGN_IN_REFUSED,
                CLOSED ->
                false;
          };
    }

    public Builder status(int httpStatus) {
      this.status = httpStatus;
      return this;
    }

    public Builder errorCode(String code) {
      this.errorCode = LogText.safe(code);
      return this;
    }

    public Builder requestId(String id) {
      this.requestId = LogText.safe(id);
      return this;
    }

    public Builder retryAfter(@Nullable Duration pause) {
      this.retryAfter = pause;
      return this;
    }

    public Builder clockAhead(@Nullable Duration by) {
      this.clockAhead = by;
      return this;
    }

    public Builder transientFault(boolean value) {
      this.transientFault = value;
      return this;
    }

    public Builder outcomeUnknown(boolean value) {
      this.outcomeUnknown = value;
      return this;
    }

    /** The exception, without a cause. */
    public DfsException build(String message) {
      return new DfsException(this, LogText.line(message), null);
    }

    /** The exception, with what it came from. */
    public DfsException build(String message, Throwable cause) {
      return new DfsException(this, LogText.line(message), cause);
    }
  }
}
