package io.corehub.hub.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a pipeline's {@link RunNotes} as a small file that is replaced as a whole. Nothing depends
 * on it: what cannot be written is logged, what cannot be read counts as nothing. Thread-safe.
 */
public final class NotesFile {

  private static final Logger LOG = LoggerFactory.getLogger(NotesFile.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  NotesFile(Path file) {
    this.file = file;
  }

  /**
   * Replaces the notes.
   *
   * @param notes what to leave
   */
  public synchronized void write(RunNotes notes) {
    ObjectNode root = JSON.createObjectNode().put("phase", notes.phase());
    notes.problem().ifPresent(problem -> root.put("problem", problem));
    ObjectNode stopped = root.putObject("stopped");
    new TreeMap<>(notes.stopped()).forEach(stopped::put);
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.write(draft, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be written ({}); 'hub status' will know less after the end",
          file,
          e.toString());
    }
  }

  /**
   * What the last run left.
   *
   * @return the notes; {@link RunNotes#NONE} if there are none that can be read
   */
  public RunNotes read() {
    try {
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      Map<String, String> stopped = new TreeMap<>();
      root.path("stopped")
          .properties()
          .forEach(f -> stopped.put(f.getKey(), f.getValue().asText()));
      return new RunNotes(
          root.path("phase").asText(),
          Optional.ofNullable(root.path("problem").textValue()),
          stopped);
    } catch (IOException e) {
      LOG.debug("No notes in {}", file, e);
      return RunNotes.NONE;
    }
  }
}
