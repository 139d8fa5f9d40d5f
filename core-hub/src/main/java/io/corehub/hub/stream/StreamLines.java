package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.corehub.hub.source.CommitBatchBuilder;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.SourceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a stream, whatever file they stand in. Confined to one caller. */
final class StreamLines {

  private static final Pattern FOR_PROGRAMMERS =
      Pattern.compile(
          ", from `[^`]*`|: enable `[^`]*` to allow| \\(not recognized as one since [^)]*\\)"
              + "| \\(start marker at \\[[^\\]]*\\]\\)");

  private static final List<String> KINDS =
      List.of("stream", "table", "snapshot", "snapshotEnd", "backlogEnd", "pause", "commit");

  /** How deep a line may nest; how deep a value may is for the agent to say. */
  private static final int MAX_DEPTH = 20_000;

  private static final int MAX_ROWS = 20_000;
  private static final int MAX_PAGE_ROWS = 100_000;

  /** On its way a value of a file is held as characters, as text and as bytes, some of it twice. */
  private static final int HEAP_PER_VALUE = 11;

  private final SourceContext context;
  private final SourceSink sink;
  private final CountDownLatch stopped;
  private final JsonFactory json;
  private final ObjectReader trees;
  private final CellReader cells;
  private final StreamTables tables;
  private final SnapshotReader snapshots;
  private final CommitReader commits;
  private final CommitBatchBuilder batches;
  private @Nullable String timeline;
  private boolean anySnapshot;
  private @Nullable Path currentFile;

