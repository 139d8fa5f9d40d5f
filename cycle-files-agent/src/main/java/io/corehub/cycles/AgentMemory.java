package io.corehub.cycles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentState;
import io.corehub.agent.table.TableId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the hub keeps for the agent: which job it was, and its newest completed cycle. By it a
 * folder that lost cycles is told from a source that is quiet. Immutable.
 *
 * @param job the job's identity; empty if it had no cycle yet
 * @param folder the job's folder
 * @param cycle its newest completed cycle
 * @param passed tables that the confirmed position went on without
 */
record AgentMemory(String job, String folder, Optional<CycleName> cycle, Passed passed) {

  /**
   * Tables that the confirmed position went on without: rows of them may be missing. Immutable.
   *
   * @param stopped those that stopped while the others were to move on
   * @param removed those that a person took out
   */
  record Passed(Set<TableId> stopped, Set<TableId> removed) {

    /** None. */
    static final Passed NONE = new Passed(Set.of(), Set.of());

    Passed {
      stopped = Set.copyOf(stopped);
      removed = Set.copyOf(removed);
    }
  }

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int VERSION = 1;

  /**
   * Reads what the hub kept.
   *
   * @return empty if it keeps nothing
   * @throws IllegalArgumentException if it cannot be read, saying why
   */
  static Optional<AgentMemory> of(AgentState state) {
    if (state.text().isEmpty()) {
      return Optional.empty();
    }
    JsonNode json;
    try {
      json = MAPPER.readTree(state.text());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage(), e);
    }
    if (json.path("v").asInt() != VERSION || !json.path("folder").isTextual()) {
      throw new IllegalArgumentException("it is not the state of a job of cycle files");
    }
    String cycle = json.path("cycle").asText("");
    Optional<CycleName> name = CycleName.ofFolder(cycle);
    if (!cycle.isEmpty() && name.isEmpty()) {
      throw new IllegalArgumentException("it names no cycle by its 'cycle'");
    }
    return Optional.of(
        new AgentMemory(
            json.path("job").asText(""),
            json.path("folder").asText(),
            name,
            new Passed(tables(json.path("passed")), tables(json.path("removed")))));
  }

  private static Set<TableId> tables(JsonNode names) {
    Set<TableId> tables = new TreeSet<>();
    names.forEach(table -> tables.add(TableId.parse(table.asText())));
    return tables;
  }

  private static void put(ObjectNode json, String name, Set<TableId> tables) {
    if (!tables.isEmpty()) {
      ArrayNode names = json.putArray(name);
      tables.stream().map(TableId::toString).sorted().forEach(names::add);
    }
  }

  AgentState state() {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("v", VERSION);
    json.put("job", job);
    json.put("folder", folder);
    cycle.ifPresent(name -> json.put("cycle", name.toString()));
    put(json, "passed", passed.stopped());
    put(json, "removed", passed.removed());
    return new AgentState(json.toString());
  }
}
