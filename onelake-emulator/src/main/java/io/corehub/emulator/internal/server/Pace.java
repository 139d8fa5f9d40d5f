package io.corehub.emulator.internal.server;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/** Makes bytes and answers wait in real time, which is what these faults are. */
final class Pace {
  private Pace() {}

  static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the emulator closes");
    }
  }

  static InputStream slow(InputStream in, long bytesPerSecond) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        pause(1000 / bytesPerSecond);
        return super.read();
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, Math.min(length, portion(bytesPerSecond)));
        if (read > 0) {
          pause(read * 1000L / bytesPerSecond);
        }
        return read;
      }
    };
  }

  static OutputStream slow(OutputStream out, long bytesPerSecond) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
          int part = Math.min(length - done, portion(bytesPerSecond));
          pause(part * 1000L / bytesPerSecond);
          out.write(from, offset + done, part);
          out.flush();
          done += part;
        }
      }
    };
  }

  /** A twentieth of a second's worth. */
  private static int portion(long bytesPerSecond) {
    return (int) Math.max(1, Math.min(64 * 1024, bytesPerSecond / 20));
  }
}
