package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub check --live}: probes in the target itself, and nothing of them left behind. */
@Tag("full")
class LiveCheckTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"sales.Orders\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}\n"
          + "{\"kind\":\"snapshotEnd\",\"table\":\"sales.Orders\"}\n"
          + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"sales.Orders\",\"after\":{\"id\":7}}]}\n";

  @TempDir Path directory;

  private Emulator emulator(String... options) throws Exception {
    return Emulator.start(Files.createDirectory(directory.resolve("onelake")), options);
  }

  private String config(Emulator emulator) throws Exception {
    return new Pipeline(directory, emulator).lines(TABLE).write();
  }

  private static List<String> folders(Emulator emulator) throws Exception {
    try (Stream<Path> folders = Files.list(emulator.landingZone())) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList();
    }
  }

  private static List<String> probes(Hub.Result result, String severity) {
    String lead = "shop: " + severity + ": probe ";
    return result
        .output()
        .lines()
        .filter(line -> line.startsWith(lead))
        .map(line -> line.substring(lead.length()))
        .toList();
  }

  @Test
  void everyAssumptionHoldsBesideARunningTable() throws Exception {
    try (Emulator emulator = emulator("--replicate", "--left-in-place", "11")) {
      String config = config(emulator);
      Hub.run("run", config).succeeded();
      List<String> before = folders(emulator);
      Hub.Result result = Hub.run("check", "--live", config).succeeded();
      assertThat(probes(result, "ok")).hasSize(25);
      assertThat(result.output().lines())
          .allSatisfy(line -> assertThat(line).matches("shop: ok: .*"));
      assertThat(result.errors())
          .contains("Of 25 assumptions 25 held, 0 did not, and 0 cost nothing or were not decided.")
          .contains("Nothing needs to be changed.");
      assertThat(folders(emulator)).isEqualTo(before);
      emulator.assertLandedWell();
    }
  }

  @Test
  void whatCycleFilesRestOnHoldsInALakehouseAndInAFolder() throws Exception {
    try (Emulator emulator = emulator()) {
      String lakehouse =
          new Pipeline(
                  Files.createDirectory(directory.resolve("remote")),
                  "cycle-files",
                  emulator.targetSettings("storageUrl", "lakehouseFilesUrl"))
              .lines(TABLE)
              .write();
      Hub.Result remote = Hub.run("check", "--live", lakehouse).succeeded();
      assertThat(probes(remote, "ok")).hasSize(13);
      assertThat(remote.errors()).contains("Of 13 assumptions 13 held, 0 did not, and 0 ");
      assertThat(emulator.lakehouseFiles()).isEmptyDirectory();
    }
    Path files = Files.createDirectory(directory.resolve("files"));
    String folder =
        new Pipeline(
                Files.createDirectory(directory.resolve("local")),
                "cycle-files",
                "        storageUrl: file://" + files + "\n")
            .lines(TABLE)
            .write();
    Hub.Result local = Hub.run("check", "--live", folder).succeeded();
    assertThat(probes(local, "ok")).hasSize(9);
    assertThat(files).isEmptyDirectory();
  }

  @Test
  void saysWhatAServerDoesThatItMustNot() throws Exception {
    try (Emulator emulator = emulator()) {
      emulator.addFaults(
          "[{\"operation\":\"delete\",\"times\":1,\"fault\":{\"type\":\"status\",\"code\":200,"
              + "\"applied\":true,\"headers\":{\"x-ms-rejected-headers\":\"If-Match\"}}}]");
      Hub.Result result =
          Hub.run("check", "--live", "--live-seconds", "1", config(emulator)).exited(1);
      assertThat(probes(result, "error"))
          .singleElement()
          .asString()
          .startsWith("conditions-heard: does not hold here: no condition that is sent is among")
          .contains("Seen: the server answered: ")
          .contains("nothing is lost, but nothing lands");
      assertThat(probes(result, "warning"))
          .filteredOn(line -> line.startsWith("fabric-"))
          .hasSize(9)
          .allMatch(line -> line.contains("within 1 s"));
      assertThat(result.errors())
          .contains("15 held, 1 did not, and 9 ")
          .contains("1 finding needs a change.");
      assertThat(folders(emulator)).isEmpty();
    }
  }

  @Test
  void aSignalEndsItAndTheTableIsTakenAway() throws Exception {
    try (Emulator emulator = emulator();
        Hub.Running check = Hub.start(Map.of(), "check", "--live", config(emulator))) {
      check.awaitErrors("Waiting up to 300 s for Fabric");
      assertThat(folders(emulator)).hasSize(4).allMatch(f -> f.startsWith("corehub_probe_"));
      Hub.Result result = check.stop().exited(143);
      assertThat(result.errors())
          .contains("Stopping: the folders of the probes are deleted first.");
      assertThat(result.output()).contains("shop: ok: probe rename-keeps-file: ");
      assertThat(folders(emulator)).isEmpty();
    }
  }

  @Test
  void whatAKilledCheckLeftIsToldByTheNext() throws Exception {
    try (Emulator emulator = emulator()) {
      String config = config(emulator);
      List<String> left;
      try (Hub.Running check = Hub.start(Map.of(), "check", "--live", config)) {
        check.awaitErrors("Waiting up to 300 s for Fabric");
        check.killAtOnce();
        left = folders(emulator);
      }
      assertThat(left).hasSize(4);
      Hub.Result young = Hub.run("check", "--live", "--live-seconds", "1", config).succeeded();
      for (String folder : left) {
        assertThat(young.output())
            .contains("/" + folder + " is of the probes of another check, which runs now or was");
      }
      assertThat(folders(emulator)).isEqualTo(left);
      for (String folder : left) {
        Path aged = Path.of("corehub_probe_20250101000000_" + folder.substring(29));
        Files.move(emulator.landingZone().resolve(folder), emulator.landingZone().resolve(aged));
      }
      Hub.Result old = Hub.run("check", "--live", "--live-seconds", "1", config).succeeded();
      for (String folder : left) {
        assertThat(old.output())
            .contains(
                "_" + folder.substring(29) + ", which a killed check left behind, was deleted");
      }
      assertThat(folders(emulator)).isEmpty();
    }
  }

  @Test
  void aTargetThatCannotBeUsedIsNotProbed() throws Exception {
    try (Emulator emulator = emulator()) {
      emulator.addFaults(
          "{\"operation\":\"head\",\"times\":99,\"fault\":{\"type\":\"status\",\"code\":403,\"errorCode\":\"Forbidden\"}}");
      Hub.Result result = Hub.run("check", "--live", config(emulator)).exited(1);
      assertThat(result.output()).doesNotContain("probe");
      assertThat(result.errors()).contains("shop: not probed, since it cannot be used yet");
    }
  }
}
