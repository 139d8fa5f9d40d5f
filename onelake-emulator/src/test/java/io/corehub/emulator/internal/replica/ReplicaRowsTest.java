package io.corehub.emulator.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaRowsTest {
  private static final ReplicaSchema SCHEMA =
      new ReplicaSchema(
          List.of(
              new ReplicaColumn("note", CellKind.STRING, 0, 0, true),
              new ReplicaColumn("id", CellKind.LONG, 0, 0, true),
              new ReplicaColumn("part", CellKind.STRING, 0, 0, true)));

  private record Row(String note, Long id, String part) {
    boolean sameKey(Row other) {
      return java.util.Objects.equals(id, other.id) && part.equals(other.part);
    }
  }

  private final ReplicaRows rows = new ReplicaRows();
  private final RowEncoder encoder = new RowEncoder();

  private long add(Row row) {
    encoder.begin(3);
    encoder.addBytes(0, row.note.getBytes(StandardCharsets.UTF_8));
    if (row.id != null) {
      encoder.addLong(1, row.id);
    }
    encoder.addBytes(2, row.part.getBytes(StandardCharsets.UTF_8));
    return encoder.addTo(rows.arena());
  }

  private List<Row> content() {
    RowCursor cursor = new RowCursor(SCHEMA);
    List<Row> content = new ArrayList<>();
    for (long address : rows.addresses()) {
      cursor.moveTo(rows.arena(), address, 2);
      content.add(
          new Row((String) cursor.value(0), (Long) cursor.value(1), (String) cursor.value(2)));
    }
    return content;
  }

  /** Long notes make dead rows pile up, so that compaction happens on the way. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void agreesWithAListOfRowsUnderRandomChanges(long seed) {
    Random random = new Random(seed);
    List<Row> model = new ArrayList<>();
    rows.schema(SCHEMA);
    rows.key(new int[] {1, 2});
    String filler = "x".repeat(2000);
    for (int step = 0; step < 12_000; step++) {
      Long id = random.nextInt(50) == 0 ? null : (long) random.nextInt(300) - 150;
      Row row = new Row(step + filler.substring(random.nextInt(2000)), id, "p" + random.nextInt(2));
      int kind = random.nextInt(10);
      long address = add(row);
      if (kind == 0) {
        rows.insert(address);
        model.add(row);
      } else if (kind < 4) {
        rows.delete(address);
        model.removeIf(row::sameKey);
      } else {
        rows.replace(address);
        long found = model.stream().filter(row::sameKey).count();
        model.removeIf(row::sameKey);
        for (long i = 0; i < Math.max(1, found); i++) {
          model.add(row);
        }
      }
      if (step % 500 == 0) {
        rows.compact();
        assertThat(content()).as("seed %s step %s", seed, step).containsExactlyElementsOf(model);
      }
    }
    rows.compact();
    assertThat(content()).as("seed %s", seed).containsExactlyElementsOf(model);
    assertThat(rows.size()).isEqualTo(model.size());
    assertThat(rows.arena().totalBytes()).isLessThan(16L << 20);
  }

  @Test
  void forgetsWhatARolledBackFileAdded() {
    rows.schema(SCHEMA);
    rows.key(new int[] {1, 2});
    rows.insert(add(new Row("kept", 1L, "a")));
    RowArena.Mark mark = rows.arena().mark();
    for (int i = 0; i < 1000; i++) {
      add(new Row("y".repeat(3000), (long) i, "b"));
    }
    rows.arena().rollBack(mark);
    rows.replace(add(new Row("new", 1L, "a")));
    assertThat(content()).containsExactly(new Row("new", 1L, "a"));
  }

  @Test
  void numbersKeepTheirValueInVarints() {
    byte[] bytes = new byte[Varints.MAX_BYTES];
    for (long value :
        new long[] {0, 1, 127, 128, 16_383, 16_384, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      int end = Varints.write(bytes, 0, value);
      assertThat(Varints.read(bytes, 0)).isEqualTo(value);
      assertThat(Varints.skip(bytes, 0)).isEqualTo(end);
      assertThat(Varints.size(value)).isEqualTo(end);
      assertThat(Varints.unzigzag(Varints.zigzag(value))).isEqualTo(value);
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
