package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentState;
import io.corehub.agent.table.TableId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the agent has the host remember: which tables have files, and which differ from their source
 * because operations were skipped. Thread-safe.
 */
final class Remembered {

  private static final int VERSION = 1;

  private record Facts(boolean published, boolean diverged) {}

  private final Map<String, Facts> tables = new TreeMap<>();
  private Optional<AgentState> cached = Optional.empty();

  /**
   * Reads what the host hands back.
   *
   * @throws IllegalArgumentException if it is not what an agent of this kind handed over
   */
  static Remembered of(AgentState state) {
    Remembered remembered = new Remembered();
    if (state.text().isEmpty()) {
      return remembered;
    }
    JsonNode json = Json.parse(state.text());
    if (Json.required(json, "v").intValue() != VERSION) {
      throw new IllegalArgumentException("it is of version " + json.get("v"));
    }
    Json.required(json, "tables")
        .properties()
        .forEach(
            field ->
                remembered.tables.put(
                    field.getKey(),
                    new Facts(
                        field.getValue().path("published").booleanValue(),
                        field.getValue().path("diverged").booleanValue())));
    return remembered;
  }

  synchronized AgentState state() {
    Optional<AgentState> known = cached;
    if (known.isPresent()) {
      return known.get();
    }
    ObjectNode json = Json.object().put("v", VERSION);
    ObjectNode all = json.putObject("tables");
    tables.forEach(
        (table, facts) -> {
          ObjectNode one = all.putObject(table);
          if (facts.published) {
            one.put("published", true);
          }
          if (facts.diverged) {
            one.put("diverged", true);
          }
        });
    AgentState state = new AgentState(json.toString());
    cached = Optional.of(state);
    return state;
  }

  synchronized boolean published(TableId table) {
    return facts(table).published;
  }

  synchronized boolean diverged(TableId table) {
    return facts(table).diverged;
  }

  /** Remembers that a table has files; true if that is news. */
  synchronized boolean notePublished(TableId table) {
    return put(table, new Facts(true, diverged(table)));
  }

  /** Remembers that a table differs from its source; true if that is news. */
  synchronized boolean noteDiverged(TableId table) {
    return put(table, new Facts(published(table), true));
  }

  /** Forgets a table whose folder was deleted; true if that is news. */
  synchronized boolean forget(TableId table) {
    boolean news = tables.remove(table.toString()) != null;
    cached = news ? Optional.empty() : cached;
    return news;
  }

  private boolean put(TableId table, Facts facts) {
    boolean news = !facts.equals(tables.put(table.toString(), facts));
    cached = news ? Optional.empty() : cached;
    return news;
  }

  private Facts facts(TableId table) {
    return tables.getOrDefault(table.toString(), new Facts(false, false));
  }
}
