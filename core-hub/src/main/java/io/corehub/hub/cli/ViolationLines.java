package io.corehub.hub.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.verify.VerificationListener;
import io.corehub.agent.verify.Violation;
import io.corehub.agent.verify.Violation.Severity;
import io.corehub.hub.source.Shown;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;

/** Writes what a verifier finds, and from time to time how far it is. One caller at a time. */
final class ViolationLines implements VerificationListener {
  private static final Duration PROGRESS = Duration.ofSeconds(10);

  private final ObjectMapper mapper = new ObjectMapper();
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final String unit;
  private long errors;
  private long remarks;
  private Progress progress = new Progress(0, 0, 0, 0);
  private long toldAt = System.nanoTime();

  /**
   * Lines of a command.
   *
   * @param out takes the violations
   * @param err takes progress and the sum
   * @param json whether a violation is written as a JSON object
   * @param unit what is counted beside files
   */
  ViolationLines(PrintWriter out, PrintWriter err, boolean json, String unit) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.unit = unit;
  }

  @Override
  public void violated(Violation violation) {
    if (violation.severity() == Severity.ERROR) {
      errors++;
    } else {
      remarks++;
    }
    out.println(json ? object(violation) : line(violation));
    out.flush();
  }

  @Override
  public void progress(Progress now) {
    progress = now;
    if (System.nanoTime() - toldAt > PROGRESS.toNanos()) {
      toldAt = System.nanoTime();
      err.println(
          Main.count(now.tablesDone())
              + " of "
              + Main.count(now.tables())
              + " "
              + unit
              + "s, "
              + size(now)
              + " so far");
    }
  }

  /** Tells the sum and returns the exit code. */
  int sum() {
    err.println(
        count(errors, "error")
            + " and "
            + count(remarks, "remark")
            + " in "
            + count(progress.tables(), unit)
            + ", "
            + size(progress)
            + ".");
    return errors == 0 ? ExitCode.DONE : ExitCode.ACTION_REQUIRED;
  }

  private String size(Progress of) {
    return count(of.files(), "file") + ", " + Main.count(of.bytes()) + " bytes";
  }

  private String count(long number, String word) {
    return Main.count(number) + " " + word + (number == 1 ? "" : "s");
  }

  private String line(Violation violation) {
    StringBuilder line = new StringBuilder(word(violation)).append(' ').append(violation.rule());
    if (!violation.table().isEmpty()) {
      line.append(" table ").append(Shown.of(violation.table())).append(',');
    }
    return line.append(" file ")
        .append(Shown.message(violation.file()))
        .append(": ")
        .append(Shown.message(violation.message()))
        .toString();
  }

  private String object(Violation violation) {
    ObjectNode object = mapper.createObjectNode();
    object.put("severity", word(violation));
    object.put("rule", violation.rule());
    object.put("table", violation.table());
    object.put("file", violation.file());
    object.put("message", violation.message());
    try {
      return mapper.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String word(Violation violation) {
    return violation.severity().name().toLowerCase(Locale.ROOT);
  }
}
