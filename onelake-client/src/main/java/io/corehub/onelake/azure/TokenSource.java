package io.corehub.onelake.azure;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries;
import io.corehub.onelake.Retries.Time;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token of a connection, shared by all its threads. Thread-safe.
 *
 * <p>A token is renewed five minutes before it ends, or at half of its life if that is later, by
 * one thread while the others go on with the old one. After a failed sign-in nobody asks again for
 * 30 seconds, or as long as Entra asks to wait if that is more; until then callers get the same
 * failure. A token that was refused is replaced at once, unless it is itself such a replacement
 * that no server ever accepted.
 */
final class TokenSource {
  static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(30);
  static final Duration PAUSE_WHEN_UNREACHABLE = Duration.ofSeconds(1);
  private static final Duration AHEAD = Duration.ofMinutes(5);
  private static final Logger LOG = LoggerFactory.getLogger(TokenSource.class);

  private final Supplier<Grant> signIn;
  private final Clock clock;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Token token;
  private @Nullable DfsException failure;
  private long failedAtNanos;

  /**
   * @param signIn asks Entra for a token, every time anew; throws a {@link DfsException} when it
   *     does not get one
   * @param clock for the end of a token's life
   * @param time for pauses
   */
  TokenSource(Supplier<Grant> signIn, Clock clock, Time time) {
    this.signIn = signIn;
    this.clock = clock;
    this.time = time;
  }

  /**
   * What Entra gave: a token's text, which no text form of this record shows, and the end of its
   * life.
   */
  record Grant(String value, Instant expires) {
    @Override
    public String toString() {
      return "token until " + expires;
    }
  }

  /** A token in use. Thread-safe. */
  static final class Token {
    private final Grant grant;
    private final Instant renewAt;
    private final boolean replacement;
    private final long fetchedAtNanos;
    private volatile boolean accepted;

    private Token(Grant grant, Instant now, boolean replacement, long fetchedAtNanos) {
      Duration life = Duration.between(now, grant.expires());
      Duration untilRenewal = life.minus(AHEAD);
      Duration half = life.dividedBy(2);
      this.grant = grant;
      this.renewAt = now.plus(untilRenewal.compareTo(half) > 0 ? untilRenewal : half);
      this.replacement = replacement;
      this.fetchedAtNanos = fetchedAtNanos;
    }

    String value() {
      return grant.value();
    }

    /** Notes that a server took this token. */
    void accepted() {
      accepted = true;
    }
  }

  /** A token that lives. Blocks while it is being fetched; an interrupt ends the wait. */
  Token get() {
    Token held = token;
    Instant now = clock.instant();
    if (held != null && now.isBefore(held.renewAt)) {
      return held;
    }
    if (held != null && now.isBefore(held.grant.expires())) {
      return renewAhead(held);
    }
    lockInterruptibly();
    try {
      Token other = token;
      if (other != null && clock.instant().isBefore(other.grant.expires())) {
        return other;
      }
      throwRecentFailure();
      return fetch(false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Another token in place of one that a server refused, or empty when asking for one would be
   * pointless.
   */
  Optional<Token> afterRefusalOf(Token refused) {
    lockInterruptibly();
    try {
      Token held = token;
      if (held != null && held != refused && clock.instant().isBefore(held.grant.expires())) {
        return Optional.of(held);
      }
      if (refused.replacement
          && !refused.accepted
          && time.nanos() - refused.fetchedAtNanos < PAUSE_AFTER_FAILURE.toNanos()) {
        return Optional.empty();
      }
      throwRecentFailure();
      return Optional.of(fetch(true));
    } finally {
      lock.unlock();
    }
  }

  private Token renewAhead(Token held) {
    if (!lock.tryLock()) {
      return held;
    }
    try {
      if (token != held) {
        return token == null ? held : token;
      }
      if (recentFailure().isPresent()) {
        return held;
      }
      return fetch(false);
    } catch (DfsException e) {
      LOG.warn(
          "The token is not renewed yet; the present one serves until {}: {}",
          held.grant.expires(),
          e.getMessage());
      return held;
    } finally {
      lock.unlock();
    }
  }

  private Token fetch(boolean replacement) {
    try {
      Grant grant = signIn.get();
      Token fetched = new Token(grant, clock.instant(), replacement, time.nanos());
      token = fetched;
      failure = null;
      return fetched;
    } catch (DfsException e) {
      failure = e;
      failedAtNanos = time.nanos();
      throw e;
    }
  }

  private void throwRecentFailure() {
    Optional<DfsException> recent = recentFailure();
    if (recent.isPresent()) {
      throw recent.get();
    }
  }

  /** The last failure, if it is too young to ask again, with the time until then. */
  private Optional<DfsException> recentFailure() {
    DfsException last = failure;
    if (last == null) {
      return Optional.empty();
    }
    Duration pause =
        last.kind() == Kind.HOST_UNREACHABLE ? PAUSE_WHEN_UNREACHABLE : PAUSE_AFTER_FAILURE;
    Duration asked = last.retryAfter().orElse(Duration.ZERO);
    if (asked.compareTo(pause) > 0) {
      pause = asked.compareTo(Retries.MAX_RETRY_AFTER) > 0 ? Retries.MAX_RETRY_AFTER : asked;
    }
    Duration left = pause.minusNanos(time.nanos() - failedAtNanos);
    if (left.isNegative() || left.isZero()) {
      return Optional.empty();
    }
    return Optional.of(
        DfsException.of(last.kind(), last.operation())
            .status(last.status().orElse(0))
            .errorCode(last.errorCode())
            .requestId(last.requestId())
            .retryAfter(left)
            .transientFault(last.transientFault())
            .build(String.valueOf(last.getMessage()), last));
  }

  private void lockInterruptibly() {
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      throw new WaitInterruptedException(e);
    }
  }

  /** Carries an interrupt through the storage library, which cannot declare it. */
  private static final class WaitInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WaitInterruptedException(InterruptedException cause) {
      super("interrupted while waiting for a token", cause);
    }
  }
}
