package io.corehub.hub.demo;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.emulator.EmulatorConnection;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.ConfigReader;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.source.SourceProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The configuration file of the demo, as a user would write it. Stateless. */
final class DemoConfig {

  private DemoConfig() {}

  /**
   * Writes the file and reads it.
   *
   * @param directory where it goes
   * @param databasePort port of PostgreSQL
   * @param emulator the emulator
   * @param webPort port of the status page
   * @return the configuration
   * @throws IOException if it cannot be written
   * @throws ConfigException if it is not valid
   */
  static HubConfig write(Path directory, int databasePort, EmulatorConnection emulator, int webPort)
      throws IOException, ConfigException {
    Path file = directory.resolve("hub.yaml");
    Path lineageConfig = directory.resolve("openlineage.yml");
    Files.writeString(
        lineageConfig,
        "transport:\n  type: file\n  location: " + quoted(lineage(directory).toString()) + "\n");
    String yaml =
        String.format(
            """
            hub:
              stateDirectory: %s
              name: demo
              web: { host: 127.0.0.1, port: %d }
              lineage:
                enabled: true
                configFile: %s
                intervalSeconds: 5
                mirroredDatabaseName: %s
                workspaceName: %s
            pipelines:
              - name: shop
                source:
                  type: postgresql
                  hostname: 127.0.0.1
                  port: %d
                  database: postgres
                  username: postgres
                  sslMode: disable
                  schemalessSchema: public
                target:
                  agent: fabric-open-mirroring
                  settings:
                    landingZoneUrl: %s
                    tenantId: %s
                    username: %s
                    password: %s
                    authorityHost: %s
                    trustedCertificates: %s
                    allowedHosts: %s
            """,
            quoted(directory.resolve("state").toString()),
            webPort,
            quoted(lineageConfig.toString()),
            quoted(emulator.mirroredDatabaseName()),
            quoted(emulator.workspaceName()),
            databasePort,
            quoted(emulator.landingZoneUrl()),
            quoted(emulator.tenantId()),
            quoted(emulator.clientId()),
            quoted(emulator.clientSecret()),
            quoted(emulator.authorityHost()),
            quoted(emulator.caCertificate().toString()),
            quoted(emulator.host()));
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, yaml);
    return new ConfigReader(
            file,
            Map.of(),
            loaded(SourceProvider.class),
            loaded(TargetAgentProvider.class),
            loaded(ObserverProvider.class))
        .read();
  }

  /** The file of lineage events. */
  static Path lineage(Path directory) {
    return directory.resolve("lineage.jsonl");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static <T> List<T> loaded(Class<T> service) {
    return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).toList();
  }
}
