package io.corehub.hub.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The socket in a state directory, and lines over it. Stateless. */
final class ControlSocket {

  private static final String NAME = "hub.sock";

  /** What macOS takes, the least of the systems; Linux takes four more. */
  private static final int LONGEST_PATH = 103;

  private ControlSocket() {}

  static Path in(Path stateDirectory) {
    return stateDirectory.resolve(NAME);
  }

  static UnixDomainSocketAddress address(Path socket) throws IOException {
    int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new IOException(
          "its path has " + length + " bytes, and a socket's may have " + LONGEST_PATH);
    }
    return UnixDomainSocketAddress.of(socket);
  }

  static void send(SocketChannel channel, String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The next line; an exception if the other side ends before it, or it is longer than allowed. */
  static String receive(SocketChannel channel, int longest) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    while (channel.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next == '\n') {
          return line.toString(StandardCharsets.UTF_8);
        }
        line.write(next);
      }
      if (line.size() > longest) {
        throw new IOException("a line of more than " + longest + " bytes");
      }
      buffer.clear();
    }
    throw new IOException("the other side went before it had ended its line");
  }
}
