package io.corehub.emulator.internal.tls;

import java.time.Duration;
import java.time.Instant;

/**
 * From when until when a certificate is valid. Immutable.
 *
 * @param name tells the files of one kind of validity from those of another; empty for the usual
 */
public record Validity(String name, Instant from, Instant until) {

  /** From yesterday on, for ten years. */
  public static Validity usual(Instant now) {
    return new Validity("", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(3650)));
  }

  /** Until yesterday. */
  public static Validity past(Instant now) {
    return new Validity("-expired", now.minus(Duration.ofDays(30)), now.minus(Duration.ofDays(1)));
  }

  /** From tomorrow on. */
  public static Validity future(Instant now) {
    return new Validity(
        "-not-yet-valid", now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(3650)));
  }
}
