package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.onelake.local.LocalDfsClient;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page on cycle files shows was made by a run, and its consumers work as they stand there.
 * {@code -Ddocs.update=true} writes the tree, the files and the Java consumer anew.
 */
class CyclePageTest {

  private static final Path PAGE = Path.of("..", "docs", "cycle-files.md");
  private static final Path CONSUMER =
      Path.of("src/test/java/io/corehub/cycles/OrdersConsumer.java");

  @TempDir Path directory;
  private final Job job = new Job();
  private Path folder;

  @BeforeEach
  void workedExample() throws InterruptedException {
    folder = directory.resolve("cdc/sales_cdc");
    job.settings.put("storageUrl", "file://" + directory);
    LocalDfsClient client = new LocalDfsClient(directory.resolve("cdc"));
    job.reads(client, "sales_cdc");
    job.start(
        job.listener.resumePoint(),
        () -> new LocalDfsClient(directory.resolve("cdc")),
        ORDERS,
        CUSTOMERS);
    SourceCommit[] commits = WorkedExampleTest.commits();
    String[] times = {"10:00:05", "10:00:20", "10:00:40", "10:00:41", "10:05:00", "10:06:00"};
    for (int i = 0; i < commits.length; i++) {
      job.time.turnTo(at(times[i]));
      if (i == 3) {
        job.awaitConfirmed(103);
      }
      job.apply(commits[i]);
    }
    job.time.turnTo(at("10:07:00"));
    job.awaitConfirmed(106);
  }

  @AfterEach
  void close() {
    job.close();
  }

  /** The block of a language behind a heading. */
  private static Matcher block(String page, String heading, String language) {
    Matcher block =
        Pattern.compile(
                "\n#+ " + Pattern.quote(heading) + "\n.*?```" + language + "\n(.*?)```",
                Pattern.DOTALL)
            .matcher(page);
    assertThat(block.find()).as("a block of %s below '%s' on %s", language, heading, PAGE).isTrue();
    return block;
  }

  private static void assertShown(String heading, String language, String made) throws IOException {
    String page = Files.readString(PAGE);
    Matcher block = block(page, heading, language);
    if (Boolean.getBoolean("docs.update")) {
      Files.writeString(
          PAGE, page.substring(0, block.start(1)) + made + page.substring(block.end(1)));
      return;
    }
    assertThat(block.group(1))
        .as("cycle-files.md is stale: run this test with -Ddocs.update=true")
        .isEqualTo(made);
  }

  @Test
  void everyTestThatThePromisesNameIsThere() throws IOException {
    Matcher named =
        Pattern.compile("`(\\w+Test)`")
            .matcher(Files.readString(Path.of("..", "docs", "design", "cycle-files.md")));
    List<String> names = named.results().map(found -> found.group(1)).distinct().toList();
    List<String> there;
    try (Stream<Path> all = Files.walk(Path.of(".."))) {
      there =
          all.filter(file -> file.toString().contains("src" + File.separator + "test"))
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .toList();
    }
    assertThat(names).hasSizeGreaterThan(20);
    assertThat(there).containsAll(names);
  }

  @Test
  void theTreeIsThatOfARun() throws IOException {
    StringBuilder tree = new StringBuilder("cdc/\n");
    draw(directory.resolve("cdc"), "", tree);
    assertShown("Layout", "text", tree.toString());
  }

