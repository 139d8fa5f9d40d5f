package io.corehub.verify;

import io.corehub.agent.verify.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the violations of one table, or of what lies outside of tables. One caller at a time.
 */
final class Findings {
  private final String table;
  private final List<Violation> violations = new ArrayList<>();
  private final Set<String> said = new HashSet<>();

  Findings(String table) {
    this.table = table;
  }

  /**
   * Adds a violation.
   *
   * @param file path below the landing zone
   */
  void add(Rule rule, String file, String message) {
    violations.add(new Violation(rule.severity(), rule.id(), table, file, message));
  }

  /** Adds a violation that all later files share, unless it was told of an earlier one. */
  void addOnce(Rule rule, String file, String message) {
    if (said.add(rule.id() + message)) {
      add(rule, file, message);
    }
  }

  List<Violation> all() {
    return violations;
  }
}
