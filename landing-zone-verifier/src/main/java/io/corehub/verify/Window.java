package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * Ranges of a file through one window of four megabytes, so that a small file is one request and a
 * large one needs no more memory. Remembers a failure of the target, which the Parquet reader would
 * show as damage of the file. Confined to one caller at a time.
 */
public final class Window implements RangedInput.Ranges {
  private static final int BYTES = 4 << 20;

  private final TargetFiles files;
  private final String path;
  private final long length;
  private byte[] held = new byte[0];
  private long heldAt;
  private Optional<IOException> failure = Optional.empty();

  /**
   * A window on a file.
   *
   * @param files the target
   * @param path where the file lies now
   * @param file what was listed
   */
  public Window(TargetFiles files, String path, TargetFile file) {
    this.files = files;
    this.path = path;
    this.length = file.length();
  }

  /**
   * Why the target could not be read.
   *
   * @return the failure, if there was one
   */
  public Optional<IOException> failure() {
    return failure;
  }

  @Override
  public int read(long position, byte[] into, int offset, int wanted) throws IOException {
    if (position < 0 || position >= length) {
      return -1;
    }
    if (position < heldAt || position >= heldAt + held.length) {
      heldAt = position / BYTES * BYTES;
      held = fetch(heldAt, (int) Math.min(BYTES, length - heldAt));
    }
    int from = (int) (position - heldAt);
    int count = Math.min(wanted, held.length - from);
    if (count <= 0) {
      return -1;
    }
    System.arraycopy(held, from, into, offset, count);
    return count;
  }

  private byte[] fetch(long at, int count) throws IOException {
    try {
      return files.read(path, at, count);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      IOException interrupted = new InterruptedIOException("Interrupted while reading " + path);
      failure = Optional.of(interrupted);
      throw interrupted;
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }
}
