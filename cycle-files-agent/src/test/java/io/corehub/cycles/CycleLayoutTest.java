package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.CycleLayout.Choices;
import io.corehub.cycles.PathPattern.BadPatternException;
import io.corehub.testkit.HostileNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CycleLayoutTest {

  private static final CycleName CYCLE = new CycleName(Instant.parse("2026-11-29T10:00:05Z"));
  private static final TableId ORDERS = TableId.of("sales", "orders");

  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "taskTargetDirectory", "sales_cdc",
              "dataDirectory", "{TaskTargetDirectory}/data/{TableName}/data",
              "schemaDirectory", "{TaskTargetDirectory}/data/{TableName}/schema",
              "cycleCompletionDirectory", "{TaskTargetDirectory}/cycle/completed",
              "cycleContentsDirectory", "{TaskTargetDirectory}/cycle/contents",
              "avroSchemaDirectory", ""));
  private boolean tags;
  private boolean dataFolders = true;
  private boolean summaryFolders = true;
  private DataFormat format = DataFormat.CSV;
  private boolean schemaFileForParquet;

  private CycleLayout layout() {
    return CycleLayout.of(
        new Choices(
            settings.get("taskTargetDirectory"),
            settings.get("dataDirectory"),
            settings.get("schemaDirectory"),
            settings.get("cycleCompletionDirectory"),
            settings.get("cycleContentsDirectory"),
            settings.get("avroSchemaDirectory"),
            tags,
            dataFolders,
            summaryFolders,
            format,
            schemaFileForParquet));
  }

  @Test
  void theDefaultDirectoriesAreThoseOfTheSourceDocument() {
    CycleLayout layout = CycleLayout.of(Choices.usual("sales_cdc", DataFormat.CSV));
    assertThat(layout.dataFile(ORDERS, CYCLE, 1))
        .isEqualTo("sales_cdc/data/orders/data/2026-11-29-10-00-05/orders_20261129100005.csv");
    assertThat(layout.schemaFile(ORDERS, 1))
        .isEqualTo("sales_cdc/data/orders/schema/V1/orders.schema");
    assertThat(layout.schemaPath(ORDERS, 12))
        .isEqualTo("sales_cdc/data/orders/schema/V12/orders.schema");
    assertThat(layout.schemaIni(ORDERS, 1)).isEqualTo("sales_cdc/data/orders/schema/V1/schema.ini");
    assertThat(layout.manifestFile(CYCLE))
        .isEqualTo("sales_cdc/cycle/contents/2026-11-29-10-00-05/_manifest-20261129100005.json");
    assertThat(layout.contentsFile(CYCLE))
        .isEqualTo(
            "sales_cdc/cycle/contents/2026-11-29-10-00-05/Cycle-contents-20261129100005.csv");
    assertThat(layout.completedFile(CYCLE))
        .isEqualTo("sales_cdc/cycle/completed/2026-11-29-10-00-05/Cycle-20261129100005.csv");
    assertThat(layout.writerFolder()).isEqualTo("sales_cdc/cycle/_writer");
    assertThat(layout.dataRoot()).isEqualTo("sales_cdc/data");
    assertThat(layout.schemaRoot()).isEqualTo("sales_cdc/data");
    assertThat(layout.completedRoot()).isEqualTo("sales_cdc/cycle/completed");
    assertThat(layout.contentsRoot()).isEqualTo("sales_cdc/cycle/contents");
    assertThat(layout.contentsName(ORDERS)).isEqualTo("orders");
    assertThat(layout.avroFile(ORDERS, 1)).isEmpty();
  }

  @Test
  void tagsStandBeforeEveryCycleFolder() {
    tags = true;
    CycleLayout layout = layout();
    assertThat(
            List.of(
                layout.dataFile(ORDERS, CYCLE, 1),
                layout.contentsFile(CYCLE),
                layout.manifestFile(CYCLE),
                layout.completedFile(CYCLE)))
        .allMatch(path -> path.contains("/dt=2026-11-29-10-00-05/"));
  }

  @Test
  void withoutCycleFoldersFilesLieSideBySide() {
    dataFolders = false;
    summaryFolders = false;
    CycleLayout layout = layout();
    assertThat(layout.dataFile(ORDERS, CYCLE, 2))
        .isEqualTo("sales_cdc/data/orders/data/orders_20261129100005_0002.csv");
    assertThat(layout.contentsFile(CYCLE))
        .isEqualTo("sales_cdc/cycle/contents/Cycle-contents-20261129100005.csv");
    assertThat(layout.completedFile(CYCLE))
        .isEqualTo("sales_cdc/cycle/completed/Cycle-20261129100005.csv");
  }

  @ParameterizedTest
  @CsvSource({
    "{yyyy}/{mm}/{dd}/{SchemaName}/{TableName}/{Timestamp},"
        + " 2026/11/29/sales/orders/20261129100005",
    "{TaskTargetDirectory}/{SCHEMANAME}_{tablename}, sales_cdc/sales_orders",
    "in/{TableName}-{YY}{MM}{DD}-{HH}h, in/orders-261129-10h",
    "{tasktargetdirectory}/{TableName}, sales_cdc/orders"
  })
  void aPatternIsFilledIn(String pattern, String directory) {
    settings.put("dataDirectory", pattern);
    assertThat(layout().dataFolder(ORDERS, CYCLE)).isEqualTo(directory + "/2026-11-29-10-00-05");
  }

  @Test
  void theSchemaOfATableWithoutOneDropsItsSegment() {
    settings.put("dataDirectory", "{TaskTargetDirectory}/{SchemaName}/{TableName}");
    assertThat(layout().dataFolder(TableId.of("orders"), CYCLE))
        .isEqualTo("sales_cdc/orders/2026-11-29-10-00-05");
    assertThat(layout().contentsName(TableId.of("orders"))).isEqualTo("orders");
    assertThat(layout().contentsName(ORDERS)).isEqualTo("sales.orders");
  }

  @Test
  void theJobsFolderMayHaveSeveralSegments() {
    settings.put("taskTargetDirectory", "eu/sales");
    assertThat(layout().completedRoot()).isEqualTo("eu/sales/cycle/completed");
    assertThat(layout().writerFolder()).isEqualTo("eu/sales/cycle/_writer");
    settings.put("dataDirectory", "{TaskTargetDirectory}/{YYYY}/{TableName}");
    assertThat(layout().dataRoot()).isEqualTo("eu/sales");
    settings.put("dataDirectory", "{TableName}/x");
    assertThat(layout().dataRoot()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "or/ders, or%2Fders",
    "a\\b:c*d?e\"f<g>h|i, a%5Cb%3Ac%2Ad%3Fe%22f%3Cg%3Eh%7Ci",
    "100%, 100%25",
    "%2F, %252F",
    "_x, %5Fx",
    ".x, %2Ex",
    "x., x%2E",
    "'x ', x%20",
    ".., %2E%2E",
    "'_', %5F",
    "a_b.c d, a_b.c d",
    "größe, größe",
    "\uD83D\uDE00, \uD83D\uDE00"
  })
  void namesAreEncodedInFoldersAndFiles(String name, String segment) {
    assertThat(layout().dataFile(TableId.of(name), CYCLE, 1))
        .isEqualTo(
            "sales_cdc/data/"
                + segment
                + "/data/2026-11-29-10-00-05/"
                + segment
                + "_20261129100005.csv");
    assertThat(layout().contentsName(TableId.of(name))).isEqualTo(name);
  }

  @Test
  void controlCharactersAndHalfPairsAreEncodedToo() {
    assertThat(PathSegment.of("a\u0000b\n\u007F")).isEqualTo("a%00b%0A%7F");
    assertThat(PathSegment.of("a\uD83D")).isEqualTo("a%ED%A0%BD");
  }

  @Test
  void noTwoNamesShareASegmentAndNoneLeadsElsewhere() {
    HostileNames names = new HostileNames(5);
    Map<String, String> seen = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String name = names.next();
      if (name.isEmpty()) {
        continue;
      }
      String segment = PathSegment.of(name);
      String other = seen.putIfAbsent(segment, name);
      assertThat(other == null || other.equals(name)).as("%s and %s", other, name).isTrue();
      assertThat(segment)
          .doesNotContain("/", "\\", ":", "*", "?", "\"", "<", ">", "|")
          .matches(s -> s.codePoints().noneMatch(Character::isISOControl))
          .doesNotStartWith("_")
          .doesNotStartWith(".")
          .doesNotEndWith(".")
          .doesNotEndWith(" ");
    }
    assertThat(seen).hasSizeGreaterThan(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "dataDirectory; ``; is empty",
        "dataDirectory; `{TabelName}`; unknown placeholder {TabelName}. Use {TaskTargetDirectory}",
        "dataDirectory; `/abs/{TableName}`; empty segment",
        "dataDirectory; `a//{TableName}`; empty segment",
        "dataDirectory; `{TableName}/`; empty segment",
        "dataDirectory; `../{TableName}`; leads out of the folder",
        "dataDirectory; `./{TableName}`; leads out of the folder",
        "dataDirectory; `_x/{TableName}`; begin with '_' or '.'",
        "dataDirectory; `x./{TableName}`; at the end",
        "dataDirectory; `x:y/{TableName}`; cannot stand in a directory's name",
        "dataDirectory; `x%20/{TableName}`; cannot stand in a directory's name",
        "dataDirectory; `x}/{TableName}`; cannot stand in a directory's name",
        "dataDirectory; `{TableName`; '{' without its '}'",
        "dataDirectory; `x{TaskTargetDirectory}/{TableName}`; other text beside {TaskTargetDirectory}",
        "dataDirectory; `{TaskTargetDirectory}/cycle/completed`; Give each its own",
        "schemaDirectory; `{TaskTargetDirectory}/schema`; Add {TableName}",
        "schemaDirectory; `{YYYY}/{TableName}`; may not have the placeholder {YYYY}",
        "schemaDirectory; `{TaskTargetDirectory}/data/{TableName}/data`; Give each its own",
        "cycleCompletionDirectory; `{TableName}/done`; may not have the placeholder {TableName}",
        "cycleCompletionDirectory; `{YYYY}/done`; may not have the placeholder {YYYY}",
        "cycleContentsDirectory; `{TaskTargetDirectory}/CYCLE/completed`; Give each its own",
        "avroSchemaDirectory; `{SchemaName}`; may not have the placeholder {SchemaName}",
        "taskTargetDirectory; `{TableName}`; may not have the placeholder {TableName}. Use none",
        "taskTargetDirectory; `a/../b`; leads out of the folder"
      })
  void aBadPatternIsOneErrorThatNamesItsSetting(String setting, String value, String why) {
    settings.put(setting, value);
    assertThatThrownBy(this::layout)
        .isInstanceOf(BadPatternException.class)
        .hasMessageContaining(setting)
        .hasMessageContaining(why)
        .matches(e -> e.getMessage().lines().count() == 1);
  }

  @Test
  void withoutCycleFoldersTheDataDirectoryNeedsTheTable() {
    settings.put("dataDirectory", "{TaskTargetDirectory}/all");
    dataFolders = false;
    assertThatThrownBy(this::layout)
        .hasMessage(
            "dataDirectory '{TaskTargetDirectory}/all' puts the files of all tables into one"
                + " directory. Add {TableName}.");
  }

  @ParameterizedTest
  @CsvSource({
    "sales.orders, hr.orders, 'Add {SchemaName} to the pattern'",
    "sales.orders, hr.ORDERS, 'Add {SchemaName} to the pattern'",
    "sales.orders, sales.Orders, 'differ only by case'",
    "sales.ma\u00DFe, sales.MASSE, 'differ only by case'"
  })
  void tablesThatShareADirectoryClash(String one, String other, String remedy) {
    Map<TableId, String> clashes =
        layout().clashes(List.of(TableId.parse(one), TableId.parse(other)));
    assertThat(clashes).containsOnlyKeys(TableId.parse(other));
    assertThat(clashes.get(TableId.parse(other))).contains("dataDirectory", one, other, remedy);
  }

  @Test
  void withTheSchemaInThePatternsTheyDoNot() {
    settings.put("dataDirectory", "{SchemaName}/{TableName}");
    settings.put("schemaDirectory", "schemas/{SchemaName}/{TableName}");
    assertThat(layout().clashes(List.of(ORDERS, TableId.of("hr", "orders"), TableId.of("x"))))
        .isEmpty();
  }

  @Test
  void aTableMayNotLieWhereTheSummaryFilesDo() {
    settings.put("dataDirectory", "{TaskTargetDirectory}/cycle/{TableName}");
    TableId table = TableId.of("Completed");
    assertThat(layout().clashes(List.of(table)).get(table))
        .contains("dataDirectory", "Completed", "cycleCompletionDirectory");
  }

  @ParameterizedTest
  @CsvSource({
    "a.b_c, a_b.c",
    "sales.orders, sales.orders_V2",
    "sales.orders_v13, sales.orders",
    "sales.orders, SALES.ORDERS"
  })
  void tablesThatWouldShareAnAvroFileClash(String one, String other) {
    settings.put("dataDirectory", "{SchemaName}/{TableName}/d");
    settings.put("schemaDirectory", "{SchemaName}/{TableName}/s");
    settings.put("avroSchemaDirectory", "avro");
    Map<TableId, String> clashes =
        layout().clashes(List.of(TableId.parse(one), TableId.parse(other)));
    assertThat(clashes).containsOnlyKeys(TableId.parse(other));
  }

  @Test
  void namesThatOnlyLookLikeVersionsShareNoAvroFile() {
    settings.put("avroSchemaDirectory", "avro");
    assertThat(
            layout()
                .clashes(
                    List.of(
                        TableId.of("orders"), TableId.of("orders_V1"), TableId.of("orders_V02"))))
        .isEmpty();
  }

  @Test
  void avroFilesAreNamedAfterSchemaTableAndVersion() {
    format = DataFormat.PARQUET;
    settings.put("avroSchemaDirectory", "avro");
    assertThat(layout().avroFile(ORDERS, 1)).contains("avro/sales_orders.txt");
    assertThat(layout().avroFile(ORDERS, 2)).contains("avro/sales_orders_V2.txt");
    assertThat(layout().avroFile(TableId.of("orders"), 1)).contains("avro/orders.txt");
    assertThat(layout().avroFile(TableId.of("_x"), 1)).contains("avro/%5Fx.txt");
  }

  @Test
  void theSchemaPathOfParquetDanglesUnlessAFileStandsInForIt() {
    format = DataFormat.PARQUET;
    assertThat(layout().writesSchemaFiles()).isFalse();
    assertThat(layout().schemaPath(ORDERS, 2))
        .isEqualTo("sales_cdc/data/orders/schema/V2/orders.schema");
    settings.put("avroSchemaDirectory", "avro");
    assertThat(layout().schemaPath(ORDERS, 2)).isEqualTo("avro/sales_orders_V2.txt");
    schemaFileForParquet = true;
    assertThat(layout().writesSchemaFiles()).isTrue();
    assertThat(layout().schemaPath(ORDERS, 2))
        .isEqualTo("sales_cdc/data/orders/schema/V2/orders.schema");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abfss://cdc@acc.dfs.core.windows.net/in", "file:///var/cdc"})
  void pathsMayBeginWithTheAddressOfTheConnectionFolder(String root) {
    assertThat(PathStyle.absolute(root).of("a/b.csv")).isEqualTo(root + "/a/b.csv");
    assertThat(PathStyle.RELATIVE.of("a/b.csv")).isEqualTo("a/b.csv");
  }
}
