package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the security page promises is held by tests that exist. */
class SecurityPageTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z]+Test)`");

  private static List<String> page() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/security.md"));
  }

  @Test
  void everyTestItNamesIsThere() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String line : page()) {
      Matcher test = NAMED.matcher(line);
      while (test.find()) {
        named.add(test.group(1));
      }
    }
    assertThat(named).hasSizeGreaterThan(25);
    try (Stream<Path> modules = Files.list(ROOT)) {
      Set<String> present = new TreeSet<>();
      for (Path sources : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            present.addAll(
                files
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet()));
          }
        }
      }
      assertThat(present).containsAll(named);
    }
  }

  @Test
  void noRiskIsLeftOut() throws IOException {
    List<String> rows =
        page().stream()
            .filter(line -> line.matches("\\| S[0-9]+ \\|.*"))
            .map(line -> line.substring(2, line.indexOf(' ', 2)))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 21).mapToObj(n -> "S" + n).toList());
  }
}
