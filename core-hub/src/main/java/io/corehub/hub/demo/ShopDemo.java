package io.corehub.hub.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.corehub.agent.SourcePosition;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.hub.Hub;
import io.corehub.hub.cli.DemoOptions;
import io.corehub.hub.cli.DemoRunner;
import io.corehub.hub.compare.Comparison;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.pipeline.PipelineStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Runs the shop, the hub and the emulator in one process, and compares both sides at the end. */
public final class ShopDemo implements DemoRunner {

  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 250;

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final Clock clock = Clock.systemUTC();

  /** The demo. */
  public ShopDemo() {}

  @Override
  public int run(DemoOptions options) throws InterruptedException {
    quietLogs();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(1);
    Thread hook = new Thread(() -> endOnSignal(stop, finished), "demo-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return run(options, stop);
    } catch (IOException | SQLException | ConfigException e) {
      err.println("The demo cannot run: " + e.getMessage());
      return 1;
    } finally {
      finished.countDown();
      removeHook(hook);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endedBySignal) {
      LoggerFactory.getLogger(ShopDemo.class).debug("Ended by a signal", endedBySignal);
    }
  }

  /** Ctrl-C ends the shopping; the process waits for the comparison. */
  private static void endOnSignal(CountDownLatch stop, CountDownLatch finished) {
    stop.countDown();
    try {
      finished.await(DRAIN_LIMIT.toSeconds() + 30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The demo's own lines tell what happens; the log only what goes wrong. */
  private static void quietLogs() {
    if (LoggerFactory.getILoggerFactory().getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
        instanceof Logger root) {
      root.setLevel(Level.WARN);
      for (String loud : List.of("io.debezium", "org.apache.kafka", "io.zonky")) {
        root.getLoggerContext().getLogger(loud).setLevel(Level.ERROR);
      }
    }
  }

  private int run(DemoOptions options, CountDownLatch stop)
      throws IOException, SQLException, ConfigException, InterruptedException {
    Path directory = Files.createTempDirectory("core-hub-demo-");
    err.println("Starting PostgreSQL and a OneLake emulator below " + directory);
    try (ShopDatabase database = ShopDatabase.start(directory.resolve("postgresql"));
        OneLakeEmulator emulator =
            OneLakeEmulator.start(
                EmulatorOptions.in(directory.resolve("onelake")).replicate(true).build())) {
      HubConfig config =
          DemoConfig.write(directory, database.port(), emulator.connection(), options.port());
      try (Hub hub = Hub.start(config, clock);
          ShopWorkload workload = new ShopWorkload(database, RandomGenerator.getDefault())) {
        announce(hub, emulator, options);
        return mirror(hub, database, emulator, workload, options.duration(), stop, directory);
      }
    }
  }

  private void announce(Hub hub, OneLakeEmulator emulator, DemoOptions options) {
    err.println("Landing zone: " + emulator.connection().landingZoneUrl());
    hub.webUrl()
        .ifPresent(
            url -> {
              err.println("Status page:  " + url);
              if (options.openBrowser()) {
                Browser.open(url);
              }
            });
  }

  private int mirror(
      Hub hub,
      ShopDatabase database,
      OneLakeEmulator emulator,
      ShopWorkload workload,
      Optional<Duration> duration,
      CountDownLatch stop,
      Path directory)
      throws IOException, SQLException, InterruptedException {
    Progress progress = new Progress(err, onTerminal());
    workload.start();
    Instant end = duration.map(d -> clock.instant().plus(d)).orElse(Instant.MAX);
    boolean runs = true;
    while (runs
        && clock.instant().isBefore(end)
        && !stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      progress.show("Mirroring", hub.status().get(0), clock.instant());
      runs = !hub.awaitEnd(Duration.ZERO);
    }
    long last = workload.stopAndAwait();
    runs = runs && drain(hub, last, progress);
    progress.end();
    emulator.replicateNow();
    PipelineStatus status = hub.status().get(0);
    status.problem().ifPresent(problem -> err.println("The pipeline stopped: " + problem));
    if (!runs) {
      err.println("Not everything was mirrored; the comparison shows what is missing.");
    }
    Comparison comparison;
    try (Connection connection = database.connect()) {
      comparison = ShopComparison.of(connection, emulator.tables());
    }
    out.printf("%,d rows in %,d files were published.%n", status.rows(), status.files());
    StringWriter lines = new StringWriter();
    comparison.print(new PrintWriter(lines));
    out.print(lines);
    out.println("The landing zone lies in " + landingZone(directory, emulator));
    out.println("The lineage events lie in " + DemoConfig.lineage(directory));
    out.println("'hub lineage' of that file prints their graph.");
    return comparison.agrees() && runs ? 0 : 1;
  }

  /** From Java 22 on always so: then a file gets the redrawn line. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean onTerminal() {
    return System.console() != null;
  }

  private static Path landingZone(Path directory, OneLakeEmulator emulator) {
    return directory
        .resolve("onelake")
        .resolve(emulator.connection().workspaceId())
        .resolve(emulator.connection().mirroredDatabaseId())
        .resolve("Files")
        .resolve("LandingZone");
  }

  /** Waits until the last transaction, the only one that ends behind a position, is confirmed. */
  private boolean drain(Hub hub, long position, Progress progress) throws InterruptedException {
    Instant limit = clock.instant().plus(DRAIN_LIMIT);
    while (clock.instant().isBefore(limit)) {
      PipelineStatus status = hub.status().get(0);
      progress.show("Draining", status, clock.instant());
      long confirmed = status.confirmed().map(SourcePosition::order).orElse(0L);
      if (Long.compareUnsigned(confirmed, position) > 0) {
        return true;
      }
      if (hub.awaitEnd(Duration.ofMillis(LOOK_MILLIS))) {
        return false;
      }
    }
    err.println("Not everything was confirmed within " + DRAIN_LIMIT.toSeconds() + " s.");
    return false;
  }
}
