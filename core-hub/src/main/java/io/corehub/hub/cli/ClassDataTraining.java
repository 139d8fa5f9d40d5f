package io.corehub.hub.cli;

import io.corehub.emulator.EmulatorConnection;
import io.corehub.emulator.EmulatorOptions;
import io.corehub.emulator.OneLakeEmulator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Walks through the commands once while the package is built, so that the JVM can write down the
 * classes they need ({@code -XX:ArchiveClassesAtExit}): each later start is then quicker by a
 * third. Not a command; what it prints goes nowhere, and how the commands end is of no weight here.
 */
final class ClassDataTraining {

  private ClassDataTraining() {}

  /**
   * Runs the commands below a directory.
   *
   * @param args the directory, existing and empty
   */
  public static void main(String[] args) throws IOException {
    System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    Path directory = Path.of(args[0]);
    hub("--help");
    hub("agents", "--json");
    try (OneLakeEmulator emulator =
        OneLakeEmulator.start(EmulatorOptions.in(directory.resolve("onelake")).build())) {
      String config = writeConfig(directory, emulator.connection());
      hub("check", config);
      hub("run", config);
    }
    hub("mirrored", directory.resolve("onelake").toString());
    hub("verify", directory.resolve("onelake").toString());
    System.exit(0);
  }

  private static void hub(String... args) {
    PrintWriter nowhere =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Main.run(args, nowhere, nowhere);
  }

  private static String writeConfig(Path directory, EmulatorConnection onelake) throws IOException {
    Files.write(
        directory.resolve("stream.changes.jsonl"),
        List.of(
            "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
                + "{\"name\":\"v\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}",
            "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"id\":1,\"v\":\"a\"}]}",
            "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
            "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"update\",\"table\":\"t\","
                + "\"before\":{\"id\":1,\"v\":\"a\"},\"after\":{\"id\":1,\"v\":\"b\"}}]}"));
    Path config = directory.resolve("hub.yaml");
    Files.write(
        config,
        List.of(
            "hub: { stateDirectory: ./state, web: { port: 0 } }",
            "pipelines:",
            "  - name: training",
            "    source: { type: change-stream, files: [ ./stream.changes.jsonl ] }",
            "    target:",
            "      agent: fabric-open-mirroring",
            "      settings:",
            "        landingZoneUrl: " + onelake.landingZoneUrl(),
            "        tenantId: " + onelake.tenantId(),
            "        username: " + onelake.clientId(),
            "        password: \"" + onelake.clientSecret() + "\"",
            "        authorityHost: " + onelake.authorityHost(),
            "        trustedCertificates: \"" + onelake.caCertificate() + "\"",
            "        allowedHosts: " + onelake.host(),
            "        cdcBatchMaxSeconds: 0"));
    return config.toString();
  }
}
