package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.cycles.CrashStory.Fault;
import io.corehub.cycles.CrashStory.Point;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.azure.AzureDfsClient;
import io.corehub.onelake.local.LocalDfsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same single faults as in memory at every request to real storage: a folder of this machine,
 * and the emulator's Lakehouse through the real client. There the emulator also refuses, breaks off
 * and forgets answers by itself.
 */
class RealStorageFaultsTest {

  @TempDir Path directory;
  private int folders;

  /** Where a job's files go in a story. */
  private record Ground(Job job, Supplier<DfsClient> client) {}

  private Ground folder() {
    Path root = directory.resolve("folder-" + ++folders);
    Job job = new Job();
    job.settings.put("storageUrl", "file://" + root);
    job.reads(new LocalDfsClient(root.resolve("cdc")), "sales_cdc");
    return new Ground(job, () -> new LocalDfsClient(root.resolve("cdc")));
  }

  private Ground lakehouse(OneLakeEmulator emulator) {
    EmulatorConnection connection = emulator.connection();
    String folder = "cdc-" + ++folders;
    Job job = new Job();
    job.settings.putAll(
        Map.of(
            "storageUrl", connection.lakehouseFilesUrl(),
            "connectionFolder", folder,
            "tenantId", connection.tenantId(),
            "username", connection.clientId(),
            "password", connection.clientSecret(),
            "authorityHost", connection.authorityHost(),
            "trustedCertificates", connection.caCertificate().toString(),
            "allowedHosts", connection.host()));
    job.settings.put("tryTimeoutInSeconds", "10");
    // The emulator's files are plain files, so that what a consumer sees costs no request.
    Path files =
        directory.resolve(
            Path.of("onelake", connection.workspaceId(), connection.lakehouseId(), "Files"));
    job.reads(new LocalDfsClient(files.resolve(folder)), "sales_cdc");
    StoragePlace place =
        CycleConfigReader.read(CycleSettings.AGENT.parse(job.settings), "sales", Map.of()).place();
    return new Ground(job, () -> Stores.client(place, AzureDfsClient::open));
  }

  private static int story(Ground ground, Point... points) throws InterruptedException {
    try {
      return new CrashStory(
              ground.job(),
              faults -> new FaultyClient(ground.client().get(), faults),
              List.of(points))
          .run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("With " + List.of(points) + ": " + e.getMessage(), e);
    }
  }

  @Test
  void someFaultsOfAFolder() throws InterruptedException {
    faultsOfAFolder(9);
  }

  @Test
  @Tag("full")
  void everySingleFaultOfAFolder() throws InterruptedException {
    faultsOfAFolder(1);
  }

  private void faultsOfAFolder(int step) throws InterruptedException {
    int requests = story(folder());
    assertThat(requests).isGreaterThan(30);
    for (int request = 1; request <= requests; request += step) {
      for (Fault fault : Fault.values()) {
        story(folder(), new Point(request, fault));
      }
    }
  }

  @Test
  void aDeathAtALakehouse() throws Exception {
    try (OneLakeEmulator emulator = emulator()) {
      int requests = story(lakehouse(emulator));
      story(lakehouse(emulator), new Point(requests / 2, Fault.DIES_AFTER));
    }
  }

  @Test
  @Tag("full")
  void deathsAtALakehouse() throws Exception {
    try (OneLakeEmulator emulator = emulator()) {
      int requests = story(lakehouse(emulator));
      for (int request = 1; request <= requests; request += 4) {
        story(lakehouse(emulator), new Point(request, Fault.DIES_BEFORE));
        story(lakehouse(emulator), new Point(request + 2, Fault.DIES_AFTER));
      }
    }
  }

  /** Faults on the wire, spread over the requests of the story. */
  @Test
  @Tag("full")
  void faultsOnTheWire() throws Exception {
    try (OneLakeEmulator emulator = emulator()) {
      List<String> faults =
          List.of(
              "{\"type\":\"before\"}",
              "{\"type\":\"after\"}",
              "{\"type\":\"reset\",\"afterBytes\":0}",
              "{\"type\":\"status\",\"code\":503,\"errorCode\":\"ServerBusy\"}",
              "{\"type\":\"status\",\"code\":500,\"errorCode\":\"OperationTimedOut\","
                  + "\"applied\":true}");
      int struck = 0;
      int nth = 1;
      do {
        String fault = faults.get(nth % faults.size());
        emulator.clearFaults();
        emulator.addFaults("[{\"operation\":\"any\",\"nth\":" + nth + ",\"fault\":" + fault + "}]");
        try {
          story(lakehouse(emulator));
        } catch (AssertionError e) {
          throw new AssertionError(fault + " at request " + nth + ": " + e.getMessage(), e);
        }
        struck++;
        nth += 2;
      } while (emulator.faults().contains("\"fired\":1"));
      assertThat(struck).as("faults that struck").isGreaterThan(20);
    }
  }

  private OneLakeEmulator emulator() throws IOException {
    return OneLakeEmulator.start(
        EmulatorOptions.in(Files.createDirectories(directory.resolve("onelake"))).build());
  }
}
