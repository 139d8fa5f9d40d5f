package io.corehub.docs;

import io.corehub.verify.Rule;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The verifier's page says what the rules say of themselves. {@code -Ddocs.update=true} writes it
 * anew.
 */
class VerifyReferenceTest {

  private static final String INTRODUCTION =
      """
      # Rules of a landing zone

      `hub verify LANDING-ZONE` judges a landing zone of Open Mirroring, whoever wrote it, and only reads.
      LANDING-ZONE is a folder that is a landing zone or holds one (an emulator's directory), or the URL of
      a live one with `--config CONFIG`: the credentials are those of the pipeline that writes there, and
      the whole landing zone is judged. Each violated rule is one line on standard output:

      ```
      error LZ-N1 table sales.Orders, file sales.schema/Orders/00000000000000000003.parquet: Number 2 is missing before it; …
      ```

      `--json` writes objects with `severity`, `rule`, `table`, `file` and `message` instead, one a line.
      Progress and a summary go to standard error. *Errors* are what Fabric would stop on, lose or misread;
      with one of them the exit code is 1. *Remarks* are leftovers, bad style, and what cannot be judged.

      Files are judged in the order in which Fabric takes them, those in `_ProcessedFiles` and
      `_FilesReadyToDelete` first; every page of every file is read once, one column chunk in memory at a
      time. A rule that all files of a table break in the same way is told at the first. Uploads and files
      that move while a live landing zone is read are told as remarks at most.

      The rules come from Microsoft's pages on the landing zone format and its best practices, and from
      Delta's types where those pages are silent. Rules of group C ask whether files with an entry
      `cdc.chain` in the footer, as this agent writes it, are still the files it wrote.
      """;

  @Test
  void pageSaysWhatTheRulesSay() throws IOException {
    new RulesPage("verify.md", INTRODUCTION, groups())
        .check(
            Arrays.stream(Rule.values())
                .map(rule -> new RulesPage.Line(rule.id(), rule.severity(), rule.explanation()))
                .toList());
  }

  private static Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    groups.put("LZ-L", "Layout");
    groups.put("LZ-N", "Names and numbers of files");
    groups.put("LZ-M", "Metadata");
    groups.put("LZ-F", "Files");
    groups.put("LZ-T", "Types");
    groups.put("LZ-R", "Row markers");
    groups.put("LZ-S", "Columns against earlier files");
    groups.put("LZ-K", "Keys");
    groups.put("LZ-P", "Partner events");
    groups.put("LZ-O", "Leftovers");
    groups.put("LZ-C", "Chain of files");
    return groups;
  }
}
