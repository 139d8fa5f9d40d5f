package io.corehub.fabric.mirroring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentState;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What the agent has the host remember: which tables have files and up to which number, which
 * differ from their source because operations were skipped, and which are being re-created.
 * Thread-safe.
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

  /**
   * What is remembered of one table. Immutable.
   *
   * @param published whether it has files
   * @param diverged whether operations on it were skipped
   * @param last the file that must be in its folder
   * @param deleting whether its folder is to go and nothing in it counts any more
   * @param awaited whether Fabric showed it when its folder was deleted, and is to show it again
   */
  private record Facts(
      boolean published, boolean diverged, Optional<Mark> last, boolean deleting, boolean awaited) {

    static final Facts NONE = new Facts(false, false, Optional.empty(), false, false);

    static Facts read(JsonNode json) {
      return new Facts(
          json.path("published").booleanValue(),
          json.path("diverged").booleanValue(),
          mark(json),
          json.path("deleting").booleanValue(),
          json.path("awaited").booleanValue());
    }

    private static Optional<Mark> mark(JsonNode json) {
      return json.has("seq")
          ? Optional.of(
              new Mark(
                  UUID.fromString(Json.required(json, "in").asText()),
                  Json.required(json, "seq").longValue()))
          : Optional.empty();
    }

    /** One member of the object of tables. */
    String member(String table) {
      ObjectNode one = Json.object();
      flag(one, "published", published);
      flag(one, "diverged", diverged);
      last.ifPresent(mark -> one.put("in", mark.incarnation.toString()).put("seq", mark.seq));
      flag(one, "deleting", deleting);
      flag(one, "awaited", awaited);
      String whole = Json.object().<ObjectNode>set(table, one).toString();
      return whole.substring(1, whole.length() - 1);
    }

    private static void flag(ObjectNode to, String name, boolean set) {
      if (set) {
        to.put(name, true);
      }
    }
  }

  private final Map<String, Facts> tables = new TreeMap<>();

  /** The tables as they are written, so that news of one costs no more than that one. */
  private final Map<String, String> members = new TreeMap<>();

  private Optional<AgentState> cached = Optional.empty();

  private final Optional<SourcePosition> confirmed;
  private final boolean repeats;

  private Remembered(ResumePoint resume) {
    this.confirmed = resume.confirmed();
    this.repeats = resume.repeats();
  }

  /**
   * Reads what the host hands back.
   *
   * @throws IllegalArgumentException if it is not what an agent of this kind handed over
   */
  static Remembered of(ResumePoint resume) {
    AgentState state = resume.state();
    Remembered remembered = new Remembered(resume);
    if (state.text().isEmpty()) {
      return remembered;
    }
    JsonNode json = Json.parse(state.text());
    if (Json.required(json, "v").intValue() != VERSION) {
      throw new IllegalArgumentException("it is of version " + json.get("v"));
    }
    Json.required(json, "tables")
        .properties()
        .forEach(field -> remembered.put(field.getKey(), Facts.read(field.getValue())));
    return remembered;
  }

  /** Whether the host reads its source again from the start, in the shapes tables had then. */
  boolean repeats() {
    return repeats;
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

  /** The tables that have files, as far as the host was told. */
  synchronized List<TableId> publishedTables() {
    return tables.entrySet().stream()
        .filter(entry -> entry.getValue().published)
        .map(entry -> TableId.parse(entry.getKey()))
        .toList();
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

  /** Whether anything is remembered of a table. */
  synchronized boolean knows(TableId table) {
    return tables.containsKey(table.toString());
  }

  /** Whether a table's folder is to be deleted, or its deletion was begun. */
  synchronized boolean deleting(TableId table) {
    return facts(table).deleting;
  }

  /** Whether changes of a re-created table are to wait until Fabric shows it again. */
  synchronized boolean awaitsReturn(TableId table) {
    return facts(table).awaited;
  }

  /**
   * What is known of a table's last file. It may say that the rest of its last commit is missing
   * when the rest had no row for this table; once that commit was confirmed, nothing is missing,
   * and nothing of it is delivered again.
   */
  FooterChain known(FooterChain last) {
    return last.chain().content() instanceof ChainEntry.Changes changes
            && confirmed.isPresent()
            && confirmed.get().ordered()
            && confirmed.get().timeline().equals(changes.timeline())
            && Long.compareUnsigned(confirmed.get().order(), changes.to()) >= 0
        ? new FooterChain(last.chain().with(changes.completed()), last.columns())
        : last;
  }

  /**
   * Remembers that a table has files, up to this one; true if the host must hear of it at once. A
   * later number of a table that is known goes along with the next confirmation.
   */
  synchronized boolean notePublished(TableId table, Mark last) {
    Facts now = facts(table);
    return put(
            table.toString(),
            new Facts(true, now.diverged, Optional.of(last), now.deleting, now.awaited))
        && !now.published;
  }

  /** Remembers that a table differs from its source; true if that is news. */
  synchronized boolean noteDiverged(TableId table) {
    Facts now = facts(table);
    return put(
        table.toString(), new Facts(now.published, true, now.last, now.deleting, now.awaited));
  }

  /**
   * Remembers that a table's folder is to go.
   *
   * @param shown whether Fabric shows the table
   * @param life the folder's life that is to end; empty if nothing in it says so
   */
  synchronized void noteDeleting(TableId table, boolean shown, Optional<UUID> life) {
    Facts now = facts(table);
    put(
        table.toString(),
        new Facts(
            now.published,
            now.diverged,
            life.map(in -> new Mark(in, 0)),
            true,
            now.awaited || shown));
  }

  /** The life of a table's folder that is to end; empty if none of its files told. */
  synchronized Optional<UUID> endingLife(TableId table) {
    Facts now = facts(table);
    return now.deleting ? now.last.map(Mark::incarnation) : Optional.empty();
  }

  /** Remembers that a table's folder is gone, and Fabric has dropped the table. */
  synchronized void noteDeleted(TableId table) {
    put(table.toString(), new Facts(false, false, Optional.empty(), false, facts(table).awaited));
  }

  /** Remembers that Fabric shows a re-created table again, or is not waited for any longer. */
  synchronized void noteReturned(TableId table) {
    Facts now = facts(table);
    put(table.toString(), new Facts(now.published, now.diverged, now.last, now.deleting, false));
  }

  private synchronized boolean put(String table, Facts facts) {
    boolean news = !facts.equals(tables.getOrDefault(table, Facts.NONE));
    if (facts.equals(Facts.NONE)) {
      tables.remove(table);
      members.remove(table);
    } else if (news) {
      tables.put(table, facts);
      members.put(table, facts.member(table));
    }
    cached = news ? Optional.empty() : cached;
    return news;
  }

  private Facts facts(TableId table) {
    return tables.getOrDefault(table.toString(), Facts.NONE);
  }
}
