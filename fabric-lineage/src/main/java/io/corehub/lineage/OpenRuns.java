package io.corehub.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs that a catalogue believes to be going on, in a small file that is replaced as a whole: after
 * a kill, the next start ends them. Nothing depends on it: what cannot be written is logged, what
 * cannot be read counts as nothing. Confined to one caller at a time.
 */
final class OpenRuns {

  private static final Logger LOG = LoggerFactory.getLogger(OpenRuns.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final Map<UUID, Entry> open = new LinkedHashMap<>();
  private boolean failing;

  /**
   * A run, and the namespace its job was told in.
   *
   * @param namespace namespace of its job
   * @param run the run
   */
  record Entry(String namespace, Run run) {}

  /** Reads the runs when the emitter begins. */
  interface Reader {
    OpenRuns read();
  }

  private OpenRuns(Path file) {
    this.file = file;
  }

  /** Reads what an earlier process left. */
  static OpenRuns read(Path file) {
    OpenRuns runs = new OpenRuns(file);
    if (Files.exists(file)) {
      try {
        for (JsonNode node : JSON.readTree(Files.readAllBytes(file)).path("open")) {
          Run run =
              new Run(
                  UUID.fromString(node.path("runId").asText()),
                  new JobKey(
                      node.path("job").asText(), JobKey.Kind.valueOf(node.path("kind").asText())));
          runs.open.put(run.id(), new Entry(node.path("namespace").asText(), run));
        }
      } catch (IOException | IllegalArgumentException e) {
        LOG.warn("{} cannot be read; runs it names stay open in the catalogue", file, e);
      }
    }
    return runs;
  }

  List<Entry> all() {
    return new ArrayList<>(open.values());
  }

  void began(String namespace, Run run) {
    open.put(run.id(), new Entry(namespace, run));
    write();
  }

  void ended(Run run) {
    if (open.remove(run.id()) != null) {
      write();
    }
  }

  private void write() {
    ArrayNode runs = JSON.createArrayNode();
    for (Entry entry : open.values()) {
      ObjectNode node = runs.addObject();
      node.put("namespace", entry.namespace);
      node.put("job", entry.run.job().name());
      node.put("kind", entry.run.job().kind().name());
      node.put("runId", entry.run.id().toString());
    }
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.write(draft, JSON.writeValueAsBytes(JSON.createObjectNode().set("open", runs)));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        LOG.warn("{} cannot be written; a kill would leave runs open in the catalogue", file, e);
      }
      failing = true;
    }
  }
}
