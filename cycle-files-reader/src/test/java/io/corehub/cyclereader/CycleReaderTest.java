package io.corehub.cyclereader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleReaderTest {

  @TempDir Path folder;

  private static List<String> rows(MemoryFiles files, String after) throws IOException {
    List<String> rows = new ArrayList<>();
    new CycleReader(files, GoodJob.DIRECTORIES)
        .read(
            Optional.of(after).filter(a -> !a.isEmpty()), row -> rows.add(row.toJson().toString()));
    return rows;
  }

  @Test
  void rowsComeByCycleTableAndSequenceWithTheirOldValues() throws IOException {
    assertThat(rows(GoodJob.incremental(), ""))
        .containsExactly(
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"customers\",\"op\":\"I\",\"sequence\":\""
                + GoodJob.s(101, 2)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":7,\"v\":\"Ann\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"customers\",\"op\":\"U\",\"sequence\":\""
                + GoodJob.s(103, 2)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":7,\"v\":\"\"},"
                + "\"before\":{\"id\":7,\"v\":\"Ann\"}}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"I\",\"sequence\":\""
                + GoodJob.s(101, 1)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":1,\"v\":\"NEW\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"U\",\"sequence\":\""
                + GoodJob.s(102, 1)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":1,\"v\":\"PAID\"},"
                + "\"before\":{\"id\":1,\"v\":\"NEW\"}}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"I\",\"sequence\":\""
                + GoodJob.s(102, 2)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":3,"
                + "\"v\":\"a \\\"quoted\\\", text\\nof two lines\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"I\",\"sequence\":\""
                + GoodJob.s(103, 1)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":2,\"v\":\"NEW\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-00-41\",\"table\":\"orders\",\"op\":\"D\",\"sequence\":\""
                + GoodJob.s(104, 1)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":2,\"v\":\"NEW\"},\"before\":null}",
            "{\"cycle\":\"2026-11-29-10-06-00\",\"table\":\"customers\",\"op\":\"I\",\"sequence\":\""
                + GoodJob.s(106, 1)
                + "\",\"schemaVersion\":1,\"row\":{\"id\":8,\"v\":null},\"before\":null}");
  }

  @Test
  void aTruncationHasNoRow() throws IOException {
    assertThat(rows(GoodJob.combined(), "").get(0))
        .isEqualTo(
            "{\"cycle\":\"2026-11-29-10-00-05\",\"table\":\"orders\",\"op\":\"T\",\"sequence\":\""
                + "00000000100000000100"
                + GoodJob.s(100, 0)
                + "\",\"schemaVersion\":1,\"row\":null,\"before\":null}");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-29-10-00-04, 8",
    "2026-11-29-10-00-05, 2",
    "2026-11-29-10-00-06, 2",
    "2026-11-29-10-06-00, 0"
  })
  void onlyCyclesBehindTheOneThatWasReadAreRead(String after, int count) throws IOException {
    assertThat(rows(GoodJob.incremental(), after)).hasSize(count);
  }

  @Test
  void cyclesWithoutCompletedFileAreNotThere() throws IOException {
    MemoryFiles files = GoodJob.incremental().remove(GoodJob.completed(3));
    assertThat(rows(files, "2026-11-29-10-00-05")).hasSize(1);
    assertThat(new CycleReader(files, GoodJob.DIRECTORIES).cycles())
        .containsExactly("2026-11-29-10-00-05", "2026-11-29-10-00-41", "2026-11-29-10-21-00");
  }

  @Test
  void temporaryFilesAreNoData() throws IOException {
    MemoryFiles files = GoodJob.incremental();
    files.put(GoodJob.dataFolder(2, "orders") + "/_tmp_orders_20261129100041.csv.1", "x");
    files.put(GoodJob.dataFolder(2, "orders") + "/orders_20261129100041.csv.tmp", "x");
    assertThat(rows(files, "")).isEqualTo(rows(GoodJob.incremental(), ""));
  }

  @Test
  void withoutSchemaValuesAreTextAndOldColumnsAreFoundByTheirNames() throws IOException {
    MemoryFiles files = GoodJob.incremental().remove(GoodJob.schema("orders"));
    assertThat(rows(files, ""))
        .anyMatch(
            row ->
                row.contains(
                    "\"row\":{\"id\":\"1\",\"v\":\"PAID\"},\"before\":{\"id\":\"1\",\"v\":\"NEW\"}"));
  }

  @Test
  void filesWithoutHeaderAreReadByTheirSchema() throws IOException {
    MemoryFiles files = GoodJob.incremental();
    List<String> expected = rows(files, "");
    for (String path : files.paths()) {
      if (path.contains("/data/2026")) {
        files.put(path, files.text(path).substring(files.text(path).indexOf('\n') + 1));
      }
    }
    assertThat(rows(files, "")).isEqualTo(expected);
  }

  @Test
  void packedFilesAreRead() throws IOException {
    MemoryFiles files = GoodJob.incremental();
    List<String> expected = rows(files, "");
    for (String path : files.paths()) {
      if (path.contains("/data/2026")) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
          gzip.write(files.bytes(path));
        }
        files.remove(path).put(path + ".gz", packed.toByteArray());
      }
    }
    assertThat(rows(files, "")).isEqualTo(expected);
    String path = GoodJob.data(2, "orders") + ".gz";
    files.put(path, Arrays.copyOf(files.bytes(path), files.bytes(path).length - 9));
    assertThatThrownBy(() -> rows(files, ""))
        .isInstanceOf(CycleFormatException.class)
        .hasMessageStartingWith(path + ": it is not whole gzip");
  }

  @Test
  void partsComeInTheirOrder() throws IOException {
    MemoryFiles files = GoodJob.incremental();
    List<String> expected = rows(files, "");
    String path = GoodJob.data(1, "orders");
    String text = files.text(path);
    String header = text.substring(0, text.indexOf('\n') + 1);
    int second = text.indexOf("\n\"U\"") + 1;
    files.put(path, text.substring(0, second));
    files.put(path.replace(".csv", "_0002.csv"), header + text.substring(second));
    assertThat(rows(files, "")).isEqualTo(expected);
  }

  @Test
  void absolutePathsAreFollowed() throws IOException {
    MemoryFiles files = GoodJob.incremental();
    List<String> expected = rows(files, "");
    for (String path : files.paths()) {
      if (path.contains("/cycle/") && path.endsWith(".csv")) {
        files.put(
            path, files.text(path).replace("\"sales_cdc/", "\"abfss://cdc@acc/in/sales_cdc/"));
      }
    }
    assertThat(rows(files, "")).isEqualTo(expected);
    assertThat(verify(files)).isEmpty();
  }

  private static List<?> verify(MemoryFiles files) throws IOException {
    try {
      return new CycleVerifier(GoodJob.DIRECTORIES).verify(files);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void taggedFoldersAndFlatDirectoriesAreRead() throws IOException {
    MemoryFiles tagged = new MemoryFiles();
    MemoryFiles good = GoodJob.incremental();
    for (String path : good.paths()) {
      String text = good.text(path).replaceAll("/(2026-11-29-)", "/dt=$1");
      tagged.put(path.replaceAll("/(2026-11-29-)", "/dt=$1"), text);
    }
    assertThat(rows(tagged, "2026-11-29-10-00-05")).isEqualTo(rows(good, "2026-11-29-10-00-05"));
    assertThat(verify(tagged)).isEmpty();

    MemoryFiles flat = new MemoryFiles();
    for (String path : good.paths()) {
      String folder = "/(2026-11-29-[0-9-]{8})";
      String text =
          path.endsWith(".csv") && path.contains("/contents/")
              ? good.text(path)
                  .replaceAll(
                      "data/(orders|customers)/data" + folder + "\"", "data/$1/data/$1_$2.csv\"")
              : good.text(path);
      if (path.contains("/contents/") && path.endsWith(".csv")) {
        text = text.replaceAll("_2026-11-29-(\\d\\d)-(\\d\\d)-(\\d\\d).csv", "_20261129$1$2$3.csv");
      }
      flat.put(path.replaceAll(folder + "/", "/"), text.replaceAll(folder + "/", "/"));
    }
    assertThat(rows(flat, "")).isEqualTo(rows(good, ""));
    assertThat(verify(flat)).isEmpty();
  }

  @Test
  void aDamagedTreeIsNamed() throws IOException {
    assertThatThrownBy(() -> rows(GoodJob.incremental().remove(GoodJob.contents(2)), ""))
        .isInstanceOf(CycleFormatException.class)
        .hasMessageContainingAll(GoodJob.contents(2), "there is no such file");
    assertThatThrownBy(() -> rows(GoodJob.incremental().remove(GoodJob.data(2, "orders")), ""))
        .hasMessageContainingAll(GoodJob.contents(2), GoodJob.dataFolder(2, "orders"));
    assertThatThrownBy(
            () ->
                rows(
                    GoodJob.incremental()
                        .edit(GoodJob.contents(2), "sales_cdc/data", "../sales_cdc/data"),
                    ""))
        .hasMessageContaining("leads out of the connection folder");
    assertThatThrownBy(
            () -> rows(GoodJob.incremental().edit(GoodJob.data(2, "orders"), "\"2\"", "\"x\""), ""))
        .hasMessageContainingAll(GoodJob.data(2, "orders"), "line 2, column 'id': 'x'");
    assertThatThrownBy(
            () -> rows(GoodJob.incremental().edit(GoodJob.data(2, "orders"), "\"2\"", "2"), ""))
        .hasMessageContainingAll("line 2", "'2' stands outside of double quotes");
  }

  private void write(MemoryFiles files, String job, String root) throws IOException {
    for (String path : files.paths()) {
      Path file = folder.resolve("up/connection").resolve(path.replace("sales_cdc/", job + "/"));
      String text = files.text(path).replace("sales_cdc/", job + "/");
      Files.createDirectories(file.getParent());
      Files.writeString(
          file, path.endsWith(".csv") ? text.replace("\"" + job, "\"" + root + job) : text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sales,''",
    "eu/sales,''",
    "sales,https://onelake.dfs.fabric.microsoft.com/w/l/Files/",
    "eu/sales,https://onelake.dfs.fabric.microsoft.com/w/l/Files/"
  })
  void aJobIsTheSameFromWhereverItIsSearched(String job, String root) throws IOException {
    write(GoodJob.incremental(), job, root);
    Path connection = folder.resolve("up/connection").toAbsolutePath().normalize();
    JobFolder expected = new JobFolder(connection, CycleDirectories.usual(job));
    for (Path start :
        List.of(folder, connection.getParent(), connection, connection.resolve(job))) {
      assertThat(JobFolder.in(start)).as("%s", start).containsExactly(expected);
    }
  }

  @Test
  void ofAJobWithoutCompletedCyclesTheConnectionFolderIsWhereTheSearchBegan() throws IOException {
    Files.createDirectories(folder.resolve("eu/sales/cycle/contents"));
    assertThat(JobFolder.in(folder))
        .extracting(JobFolder::directories)
        .containsExactly(CycleDirectories.usual("eu/sales"));
    assertThat(JobFolder.in(folder.resolve("eu/sales")))
        .extracting(JobFolder::directories)
        .containsExactly(CycleDirectories.usual("sales"));
    assertThat(JobFolder.in(Files.createDirectory(folder.resolve("none")))).isEmpty();
    Files.createDirectories(folder.resolve("other/cycle/contents"));
    assertThat(JobFolder.in(folder)).hasSize(2);
  }

  @Test
  void customDirectoriesAreThoseOfTheSettings() {
    assertThat(
            CycleDirectories.custom(
                "j",
                "{tasktargetdirectory}/done",
                "all/contents",
                List.of(
                    "{TaskTargetDirectory}/d/{YYYY}/{TableName}",
                    "{TaskTargetDirectory}/d/s/{TableName}")))
        .isEqualTo(new CycleDirectories("j", "j/done", "all/contents", List.of("j/d")));
    assertThat(
            CycleDirectories.custom("j", "c", "d", List.of("{TableName}/x", "s/{TableName}"))
                .tables())
        .containsExactly("s");
    assertThat(SegmentText.of("_a/b%. ")).isEqualTo("%5Fa%2Fb%25.%20");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-29-10-00-05, 2026-11-29-10-00-05",
    "dt=2026-11-29-10-00-05, 2026-11-29-10-00-05",
    "2026-11-29, ",
    "yesterday, "
  })
  void namesOfCyclesAreKnown(String text, String name) {
    assertThat(CycleReader.cycleName(text)).isEqualTo(Optional.ofNullable(name));
  }
}
