package io.corehub.hub.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.corehub.agent.settings.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a request shows the server's token: as a bearer token, which programs send, or as
 * the password of any user, which browsers ask for. Immutable. The time it takes says nothing of
 * how much of a wrong token is right.
 */
final class TokenCheck {

  /** What is asked of whoever shows nothing, or something else. */
  static final String CHALLENGE = "Basic realm=\"core-hub\", charset=\"UTF-8\"";

  private static final String BEARER = "bearer ";
  private static final String BASIC = "basic ";

  private final byte[] expected;

  TokenCheck(Secret token) {
    this.expected = digest(token.reveal());
  }

  /**
   * Whether a request may be answered.
   *
   * @param authorization its header of that name; null if it has none
   */
  boolean admits(@Nullable String authorization) {
    // Digests are compared, since comparing texts of different lengths would tell the length.
    return authorization != null
        && shown(authorization)
            .map(token -> MessageDigest.isEqual(expected, digest(token)))
            .orElse(false);
  }

  private static Optional<String> shown(String authorization) {
    String scheme = authorization.toLowerCase(Locale.ROOT);
    if (scheme.startsWith(BEARER)) {
      return Optional.of(authorization.substring(BEARER.length()).strip());
    }
    return scheme.startsWith(BASIC)
        ? password(authorization.substring(BASIC.length()).strip())
        : Optional.empty();
  }

  private static Optional<String> password(String encoded) {
    String userAndPassword;
    try {
      userAndPassword = new String(Base64.getDecoder().decode(encoded), UTF_8);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    int colon = userAndPassword.indexOf(':');
    return colon < 0 ? Optional.empty() : Optional.of(userAndPassword.substring(colon + 1));
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
