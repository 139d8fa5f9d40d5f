package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.onelake.AuthorityHost;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.onelake.ProxyServer;
import io.corehub.onelake.TenantId;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds everything that is wrong with the agent's settings, each alone and all together. */
final class SettingsCheck {

  private final Map<String, String> values;
  private final List<SettingProblem> problems;
  private final Set<String> named = new HashSet<>();

  private SettingsCheck(Map<String, String> values) {
    this.values = values;
    this.problems = new ArrayList<>(MirroringSettings.AGENT.validate(values));
    problems.forEach(problem -> named.add(problem.setting()));
  }

  static List<SettingProblem> problems(Map<String, String> values) {
    SettingsCheck check = new SettingsCheck(values);
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
    reads(MirroringSettings.TENANT_ID, TenantId::new);
    reads(MirroringSettings.AUTHORITY_HOST, host -> AuthorityHost.parse(host, hosts));
    reads(MirroringSettings.PROXY, ProxyServer::parse);
    reads(MirroringSettings.TRUSTED_CERTIFICATES, SettingsCheck::readable);
    reads(MirroringSettings.CUSTOM_PREFIX, FolderName::prefix);
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

  private static Path readable(String text) {
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("'" + text + "' is not a path: " + e.getReason(), e);
    }
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
