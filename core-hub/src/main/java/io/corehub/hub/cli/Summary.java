package io.corehub.hub.cli;

import io.corehub.agent.TableStatus;
import io.corehub.hub.pipeline.PipelineStatus;
import io.corehub.hub.source.Shown;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the pipelines did, as text for people. */
final class Summary {

  private Summary() {}

  static void print(List<PipelineStatus> pipelines, PrintWriter out) {
    for (PipelineStatus pipeline : pipelines) {
      print(pipeline, out);
    }
    out.flush();
  }

  private static void print(PipelineStatus pipeline, PrintWriter out) {
    out.println(
        "Pipeline "
            + Shown.of(pipeline.name())
            + ": "
            + pipeline.phase().word()
            + pipeline.confirmed().map(p -> ", confirmed up to position " + p).orElse("")
            + ", "
            + Main.count(pipeline.rows())
            + " rows in "
            + Main.count(pipeline.files())
            + " files");
    int width = pipeline.tables().stream().mapToInt(t -> shown(t).length()).max().orElse(0);
    for (TableStatus table : pipeline.tables()) {
      out.printf(
          Locale.ROOT,
          "  %-" + Math.max(1, width) + "s  %-8s  %,12d rows  %,6d files%s%n",
          shown(table),
          table.state().name().toLowerCase(Locale.ROOT),
          table.rowsPublished(),
          table.filesPublished(),
          table.diverged() ? "  diverged: skipped operations" : "");
    }
    List<String> remarks = new ArrayList<>();
    pipeline.warnings().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .forEach(
            warning ->
                remarks.add(
                    "warning: "
                        + warning.getKey()
                        + (warning.getValue() > 1 ? " (" + warning.getValue() + " times)" : "")));
    for (TableStatus table : pipeline.tables()) {
      if (table.state() == TableStatus.State.STOPPED) {
        remarks.add("stopped: " + table.problem().map(Shown::message).orElse(shown(table)));
      }
    }
    pipeline.problem().ifPresent(problem -> remarks.add("failed: " + problem));
    remarks.forEach(remark -> out.println("  " + remark));
  }

  private static String shown(TableStatus table) {
    return Shown.of(table.table().toString());
  }
}
