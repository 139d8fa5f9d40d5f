package io.corehub.runtime;

import java.time.Duration;

/**
 * Measures a file that collects rows, which is sealed at the first of age, rows and bytes. A change
 * of schema, memory pressure and a flush seal it as well. Confined to one caller at a time.
 */
public final class FileWindow {

  /**
   * When a window is sealed. Immutable.
   *
   * @param age time since the first row; zero seals after each commit
   * @param rows rows, at least 1
   * @param bytes bytes, at least 1
   */
  public record Limits(Duration age, long rows, long bytes) {
    /** Checks the parts. */
    public Limits {
      if (age.isNegative() || rows < 1 || bytes < 1) {
        throw new IllegalArgumentException(
            "A window needs an age of at least 0, and at least one row and one byte");
      }
    }
  }

  private final Limits limits;
  private final Timer timer;
  private boolean open;
  private long openedAtNanos;
  private long rows;
  private long bytes;

  /**
   * A window without rows.
   *
   * @param limits when it is sealed
   * @param timer measures its age
   */
  public FileWindow(Limits limits, Timer timer) {
    this.limits = limits;
    this.timer = timer;
  }

  /**
   * Takes rows in. The first ones open the window.
   *
   * @param moreRows rows
   * @param moreBytes memory they hold
   */
  public void add(long moreRows, long moreBytes) {
    if (!open) {
      open = true;
      openedAtNanos = timer.nanos();
    }
    rows += moreRows;
    bytes += moreBytes;
  }

  /**
   * How many more rows the limit of bytes has room for.
   *
   * @param bytesPerRow memory of one row
   * @return rows until the limit; at least 1 while the window has no rows
   */
  public long roomForBytes(double bytesPerRow) {
    long fitting = (long) ((limits.bytes - bytes) / Math.max(1, bytesPerRow));
    return Math.max(open ? 0 : 1, fitting);
  }

  /**
   * Time left until the age is reached.
   *
   * @return zero or less when it is reached; the whole age while no row is in
   */
  public Duration remaining() {
    return open ? limits.age.minusNanos(timer.nanos() - openedAtNanos) : limits.age;
  }

  /**
   * Whether rows are in.
   *
   * @return false until the first row, and after sealing
   */
  public boolean isOpen() {
    return open;
  }

  /**
   * Rows in it.
   *
   * @return rows
   */
  public long rows() {
    return rows;
  }

  /**
   * Memory of the rows in it.
   *
   * @return bytes
   */
  public long bytes() {
    return bytes;
  }

  /** Empties the window: what it held is a sealed file now. */
  public void seal() {
    open = false;
    rows = 0;
    bytes = 0;
  }
}
