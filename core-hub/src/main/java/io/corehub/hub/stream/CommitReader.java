package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.corehub.agent.Commit;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.hub.source.CommitBatchBuilder;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code commit} lines into a batch builder: each line whole or not at all. Confined to one
 * caller.
 */
final class CommitReader {

  private static final Set<String> FIELDS =
      Set.of("kind", "position", "committedAt", "transactionId", "user", "changes");

  private final JsonFactory json;
  private final ChangeReader changes;
  private final CommitBatchBuilder batches;
  private final Optional<SourcePosition> confirmed;

  private @Nullable SourcePosition last;

  /**
   * A reader.
   *
   * @param confirmed position up to which commits matter only to tables that want them
   */
  CommitReader(
      JsonFactory json,
      ChangeReader changes,
      CommitBatchBuilder batches,
      Optional<SourcePosition> confirmed) {
    this.json = json;
    this.changes = changes;
    this.batches = batches;
    this.confirmed = confirmed;
  }

  /** Position of the last commit read, or 0 before the first. */
  SourcePosition lastPosition(String timeline) {
    return last == null ? new SourcePosition(timeline, 0, "") : last;
  }

  void read(Line line, String timeline, boolean zeroTaken, String place)
      throws IOException, MalformedException, InterruptedException {
    if (line.isLong()) {
      // Parts of a commit that leave cannot be taken back: look at all of it first.
      CommitBatchBuilder nowhere = new CommitBatchBuilder(10_000, 1 << 20, batch -> {});
      Pass look = pass(line, timeline, zeroTaken, place, nowhere, Map.of());
      batches.holdWhole(false);
      last = pass(line, timeline, zeroTaken, place, batches, look.unfit).position;
    } else {
      batches.holdWhole(true);
      last = pass(line, timeline, zeroTaken, place, batches, Map.of()).position;
    }
  }

  private Pass pass(
      Line line,
      String timeline,
      boolean zeroTaken,
      String place,
      CommitBatchBuilder out,
      Map<StreamTable, TableStoppedException> unfitBefore)
      throws IOException, MalformedException, InterruptedException {
    try (Envelope envelope = Envelope.open(json, line, FIELDS, "changes")) {
      Commit commit = commit(envelope, timeline, zeroTaken);
      Pass pass = new Pass(commit, out, !unfitBefore.isEmpty() || !alreadyConfirmed(commit));
      try {
        pass.stopBefore(unfitBefore);
        JsonParser parser = envelope.parser();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          changes.read(parser, pass, place);
        }
        envelope.finish(FIELDS, "changes");
      } catch (IOException | MalformedException e) {
        if (out == batches) {
          pass.rollBack();
        }
        throw e;
      }
      pass.end();
      if (out == batches) {
        pass.unfit.keySet().forEach(StreamTable::stop);
      }
      return pass;
    }
  }

  private boolean alreadyConfirmed(Commit commit) {
    return confirmed.isPresent()
        && confirmed.get().timeline().equals(commit.position().timeline())
        && !commit.position().isAfter(confirmed.get());
  }

  private Commit commit(Envelope envelope, String timeline, boolean zeroTaken)
      throws MalformedException {
    Envelope.Scalar text = envelope.field("position");
    if (text == null) {
      throw new MalformedException("'position' is missing");
    }
    SourcePosition position =
        new SourcePosition(
            timeline, CellReader.unsigned(text.token(), text.text(), "position"), "");
    if (last != null && !position.isAfter(last)) {
      throw new MalformedException(
          "'position' is " + position + ", but must be greater than the one before, " + last);
    }
    if (position.order() == 0 && zeroTaken) {
      throw new MalformedException(
          "'position' is 0, which stands for the time before the first commit once there is a"
              + " snapshot; begin with 1");
    }
    return new Commit(
        position,
        committedAt(envelope),
        Optional.ofNullable(envelope.string("transactionId")),
        Optional.ofNullable(envelope.string("user")));
  }

  private static Optional<Instant> committedAt(Envelope envelope) throws MalformedException {
    String text = envelope.string("committedAt");
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw new MalformedException(
          "'committedAt' is "
              + CellReader.shown(JsonToken.VALUE_STRING, text)
              + ", but must be an ISO-8601 timestamp with offset");
    }
  }

  /** One reading of a commit. */
  private static final class Pass implements ChangeReader.Target {
    final SourcePosition position;
    final Map<StreamTable, TableStoppedException> unfit = new LinkedHashMap<>();
    private final Map<StreamTable, Boolean> wanted = new HashMap<>();
    private final Commit commit;
    private final CommitBatchBuilder out;
    private boolean begun;

    /**
     * A pass.
     *
     * @param always whether the commit is handed over even if no table wants anything of it
     */
    Pass(Commit commit, CommitBatchBuilder out, boolean always) {
      this.commit = commit;
      this.position = commit.position();
      this.out = out;
      if (always) {
        rows();
      }
    }

    void stopBefore(Map<StreamTable, TableStoppedException> reasons) {
      reasons.forEach(this::unfit);
    }

    @Override
    public boolean wants(StreamTable table) throws InterruptedException {
      if (unfit.containsKey(table)) {
        return false;
      }
      Boolean known = wanted.get(table);
      if (known == null) {
        known = table.wants(position);
        wanted.put(table, known);
      }
      return known;
    }

    @Override
    public CommitBatchBuilder rows() {
      if (!begun) {
        out.begin(commit);
        begun = true;
      }
      return out;
    }

    @Override
    public void unfit(StreamTable table, TableStoppedException reason) {
      unfit.put(table, reason);
      rows().unreadable(reason);
    }

    void rollBack() {
      if (begun) {
        out.rollBack();
      }
    }

    void end() throws InterruptedException {
      if (begun) {
        out.end();
      }
    }
  }
}
