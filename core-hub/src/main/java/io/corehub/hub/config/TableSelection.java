package io.corehub.hub.config;

import io.corehub.agent.settings.Nearest;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.source.Shown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which tables of a source are wanted, with which columns and settings. Immutable.
 *
 * <p>Without rules every table is wanted. With rules a table is wanted if a rule names it that does
 * not exclude, and none names it that does; when there are only excluding rules, every other table
 * is wanted. Columns, target types and settings come from the first wanting rule that names the
 * table, rules without pattern before those with one.
 */
public final class TableSelection {

  /**
   * One entry of {@code tables}.
   *
   * @param pattern the tables it names
   * @param exclude whether they are left out
   * @param columns columns to keep; empty for all
   * @param targetTypes types that columns are to have in the target, by column name
   * @param settings the tables' own settings
   */
  public record Rule(
      TablePattern pattern,
      boolean exclude,
      List<String> columns,
      Map<String, TargetType> targetTypes,
      Settings settings) {
    /** Copies the list and the map. */
    public Rule {
      columns = List.copyOf(columns);
      targetTypes = Collections.unmodifiableMap(new LinkedHashMap<>(targetTypes));
    }
  }

  private final List<Rule> including = new ArrayList<>();
  private final List<Rule> excluding = new ArrayList<>();
  private final Settings defaults;

  /**
   * A selection.
   *
   * @param rules entries in the order of the file
   * @param defaults settings of a table no rule says anything about
   */
  public TableSelection(List<Rule> rules, Settings defaults) {
    this.defaults = defaults;
    for (boolean exact : new boolean[] {true, false}) {
      for (Rule rule : rules) {
        if (rule.pattern().exact() == exact) {
          (rule.exclude() ? excluding : including).add(rule);
        }
      }
    }
  }

  /**
   * Whether a table is wanted.
   *
   * @param table the table
   * @return true if it is
   */
  public boolean selects(TableId table) {
    if (excluding.stream().anyMatch(rule -> rule.pattern().matches(table))) {
      return false;
    }
    return including.isEmpty() || ruleFor(table).isPresent();
  }

  /**
   * The columns of a wanted table that the file asks for.
   *
   * @param table the table
   * @return column names; empty for all
   */
  public List<String> columns(TableId table) {
    return ruleFor(table).map(Rule::columns).orElse(List.of());
  }

  /**
   * The target types that the file asks for in a wanted table.
   *
   * @param table the table
   * @return target types by column name; empty if none is asked for
   */
  public Map<String, TargetType> targetTypes(TableId table) {
    return ruleFor(table).map(Rule::targetTypes).orElse(Map.of());
  }

  /**
   * The settings of a wanted table.
   *
   * @param table the table
   * @return settings, defaults filled in
   */
  public Settings settings(TableId table) {
    return ruleFor(table).map(Rule::settings).orElse(defaults);
  }

  /**
   * Entries that concern none of the source's tables, those that exclude among them.
   *
   * @param known all tables of the source
   * @return in the order of the file, single names before patterns
   */
  public List<Rule> concerningNothing(Collection<TableId> known) {
    return Stream.concat(including.stream(), excluding.stream())
        .filter(rule -> known.stream().noneMatch(rule.pattern()::matches))
        .toList();
  }

  /**
   * Entries that name a single table which is not among those the source has.
   *
   * @param known tables of the source
   * @return names as the file writes them, in its order
   */
  public List<String> namedButMissing(Collection<TableId> known) {
    return including.stream()
        .map(Rule::pattern)
        .filter(TablePattern::exact)
        .filter(pattern -> known.stream().noneMatch(pattern::matches))
        .map(TablePattern::toString)
        .toList();
  }

  /**
   * Why a wanted table cannot be sent as the file asks.
   *
   * @param table the table
   * @param has names of its columns
   * @param key those of its primary key
   * @return what to change in the file; empty if all is well
   */
  public Optional<String> misfit(TableId table, List<String> has, List<String> key) {
    List<String> wanted = columns(table);
    return unknown(table, "targetTypes", targetTypes(table).keySet(), has)
        .or(() -> unknown(table, "columns", wanted, has))
        .or(() -> wanted.isEmpty() ? Optional.empty() : withoutKey(table, wanted, key));
  }

  private static Optional<String> unknown(
      TableId table, String entry, Collection<String> named, List<String> has) {
    return named.stream()
        .filter(name -> !has.contains(name))
        .findFirst()
        .map(
            name ->
                "'"
                    + entry
                    + "' of table "
                    + Shown.of(table.toString())
                    + " names '"
                    + Shown.of(name)
                    + "', which the table does not have. "
                    + Nearest.of(name, has)
                        .map(near -> "Did you mean '" + Shown.of(near) + "'?")
                        .orElse("Correct the name."));
  }

  private static Optional<String> withoutKey(TableId table, List<String> wanted, List<String> key) {
    return key.stream()
        .filter(name -> !wanted.contains(name))
        .findFirst()
        .map(
            name ->
                "'columns' of table "
                    + Shown.of(table.toString())
                    + " leaves out '"
                    + Shown.of(name)
                    + "', a column of its primary key. Add it.");
  }

  private Optional<Rule> ruleFor(TableId table) {
    return including.stream().filter(rule -> rule.pattern().matches(table)).findFirst();
  }
}
