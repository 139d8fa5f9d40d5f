package io.corehub.hub.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.CellText;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitSpoolTest {

  private static final TableSchema ALL =
      new TableSchema(
          TableId.of("s", "a.b"),
          Arrays.stream(ColumnType.Kind.values())
              .map(
                  kind ->
                      Column.of(
                          kind.name(),
                          kind == ColumnType.Kind.BIG_DECIMAL
                              ? ColumnType.decimal(30, 2)
                              : ColumnType.of(kind)))
              .toList(),
          List.of("INT"),
          3);

  @TempDir Path directory;

  static CommitBatch batch(long position) {
    Commit commit =
        new Commit(
            new SourcePosition("line", position, "token"),
            Optional.of(Instant.parse("2024-01-01T00:00:00.123456789Z")),
            Optional.of("tx"),
            Optional.empty());
    return new CommitBatch(
        List.of(commit),
        List.of(
            rows((int) position),
            new TableTruncated(ALL.table(), 0),
            new TableUnreadable(
                ALL.table(),
                0,
                new TableStoppedException(ALL.table(), ErrorCode.SOURCE_DATA, "why"))),
        position % 2 == 0);
  }

  private static RowChanges rows(int seed) {
    ColumnBatchBuilder rows = new ColumnBatchBuilder(ALL);
    for (int column = 0; column < ALL.columns().size(); column++) {
      ColumnType type = ALL.columns().get(column).type();
      switch (type.storage()) {
        case BOOLEAN -> rows.setBoolean(column, true);
        case INT -> rows.setInt(column, seed);
        case LONG -> rows.setLong(column, seed * 1_000_000L);
        case FLOAT -> rows.setFloat(column, seed + 0.5f);
        case DOUBLE -> rows.setDouble(column, seed + 0.25);
        case BYTES -> {
          if (type.kind() == ColumnType.Kind.BIG_DECIMAL) {
            rows.setDecimal(column, BigDecimal.valueOf(seed, 2));
          } else {
            rows.setText(column, "text " + seed);
          }
        }
      }
    }
    rows.endRow();
    rows.setUndelivered(1);
    rows.endRow();
    byte[] kinds = {ChangeKind.DELETE.code(), ChangeKind.UPDATE_AFTER.code()};
    var undelivered = rows.undelivered();
    return new RowChanges(rows.build(), kinds, new int[2], undelivered, BeforeImage.KEY);
  }

  static String text(CommitBatch batch) {
    StringBuilder text = new StringBuilder(batch.commits() + " " + batch.lastCommitComplete());
    for (TableEvent event : batch.events()) {
      if (event instanceof RowChanges changes) {
        text.append(changes.beforeImages());
        for (int row = 0; row < changes.rowCount(); row++) {
          text.append(changes.kind(row)).append(changes.commitIndex(row));
          for (int column = 0; column < ALL.columns().size(); column++) {
            text.append(
                CellText.of(
                    ALL.columns().get(column).type(), changes.rows().columns().get(column), row));
            text.append(changes.undelivered().is(column, row));
          }
        }
      } else if (event instanceof TableUnreadable unreadable) {
        text.append(unreadable.reason().code()).append(unreadable.reason().getMessage());
      } else {
        text.append(event);
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1000, 1 << 30})
  void givesBackWhatWasPutAside(long memoryBytes) throws Exception {
    List<String> drained = new ArrayList<>();
    try (CommitSpool spool = new CommitSpool(directory, memoryBytes)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= 20; i++) {
          spool.add(batch(i));
        }
        assertThat(spool.isEmpty()).isFalse();
        drained.clear();
        spool.drainTo(
            batch -> {
              assertThat(((RowChanges) batch.events().get(0)).rows().schema()).isSameAs(ALL);
              drained.add(text(batch));
            });
        assertThat(spool.isEmpty()).isTrue();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
          expected.add(text(batch(i)));
        }
        assertThat(drained).isEqualTo(expected);
      }
    }
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void fileIsPrivateAndGoneAfterClose() throws Exception {
    CommitSpool spool = new CommitSpool(directory, 0);
    spool.add(batch(1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(spooled())))
        .isEqualTo("rw-------");
    spool.close();
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void memoryNeverHoldsMoreThanItsBound() throws Exception {
    try (CommitSpool spool = new CommitSpool(directory, 20)) {
      spool.add(batch(1));
      assertThat(spooled()).isNotNull();
    }
  }

  @Test
  void fileThatLostItsEndIsAnErrorThatNamesIt() throws Exception {
    try (CommitSpool spool = new CommitSpool(directory, 0)) {
      spool.add(batch(1));
      Path file = spooled();
      Files.delete(file);
      Files.write(file, new byte[7]);

      assertThatExceptionOfType(SourceException.class)
          .isThrownBy(() -> spool.drainTo(batch -> {}))
          .withMessageContaining(file.toString())
          .withMessageContaining("it ends inside a batch")
          .withMessageContaining("hub.stateDirectory");
    }
  }

  private Path spooled() throws IOException {
    try (var files = Files.list(directory)) {
      return files.findFirst().orElseThrow();
    }
  }
}
