package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentState;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.table.TableId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What the agent has the host remember: which tables have files and up to which number, and which
 * differ from their source because operations were skipped. Thread-safe.
 */
final class Remembered {

  private static final int VERSION = 1;

  /**
   * The file published last, as far as the host was told. Immutable.
   *
   * @param incarnation the folder's life in which it was published
   * @param seq its number; later ones may have been published since
   */
  record Mark(UUID incarnation, long seq) {}

  private record Facts(boolean published, boolean diverged, Optional<Mark> last) {

    static final Facts NONE = new Facts(false, false, Optional.empty());

    /** One member of the object of tables. */
    String member(String table) {
      ObjectNode one = Json.object();
      if (published) {
        one.put("published", true);
      }
      if (diverged) {
        one.put("diverged", true);
      }
      last.ifPresent(mark -> one.put("in", mark.incarnation.toString()).put("seq", mark.seq));
      String whole = Json.object().<ObjectNode>set(table, one).toString();
      return whole.substring(1, whole.length() - 1);
    }
  }

  private final Map<String, Facts> tables = new TreeMap<>();

  /** The tables as they are written, so that news of one costs no more than that one. */
  private final Map<String, String> members = new TreeMap<>();

  private Optional<AgentState> cached = Optional.empty();

  private final boolean repeats;

  private Remembered(boolean repeats) {
    this.repeats = repeats;
  }

  /**
   * Reads what the host hands back.
   *
   * @throws IllegalArgumentException if it is not what an agent of this kind handed over
   */
  static Remembered of(ResumePoint resume) {
    AgentState state = resume.state();
    Remembered remembered = new Remembered(resume.repeats());
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
                remembered.put(
                    field.getKey(),
                    new Facts(
                        field.getValue().path("published").booleanValue(),
                        field.getValue().path("diverged").booleanValue(),
                        mark(field.getValue()))));
    return remembered;
  }

  private static Optional<Mark> mark(JsonNode facts) {
    return facts.has("seq")
        ? Optional.of(
            new Mark(
                UUID.fromString(Json.required(facts, "in").asText()),
                Json.required(facts, "seq").longValue()))
        : Optional.empty();
  }

  synchronized AgentState state() {
    Optional<AgentState> known = cached;
    if (known.isPresent()) {
      return known.get();
    }
    AgentState state =
        new AgentState(
            "{\"v\":" + VERSION + ",\"tables\":{" + String.join(",", members.values()) + "}}");
    cached = Optional.of(state);
    return state;
  }

  synchronized boolean published(TableId table) {
    return facts(table).published;
  }

  synchronized boolean diverged(TableId table) {
    return facts(table).diverged;
  }

  /** The file of a table that must be in its folder; empty if the host would repeat its rows. */
  synchronized Optional<Mark> last(TableId table) {
    return repeats ? Optional.empty() : facts(table).last;
  }

  /**
   * Remembers that a table has files, up to this one; true if the host must hear of it at once. A
   * later number of a table that is known goes along with the next confirmation.
   */
  synchronized boolean notePublished(TableId table, Mark last) {
    boolean known = facts(table).published;
    return put(table.toString(), new Facts(true, diverged(table), Optional.of(last))) && !known;
  }

  /** Remembers that a table differs from its source; true if that is news. */
  synchronized boolean noteDiverged(TableId table) {
    return put(table.toString(), new Facts(published(table), true, facts(table).last));
  }

  /** Forgets a table whose folder was deleted; true if that is news. */
  synchronized boolean forget(TableId table) {
    boolean news = tables.remove(table.toString()) != null;
    members.remove(table.toString());
    cached = news ? Optional.empty() : cached;
    return news;
  }

  private synchronized boolean put(String table, Facts facts) {
    boolean news = !facts.equals(tables.put(table, facts));
    if (news) {
      members.put(table, facts.member(table));
      cached = Optional.empty();
    }
    return news;
  }

  private Facts facts(TableId table) {
    return tables.getOrDefault(table.toString(), Facts.NONE);
  }
}
