package io.corehub.agent.settings;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * One option: what it is called, how a form shows it, and how its text is read. Immutable. Made by
 * the static factories and refined by the {@code with…} methods, each of which returns a new one.
 *
 * @param name key in configuration files
 * @param label words a form shows beside the field
 * @param help one or more sentences on the effect
 * @param kind what sort of value it takes
 * @param defaultValue text of the value when none is given; empty if there is none
 * @param min least number, for numeric kinds
 * @param max greatest number, for numeric kinds
 * @param choices allowed values of a {@link Kind#CHOICE}
 * @param group heading under which a form shows it
 * @param required whether a value must be given where the setting is visible
 * @param visibleWhen condition under which the setting has any effect; empty for always
 * @param requiredWhen condition under which a required value must be given; empty for always
 * @param requiredUnless condition that frees from giving a required value; empty for none
 * @param reader turns valid text into the value
 * @param <T> type of the value
 */
public record Setting<T>(
    String name,
    String label,
    String help,
    Kind kind,
    Optional<String> defaultValue,
    OptionalLong min,
    OptionalLong max,
    List<String> choices,
    String group,
    boolean required,
    Optional<Condition> visibleWhen,
    Optional<Condition> requiredWhen,
    Optional<Condition> requiredUnless,
    Function<String, T> reader) {

  /** What sort of value a setting takes, and so how a form shows it. */
  public enum Kind {
    /** Free text. */
    TEXT,
    /** Text that is never shown again. */
    SECRET,
    /** An address. */
    URL,
    /** A path to a file. */
    FILE,
    /** A whole number. */
    INTEGER,
    /** A whole number of seconds. */
    SECONDS,
    /** A whole number of megabytes. */
    MEGABYTES,
    /** {@code true} or {@code false}. */
    SWITCH,
    /** One of a few words. */
    CHOICE;

    /**
     * Whether the value is a whole number.
     *
     * @return true for INTEGER, SECONDS and MEGABYTES
     */
    public boolean numeric() {
      return this == INTEGER || this == SECONDS || this == MEGABYTES;
    }
  }

  /**
   * A condition on another setting of the same schema.
   *
   * @param setting name of the other setting
   * @param values texts of which one must be its value; one that ends in {@code *} stands for every
   *     value that begins like it; empty: any value will do, so long as there is one
   */
  public record Condition(String setting, List<String> values) {
    /** Copies the list. */
    public Condition {
      values = List.copyOf(values);
    }

    /**
     * Whether a value meets the condition.
     *
     * @param value value of the other setting
     * @return true if so
     */
    public boolean isMetBy(String value) {
      return values.isEmpty()
          || values.stream()
              .anyMatch(
                  wanted ->
                      wanted.endsWith("*")
                          ? value.startsWith(wanted.substring(0, wanted.length() - 1))
                          : wanted.equals(value));
    }
  }

  /** Checks the parts. */
  public Setting {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(defaultValue, "defaultValue");
    choices = List.copyOf(choices);
  }

  private static <T> Setting<T> of(
      String name, String label, String help, Kind kind, Function<String, T> reader) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        List.of(),
        "",
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        reader);
  }

  /**
   * Free text, empty unless given.
   *
   * @param name key
   * @param label label
   * @param help help
   * @return the setting
   */
  public static Setting<String> text(String name, String label, String help) {
    return of(name, label, help, Kind.TEXT, Function.identity());
  }

  /**
   * An address, as text.
   *
   * @param name key
   * @param label label
   * @param help help
   * @return the setting
   */
  public static Setting<String> url(String name, String label, String help) {
    return of(name, label, help, Kind.URL, Function.identity());
  }

  /**
   * A path to a file, as text.
   *
   * @param name key
   * @param label label
   * @param help help
   * @return the setting
   */
  public static Setting<String> file(String name, String label, String help) {
    return of(name, label, help, Kind.FILE, Function.identity());
  }

  /**
   * A secret.
   *
   * @param name key
   * @param label label
   * @param help help
   * @return the setting
   */
  public static Setting<Secret> secret(String name, String label, String help) {
    return of(name, label, help, Kind.SECRET, Secret::new);
  }

  /**
   * A whole number.
   *
   * @param name key
   * @param label label
   * @param help help
   * @param kind INTEGER, SECONDS or MEGABYTES
   * @param defaultValue value when none is given
   * @param min least value
   * @param max greatest value
   * @return the setting
   */
  public static Setting<Integer> number(
      String name, String label, String help, Kind kind, int defaultValue, int min, int max) {
    if (!kind.numeric() || defaultValue < min || defaultValue > max) {
      throw new IllegalArgumentException(name + ": not a number setting with a default in bounds");
    }
    return new Setting<>(
        name,
        label,
        help,
        kind,
        Optional.of(Integer.toString(defaultValue)),
        OptionalLong.of(min),
        OptionalLong.of(max),
        List.of(),
        "",
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Integer::valueOf);
  }

  /**
   * A switch.
   *
   * @param name key
   * @param label label
   * @param help help
   * @param defaultValue value when none is given
   * @return the setting
   */
  public static Setting<Boolean> toggle(
      String name, String label, String help, boolean defaultValue) {
    return of(name, label, help, Kind.SWITCH, Boolean::valueOf)
        .withDefault(Boolean.toString(defaultValue));
  }

  /**
   * One of a few words.
   *
   * @param name key
   * @param label label
   * @param help help
   * @param defaultValue one of the choices
   * @param choices allowed words
   * @return the setting
   */
  public static Setting<String> choice(
      String name, String label, String help, String defaultValue, List<String> choices) {
    if (!choices.contains(defaultValue)) {
      throw new IllegalArgumentException(name + ": the default is not one of the choices");
    }
    return new Setting<>(
        name,
        label,
        help,
        Kind.CHOICE,
        Optional.of(defaultValue),
        OptionalLong.empty(),
        OptionalLong.empty(),
        choices,
        "",
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Function.identity());
  }

  /**
   * The same with a default.
   *
   * @param value text of the default
   * @return a new setting
   */
  public Setting<T> withDefault(String value) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        Optional.of(value),
        min,
        max,
        choices,
        group,
        required,
        visibleWhen,
        requiredWhen,
        requiredUnless,
        reader);
  }

  /**
   * The same under a heading.
   *
   * @param heading heading
   * @return a new setting
   */
  public Setting<T> inGroup(String heading) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        defaultValue,
        min,
        max,
        choices,
        heading,
        required,
        visibleWhen,
        requiredWhen,
        requiredUnless,
        reader);
  }

  /**
   * The same, to be given by the user.
   *
   * @return a new setting
   */
  public Setting<T> mandatory() {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        defaultValue,
        min,
        max,
        choices,
        group,
        true,
        visibleWhen,
        requiredWhen,
        requiredUnless,
        reader);
  }

  /**
   * The same, to be given by the user when another setting has one of some values.
   *
   * @param setting name of the other setting
   * @param values values of it with which this one must be given; none: any value does
   * @return a new setting
   */
  public Setting<T> mandatoryWhen(String setting, String... values) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        defaultValue,
        min,
        max,
        choices,
        group,
        true,
        visibleWhen,
        Optional.of(new Condition(setting, List.of(values))),
        requiredUnless,
        reader);
  }

  /**
   * The same, to be given by the user unless another setting has a value.
   *
   * @param setting name of the other setting
   * @param values values of it that free from giving this one; none: any value does
   * @return a new setting
   */
  public Setting<T> mandatoryUnless(String setting, String... values) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        defaultValue,
        min,
        max,
        choices,
        group,
        true,
        visibleWhen,
        requiredWhen,
        Optional.of(new Condition(setting, List.of(values))),
        reader);
  }

  /**
   * The same, with an effect only when another setting has one of some values.
   *
   * @param setting name of the other setting
   * @param values values of it; none: any value does
   * @return a new setting
   */
  public Setting<T> visibleWhen(String setting, String... values) {
    return new Setting<>(
        name,
        label,
        help,
        kind,
        defaultValue,
        min,
        max,
        choices,
        group,
        required,
        Optional.of(new Condition(setting, List.of(values))),
        requiredWhen,
        requiredUnless,
        reader);
  }
}
