package io.corehub.cycles;

import io.corehub.parquet.ByteSink;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Passes bytes on, and tells their number and hash. Confined to one caller at a time. */
final class HashingSink implements ByteSink {

  private final ByteSink to;
  private final MessageDigest digest;
  private long bytes;

  HashingSink(ByteSink to) {
    this.to = to;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  @Override
  public void write(byte[] source, int from, int length) throws IOException {
    to.write(source, from, length);
    digest.update(source, from, length);
    bytes += length;
  }

  @Override
  public void complete() throws IOException {
    to.complete();
  }

  @Override
  public void discard() {
    to.discard();
  }

  /** Bytes written so far. */
  long bytes() {
    return bytes;
  }

  /** SHA-256 of them in hexadecimal digits, lower case; to be called once. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
