package io.corehub.cycles;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.cycles.PathPattern.BadPatternException;
import io.corehub.onelake.HostPolicy;
import io.corehub.storage.ConnectionSettings;
import io.corehub.storage.SettingsReading;
import java.util.List;
import java.util.Map;

/** Finds everything that is wrong with the agent's settings, each alone and all together. Pure. */
final class CycleSettingsCheck {

  /** Stands for the pipeline's id, which is not known yet. */
  private static final String SOME_JOB = "job";

  private CycleSettingsCheck() {}

  static List<SettingProblem> problems(
      Map<String, String> values, Map<String, String> environment) {
    SettingsReading reading = new SettingsReading(CycleSettings.AGENT, values, environment);
    HostPolicy hosts = ConnectionSettings.hosts(reading);
    boolean folder =
        reading.given(CycleSettings.STORAGE_URL).filter(StoragePlace::isFolder).isPresent();
    reading.reads(
        CycleSettings.STORAGE_URL,
        url -> folder ? StoragePlace.folder(url) : StoragePlace.remote(url, hosts));
    reading.reads(CycleSettings.CONNECTION_FOLDER, StoragePlace::segments);
    if (!folder) {
      ConnectionSettings.check(reading, hosts);
    }
    layout(reading);
    return reading.problems();
  }

  private static void layout(SettingsReading reading) {
    try {
      CycleLayout.of(
          CycleConfigReader.choices(
              setting -> reading.given(setting).or(setting::defaultValue).orElse(""), SOME_JOB));
    } catch (BadPatternException e) {
      Setting<?> setting = CycleSettings.AGENT.find(e.setting()).orElseThrow();
      reading.add(setting, String.valueOf(e.getMessage()));
    }
  }
}
