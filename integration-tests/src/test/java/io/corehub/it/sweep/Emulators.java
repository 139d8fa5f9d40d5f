package io.corehub.it.sweep;

import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * Emulators to be used one after the other, since starting one takes longer than a run on it. Those
 * that replicate remember tables and are used once. Thread-safe.
 */
final class Emulators implements AutoCloseable {

  private final Path directory;
  private final Deque<Lent> free = new ArrayDeque<>();
  private int started;

  /** Emulators in folders below a directory. */
  Emulators(Path directory) {
    this.directory = directory;
  }

  /** An emulator whose landing zone is empty, until it is closed. */
  final class Lent implements AutoCloseable {
    private final OneLakeEmulator emulator;
    private final Path zone;
    private final boolean once;

    private Lent(OneLakeEmulator emulator, Path directory, boolean once) {
      EmulatorConnection connection = emulator.connection();
      this.emulator = emulator;
      this.once = once;
      this.zone =
          directory.resolve(
              Path.of(
                  connection.workspaceId(),
                  connection.mirroredDatabaseId(),
                  "Files",
                  "LandingZone"));
    }

    OneLakeEmulator emulator() {
      return emulator;
    }

    Path zone() {
      return zone;
    }

    /**
     * Gives it back. What it does late for the last borrower can only reach names that are never
     * used again.
     */
    @Override
    public void close() throws IOException {
      if (once) {
        emulator.close();
        return;
      }
      emulator.clearFaults();
      try (Stream<Path> landed = Files.walk(zone)) {
        for (Path path : landed.sorted(Comparator.reverseOrder()).toList()) {
          if (!path.equals(zone)) {
            Files.delete(path);
          }
        }
      }
      synchronized (free) {
        free.push(this);
      }
    }
  }

  Lent lend(boolean replicates) throws IOException {
    return lend(replicates, Duration.ofMillis(100));
  }

  /** One that applies what lies there when it is told to, and is used once. */
  Lent lendThatReplicatesOnce() throws IOException {
    return lend(true, Duration.ofHours(1));
  }

  private Lent lend(boolean replicates, Duration interval) throws IOException {
    Path home;
    synchronized (free) {
      if (!replicates && !free.isEmpty()) {
        return free.pop();
      }
      home = directory.resolve("emulator-" + ++started);
    }
    return new Lent(
        OneLakeEmulator.start(
            EmulatorOptions.in(home).replicate(replicates).replicatorInterval(interval).build()),
        home,
        replicates);
  }

  @Override
  public void close() throws IOException {
    synchronized (free) {
      for (Lent lent : free) {
        lent.emulator.close();
      }
      free.clear();
    }
  }
}
