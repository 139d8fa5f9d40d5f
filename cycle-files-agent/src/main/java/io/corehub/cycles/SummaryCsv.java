package io.corehub.cycles;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of contents and completed files: every value in double quotes, LF at the end. Pure. */
final class SummaryCsv {

  private SummaryCsv() {}

  /**
   * A file.
   *
   * @param header names of the columns
   * @param lines values of each line
   * @return UTF-8
   */
  static byte[] bytes(List<String> header, List<List<String>> lines) {
    StringBuilder text = new StringBuilder();
    text.append(line(header));
    lines.forEach(values -> text.append(line(values)));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String line(List<String> values) {
    return values.stream()
        .map(value -> '"' + value.replace("\"", "\"\"") + '"')
        .collect(Collectors.joining(",", "", "\n"));
  }
}
