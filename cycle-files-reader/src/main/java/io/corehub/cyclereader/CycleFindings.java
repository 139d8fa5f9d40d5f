package io.corehub.cyclereader;

import io.corehub.agent.verify.VerificationListener;
import io.corehub.agent.verify.Violation;
import java.util.ArrayList;
import java.util.List;

/** Collects violations until they are handed over. Confined to one caller at a time. */
final class CycleFindings {

  private final List<Violation> violations = new ArrayList<>();

  /**
   * Adds a violation.
   *
   * @param table name of the table; empty if none is concerned
   * @param file path below the connection folder
   * @param message one sentence
   */
  void add(CycleRule rule, String table, String file, String message) {
    violations.add(new Violation(rule.severity(), rule.id(), table, file, message));
  }

  void handOver(VerificationListener listener) {
    violations.forEach(listener::violated);
    violations.clear();
  }
}
