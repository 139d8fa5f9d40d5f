package io.corehub.it.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.testkit.CellText;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import io.corehub.verify.LandingZoneVerifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings {@link SourceHistory} to an emulator, with or without a fault on the way, and compares
 * what is mirrored in the end.
 */
final class PointRun {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_STARTS = 8;

  private final TargetAgentProvider provider;
  private final Scenario scenario;
  private final OneLakeEmulator emulator;
  private final Path zone;
  private final String pipeline;
  private final List<String> stops = new ArrayList<>();

  /**
   * A run.
   *
   * @param emulator used by nobody else meanwhile; its landing zone is empty
   * @param zone where that lies on disk
   * @param pipeline its id, unique among the runs at the same time
   */
  PointRun(
      TargetAgentProvider provider,
      Scenario scenario,
      OneLakeEmulator emulator,
      Path zone,
      String pipeline) {
    this.provider = provider;
    this.scenario = scenario;
    this.emulator = emulator;
    this.zone = zone;
    this.pipeline = pipeline;
  }

  /**
   * What came of it.
   *
   * @param stops the words with which runs stopped; empty if none did
   * @param fired how often the fault struck
   * @param requests all requests
   */
  record Result(List<String> stops, int fired, List<JsonNode> requests, Duration took) {}

  /** Without a fault. */
  Result run() throws Exception {
    return run(Optional.empty());
  }

  Result run(FaultPoint point) throws Exception {
    return run(Optional.of(point));
  }

  private Result run(Optional<FaultPoint> point) throws Exception {
    long began = System.nanoTime();
    int before = requests().size();
    emulator.addFaults(scenario.standing());
    point.ifPresent(fault -> emulator.addFaults(fault.rule()));
    int fired = mirror(point.map(FaultPoint::lasting).orElse(false));
    emulator.clearFaults();
    List<JsonNode> all = requests();
    assertLandedWell();
    MirroredTables tables = MirroredTables.below(zone);
    for (TableSchema table : SourceHistory.tables()) {
      assertMirrored(tables, table);
    }
    return new Result(
        List.copyOf(stops),
        fired,
        all.subList(before, all.size()),
        Duration.ofNanos(System.nanoTime() - began));
  }

  /** Starts again and again until all is mirrored; from the first stop on without the fault. */
  private int mirror(boolean lasting) throws Exception {
    ResumePoint stored = ResumePoint.NONE;
    long epoch = 1;
    int fired = 0;
    for (int part = 1; part <= 2; part++) {
      boolean done = false;
      if (part == 2 && scenario.forgets()) {
        stored = ResumePoint.NONE;
      }
      while (!done) {
        if (epoch > MOST_STARTS) {
          throw new AssertionError("No end after " + MOST_STARTS + " starts: " + stops);
        }
        ProcessRun.End end =
            new ProcessRun(provider, settings(), tableSettings(), pipeline, lasting)
                .run(
                    epoch++,
                    stored,
                    part == 1 ? SourceHistory.FIRST_PART : SourceHistory.COMMITS,
                    part == 2 && scenario.recreates()
                        ? Optional.of((long) SourceHistory.FIRST_PART)
                        : Optional.empty());
        stored = end.stored();
        fired += fired();
        if (end.stop().isPresent()) {
          stops.add(end.stop().get());
          emulator.clearFaults();
          removeForeignFiles();
        } else {
          done = true;
        }
      }
    }
    return fired;
  }

  /** How often the last rule, the point's, has struck. */
  private int fired() throws IOException {
    JsonNode rules = JSON.readTree(emulator.faults());
    return rules.isEmpty() ? 0 : rules.get(rules.size() - 1).get("fired").asInt();
  }

  /** What the advice about somebody else's file asks for. */
  private void removeForeignFiles() throws IOException {
    try (Stream<Path> files = Files.walk(zone)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.size(file) == 8 && Files.readString(file).equals("not ours")) {
          Files.delete(file);
        }
      }
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = settings(emulator.connection());
    settings.putAll(scenario.settings());
    return settings;
  }

  /** Impatient settings with small blocks, and a file for each commit. */
  static Map<String, String> settings(EmulatorConnection connection) {
    Map<String, String> settings = new HashMap<>();
    settings.put("landingZoneUrl", connection.landingZoneUrl());
    settings.put("tenantId", connection.tenantId());
    settings.put("username", connection.clientId());
    settings.put("password", connection.clientSecret());
    settings.put("authorityHost", connection.authorityHost());
    settings.put("allowedHosts", connection.host());
    settings.put("trustedCertificates", connection.caCertificate().toString());
    settings.put("tryTimeoutInSeconds", "3");
    settings.put("retryBudgetSeconds", "2");
    settings.put("recreateWaitSeconds", "20");
    settings.put("uploadBlockSizeMb", "1");
    settings.put("parquetCompression", "UNCOMPRESSED");
    settings.put("cdcBatchMaxSeconds", "0");
    settings.put("monitoringSeconds", "0");
    settings.put("writePartnerEvents", "false");
    return settings;
  }

  private Map<String, String> tableSettings() {
    return scenario.recreates() ? Map.of("snapshotOntoExistingTable", "recreate") : Map.of();
  }

  private List<JsonNode> requests() throws IOException {
    List<JsonNode> requests = new ArrayList<>();
    JSON.readTree(emulator.requests()).forEach(requests::add);
    return requests;
  }

  private void assertLandedWell() throws Exception {
    Map<String, String> patient = settings();
    patient.put("tryTimeoutInSeconds", "60");
    try (TargetFiles files =
        provider
            .files(
                provider.descriptor().settings().parse(patient),
                emulator.connection().landingZoneUrl())
            .orElseThrow()) {
      List<Violation> errors =
          new LandingZoneVerifier()
              .verify(files).stream()
                  .filter(violation -> violation.severity() == Violation.Severity.ERROR)
                  .toList();
      if (!errors.isEmpty()) {
        throw new AssertionError("The verifier finds " + errors + " after " + stops);
      }
    }
  }

  private void assertMirrored(MirroredTables tables, TableSchema table) throws IOException {
    MirroredTable mirrored =
        tables
            .find(table.table().toString())
            .orElseThrow(() -> new AssertionError("No table " + table.table()));
    if (mirrored.problem().isPresent()) {
      throw new AssertionError(table.table() + " stands still: " + mirrored.problem().get());
    }
    List<Row> rows = new ArrayList<>();
    List<String> columns = mirrored.columns();
    mirrored.forEachRow(
        values -> {
          Map<String, String> cells = new HashMap<>();
          for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Number number) {
              cells.put(columns.get(i), CellText.integer(number.longValue()));
            } else if (values[i] instanceof String text) {
              cells.put(columns.get(i), CellText.utf8(text.getBytes(StandardCharsets.UTF_8)));
            }
          }
          rows.add(new Row(cells));
        });
    String difference = Rows.of(rows).differenceTo(SourceHistory.expected(table));
    if (!difference.isEmpty()) {
      throw new AssertionError(
          table.table()
              + " differs: "
              + difference.substring(0, Math.min(600, difference.length()))
              + " after "
              + stops);
    }
  }
}
