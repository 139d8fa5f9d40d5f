package io.corehub.runtime;

/**
 * How an agent's memory is divided. Immutable.
 *
 * <p>Open windows and uploads together get the smaller of what the settings ask for and 40 % of the
 * heap; beside it, files under construction that stream get up to a half of that again.
 *
 * @param total bytes of open windows and files that wait for their upload or are uploaded
 * @param share bytes one table may hold of it before it waits
 * @param window bytes that seal an open window
 * @param uploads bytes of the files in flight
 * @param block bytes of an upload block
 * @param rowGroup bytes of encoded data that end a row group
 */
public record MemoryPlan(
    long total, long share, long window, long uploads, int block, long rowGroup) {

  private static final long LEAST = 4L << 20;
  private static final long LEAST_BLOCK = 256L << 10;
  private static final long ROW_GROUP = 16L << 20;
  private static final int PARALLEL = 4;

  /**
   * Divides.
   *
   * @param heap greatest size of the heap, in bytes
   * @param tables tables known
   * @param window bytes a window may collect, as set
   * @param uploads bytes uploads may hold, as set
   * @param block bytes of an upload block, as set
   * @return the plan
   */
  public static MemoryPlan of(long heap, int tables, long window, long uploads, int block) {
    int parallel = Math.max(PARALLEL, tables);
    long asked = uploads + window * parallel;
    long total = Math.max(LEAST, Math.min(asked, heap / 5 * 2));
    return new MemoryPlan(
        total,
        total / 2,
        Math.min(window, total / 4),
        total == asked ? uploads : Math.min(uploads, total / 2),
        (int) Math.max(LEAST_BLOCK, Math.min(block, total / 4 / parallel)),
        Math.max(LEAST_BLOCK, Math.min(ROW_GROUP, total / 4 / parallel)));
  }
}
