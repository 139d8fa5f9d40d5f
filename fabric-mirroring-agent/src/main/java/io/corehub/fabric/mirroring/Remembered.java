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
 * differ from their source because operations were skipped, which are being re-created, and which
 * the confirmed position went on without. Thread-safe.
 */
final class Remembered {

  private static final int VERSION = 1;

  /**
   * The file published last, as far as the host was told. Immutable.
   *
   * @param incarnation the folder's life in which it was published
   * @param seq its number; later ones may have been published since
   * @param fileId its id; empty if an earlier release told of it
   */
  record Mark(UUID incarnation, long seq, Optional<UUID> fileId) {}

  /**
   * A folder that is to go, with nothing in it that counts any more. Immutable.
   *
   * @param life its life; empty if none of its files told
   * @param etag of the folder; empty if there was none
   */
  record Ending(Optional<UUID> life, Optional<String> etag) {

    private static Ending read(JsonNode json) {
      return new Ending(
          Optional.ofNullable(json.get("in")).map(in -> UUID.fromString(in.asText())),
          Optional.ofNullable(json.get("etag")).map(JsonNode::asText));
    }

    private ObjectNode toJson() {
      ObjectNode json = Json.object();
      life.ifPresent(in -> json.put("in", in.toString()));
      etag.ifPresent(text -> json.put("etag", text));
      return json;
    }

    /** Whether what stands there now is another folder than this one, which therefore is gone. */
    boolean replacedBy(Ending now) {
      return now.life.isPresent()
          ? !now.life.equals(life)
          : now.etag.isPresent() && !now.etag.equals(etag);
    }
  }

  /**
   * What is remembered of one table. Immutable.
   *
   * @param published whether it has files
   * @param diverged whether operations on it were skipped
   * @param last the file that must be in its folder
   * @param ending the folder of it that is to go
   * @param awaited whether Fabric showed it when its folder was deleted, and is to show it again
   */
  private record Facts(
      boolean published,
      boolean diverged,
      Optional<Mark> last,
      Optional<Ending> ending,
      boolean awaited) {

    static final Facts NONE = new Facts(false, false, Optional.empty(), Optional.empty(), false);

    static Facts read(JsonNode json) {
      return new Facts(
          json.path("published").booleanValue(),
          json.path("diverged").booleanValue(),
          mark(json),
          Optional.ofNullable(json.get("deleting")).map(Ending::read),
          json.path("awaited").booleanValue());
    }

    private static Optional<Mark> mark(JsonNode json) {
      return json.has("seq")
          ? Optional.of(
              new Mark(
                  UUID.fromString(Json.required(json, "in").asText()),
                  Json.required(json, "seq").longValue(),
                  Json.text(json, "id").map(UUID::fromString)))
          : Optional.empty();
    }

    /** One member of the object of tables. */
    String member(String table) {
      ObjectNode one = Json.object();
      flag(one, "published", published);
      flag(one, "diverged", diverged);
      last.ifPresent(
          mark -> {
            one.put("in", mark.incarnation.toString()).put("seq", mark.seq);
            mark.fileId.ifPresent(id -> one.put("id", id.toString()));
          });
      ending.ifPresent(folder -> one.set("deleting", folder.toJson()));
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

  /** The tables that the confirmed position went on without, and why. */
  private final Map<String, PassedOver> passed = new TreeMap<>();

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
    json.path("passed")
        .properties()
        .forEach(
            field ->
                remembered.passed.put(
                    field.getKey(), PassedOver.ofWord(field.getValue().asText())));
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
            "{\"v\":"
                + VERSION
                + ",\"tables\":{"
                + String.join(",", members.values())
                + "}"
                + passedMember()
                + "}");
    cached = Optional.of(state);
    return state;
  }

  private String passedMember() {
    if (passed.isEmpty()) {
      return "";
    }
    ObjectNode words = Json.object();
    passed.forEach((table, why) -> words.put(table, why.word()));
    return ",\"passed\":" + words;
  }

  /** The position confirmed when the agent was opened. */
  Optional<SourcePosition> confirmed() {
    return confirmed;
  }

  /** Whether the confirmed position went on without a table. */
  synchronized PassedOver passedOver(TableId table) {
    return passed.getOrDefault(table.toString(), PassedOver.NO);
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
    return tables.containsKey(table.toString()) || passed.containsKey(table.toString());
  }

  /** The folder of a table that is to be deleted, or whose deletion was begun. */
  synchronized Optional<Ending> ending(TableId table) {
    return facts(table).ending;
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
            new Facts(true, now.diverged, Optional.of(last), now.ending, now.awaited))
        && !now.published;
  }

  /** Remembers that a table differs from its source; true if that is news. */
  synchronized boolean noteDiverged(TableId table) {
    Facts now = facts(table);
    return put(table.toString(), new Facts(now.published, true, now.last, now.ending, now.awaited));
  }

  /**
   * Remembers that the confirmed position goes on without a table. To be told with the position, in
   * one step: a host that has the one without the other would go on with a hole.
   */
  synchronized void notePassed(TableId table, PassedOver why) {
    if (passed.putIfAbsent(table.toString(), why) == null) {
      cached = Optional.empty();
    }
  }

  /** Remembers that the host removed a table: the position goes on without it from now on. */
  synchronized void noteRemoved(TableId table) {
    if (passed.put(table.toString(), PassedOver.REMOVED) != PassedOver.REMOVED) {
      cached = Optional.empty();
    }
  }

  /** What was missing in a table's folder goes with it. */
  private void forgetPassed(TableId table) {
    if (passed.remove(table.toString()) != null) {
      cached = Optional.empty();
    }
  }

  /**
   * Remembers that a table's folder is to go.
   *
   * @param shown whether Fabric shows the table
   */
  synchronized void noteDeleting(TableId table, boolean shown, Ending folder) {
    forgetPassed(table);
    Facts now = facts(table);
    put(
        table.toString(),
        new Facts(
            now.published,
            now.diverged,
            Optional.empty(),
            Optional.of(folder),
            now.awaited || shown));
  }

  /** Remembers that a table's folder is gone, and Fabric has dropped the table. */
  synchronized void noteDeleted(TableId table) {
    forgetPassed(table);
    put(
        table.toString(),
        new Facts(false, false, Optional.empty(), Optional.empty(), facts(table).awaited));
  }

  /** Remembers that Fabric shows a re-created table again, or is not waited for any longer. */
  synchronized void noteReturned(TableId table) {
    Facts now = facts(table);
    put(table.toString(), new Facts(now.published, now.diverged, now.last, now.ending, false));
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
