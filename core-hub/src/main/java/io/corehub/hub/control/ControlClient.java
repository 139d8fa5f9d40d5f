package io.corehub.hub.control;

import io.corehub.agent.HandedOver;
import io.corehub.agent.Successor;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Asks the hub that uses a state directory to do something. Stateless; blocks until it is done. */
public final class ControlClient {

  private ControlClient() {}

  /**
   * Whether a hub that takes commands was started on the directory.
   *
   * @param stateDirectory a state directory in use
   * @return false if what uses it takes none: another command, or a hub that has no socket
   */
  public static boolean reaches(Path stateDirectory) {
    return Files.exists(ControlSocket.in(stateDirectory));
  }

  /**
   * Has a pipeline stopped and its tables handed over.
   *
   * @param stateDirectory state directory of the running hub
   * @param pipelineId id of the pipeline
   * @param to whom
   * @return its tables
   * @throws ControlException if the hub cannot be reached, refuses, or ends meanwhile
   */
  public static List<HandedOver> handOver(Path stateDirectory, String pipelineId, Successor to) {
    Path socket = ControlSocket.in(stateDirectory);
    try (SocketChannel channel = SocketChannel.open(ControlSocket.address(socket))) {
      ControlSocket.send(
          channel, ControlMessages.request(new ControlMessages.HandOver(pipelineId, to)));
      return ControlMessages.answer(ControlSocket.receive(channel, ControlMessages.LONGEST));
    } catch (IOException e) {
      throw new ControlException(
          "The running hub did not answer at "
              + socket
              + " ("
              + e.getMessage()
              + "). Run this command as the user who runs the hub; if the hub has ended meanwhile,"
              + " call it again.",
          e);
    }
  }
}
