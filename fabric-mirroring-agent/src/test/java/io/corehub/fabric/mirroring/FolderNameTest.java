package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.InvalidValueException;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.testkit.HostileNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FolderNameTest {

  private static final int NAMES = 10_000;

  private static List<TableId> hostileTables() {
    HostileNames names = new HostileNames(1);
    Random random = new Random(2);
    List<TableId> tables = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      tables.add(
          random.nextBoolean() ? TableId.of(names.next()) : TableId.of(names.next(), names.next()));
    }
    return tables;
  }

  @Test
  void everyNameHasAFolderInTheLandingZoneThatLeadsBackToItOrIsRefusedByTheRules() {
    int refused = 0;
    for (TableId table : hostileTables()) {
      if (mustBeRefused(table)) {
        refused++;
        assertThatThrownBy(() -> FileSchema.folderOf(table))
            .as("%s", table)
            .isInstanceOfSatisfying(
                TableStoppedException.class,
                stop -> assertThat(stop.code()).isEqualTo(ErrorCode.NAME_REFUSED))
            .message()
            .contains("Table ", "name '", "Use another name")
            .matches(
                message -> message.codePoints().noneMatch(Character::isISOControl), "one line");
      } else {
        String folder = FolderName.of(table);
        assertThat(tableOf(folder)).as("folder %s", folder).isEqualTo(table);
        assertThat(folder.split("/", -1))
            .as("folder %s", folder)
            .doesNotContain("", ".", "..")
            .hasSize(table.schema().isPresent() ? 2 : 1)
            .noneMatch(segment -> segment.startsWith("_"));
      }
    }
    assertThat(refused).isBetween(NAMES / 20, NAMES / 2);
  }

  /** The rules once more, in other words. */
  private static boolean mustBeRefused(TableId table) {
    boolean schemaLike =
        table.schema().isEmpty() && table.name().toLowerCase(Locale.ROOT).endsWith(".schema");
    return schemaLike
        || !usable(table.name())
        || table.schema().map(schema -> !usable(schema)).orElse(false);
  }

  private static boolean usable(String name) {
    return !name.startsWith("_")
        && !name.matches("\\.{1,2}")
        && name.chars().noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0) || c == '/' || c == '\\')
        && name.equals(
            new String(
                name.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                java.nio.charset.StandardCharsets.UTF_8));
  }

  /** The table of a folder as Fabric reads it. */
  private static TableId tableOf(String folder) {
    int slash = folder.indexOf('/');
    return slash < 0
        ? TableId.of(folder)
        : TableId.of(folder.substring(0, slash - ".schema".length()), folder.substring(slash + 1));
  }

  @Test
  void foldersThatDifferOnlyByCaseAreEqualIgnoringCase() {
    Map<String, String> firsts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, Integer> sizes = new HashMap<>();
    for (TableId table : hostileTables()) {
      if (!mustBeRefused(table)) {
        String folder = FolderName.of(table);
        String first = firsts.putIfAbsent(folder, folder);
        if (first != null && !first.equals(folder)) {
          assertThat(IgnoringCase.of(folder)).isEqualTo(IgnoringCase.of(first));
          sizes.merge(first, 1, Integer::sum);
        }
      }
    }
    assertThat(sizes).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @CsvSource({
    "Orders, ORDERS",
    "i, I",
    "\u0130, i",
    "\u0131, I",
    "\u03a3, \u03c2",
    "Stra\u00dfe, STRASSE",
    "\u212a, k"
  })
  void lettersThatAreOneIgnoringCase(String one, String other) {
    assertThat(IgnoringCase.of(one)).isEqualTo(IgnoringCase.of(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "sales.schema", "/sales.schema/", " sales.schema "})
  void prefixesThatFabricKnows(String prefix) {
    assertThat(FolderName.knownToFabric(FolderName.prefix(prefix))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sales", "a/b.schema", "a/b/c/d/e/f/g/h/i/j"})
  void prefixesThatFabricDoesNotKnow(String prefix) {
    assertThat(FolderName.knownToFabric(FolderName.prefix(prefix))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "a/../b", "./a", "_a", "a/_b", "a\\b", "a\nb", "x/\ud800"})
  void prefixesThatLeaveTheLandingZoneOrHideInIt(String prefix) {
    assertThatThrownBy(() -> FolderName.prefix(prefix))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("Custom prefix folder");
  }

  @Test
  void emptyFoldersOfAPrefixAreLeftOut() {
    assertThat(FolderName.prefix("//a//b.schema/")).isEqualTo(List.of("a", "b.schema"));
  }
}
