package io.corehub.hub.web;

import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import io.corehub.agent.TargetReport.Condition;
import io.corehub.hub.pipeline.PipelineStatus;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** How pipelines and tables stand, as Prometheus text: the hub's own view, whatever the agent. */
final class PipelineMetrics {

  private PipelineMetrics() {}

  static String text(List<PipelineStatus> pipelines) {
    StringBuilder out = new StringBuilder();
    head(out, "corehub_pipeline_up", "gauge", "1 while the pipeline works, 0 once it failed");
    for (PipelineStatus pipeline : pipelines) {
      out.append("corehub_pipeline_up{pipeline=\"").append(label(pipeline.name())).append("\"} ");
      out.append(pipeline.phase() == PipelineStatus.Phase.FAILED ? 0 : 1).append('\n');
    }
    tables(
        out,
        pipelines,
        "corehub_table_stopped",
        "gauge",
        "1 if the table is stopped",
        t -> t.state() == TableStatus.State.STOPPED ? 1 : 0);
    tables(
        out,
        pipelines,
        "corehub_table_diverged",
        "gauge",
        "1 if skipped operations make the target differ from the source",
        t -> t.diverged() ? 1 : 0);
    tables(
        out,
        pipelines,
        "corehub_table_rows_published_total",
        "counter",
        "Rows in published files",
        TableStatus::rowsPublished);
    tables(
        out,
        pipelines,
        "corehub_table_files_published_total",
        "counter",
        "Published files",
        TableStatus::filesPublished);
    tables(
        out,
        pipelines,
        "corehub_table_published_bytes_total",
        "counter",
        "Bytes of published files",
        TableStatus::bytesPublished);
    tables(
        out,
        pipelines,
        "corehub_table_files_queued",
        "gauge",
        "Sealed files that are not yet published",
        TableStatus::filesQueued);
    tables(
        out,
        pipelines,
        "corehub_table_oldest_unconfirmed_seconds",
        "gauge",
        "Age of the oldest change that is not yet published",
        HealthReport::ageSeconds);
    targets(out, pipelines);
    return out.toString();
  }

  private static void targets(StringBuilder out, List<PipelineStatus> pipelines) {
    condition(out, pipelines, Condition.FAILED, "1 if the target stopped the table with an error");
    condition(out, pipelines, Condition.HALTED, "1 if somebody stopped or paused the target");
    condition(
        out,
        pipelines,
        Condition.NOT_CONSUMING,
        "1 if files have waited too long while nothing moved");
    target(
        out,
        pipelines,
        "corehub_table_target_files_waiting",
        "gauge",
        "Published files that the target has not applied",
        report ->
            report.filesWaiting().isPresent()
                ? OptionalDouble.of(report.filesWaiting().getAsInt())
                : OptionalDouble.empty());
    target(
        out,
        pipelines,
        "corehub_table_target_lag_seconds",
        "gauge",
        "Age of the oldest published file that the target has not applied",
        report -> OptionalDouble.of(HealthReport.lagSeconds(report)));
    target(
        out,
        pipelines,
        "corehub_table_target_operations_total",
        "counter",
        "Inserts, updates and deletes the target applied, added up; not a number of rows",
        report ->
            report.operations().isPresent()
                ? OptionalDouble.of((double) report.operations().getAsLong())
                : OptionalDouble.empty());
    states(out, pipelines);
  }

  private static void condition(
      StringBuilder out, List<PipelineStatus> pipelines, Condition condition, String help) {
    target(
        out,
        pipelines,
        "corehub_table_target_" + condition.name().toLowerCase(Locale.ROOT),
        "gauge",
        help,
        report -> OptionalDouble.of(report.condition() == condition ? 1 : 0));
  }

  /** The target's own word, which is an open set, as a label. */
  private static void states(StringBuilder out, List<PipelineStatus> pipelines) {
    head(out, "corehub_table_target_state", "gauge", "1 for the state the target names");
    for (PipelineStatus pipeline : pipelines) {
      for (TableStatus table : pipeline.tables()) {
        table
            .target()
            .filter(report -> !report.state().isEmpty())
            .ifPresent(
                report ->
                    out.append("corehub_table_target_state{")
                        .append(labels(pipeline, table))
                        .append(",state=\"")
                        .append(label(report.state()))
                        .append("\"} 1\n"));
      }
    }
  }

  private static void target(
      StringBuilder out,
      List<PipelineStatus> pipelines,
      String name,
      String type,
      String help,
      Function<TargetReport, OptionalDouble> value) {
    head(out, name, type, help);
    for (PipelineStatus pipeline : pipelines) {
      for (TableStatus table : pipeline.tables()) {
        table
            .target()
            .map(value)
            .orElse(OptionalDouble.empty())
            .ifPresent(figure -> sample(out, name, pipeline, table, figure));
      }
    }
  }

  private static void sample(
      StringBuilder out, String name, PipelineStatus pipeline, TableStatus table, double value) {
    out.append(name)
        .append('{')
        .append(labels(pipeline, table))
        .append("} ")
        .append(number(value))
        .append('\n');
  }

  private static String labels(PipelineStatus pipeline, TableStatus table) {
    return "pipeline=\""
        + label(pipeline.name())
        + "\",table=\""
        + label(table.table().toString())
        + "\"";
  }

  private static void tables(
      StringBuilder out,
      List<PipelineStatus> pipelines,
      String name,
      String type,
      String help,
      ToDoubleFunction<TableStatus> value) {
    head(out, name, type, help);
    for (PipelineStatus pipeline : pipelines) {
      for (TableStatus table : pipeline.tables()) {
        sample(out, name, pipeline, table, value.applyAsDouble(table));
      }
    }
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  private static String label(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
