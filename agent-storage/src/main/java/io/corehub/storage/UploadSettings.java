package io.corehub.storage;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Setting.Kind;
import io.corehub.agent.settings.Settings;
import java.time.Duration;
import java.util.List;

/** The settings that say how files are uploaded. Immutable. */
public final class UploadSettings {

  private static final String UPLOADS = "Uploads";

  /** Files in flight. */
  public static final Setting<Integer> MAX_CONCURRENT_UPLOADS =
      Setting.number(
              "maxConcurrentUploads",
              "Max concurrent uploads",
              "Files in flight across all tables. 0 is automatic: the larger of 16 and twice the"
                  + " number of tables.",
              Kind.INTEGER,
              0,
              0,
              1_000)
          .inGroup(UPLOADS);

  /** Memory of the files in flight. */
  public static final Setting<Integer> UPLOAD_MEMORY_BUDGET_MB =
      Setting.number(
              "uploadMemoryBudgetMb",
              "Memory in MB the files being uploaded may hold",
              "Uploads wait while the files in flight would hold more. A small heap lowers it; the"
                  + " effective value is logged at start.",
              Kind.MEGABYTES,
              256,
              1,
              65_536)
          .inGroup(UPLOADS);

  /** Size of a block. */
  public static final Setting<Integer> UPLOAD_BLOCK_SIZE_MB =
      Setting.number(
              "uploadBlockSizeMb",
              "Upload block size in MB",
              "Size of the blocks a file is appended in.",
              Kind.MEGABYTES,
              8,
              1,
              1_000)
          .inGroup(UPLOADS);

  /** Blocks of a file in flight. */
  public static final Setting<Integer> UPLOAD_BLOCK_CONCURRENCY =
      Setting.number(
              "uploadBlockConcurrency",
              "Parallel block uploads per file",
              "Blocks of one file in flight.",
              Kind.INTEGER,
              4,
              1,
              64)
          .inGroup(UPLOADS);

  /** Whether the last flush closes a file. */
  public static final Setting<Boolean> EMIT_FLUSH_WITH_CLOSE =
      Setting.toggle(
              "emitFlushWithClose",
              "Emit FlushWithClose event for Event Grid triggers",
              "Closes each uploaded file with the FlushWithClose storage event, the one Event Grid"
                  + " listeners react to.",
              true)
          .inGroup(UPLOADS);

  /** Time limit of a request. */
  public static final Setting<Integer> TRY_TIMEOUT =
      Setting.number(
              "tryTimeoutInSeconds",
              "Request try timeout in seconds",
              "Time limit of one OneLake request.",
              Kind.SECONDS,
              600,
              1,
              86_400)
          .inGroup(UPLOADS);

  /** How long requests may fail before there is a notice. */
  public static final Setting<Integer> RETRY_BUDGET_SECONDS =
      Setting.number(
              "retryBudgetSeconds",
              "Seconds of failing requests before a notice",
              "While running, requests that fail for a passing reason are tried again without end;"
                  + " after this time the host is told once.",
              Kind.SECONDS,
              600,
              1,
              86_400)
          .inGroup(UPLOADS);

  /** All of them, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          MAX_CONCURRENT_UPLOADS,
          UPLOAD_MEMORY_BUDGET_MB,
          UPLOAD_BLOCK_SIZE_MB,
          UPLOAD_BLOCK_CONCURRENCY,
          EMIT_FLUSH_WITH_CLOSE,
          TRY_TIMEOUT,
          RETRY_BUDGET_SECONDS);

  private UploadSettings() {}

  /**
   * How files are uploaded. Immutable.
   *
   * @param maxFiles files in flight; 0 for automatic
   * @param memoryBytes bytes the files in flight may hold
   * @param blockBytes size of a block
   * @param blockConcurrency blocks of one file in flight
   * @param close whether the last flush closes the file
   * @param retryBudget how long requests may fail before the host is told
   */
  public record Uploads(
      int maxFiles,
      long memoryBytes,
      int blockBytes,
      int blockConcurrency,
      boolean close,
      Duration retryBudget) {

    private static final int LEAST_UPLOADS = 16;

    /**
     * The number of files in flight.
     *
     * @param tables tables known
     * @return the number set, or the larger of 16 and twice the number of tables
     */
    public int maxFiles(int tables) {
      return maxFiles > 0 ? maxFiles : Math.max(LEAST_UPLOADS, 2 * tables);
    }
  }

  /**
   * Reads valid settings.
   *
   * @param settings settings that hold those of this class
   * @return the values
   */
  public static Uploads of(Settings settings) {
    return new Uploads(
        settings.get(MAX_CONCURRENT_UPLOADS),
        megabytes(settings.get(UPLOAD_MEMORY_BUDGET_MB)),
        Math.toIntExact(megabytes(settings.get(UPLOAD_BLOCK_SIZE_MB))),
        settings.get(UPLOAD_BLOCK_CONCURRENCY),
        settings.get(EMIT_FLUSH_WITH_CLOSE),
        Duration.ofSeconds(settings.get(RETRY_BUDGET_SECONDS)));
  }

  private static long megabytes(int megabytes) {
    return (long) megabytes << 20;
  }
}
