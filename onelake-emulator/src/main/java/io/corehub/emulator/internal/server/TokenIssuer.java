package io.corehub.emulator.internal.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and checks bearer tokens. Nothing is remembered: a token holds its end and a signature, so
 * a restarted emulator accepts the tokens of the one before. Thread-safe.
 */
final class TokenIssuer {
  enum Verdict {
    ACCEPTED,
    EXPIRED,
    UNKNOWN
  }

  private final SecretKeySpec key;
  private final Duration lifetime;
  private final Clock clock;
  private final AtomicLong issued = new AtomicLong();

  TokenIssuer(String keyInBase64, Duration lifetime, Clock clock) {
    this.key = new SecretKeySpec(Base64.getUrlDecoder().decode(keyInBase64), "HmacSHA256");
    this.lifetime = lifetime;
    this.clock = clock;
  }

  Duration lifetime() {
    return lifetime;
  }

  /** When a token that is issued now ends. */
  Instant end() {
    return clock.instant().plus(lifetime);
  }

  String issue(String clientId) {
    long expires = end().toEpochMilli();
    String content = clientId + "." + issued.incrementAndGet() + "." + expires;
    return encode(content.getBytes(StandardCharsets.UTF_8)) + "." + encode(sign(content));
  }

  Verdict check(String token) {
    int dot = token.indexOf('.');
    if (dot < 0) {
      return Verdict.UNKNOWN;
    }
    try {
      byte[] content = Base64.getUrlDecoder().decode(token.substring(0, dot));
      byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
      String text = new String(content, StandardCharsets.UTF_8);
      if (!MessageDigest.isEqual(signature, sign(text))) {
        return Verdict.UNKNOWN;
      }
      long expires = Long.parseLong(text.substring(text.lastIndexOf('.') + 1));
      return clock.millis() < expires ? Verdict.ACCEPTED : Verdict.EXPIRED;
    } catch (IllegalArgumentException e) {
      // Not base64, hence not ours.
      return Verdict.UNKNOWN;
    }
  }

  private byte[] sign(String content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
