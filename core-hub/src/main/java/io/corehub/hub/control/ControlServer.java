package io.corehub.hub.control;

import io.corehub.agent.AgentException;
import io.corehub.hub.source.PrivateFiles;
import io.corehub.hub.state.StateException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what commands ask of a running hub, through a socket in its state directory that only the
 * hub's own user may use. Thread-safe.
 */
public final class ControlServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

  /** Commands served at once. */
  private static final int AT_ONCE = 4;

  /** Longest request taken, in bytes. */
  private static final int LONGEST_REQUEST = 64 << 10;

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);
  private static final Duration BREAK_OFF = Duration.ofSeconds(5);

  private final Path socket;
  private final @Nullable ServerSocketChannel channel;
  private final ControlHandler handler;
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0, AT_ONCE + 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), ControlServer::thread);

  private ControlServer(
      Path socket, @Nullable ServerSocketChannel channel, ControlHandler handler) {
    this.socket = socket;
    this.channel = channel;
    this.handler = handler;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "control");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts to listen. Where there can be no socket, a warning says so and the hub runs without.
   *
   * @param stateDirectory the hub's locked state directory
   * @param handler does what is asked
   * @return the server
   */
  public static ControlServer start(Path stateDirectory, ControlHandler handler) {
    Path socket = ControlSocket.in(stateDirectory);
    ControlServer server = new ControlServer(socket, listen(socket), handler);
    if (server.channel != null) {
      server.threads.execute(server::accept);
    }
    return server;
  }

  private static @Nullable ServerSocketChannel listen(Path socket) {
    try {
      // A hub that was killed left it; this one holds the lock of the directory.
      Files.deleteIfExists(socket);
      ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.bind(ControlSocket.address(socket));
        PrivateFiles.makePrivate(socket);
        return channel;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "There is no socket {} ({}): commands for a running hub, as 'hub handover', need this one"
              + " stopped",
          socket,
          e.getMessage());
      return null;
    }
  }

  private void accept() {
    ServerSocketChannel listening = channel;
    while (listening != null && listening.isOpen()) {
      try {
        take(listening.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        LOG.warn("A command did not reach the hub: {}", e.getMessage());
      }
    }
  }

  private void take(SocketChannel caller) throws IOException {
    try {
      threads.execute(() -> serve(caller));
    } catch (RejectedExecutionException e) {
      caller.close();
      throw new IOException("it serves " + AT_ONCE + " commands already", e);
    }
  }

  private void serve(SocketChannel caller) {
    try (caller) {
      String answer = answer(ControlSocket.receive(caller, LONGEST_REQUEST));
      ControlSocket.send(caller, answer);
    } catch (IOException e) {
      LOG.warn("A command went before it had its answer ({})", e.getMessage());
    }
  }

  private String answer(String line) {
    try {
      ControlMessages.HandOver request = ControlMessages.request(line);
      return ControlMessages.answer(handler.handOver(request.pipelineId(), request.to()));
    } catch (ControlException | AgentException | StateException e) {
      return ControlMessages.refusal(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      // Asked for by close(), on a thread of our own; set again it would keep the answer back.
      return ControlMessages.refusal("The hub was stopped meanwhile. Call this command again.");
    } catch (RuntimeException | Error e) {
      LOG.error("Unexpected error; please report it", e);
      return ControlMessages.refusal(
          "Unexpected error in the running hub (" + e + "); its log has more. Please report it.");
    }
  }

  /**
   * Takes no more commands, sends the answers that are there, breaks off what is still under way,
   * and removes the socket. Idempotent.
   */
  @Override
  public void close() {
    ServerSocketChannel listening = channel;
    if (listening == null) {
      return;
    }
    try {
      listening.close();
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      LOG.warn("The socket {} cannot be removed", socket, e);
    }
    threads.shutdown();
    try {
      if (!threads.awaitTermination(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
        threads.awaitTermination(BREAK_OFF.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
