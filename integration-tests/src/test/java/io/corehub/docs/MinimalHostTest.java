package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.MirroredTables;
import io.corehub.emulator.OneLakeEmulator;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The minimal host of the SPI guide mirrors its table, stops, and goes on where it stopped. */
class MinimalHostTest {

  @TempDir Path directory;

  @Test
  void twoRunsMirrorEveryRowOnce() throws Exception {
    Path store = directory.resolve("store");
    MinimalHost host = new MinimalHost(directory.resolve("position"));
    try (OneLakeEmulator emulator = OneLakeEmulator.start(EmulatorOptions.in(store).build())) {
      host.run(agent(), settings(emulator.connection()), 5);
      assertThat(MirroredTables.below(store).find("shop.orders").orElseThrow().rowCount())
          .isEqualTo(5);
      assertThat(host.load().confirmed()).contains(MinimalHost.at(5));

      host.run(agent(), settings(emulator.connection()), 8);
    }
    StringBuilder rows = new StringBuilder();
    MirroredTables.below(store).find("shop.orders").orElseThrow().writeJsonRows(rows);
    assertThat(rows.toString().lines()).hasSize(8).allMatch(row -> row.contains(".00"));
    assertThat(host.load().confirmed()).contains(MinimalHost.at(8));
  }

  private static TargetAgentProvider agent() {
    for (TargetAgentProvider provider : ServiceLoader.load(TargetAgentProvider.class)) {
      if (provider.descriptor().id().equals("fabric-open-mirroring")) {
        return provider;
      }
    }
    throw new AssertionError("No fabric-open-mirroring agent on the class path");
  }

  private static Map<String, String> settings(EmulatorConnection emulator) {
    return Map.of(
        "landingZoneUrl", emulator.landingZoneUrl(),
        "tenantId", emulator.tenantId(),
        "username", emulator.clientId(),
        "password", emulator.clientSecret(),
        "authorityHost", emulator.authorityHost(),
        "trustedCertificates", emulator.caCertificate().toString(),
        "allowedHosts", emulator.host());
  }
}
