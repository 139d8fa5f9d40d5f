package io.corehub.hub.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A pipeline's state as a small JSON file that is replaced as a whole: whenever the process is
 * killed, the file is the old one or the new one. Confined to one caller at a time.
 *
 * <pre>
 * {"version": 1, "pipeline": "shop", "epoch": 3,
 *  "confirmed": {"timeline": "shop", "order": "42", "token": ""}, "agentState": "…"}
 * </pre>
 */
public final class StateFile {

  private static final int VERSION = 1;
  private static final long MAX_BYTES = 64 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final String pipelineId;

  StateFile(Path file, String pipelineId) {
    this.file = file;
    this.pipelineId = pipelineId;
  }

  /**
   * Reads the file.
   *
   * @return its content; {@link PipelineState#NONE} if there is no file
   * @throws StateException if the file is not what this class wrote
   */
  public PipelineState read() {
    if (!Files.exists(file)) {
      return PipelineState.NONE;
    }
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw corrupt("it is larger than any state", null);
      }
      return parse(JSON.readTree(Files.readAllBytes(file)));
    } catch (JsonProcessingException e) {
      throw corrupt(e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw corrupt(e.toString(), e);
    }
  }

  private PipelineState parse(JsonNode root) {
    if (root.path("version").asInt() != VERSION) {
      throw corrupt("its 'version' is not " + VERSION, null);
    }
    if (!pipelineId.equals(root.path("pipeline").textValue())) {
      throw corrupt("its 'pipeline' is not '" + pipelineId + "'", null);
    }
    JsonNode epoch = root.path("epoch");
    JsonNode agent = root.path("agentState");
    if (!epoch.canConvertToLong() || !agent.isTextual()) {
      throw corrupt("'epoch' or 'agentState' is missing", null);
    }
    return new PipelineState(
        epoch.longValue(), confirmed(root.get("confirmed")), new AgentState(agent.textValue()));
  }

  private Optional<SourcePosition> confirmed(@org.jspecify.annotations.Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    JsonNode timeline = node.path("timeline");
    JsonNode order = node.path("order");
    JsonNode token = node.path("token");
    if (!timeline.isTextual() || !order.isTextual() || !token.isTextual()) {
      throw corrupt("'confirmed' is not a position", null);
    }
    try {
      return Optional.of(
          new SourcePosition(
              timeline.textValue(), Long.parseUnsignedLong(order.textValue()), token.textValue()));
    } catch (NumberFormatException e) {
      throw corrupt("'confirmed.order' is not a number", e);
    }
  }

  /**
   * Replaces the file.
   *
   * @param state new content
   * @throws StateException if it cannot be written; the old content stays
   */
  public void write(PipelineState state) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION);
    root.put("pipeline", pipelineId);
    root.put("epoch", state.epoch());
    state
        .confirmed()
        .ifPresent(
            position ->
                root.putObject("confirmed")
                    .put("timeline", position.timeline())
                    .put("order", Long.toUnsignedString(position.order()))
                    .put("token", position.token()));
    root.put("agentState", state.agent().text());
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      byte[] bytes = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
      try (FileChannel channel =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      forceDirectory();
    } catch (IOException e) {
      throw new StateException(
          "State file "
              + file
              + " cannot be written ("
              + e
              + "). Make room or correct the permissions.",
          e);
    }
  }

  /** A rename is on disk only when its directory is; not every system can say so. */
  private void forceDirectory() throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || System.getProperty("os.name", "").startsWith("Windows")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private StateException corrupt(
      String reason, @org.jspecify.annotations.Nullable Throwable cause) {
    String message =
        "State file "
            + file
            + " cannot be read: "
            + reason
            + ". Restore it from a backup, or delete it: the pipeline then finds in the target what"
            + " is already published.";
    return cause == null ? new StateException(message) : new StateException(message, cause);
  }
}
