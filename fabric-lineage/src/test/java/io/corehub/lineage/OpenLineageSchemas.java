package io.corehub.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The published schemas of OpenLineage 2-0-2, which lie beside the repository and not in it. An
 * event is judged by the core schema, each of its facets by the schema of its own.
 */
public final class OpenLineageSchemas {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json";

  /** Facets of our own, which have no schema but that of any dataset facet. */
  private static final String PLAIN_FACET = CORE + "#/$defs/DatasetFacet";

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, String> facetIds = new HashMap<>();
  private final SchemaRegistry registry;

  private OpenLineageSchemas(Path folder) throws IOException {
    texts.put(CORE, Files.readString(folder.resolve("OpenLineage.json")));
    try (Stream<Path> files = Files.list(folder.resolve("facets"))) {
      for (Path file : files.toList()) {
        String text = Files.readString(file);
        String id = JSON.readTree(text).path("$id").asText();
        texts.put(id, text);
        facetIds.put(file.getFileName().toString(), id);
      }
    }
    registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(texts));
  }

  /**
   * The schemas, found beside the repository or where {@code -Dopenlineage.schemas} says. Without
   * them the test that asks is skipped, and says so.
   *
   * @return the schemas
   */
  public static OpenLineageSchemas find() {
    Optional<Path> folder =
        Stream.of(
                System.getProperty("openlineage.schemas", ""),
                "../../shared/openlineage-schemas",
                "../shared/openlineage-schemas")
            .filter(place -> !place.isEmpty())
            .map(Path::of)
            .filter(Files::isDirectory)
            .findFirst();
    if (folder.isEmpty()) {
      System.err.println(
          "SKIPPED: events are NOT validated, because there is no folder"
              + " ../shared/openlineage-schemas beside the repository. Put the OpenLineage 2-0-2"
              + " schemas there, or say -Dopenlineage.schemas=FOLDER.");
    }
    Assumptions.assumeTrue(folder.isPresent(), "../shared/openlineage-schemas is missing");
    try {
      return new OpenLineageSchemas(folder.orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What is wrong with an event.
   *
   * @param event JSON text of a run event
   * @return one sentence for each problem; empty if it is valid
   */
  public List<String> problems(String event) {
    try {
      JsonNode root = JSON.readTree(event);
      List<String> problems = new ArrayList<>(validate(CORE + "#/$defs/RunEvent", root, "event"));
      facets(root, "", problems);
      return problems;
    } catch (IOException e) {
      return List.of("not JSON: " + e.getMessage());
    }
  }

  /** Number of facets in an event, so that a test can see that there were some. */
  public static int facetsOf(String event) {
    try {
      int[] count = {0};
      count(JSON.readTree(event), count);
      return count[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void count(JsonNode node, int[] count) {
    if (node.has("_schemaURL")) {
      count[0]++;
    }
    node.forEach(child -> count(child, count));
  }

  private void facets(JsonNode node, String name, List<String> problems) {
    if (node.has("_schemaURL")) {
      String url = node.path("_schemaURL").asText();
      if (url.equals(PLAIN_FACET)) {
        problems.addAll(validate(url, node, name));
      } else {
        String file = url.substring(url.lastIndexOf('/', url.indexOf('#')) + 1, url.indexOf('#'));
        String id = facetIds.get(file);
        String definition = url.substring(url.lastIndexOf('/') + 1);
        problems.addAll(
            id == null
                ? List.of("facet " + name + " has no known schema: " + url)
                : validate(id + "#/$defs/" + definition, node, name));
      }
    }
    node.properties().forEach(child -> facets(child.getValue(), child.getKey(), problems));
    if (node.isArray()) {
      node.forEach(child -> facets(child, name, problems));
    }
  }

  private List<String> validate(String schema, JsonNode node, String what) {
    Schema known = registry.getSchema(SchemaLocation.of(schema));
    List<Error> errors =
        known.validate(
            node,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    return errors.stream().map(error -> what + ": " + error).toList();
  }
}
