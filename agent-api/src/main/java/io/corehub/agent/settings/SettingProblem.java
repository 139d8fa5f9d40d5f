package io.corehub.agent.settings;

/**
 * What is wrong with one setting. Immutable.
 *
 * @param setting name of the setting
 * @param message one sentence that names the setting, its value (never that of a secret) and what
 *     to change
 */
public record SettingProblem(String setting, String message) {

  @Override
  public String toString() {
    return message;
  }
}
