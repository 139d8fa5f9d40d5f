package io.corehub.onelake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A secret that no text form gives away. Immutable. */
public final class Secret {
  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /** Wraps a secret; blanks around it, which come with pasting, are dropped. */
  public static Secret of(String value) {
    String stripped = value.strip();
    if (stripped.isEmpty()) {
      throw new InvalidValueException("The secret is empty. Enter its value.");
    }
    return new Secret(stripped);
  }

  /** The secret itself. For the one request that needs it; never for a log or a message. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret that
        && MessageDigest.isEqual(
            value.getBytes(StandardCharsets.UTF_8), that.value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int hashCode() {
    return Secret.class.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}
