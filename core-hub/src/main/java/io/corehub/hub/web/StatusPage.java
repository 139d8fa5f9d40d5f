package io.corehub.hub.web;

import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import io.corehub.hub.pipeline.PipelineStatus;
import java.util.List;
import java.util.Locale;

/** The status page: plain HTML that loads nothing and refreshes itself. */
final class StatusPage {

  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String STYLE =
      "body{font-family:system-ui,sans-serif;margin:2rem;color:#222;background:#fff}"
          + "table{border-collapse:collapse;margin-bottom:1rem}"
          + "th,td{padding:.3rem .8rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
          + "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
          + ".stopped,.failed{color:#b00020;font-weight:600}.degraded{color:#a15c00;font-weight:600}";

  private StatusPage() {}

  static String html(String hubName, List<PipelineStatus> pipelines) {
    StringBuilder out = new StringBuilder(4096);
    out.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta http-equiv=\"refresh\" content=\"2\">")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .append("<link rel=\"icon\" href=\"data:,\"><title>")
        .append(escape(hubName))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>")
        .append(escape(hubName))
        .append("</h1>");
    pipelines.forEach(pipeline -> pipeline(out, pipeline));
    return out.append("</body></html>\n").toString();
  }

  private static void pipeline(StringBuilder out, PipelineStatus pipeline) {
    String phase = pipeline.phase().word();
    out.append("<h2>").append(escape(pipeline.name())).append("</h2><p>");
    out.append("<span class=\"").append(phase).append("\">").append(phase).append("</span>");
    pipeline
        .confirmed()
        .ifPresent(p -> out.append(", confirmed up to position ").append(escape(p.toString())));
    out.append(
        String.format(
            Locale.ROOT, ", %,d rows in %,d files</p>", pipeline.rows(), pipeline.files()));
    pipeline
        .problem()
        .ifPresent(p -> out.append("<p class=\"failed\">").append(escape(p)).append("</p>"));
    if (pipeline.tables().isEmpty()) {
      out.append("<p>No table yet.</p>");
      return;
    }
    out.append("<table><thead><tr><th>Table</th><th>State</th><th class=\"n\">Rows</th>")
        .append("<th class=\"n\">Files</th><th class=\"n\">Queued</th>")
        .append("<th class=\"n\">Oldest unconfirmed</th><th>Last file</th><th>Last position</th>")
        .append("<th>Target</th><th class=\"n\">Waiting there</th>")
        .append("<th>Remark</th></tr></thead><tbody>");
    pipeline.tables().forEach(table -> row(out, table));
    out.append("</tbody></table>");
  }

  private static void row(StringBuilder out, TableStatus table) {
    String state = table.state().name().toLowerCase(Locale.ROOT);
    out.append("<tr><td>").append(escape(table.table().toString())).append("</td><td class=\"");
    out.append(state).append("\">").append(state).append("</td>");
    number(out, String.format(Locale.ROOT, "%,d", table.rowsPublished()));
    number(out, String.format(Locale.ROOT, "%,d", table.filesPublished()));
    number(out, String.format(Locale.ROOT, "%,d", table.filesQueued()));
    number(out, String.format(Locale.ROOT, "%.1f s", HealthReport.ageSeconds(table)));
    out.append("<td>").append(escape(table.lastFile().orElse(""))).append("</td><td>");
    out.append(table.lastPosition().map(p -> escape(p.toString())).orElse(""));
    out.append("</td>");
    target(out, table);
    out.append("<td>");
    if (table.diverged()) {
      out.append("Diverged: skipped operations make it differ from the source. ");
    }
    out.append(escape(table.problem().orElse("")));
    table
        .target()
        .flatMap(TargetReport::problem)
        .ifPresent(problem -> out.append(' ').append(escape(problem)));
    out.append("</td></tr>");
  }

  private static void target(StringBuilder out, TableStatus table) {
    if (table.target().isEmpty()) {
      out.append("<td></td><td></td>");
      return;
    }
    TargetReport report = table.target().get();
    String style =
        switch (report.condition()) {
          case FAILED -> "failed";
          case HALTED, NOT_CONSUMING -> "degraded";
          case UNKNOWN, CONSUMING -> "";
        };
    out.append("<td class=\"").append(style).append("\">");
    out.append(escape(HealthReport.words(report))).append("</td>");
    number(
        out,
        report.filesWaiting().isPresent()
            ? String.format(Locale.ROOT, "%,d", report.filesWaiting().getAsInt())
            : "");
  }

  private static void number(StringBuilder out, String text) {
    out.append("<td class=\"n\">").append(text).append("</td>");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
