package io.corehub.hub.stream;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.SourcePosition;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/** Runs a change-stream source over lines of text. */
final class StreamBench {

  final RecordingSink sink = new RecordingSink();
  final AtomicLong truncated = new AtomicLong();
  private final Path directory;
  private final List<Path> files = new ArrayList<>();
  private BeforeImage beforeImage = BeforeImage.FULL;
  private Optional<SourcePosition> confirmed = Optional.empty();
  private int longLine = 1 << 20;
  private RowLimit rowLimit = RowLimit.ofHeap();

  StreamBench(Path directory) {
    this.directory = directory;
  }

  StreamBench file(String... lines) throws IOException {
    Path file = directory.resolve("f" + (files.size() + 1) + ".changes.jsonl");
    Files.writeString(file, String.join("\n", lines) + "\n");
    files.add(file);
    return this;
  }

  StreamBench path(Path file) {
    files.add(file);
    return this;
  }

  StreamBench asks(BeforeImage image) {
    beforeImage = image;
    return this;
  }

  StreamBench confirmed(long position) {
    confirmed = Optional.of(new SourcePosition("shop", position, ""));
    return this;
  }

  StreamBench rowLimit(long bytes) {
    rowLimit = new RowLimit(bytes);
    return this;
  }

  StreamBench longLine(int bytes) {
    longLine = bytes;
    return this;
  }

  ChangeStreamSource source() {
    return new ChangeStreamSource(
        files,
        new SourceContext(
            "shop",
            directory,
            confirmed,
            beforeImage,
            table -> true,
            1 << 20,
            InstantSource.system(),
            new Meters() {
              @Override
              public void add(String name, double amount, String... labels) {
                truncated.addAndGet((long) amount);
              }

              @Override
              public void gauge(String name, DoubleSupplier value, String... labels) {}

              @Override
              public void seconds(String name, double seconds, String... labels) {}
            }),
        longLine,
        rowLimit);
  }

  /** Runs to the end; what was handed over. */
  List<String> run() throws InterruptedException {
    source().run(sink);
    return sink.log;
  }

  /** Runs to a failure; its message. */
  String fails() throws InterruptedException {
    try {
      source().run(sink);
    } catch (SourceException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("The stream was read to its end: " + sink.log);
  }
}
