package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.ClientCertificate;
import io.corehub.onelake.FederatedToken;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.ProxyServer;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds everything that is wrong with the agent's settings, each alone and all together. */
final class SettingsCheck {

  private final Map<String, String> values;
  private final Map<String, String> environment;
  private final List<SettingProblem> problems;
  private final Set<String> named = new HashSet<>();

  private SettingsCheck(Map<String, String> values, Map<String, String> environment) {
    this.values = values;
    this.environment = environment;
    this.problems = new ArrayList<>(MirroringSettings.AGENT.validate(values));
    problems.forEach(problem -> named.add(problem.setting()));
  }

  static List<SettingProblem> problems(Map<String, String> values) {
    return problems(values, System.getenv());
  }

  static List<SettingProblem> problems(
      Map<String, String> values, Map<String, String> environment) {
    SettingsCheck check = new SettingsCheck(values, environment);
    check.together();
    return List.copyOf(check.problems);
  }

  private void together() {
    HostPolicy hosts = hosts();
    if (given(MirroringSettings.LANDING_ZONE_URL).isPresent()) {
      reads(MirroringSettings.LANDING_ZONE_URL, url -> LandingZoneUrl.parse(url, hosts));
    } else if (given(MirroringSettings.WORKSPACE).isPresent()) {
      parts(hosts);
    }
    signIn();
    reads(MirroringSettings.AUTHORITY_HOST, host -> AuthorityHost.parse(host, hosts));
    reads(MirroringSettings.PROXY, ProxyServer::parse);
    reads(MirroringSettings.TRUSTED_CERTIFICATES, SettingsCheck::readable);
    reads(MirroringSettings.CUSTOM_PREFIX, FolderName::prefix);
  }

  private void signIn() {
    String credential =
        given(SignInSettings.CREDENTIAL).or(SignInSettings.CREDENTIAL::defaultValue).orElseThrow();
    switch (credential) {
      case SignInSettings.CLIENT_SECRET -> reads(SignInSettings.TENANT_ID, TenantId::new);
      case SignInSettings.CERTIFICATE -> {
        reads(SignInSettings.TENANT_ID, TenantId::new);
        reads(
            SignInSettings.CLIENT_CERTIFICATE,
            file ->
                ClientCertificate.read(
                    path(file),
                    given(SignInSettings.CLIENT_CERTIFICATE_PASSWORD).map(Secret::of),
                    Instant.now()));
      }
      case SignInSettings.WORKLOAD_IDENTITY -> {
        orEnvironment(SignInSettings.USERNAME, text -> text);
        orEnvironment(SignInSettings.TENANT_ID, TenantId::new);
        orEnvironment(SignInSettings.FEDERATED_TOKEN_FILE, file -> FederatedToken.read(path(file)));
      }
      default -> {
        // A managed identity needs nothing, and an unknown choice is a problem already.
      }
    }
  }

  /** Reads a setting of a workload identity, or what its platform says in the environment. */
  private void orEnvironment(Setting<String> setting, Reader reader) {
    if (given(setting).isPresent()) {
      reads(setting, reader);
      return;
    }
    String variable = SignInSettings.OF_WORKLOAD.get(setting);
    String value = environment.getOrDefault(variable, "");
    if (value.isBlank()) {
      add(
          setting,
          "Setting '"
              + setting.name()
              + "' ("
              + setting.label()
              + ") is missing, and so is "
              + variable
              + " of the environment. Give one of them.");
      return;
    }
    try {
      reader.read(value);
    } catch (InvalidValueException e) {
      add(setting, "Setting '" + setting.name() + "', from " + variable + ": " + message(e));
    }
  }

  private HostPolicy hosts() {
    try {
      return HostPolicy.parse(given(MirroringSettings.ALLOWED_HOSTS).orElse(""));
    } catch (InvalidValueException e) {
      add(MirroringSettings.ALLOWED_HOSTS, message(e));
      return HostPolicy.oneLakeOnly();
    }
  }

  private void parts(HostPolicy hosts) {
    if (given(MirroringSettings.MIRRORED_DATABASE).isEmpty()) {
      add(
          MirroringSettings.MIRRORED_DATABASE,
          "Setting 'mirroredDatabase' (Mirrored database ID) is missing: 'workspace' is given"
              + " without a landing zone URL. Give it, or 'landingZoneUrl' instead of both.");
      return;
    }
    reads(
        MirroringSettings.WORKSPACE,
        workspace ->
            LandingZoneUrl.of(
                given(MirroringSettings.HOST).orElse(""),
                workspace,
                given(MirroringSettings.MIRRORED_DATABASE).orElseThrow(),
                hosts));
  }

  private interface Reader {
    Object read(String text);
  }

  private void reads(Setting<?> setting, Reader reader) {
    Optional<String> text = given(setting);
    if (text.isEmpty() || named.contains(setting.name())) {
      return;
    }
    try {
      reader.read(text.get());
    } catch (InvalidValueException e) {
      add(setting, message(e));
    }
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("'" + text + "' is not a path: " + e.getReason(), e);
    }
  }

  private static Path readable(String text) {
    Path path = path(text);
    if (!Files.isReadable(path)) {
      throw new InvalidValueException(
          "File '" + text + "' does not exist or cannot be read. Give the path of a PEM file.");
    }
    return path;
  }

  private Optional<String> given(Setting<?> setting) {
    return Optional.ofNullable(values.get(setting.name()))
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  private void add(Setting<?> setting, String message) {
    String lead = "Setting '" + setting.name() + "'";
    problems.add(
        new SettingProblem(
            setting.name(), message.startsWith(lead) ? message : lead + ": " + message));
  }

  private static String message(InvalidValueException e) {
    return String.valueOf(e.getMessage());
  }
}