  StreamLines(SourceContext context, SourceSink sink, CountDownLatch stopped, RowLimit rowLimit) {
    this.context = context;
    this.stopped = stopped;
    this.json =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(
                        clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_VALUE, 1 << 20, 1 << 30))
                    .maxNumberLength(200_000)
                    .build())
            .streamWriteConstraints(
                StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();
    this.trees =
        JsonMapper.builder(json)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build()
            .readerFor(JsonNode.class);
    this.cells = new CellReader(json);
    long heap = Runtime.getRuntime().maxMemory();
    RowReader rows = new RowReader(cells, rowLimit);
    this.sink = sink;
    this.tables = new StreamTables(sink);
    this.batches =
        new CommitBatchBuilder(MAX_ROWS, clamp(heap / 64, 1 << 20, 8 << 20), sink::commits);
    this.snapshots =
        new SnapshotReader(
            json, rows, tables, sink, MAX_PAGE_ROWS, clamp(heap / 32, 2 << 20, 16 << 20));
    this.commits =
        new CommitReader(
            json,
            new ChangeReader(tables, rows, context.beforeImage()),
            batches,
            context.confirmed());
  }

  private static int clamp(long value, int least, int most) {
    return (int) Math.max(least, Math.min(most, value));
  }

  /** Reads one line that is not blank. */
  void read(Line line, Path file) throws MalformedException, IOException, InterruptedException {
    boolean first = !file.equals(currentFile);
    currentFile = file;
    String place = Shown.of(String.valueOf(file.getFileName())) + ", line " + line.number();
    try {
      String kind = kind(line);
      if (timeline == null && !kind.equals("stream")) {
        timeline = context.pipeline();
      }
      switch (kind) {
        case "stream" -> stream(tree(line, Set.of("kind", "timeline")), first);
        case "table" -> table(tree(line, Set.of("kind", "table", "columns", "primaryKey")));
        case "snapshot" -> {
          batches.flush();
          anySnapshot = true;
          snapshots.readPage(line, commits.lastPosition(timeline()), place);
        }
        case "snapshotEnd" -> {
          JsonNode end = tree(line, Set.of("kind", "table", "backlog"));
          boolean backlog = LineFields.flag(end, "backlog", false);
          batches.flush();
          anySnapshot = true;
          snapshots.end(
              tables.named(LineFields.string(end, "table")),
              commits.lastPosition(timeline()),
              backlog);
        }
        case "backlogEnd" -> {
          StreamTable caughtUp =
              tables.named(LineFields.string(tree(line, Set.of("kind", "table")), "table"));
          batches.flush();
          if (caughtUp.wanted()) {
            sink.backlogEnded(caughtUp.id(), commits.lastPosition(timeline()));
          }
        }
        case "pause" -> pause(LineFields.whole(tree(line, Set.of("kind", "millis")), "millis", -1));
        case "commit" -> commits.read(line, timeline(), anySnapshot, place);
        default -> throw new IllegalStateException(kind);
      }
    } catch (JsonProcessingException e) {
      throw malformed(e);
    }
    long truncated = cells.takeTruncated();
    if (truncated > 0) {
      context.meters().add(SourceContext.TRUNCATED_DIGITS, (double) truncated);
    }
  }

  private static MalformedException malformed(JsonProcessingException e) {
    return new MalformedException(
        "it is not valid JSON"
            + (e.getLocation() == null
                ? ""
                : String.format(Locale.ROOT, " at column %d", e.getLocation().getColumnNr()))
            + ": "
            + Shown.of(forAPerson(e.getOriginalMessage())));
  }

  /** The library's words without what it tells programmers to switch on. */
  private static String forAPerson(String words) {
    return FOR_PROGRAMMERS.matcher(words).replaceAll("");
  }

  private String timeline() {
    return timeline == null ? context.pipeline() : timeline;
  }

  /** The kind of a line; cheap when it stands first. */
  private String kind(Line line) throws IOException, MalformedException {
    if (line.isWideText()) {
      throw new MalformedException("it is not UTF-8, but UTF-16 or UTF-32; save the file as UTF-8");
    }
    try (JsonParser parser = line.parser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedException("a line must be one JSON object");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (name.equals("kind")) {
          if (token == JsonToken.VALUE_STRING && KINDS.contains(parser.getText())) {
            return parser.getText();
          }
          throw new MalformedException(
              "'kind' is "
                  + CellReader.shown(token, cells.text(parser))
                  + ", but must be one of "
                  + String.join(", ", KINDS));
        }
        parser.skipChildren();
      }
      throw new MalformedException("'kind' is missing");
    }
  }

  private JsonNode tree(Line line, Set<String> known) throws IOException, MalformedException {
    if (line.isLong()) {
      throw new MalformedException("the line is too long for its kind");
    }
    try (JsonParser parser = line.parser(json)) {
      JsonNode node = trees.readTree(parser);
      Envelope.end(parser);
      LineFields.allowOnly(node, known);
      return node;
    }
  }

  private void stream(JsonNode line, boolean first) throws MalformedException {
    if (!first) {
      throw new MalformedException("a 'stream' line may only be the first of its file");
    }
    String name = LineFields.string(line, "timeline");
    if (name.isEmpty()) {
      throw new MalformedException("'timeline' is empty");
    }
    if (timeline != null && !timeline.equals(name)) {
      throw new MalformedException(
          "'timeline' is '" + Shown.of(name) + "', but the file before is of '" + timeline + "'");
    }
    timeline = name;
  }

  private void table(JsonNode line) throws MalformedException, InterruptedException {
    String name = LineFields.string(line, "table");
    for (StreamTable known : tables.all()) {
      if (known.id().toString().equals(name)) {
        snapshots.flush(known);
        tables.declare(line);
        snapshots.reshape(known);
        return;
      }
    }
    tables.declare(line);
  }

  private void pause(int millis) throws MalformedException, InterruptedException {
    if (millis < 0) {
      throw new MalformedException("'millis' is missing");
    }
    flush();
    // Whether it was stopped meanwhile, the reader asks itself.
    boolean unused = stopped.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Hands over the commits collected. */
  void flushCommits() throws InterruptedException {
    batches.flush();
  }

  /** Hands over everything collected. */
  void flush() throws InterruptedException {
    batches.flush();
    for (StreamTable table : tables.all()) {
      snapshots.flush(table);
    }
  }

  /** The stream ended. */
  void finish() throws InterruptedException {
    flush();
    Set<String> open = new TreeSet<>();
    for (StreamTable table : tables.all()) {
      if (table.snapshot != null && table.wanted()) {
        open.add(Shown.of(table.id().toString()));
      }
    }
    if (!open.isEmpty() && stopped.getCount() > 0) {
      throw new SourceException(
          "The stream ends inside the snapshot of "
              + String.join(", ", open)
              + "; 'snapshotEnd' is missing, so its pages are discarded. Complete the file and"
              + " start again.");
    }
  }
}
