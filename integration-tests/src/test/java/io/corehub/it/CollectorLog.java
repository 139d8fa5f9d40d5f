package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads what {@code -Xlog:gc:file=…} wrote. */
final class CollectorLog {

  private static final Pattern AFTER = Pattern.compile("->(\\d+)M\\(");

  private CollectorLog() {}

  /** The most that was in use right after a collection, in MB: what lived, and old garbage. */
  static int largestAfterCollection(Path log) throws IOException {
    String text = Files.readString(log);
    List<Integer> sizes =
        AFTER.matcher(text).results().map(found -> Integer.valueOf(found.group(1))).toList();
    assertThat(sizes).as(text).isNotEmpty();
    return sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }
}
