package io.corehub.hub.cli;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.ConfigReader;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.source.SourceProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads the configuration file a command was given. */
final class ConfigFile {

  private ConfigFile() {}

  static HubConfig read(Path file, CommandSpec spec) throws ConfigException {
    if (!Files.isRegularFile(file)) {
      throw new ParameterException(
          spec.commandLine(),
          "Configuration file "
              + file
              + (Files.exists(file) ? " is not a file" : " does not exist"));
    }
    return new ConfigReader(
            file,
            System.getenv(),
            load(SourceProvider.class),
            load(TargetAgentProvider.class),
            load(ObserverProvider.class))
        .read();
  }

  static <T> List<T> load(Class<T> service) {
    return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).toList();
  }
}
