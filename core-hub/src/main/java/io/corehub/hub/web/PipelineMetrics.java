package io.corehub.hub.web;

import io.corehub.agent.TableStatus;
import io.corehub.hub.pipeline.PipelineStatus;
import java.util.List;
import java.util.Locale;
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
    return out.toString();
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
        out.append(name)
            .append("{pipeline=\"")
            .append(label(pipeline.name()))
            .append("\",table=\"")
            .append(label(table.table().toString()))
            .append("\"} ")
            .append(number(value.applyAsDouble(table)))
            .append('\n');
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
