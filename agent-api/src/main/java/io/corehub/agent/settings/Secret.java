package io.corehub.agent.settings;

/**
 * A value that must not be shown: its text never reaches {@link #toString()}, logs or serialised
 * forms. Immutable.
 */
public final class Secret {

  private final String value;

  /**
   * Wraps a secret.
   *
   * @param value the secret text
   */
  public Secret(String value) {
    this.value = value;
  }

  /**
   * The secret itself, for the one call that needs it.
   *
   * @return the text
   */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}
