package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file of a target from its first byte to its last, a piece in memory at a time. */
final class TargetStream extends InputStream {

  private static final int PIECE = 1 << 20;

  private final TargetFiles files;
  private final String path;
  private byte[] held = {};
  private int at;
  private long position;
  private boolean ended;

  TargetStream(TargetFiles files, String path) {
    this.files = files;
    this.path = path;
  }

  /**
   * The whole of a small file.
   *
   * @param most bytes that are read at most
   * @throws CycleFormatException if it is longer
   */
  static byte[] whole(TargetFiles files, String path, int most) throws IOException {
    try (TargetStream in = new TargetStream(files, path)) {
      byte[] bytes = in.readNBytes(most);
      if (bytes.length == most && in.read() >= 0) {
        throw new CycleFormatException(path, "it is longer than " + most + " bytes");
      }
      return bytes;
    }
  }

  /** What a file's bytes come to. */
  record Sum(long bytes, String sha256) {}

  /** Reads a file from end to end and adds it up. */
  static Sum sum(TargetFiles files, String path) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
    long bytes = 0;
    byte[] piece = new byte[PIECE];
    try (TargetStream in = new TargetStream(files, path)) {
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        digest.update(piece, 0, count);
        bytes += count;
      }
    }
    return new Sum(bytes, HexFormat.of().formatHex(digest.digest()));
  }

  @Override
  public int read() throws IOException {
    return fill() ? held[at++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, held.length - at);
    System.arraycopy(held, at, into, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    while (at == held.length && !ended) {
      try {
        held = files.read(path, position, PIECE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException)
            new InterruptedIOException("Interrupted while reading " + path).initCause(e);
      } catch (NoSuchFileException e) {
        throw new CycleFormatException(path, "there is no such file", e);
      }
      at = 0;
      position += held.length;
      ended = held.length < PIECE;
    }
    return at < held.length;
  }
}
