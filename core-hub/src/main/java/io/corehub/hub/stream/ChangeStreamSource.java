package io.corehub.hub.stream;

import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.SourcePosition;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.SourceSink;
import io.corehub.hub.source.TableOutline;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Reads change-stream files one after the other. */
final class ChangeStreamSource implements Source {

  private final List<Path> files;
  private final SourceContext context;
  private final int longLine;
  private final RowLimit rowLimit;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * A source.
   *
   * @param longLine bytes above which a line is kept in a file instead of memory
   * @param rowLimit how large a row may be
   */
  ChangeStreamSource(List<Path> files, SourceContext context, int longLine, RowLimit rowLimit) {
    this.files = List.copyOf(files);
    this.context = context;
    this.longLine = longLine;
    this.rowLimit = rowLimit;
  }

  @Override
  public boolean finite() {
    return true;
  }

  @Override
  public List<Finding> check() {
    return files.stream()
        .map(
            file -> {
              String problem = problem(file);
              return problem == null
                  ? new Finding(Severity.OK, "Change-stream file " + file + " can be read.")
                  : new Finding(Severity.ERROR, problem);
            })
        .toList();
  }

  @Override
  public Optional<List<TableOutline>> tables() {
    return DeclaredTables.in(files);
  }

  private static @Nullable String problem(Path file) {
    String name = Shown.of(file.toString());
    if (!Files.exists(file)) {
      return "Change-stream file " + name + " does not exist. Correct 'files'.";
    }
    if (Files.isDirectory(file)) {
      return "Change-stream file " + name + " is a directory. Name files below 'files'.";
    }
    return Files.isReadable(file)
        ? null
        : "Change-stream file " + name + " may not be read by this user. Change its permissions.";
  }

  @Override
  public void run(SourceSink sink) throws InterruptedException {
    for (Path file : files) {
      String problem = problem(file);
      if (problem != null) {
        throw new SourceException(problem);
      }
    }
    StreamLines lines = new StreamLines(context, sink, stopped, rowLimit);
    for (Path file : files) {
      read(file, lines);
    }
    lines.finish();
  }

  /** The files are all there is: their end is now. */
  @Override
  public void contents(SourceSink sink) throws InterruptedException {
    run(sink);
  }

  private void read(Path file, StreamLines lines) throws InterruptedException {
    long number = 0;
    try (LineReader reader = new LineReader(file, context.spoolDirectory(), longLine)) {
      while (stopped.getCount() > 0) {
        if (!reader.ready()) {
          lines.flush();
        }
        number++;
        Line line = next(reader, lines);
        if (line == null) {
          return;
        }
        if (!line.isBlank()) {
          lines.read(line, file);
        }
      }
    } catch (MalformedException e) {
      lines.flushCommits();
      throw new SourceException(
          Shown.of(file.toString()) + ", line " + number + ": " + e.getMessage());
    } catch (ClosedByInterruptException e) {
      throw new InterruptedException();
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      lines.flushCommits();
      throw new SourceException(
          "Change-stream file "
              + Shown.of(file.toString())
              + " cannot be read behind line "
              + (number - 1)
              + ": "
              + Shown.message(String.valueOf(e.getMessage())),
          e);
    }
  }

  private static @Nullable Line next(LineReader reader, StreamLines lines)
      throws IOException, InterruptedException {
    try {
      return reader.next();
    } catch (SourceException e) {
      lines.flushCommits();
      throw e;
    }
  }

  @Override
  public void confirmed(SourcePosition upTo) {
    // The files stay as they are: a restart reads them again from the start.
  }

  @Override
  public void stop() {
    stopped.countDown();
  }

  @Override
  public void close() {
    stop();
  }
}
