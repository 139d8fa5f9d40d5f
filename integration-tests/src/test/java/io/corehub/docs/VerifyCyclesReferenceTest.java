package io.corehub.docs;

import io.corehub.cyclereader.CycleRule;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The page of the cycles' verifier says what the rules say of themselves. {@code
 * -Ddocs.update=true} writes it anew.
 */
class VerifyCyclesReferenceTest {

  private static final String INTRODUCTION =
      """
      # Rules of cycle directories

      `hub verify-cycles DIR` judges data files in [cycle directories](cycle-files.md), whoever wrote
      them, and only reads. DIR is the folder of a job, or a connection folder with exactly one job below.
      With custom directories `--config CONFIG` names the configuration file whose pipeline writes there,
      and DIR is the connection folder. Each violated rule is one line on standard output:

      ```
      error CY-N5 table orders, file sales_cdc/cycle/contents/2026-11-29-10-00-41/Cycle-contents-20261129100041.csv: Its line counts …
      ```

      `--json` writes objects with `severity`, `rule`, `table`, `file` and `message` instead, one a line.
      Progress and a summary go to standard error. *Errors* are what a consumer would stop on, lose or
      misread; with one of them the exit code is 1. *Remarks* are leftovers, and what cannot be judged.

      Cycles are judged in the order of their names. Every data file is read from end to end and, where
      there is a manifest, its hash compared; one row, or one row group of a Parquet file, is in memory at
      a time. Of each rule a file breaks the first place is told. What no completed cycle names is looked
      for at the end; a cycle that a writer has open meanwhile is a remark.

      In Java: `io.corehub.cyclereader.CycleVerifier`, over any `TargetFiles`.
      """;

  private static final Map<String, String> GROUPS =
      Map.of(
          "CY-C", "Completed files",
          "CY-N", "Contents files",
          "CY-D", "Data files",
          "CY-S", "Schema files",
          "CY-M", "Manifests",
          "CY-O", "Leftovers");

  @Test
  void pageSaysWhatTheRulesSay() throws IOException {
    new RulesPage("verify-cycles.md", INTRODUCTION, GROUPS)
        .check(
            Arrays.stream(CycleRule.values())
                .map(rule -> new RulesPage.Line(rule.id(), rule.severity(), rule.explanation()))
                .toList());
  }
}
