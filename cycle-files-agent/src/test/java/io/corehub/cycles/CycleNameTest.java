package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.cycles.CycleFileName.Completed;
import io.corehub.cycles.CycleFileName.Contents;
import io.corehub.cycles.CycleFileName.Data;
import io.corehub.cycles.CycleFileName.Manifest;
import io.corehub.testkit.Seeds;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CycleNameTest {

  private static final CycleName CYCLE = new CycleName(Instant.parse("2026-11-29T10:00:05Z"));

  @Test
  void everyNameOfACycleComesFromTheSecondAtWhichItOpened() {
    assertThat(CYCLE).hasToString("2026-11-29-10-00-05");
    assertThat(CYCLE.folder(false)).isEqualTo("2026-11-29-10-00-05");
    assertThat(CYCLE.folder(true)).isEqualTo("dt=2026-11-29-10-00-05");
    assertThat(CYCLE.completedFile()).isEqualTo("Cycle-20261129100005.csv");
    assertThat(CYCLE.contentsFile()).isEqualTo("Cycle-contents-20261129100005.csv");
    assertThat(CYCLE.manifestFile()).isEqualTo("_manifest-20261129100005.json");
    assertThat(CycleFileName.data("orders", CYCLE, 1, ".csv"))
        .isEqualTo("orders_20261129100005.csv");
    assertThat(CycleFileName.data("orders", CYCLE, 2, ".csv.gz"))
        .isEqualTo("orders_20261129100005_0002.csv.gz");
    assertThat(CycleFileName.data("orders", CYCLE, 9999, ".parquet"))
        .isEqualTo("orders_20261129100005_9999.parquet");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-29T10:00:05.999Z, , 2026-11-29-10-00-05",
    "2026-11-29T10:00:05Z, 2026-11-29-10-00-04, 2026-11-29-10-00-05",
    "2026-11-29T10:00:05.999Z, 2026-11-29-10-00-05, 2026-11-29-10-00-06",
    "2026-11-29T09:00:00Z, 2026-11-29-10-00-05, 2026-11-29-10-00-06",
    "2026-11-29T09:00:00Z, 2026-12-31-23-59-59, 2027-01-01-00-00-00"
  })
  void aNameIsTheClocksUnlessThatOneIsTaken(Instant now, String newest, String name) {
    assertThat(CycleName.next(now, Optional.ofNullable(newest).flatMap(CycleName::ofFolder)))
        .hasToString(name);
  }

  @Test
  void namesStrictlyIncreaseAsTextAndAsFileNamesWhateverTheClockDoes() {
    Seeds.forEach(
        200,
        200,
        (seed, size) -> {
          Random random = new Random(seed);
          Instant now = Instant.ofEpochSecond(random.nextLong(1L << 33));
          Optional<CycleName> newest = Optional.empty();
          for (int i = 0; i < size; i++) {
            now = now.plusMillis(random.nextLong(-10_000, 10_000));
            CycleName next = CycleName.next(now, newest);
            newest.ifPresent(
                before -> {
                  assertThat(next).isGreaterThan(before);
                  assertThat(next.toString()).isGreaterThan(before.toString());
                  assertThat(next.digits()).isGreaterThan(before.digits());
                });
            assertThat(CycleName.ofFolder(next.folder(random.nextBoolean()))).contains(next);
            assertThat(CycleName.ofDigits(next.digits())).contains(next);
            newest = Optional.of(next);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dt=",
        "2026-11-29",
        "2026-13-29-10-00-05",
        "2026-02-30-10-00-05",
        "2026-11-29-24-00-00",
        "2026-11-29-10-00-05 ",
        "dt=dt=2026-11-29-10-00-05",
        "_2026-11-29-10-00-05",
        "+2026-11-29-10-00-05",
        "99999-11-29-10-00-05"
      })
  void otherFoldersAreNoCycles(String folder) {
    assertThat(CycleName.ofFolder(folder)).isEmpty();
  }

  @Test
  void aFileNameLeadsBackToItsCycle() {
    assertThat(CycleFileName.of(CYCLE.completedFile())).contains(new Completed(CYCLE));
    assertThat(CycleFileName.of(CYCLE.contentsFile())).contains(new Contents(CYCLE));
    assertThat(CycleFileName.of(CYCLE.manifestFile())).contains(new Manifest(CYCLE));
    for (DataFormat format : DataFormat.values()) {
      for (int part : new int[] {1, 2, 9999}) {
        assertThat(CycleFileName.of(CycleFileName.data("or_ders", CYCLE, part, format.ending())))
            .contains(new Data(CYCLE, "or_ders", part));
      }
    }
  }

  @Test
  void aTableWhoseNameLooksLikeAPartKeepsItsOwnFiles() {
    String looksLikePart = "orders_20261129100005";
    assertThat(CycleFileName.of(CycleFileName.data(looksLikePart, CYCLE, 1, ".csv")))
        .contains(new Data(CYCLE, looksLikePart, 1));
    assertThat(CycleFileName.of(CycleFileName.data(looksLikePart, CYCLE, 2, ".csv")))
        .contains(new Data(CYCLE, looksLikePart, 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_tmp_orders_20261129100005.csv.3f2a",
        "_orders_20261129100005.csv",
        "orders_20261129100005.txt",
        "orders_2026112910000.csv",
        "orders_20261329100005.csv",
        "Cycle-2026112910000.csv",
        "schema.ini"
      })
  void otherFilesBelongToNoCycle(String name) {
    assertThat(CycleFileName.of(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10_000})
  void partsHaveFourDigits(int part) {
    assertThatThrownBy(() -> CycleFileName.data("orders", CYCLE, part, ".csv"))
        .hasMessageContainingAll("Part " + part, "orders");
  }
}
