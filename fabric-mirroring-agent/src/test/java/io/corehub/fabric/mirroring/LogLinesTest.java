package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What the agent logs and tells stays on one line, whatever characters the source's names have. */
class LogLinesTest {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
          for (IThrowableProxy at = event.getThrowableProxy(); at != null; at = at.getCause()) {
            lines.add(String.valueOf(at.getMessage()));
          }
        }
      };
  private final Logger log = (Logger) LoggerFactory.getLogger("io.corehub");

  @BeforeEach
  void listen() {
    appender.start();
    log.setLevel(Level.TRACE);
    log.addAppender(appender);
    log.setAdditive(false);
  }

  @AfterEach
  void deafen() {
    log.detachAppender(appender);
    log.setLevel(null);
    log.setAdditive(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n2026 ERROR admin ok",
        "\u001b[31m",
        "\u0085",
        "\u00ad",
        "\u200b",
        "\u200f",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\udb40\udc41",
        "\ud800"
      })
  void noNameOrValueBreaksOrTurnsALine(String hidden) throws InterruptedException {
    TableSchema keyed = table("t" + hidden + "k", List.of("id" + hidden), "id" + hidden);
    TableSchema keyless = table("t" + hidden + "o", List.of(), "id" + hidden);
    try (AgentRun run = new AgentRun()) {
      run.script.fail(Operation.RENAME, "", true, 1, DfsException.Kind.TIMEOUT, true);
      run.open(keyed, keyless);
      long at = 1;
      for (TableSchema table : List.of(keyed, keyless)) {
        run.apply(
            SourceCommit.at(at++, new Insert(SourceRow.of(table, "v" + hidden))),
            SourceCommit.at(at++, new Delete(SourceRow.of(table, "v" + hidden))),
            SourceCommit.at(at++, new Truncate(table)));
      }
      run.agent().flush();
      assertThat(run.listener.violations()).isEmpty();
    }
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line.codePoints())
                    .as(line)
                    .noneMatch(
                        c ->
                            Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE
                                || Character.getType(c) == Character.LINE_SEPARATOR
                                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR));
  }

  private static TableSchema table(String name, List<String> key, String column) {
    return new TableSchema(
        TableId.of(name), List.of(Column.of(column, ColumnType.of(Kind.STRING))), key, 1);
  }
}