  private static void draw(Path folder, String margin, StringBuilder tree) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(folder)) {
      entries = all.sorted().toList();
    }
    for (int i = 0; i < entries.size(); i++) {
      Path entry = entries.get(i);
      boolean last = i == entries.size() - 1;
      tree.append(margin).append(last ? "└─ " : "├─ ").append(entry.getFileName());
      Path at = entry;
      // A folder with one entry shares its line.
      while (Files.isDirectory(at)) {
        List<Path> inside;
        try (Stream<Path> all = Files.list(at)) {
          inside = all.toList();
        }
        tree.append('/');
        if (inside.size() != 1) {
          break;
        }
        at = inside.get(0);
        tree.append(at.getFileName());
      }
      tree.append('\n');
      if (Files.isDirectory(at)) {
        draw(at, margin + (last ? "   " : "│  "), tree);
      }
    }
  }

  @Test
  void theFilesAreThoseOfARun() throws IOException {
    assertShown("Rows", "csv", text("data/orders/data/2026-11-29-10-00-05"));
    assertShown("Contents file", "csv", text("cycle/contents/2026-11-29-10-00-05"));
    assertShown("Completed file", "csv", text("cycle/completed/2026-11-29-10-00-05"));
  }

  /** The file of a folder that readers see. */
  private String text(String of) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(of))) {
      return Files.readString(
          files
              .filter(file -> !file.getFileName().toString().startsWith("_"))
              .findFirst()
              .orElseThrow());
    }
  }

  /** More cycles, with a key that changes, a deleted row, and one that comes again. */
  private void later() throws InterruptedException {
    job.apply(
        SourceCommit.at(
            107,
            new Update(
                WorkedExampleTest.order(3, null, "1.00"), WorkedExampleTest.order(4, "", "2.00"))),
        SourceCommit.at(108, new Insert(WorkedExampleTest.order(2, "AGAIN", "7.00"))));
    job.agent.flush();
    job.awaitConfirmed(108);
  }

  private static List<String> orders(Connection database) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement sql = database.createStatement();
        ResultSet found =
            sql.executeQuery("SELECT order_id, status, amount FROM orders ORDER BY order_id")) {
      while (found.next()) {
        rows.add(found.getInt(1) + " " + found.getString(2) + " " + found.getString(3));
      }
    }
    return rows;
  }

  @Test
  void theJavaConsumerIsTheOneThatRunsHere() throws Exception {
    String source = Files.readString(CONSUMER);
    assertShown("In Java", "java", source.substring(source.indexOf("import ")));
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:")) {
      OrdersConsumer consumer = new OrdersConsumer(database);
      consumer.catchUp(folder);
      assertThat(orders(database)).containsExactly("1 PAID 10.00", "3 null 1.00");
      later();
      Path newest = newestData();
      byte[] whole = Files.readAllBytes(newest);
      Files.writeString(newest, "\"I\"", StandardOpenOption.APPEND);
      assertThatThrownBy(() -> consumer.catchUp(folder)).isInstanceOf(IOException.class);
      assertThat(orders(database)).as("nothing of a half").hasSize(2);
      Files.write(newest, whole);
      consumer.catchUp(folder);
      consumer.catchUp(folder);
      assertThat(orders(database)).containsExactly("1 PAID 10.00", "2 AGAIN 7.00", "4  2.00");
    }
  }

  /** The last data file of the orders. */
  private Path newestData() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("data/orders/data"))) {
      return files.filter(Files::isRegularFile).max(Comparator.naturalOrder()).orElseThrow();
    }
  }

  @Test
  void theDuckDbConsumerWorksAsItStandsThere() throws Exception {
    String script = block(Files.readString(PAGE), "In DuckDB", "sql").group(1);
    assertThat(script).contains("'cdc/sales_cdc/", "'cdc/'");
    // The page runs it beside the connection folder.
    String here = script.replace("'cdc/", "'" + directory + "/cdc/");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:")) {
      run(database, here);
      assertThat(orders(database)).containsExactly("1 PAID 10.00", "3 null 1.00");
      later();
      run(database, here);
      assertThat(orders(database)).containsExactly("1 PAID 10.00", "2 AGAIN 7.00", "4  2.00");
      run(database, here);
      assertThat(orders(database)).as("nothing new").hasSize(3);
    }
  }

  private static void run(Connection database, String script) throws SQLException {
    try (Statement sql = database.createStatement()) {
      for (String statement : statements(script)) {
        sql.execute(statement);
      }
    }
  }

  private static List<String> statements(String script) {
    String code =
        script.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    return Stream.of(code.split(";")).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }
}
