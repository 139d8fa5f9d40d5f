package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.SettingProblem;
import io.corehub.onelake.HostPolicy;
import io.corehub.onelake.LandingZoneUrl;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.SettingsReading;
import java.util.List;
import java.util.Map;

/** Finds everything that is wrong with the agent's settings, each alone and all together. Pure. */
final class SettingsCheck {

  private SettingsCheck() {}

  static List<SettingProblem> problems(Map<String, String> values) {
    return problems(values, System.getenv());
  }

  static List<SettingProblem> problems(
      Map<String, String> values, Map<String, String> environment) {
    SettingsReading reading = new SettingsReading(MirroringSettings.AGENT, values, environment);
    HostPolicy hosts = ConnectionSettings.hosts(reading);
    if (reading.given(MirroringSettings.LANDING_ZONE_URL).isPresent()) {
      reading.reads(MirroringSettings.LANDING_ZONE_URL, url -> LandingZoneUrl.parse(url, hosts));
    } else if (reading.given(MirroringSettings.WORKSPACE).isPresent()) {
      parts(reading, hosts);
    }
    ConnectionSettings.check(reading, hosts);
    reading.reads(MirroringSettings.CUSTOM_PREFIX, FolderName::prefix);
    return reading.problems();
  }

  private static void parts(SettingsReading reading, HostPolicy hosts) {
    if (reading.given(MirroringSettings.MIRRORED_DATABASE).isEmpty()) {
      reading.add(
          MirroringSettings.MIRRORED_DATABASE,
          "Setting 'mirroredDatabase' (Mirrored database ID) is missing: 'workspace' is given"
              + " without a landing zone URL. Give it, or 'landingZoneUrl' instead of both.");
      return;
    }
    reading.reads(
        MirroringSettings.WORKSPACE,
        workspace ->
            LandingZoneUrl.of(
                reading.given(MirroringSettings.HOST).orElse(""),
                workspace,
                reading.given(MirroringSettings.MIRRORED_DATABASE).orElseThrow(),
                hosts));
  }
}
