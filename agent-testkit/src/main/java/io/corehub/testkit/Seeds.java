package io.corehub.testkit;

import java.util.Optional;

/**
 * Runs a property over many seeds, small sizes first, and names seed and size when it fails. Run
 * with {@code -Dtestkit.seed=SEED -Dtestkit.size=SIZE} to repeat one failure alone.
 */
public final class Seeds {

  private Seeds() {}

  /** A property of whatever a seed makes. */
  @FunctionalInterface
  public interface Property {
    /**
     * Checks one case.
     *
     * @param seed where the case comes from
     * @param size how large it may be, from 1 up
     * @throws Exception if the property does not hold
     */
    void check(long seed, int size) throws Exception;
  }

  /**
   * Checks a property.
   *
   * @param cases how many cases to try
   * @param maxSize size of the last case; sizes grow evenly up to it
   * @param property the property
   */
  public static void forEach(int cases, int maxSize, Property property) {
    Optional<Long> only = Optional.ofNullable(Long.getLong("testkit.seed"));
    if (only.isPresent()) {
      check(only.get(), Integer.getInteger("testkit.size", maxSize), property);
      return;
    }
    for (int i = 0; i < cases; i++) {
      int size = 1 + (int) ((long) i * Math.max(0, maxSize - 1) / Math.max(1, cases - 1));
      check(mix(i), size, property);
    }
  }

  private static void check(long seed, int size, Property property) {
    try {
      property.check(seed, size);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          String.format(
              "Fails with -Dtestkit.seed=%d -Dtestkit.size=%d: %s", seed, size, e.getMessage()),
          e);
    }
  }

  private static long mix(long index) {
    long mixed = (index + 1) * 0x9E3779B97F4A7C15L;
    return (mixed ^ (mixed >>> 29)) & 0xFFFF_FFFFL;
  }
}
