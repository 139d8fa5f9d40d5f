package io.corehub.parquet;

/**
 * How pages are compressed. Immutable.
 *
 * @param codec codec
 * @param level effort of ZSTD, 1 to 19; 0 for every other codec
 */
public record Compression(Codec codec, int level) {

  /** Pages as they are. */
  public static final Compression UNCOMPRESSED = new Compression(Codec.UNCOMPRESSED, 0);

  /** Snappy. */
  public static final Compression SNAPPY = new Compression(Codec.SNAPPY, 0);

  /** Gzip at the JDK's default level. */
  public static final Compression GZIP = new Compression(Codec.GZIP, 0);

  /** The codecs written. */
  public enum Codec {
    /** None. */
    UNCOMPRESSED,
    /** Snappy, raw format. */
    SNAPPY,
    /** Gzip. */
    GZIP,
    /** Zstandard. */
    ZSTD
  }

  /** Checks the level. */
  public Compression {
    if (codec == Codec.ZSTD ? level < 1 || level > 19 : level != 0) {
      throw new IllegalArgumentException(
          "Level " + level + " of " + codec + ": ZSTD takes 1 to 19, the others take none");
    }
  }

  /**
   * Zstandard.
   *
   * @param level effort, 1 to 19
   * @return the compression
   */
  public static Compression zstd(int level) {
    return new Compression(Codec.ZSTD, level);
  }
}
