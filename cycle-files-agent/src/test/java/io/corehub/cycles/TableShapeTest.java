package io.corehub.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.runtime.rows.TypeRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which columns files have, when they are another version, and what schema files say. */
class TableShapeTest {

  private static final Column ID = Column.of("id", ColumnType.of(Kind.INT));
  private static final Column NAME = Column.of("name", ColumnType.of(Kind.STRING));
  private static final Column AMOUNT = Column.of("amount", ColumnType.decimal(10, 2));

  private static TableSchema table(List<String> key, Column... columns) {
    return new TableSchema(TableId.of("sales", "orders"), List.of(columns), key, 1);
  }

  private static TableShape shape(TableSchema table) {
    return TableShape.of(table, ColumnChoices.USUAL, DataFormat.CSV);
  }

  @Test
  void everyDriftIsAnotherVersionAndNothingElseIs() {
    Set<String> hashes = new HashSet<>();
    List<String> key = List.of("id");
    TableSchema start = table(key, ID, NAME);
    List<TableShape> shapes =
        new ArrayList<>(
            List.of(
                shape(start),
                shape(table(key, ID, NAME, AMOUNT)),
                shape(table(key, ID)),
                shape(table(key, ID, Column.of("title", NAME.type()))),
                shape(table(key, NAME, ID)),
                shape(table(key, ID, Column.of("name", AMOUNT.type()))),
                shape(table(key, ID, Column.of("name", ColumnType.decimal(10, 3)))),
                shape(table(key, ID, Column.of("name", ColumnType.of(Kind.MAP)))),
                shape(table(key, ID.as(TargetType.parse("long")), NAME)),
                shape(table(List.of("name"), ID, NAME)),
                shape(table(List.of(), ID, NAME)),
                TableShape.of(start, ColumnChoices.USUAL, DataFormat.PARQUET),
                TableShape.of(
                    start,
                    new ColumnChoices("CDC_", "_OLD", true, false, false, true, TypeRules.DEFAULTS),
                    DataFormat.CSV),
                TableShape.of(
                    start,
                    new ColumnChoices(
                        "CDC_", "_OLD", false, false, false, false, TypeRules.DEFAULTS),
                    DataFormat.CSV)));
    shapes.forEach(shape -> assertThat(hashes.add(shape.hash())).as("%s", shape.table()).isTrue());
    assertThat(shape(new TableSchema(start.table(), start.columns(), key, 9)).hash())
        .isEqualTo(shape(start).hash());
    assertThat(
            shape(
                    new TableSchema(
                        start.table(),
                        List.of(new Column("id", ID.type(), false, ID.targetType()), NAME),
                        key,
                        1))
                .hash())
        .as("a file says nothing of NOT NULL")
        .isEqualTo(shape(start).hash());
    assertThat(TableShape.of(start, ColumnChoices.USUAL, DataFormat.CSV_GZIP).hash())
        .isEqualTo(shape(start).hash());
  }

  @Test
  void theFingerprintIsTheSameInEveryRelease() {
    assertThat(shape(table(List.of("id"), ID, NAME, AMOUNT)).hash())
        .isEqualTo("3b6417bb9922efd1a56f883c.a56145270ce6b3bebd1dd012");
  }

  @Test
  void aChangeOfTheKeyIsToldFromDrift() {
    TableShape keyed = shape(table(List.of("id"), ID, NAME));
    assertThat(shape(table(List.of("id"), ID, NAME, AMOUNT)).sameKeyAs(keyed.hash())).isTrue();
    assertThat(shape(table(List.of("name"), ID, NAME)).sameKeyAs(keyed.hash())).isFalse();
    assertThat(shape(table(List.of(), ID, NAME)).sameKeyAs(keyed.hash())).isFalse();
    assertThat(keyed.sameKeyAs("")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "cdc_operation_type; the metadata column 'CDC_OPERATION_TYPE'",
        "Cdc_Sortable_Sequence; the metadata column 'CDC_SORTABLE_SEQUENCE'",
        "ID_old; the old value of 'id'",
        "NAME; column 'name' and column 'NAME' share a name. Rename the column in the source, or leave it out."
      })
  void aNameThatIsTakenStopsTheTable(String name, String taken) {
    assertThatThrownBy(
            () -> shape(table(List.of("id"), ID, NAME, Column.of(name, ColumnType.of(Kind.INT)))))
        .isInstanceOfSatisfying(
            TableStoppedException.class,
            stop -> {
              assertThat(stop.code()).isEqualTo(ErrorCode.NAME_REFUSED);
              assertThat(stop.table()).isEqualTo(TableId.of("sales", "orders"));
            })
        .hasMessageContainingAll(
            "Table sales.orders", "'" + name + "'", taken, "Rename the column");
  }

  @Test
  void otherNamesOfMetadataMakeRoom() {
    ColumnChoices other =
        new ColumnChoices("INFA_", "_WAS", false, false, false, true, TypeRules.DEFAULTS);
    TableSchema table =
        table(
            List.of("id"),
            ID,
            Column.of("id_OLD", ID.type()),
            Column.of("CDC_OPERATION_TYPE", ID.type()));
    assertThat(TableShape.of(table, other, DataFormat.CSV).all())
        .extracting(ShapeColumn::name)
        .containsExactly(
            "INFA_OPERATION_TYPE",
            "INFA_SORTABLE_SEQUENCE",
            "id",
            "id_OLD",
            "CDC_OPERATION_TYPE",
            "id_WAS",
            "id_OLD_WAS",
            "CDC_OPERATION_TYPE_WAS");
  }

  @Test
  void parquetRefusesDecimalsWithoutBoundAndCsvDoesNot() {
    TableSchema table = table(List.of(), ID, Column.of("x", ColumnType.of(Kind.BIG_DECIMAL)));
    assertThat(shape(table).columns()).hasSize(2);
    assertThatThrownBy(() -> TableShape.of(table, ColumnChoices.USUAL, DataFormat.PARQUET))
        .isInstanceOf(TableStoppedException.class)
        .hasMessageContainingAll("sales.orders", "'x'", "bigdecimal(p,s)");
  }

  @Test
  void theSchemaFileIsAnAvroRecordOfAllColumns() throws Exception {
    Column odd = Column.of("größe, \"x\"", ColumnType.of(Kind.OFFSET_DATE_TIME));
    TableShape shape =
        shape(table(List.of("id"), ID, NAME.as(TargetType.parse("string")), AMOUNT, odd));
    JsonNode record = new ObjectMapper().readTree(SchemaFile.bytes(shape, 3));
    assertThat(record.get("type").asText()).isEqualTo("record");
    assertThat(record.get("name").asText()).isEqualTo("orders");
    assertThat(record.get("namespace").asText()).isEqualTo("sales");
    assertThat(record.get("table").asText()).isEqualTo("sales.orders");
    assertThat(record.get("schemaVersion").asInt()).isEqualTo(3);
    assertThat(record.get("keyColumns").toString()).isEqualTo("[\"id\"]");
    List<String> fields = new ArrayList<>();
    record.get("fields").forEach(field -> fields.add(field.toString()));
    assertThat(fields)
        .containsExactly(
            "{\"name\":\"CDC_OPERATION_TYPE\",\"type\":\"string\",\"role\":\"operationType\"}",
            "{\"name\":\"CDC_SORTABLE_SEQUENCE\",\"type\":\"string\",\"role\":\"sortableSequence\"}",
            "{\"name\":\"id\",\"type\":[\"null\",\"int\"],\"default\":null,\"sourceType\":\"INT\","
                + "\"key\":true}",
            "{\"name\":\"name\",\"type\":[\"null\",\"string\"],\"default\":null,"
                + "\"sourceType\":\"STRING\",\"targetType\":\"string\"}",
            "{\"name\":\"amount\",\"type\":[\"null\",{\"type\":\"bytes\","
                + "\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}],\"default\":null,"
                + "\"sourceType\":\"BIG_DECIMAL(10,2)\"}",
            "{\"name\":\"gr__e___x_\",\"columnName\":\"größe, \\\"x\\\"\",\"type\":[\"null\","
                + "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}],\"default\":null,"
                + "\"sourceType\":\"OFFSET_DATE_TIME\"}",
            "{\"name\":\"id_OLD\",\"type\":[\"null\",\"int\"],\"default\":null,"
                + "\"sourceType\":\"INT\",\"beforeImageOf\":\"id\"}",
            "{\"name\":\"name_OLD\",\"type\":[\"null\",\"string\"],\"default\":null,"
                + "\"sourceType\":\"STRING\",\"targetType\":\"string\",\"beforeImageOf\":\"name\"}",
            "{\"name\":\"amount_OLD\",\"type\":[\"null\",{\"type\":\"bytes\","
                + "\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}],\"default\":null,"
                + "\"sourceType\":\"BIG_DECIMAL(10,2)\",\"beforeImageOf\":\"amount\"}",
            "{\"name\":\"gr__e___x__OLD\",\"columnName\":\"größe, \\\"x\\\"_OLD\","
                + "\"type\":[\"null\",{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}],"
                + "\"default\":null,\"sourceType\":\"OFFSET_DATE_TIME\","
                + "\"beforeImageOf\":\"größe, \\\"x\\\"\"}");
  }

  @Test
  void namesThatAvroWouldTakeForOneAreToldApart() throws Exception {
    TableShape shape =
        shape(
            new TableSchema(
                TableId.of("1-a"),
                List.of(Column.of("a-b", ID.type()), Column.of("a_b", ID.type())),
                List.of(),
                1));
    JsonNode record = new ObjectMapper().readTree(SchemaFile.bytes(shape, 1));
    assertThat(record.get("name").asText()).isEqualTo("_1_a");
    assertThat(record.has("namespace")).isFalse();
    assertThat(record.get("fields").findValuesAsText("name"))
        .containsExactly(
            "CDC_OPERATION_TYPE", "CDC_SORTABLE_SEQUENCE", "a_b", "a_b_2", "a_b_OLD", "a_b_OLD_2");
    assertThat(record.get("fields").findValuesAsText("columnName"))
        .containsExactly("a-b", "a_b", "a-b_OLD", "a_b_OLD");
  }

  @Test
  void theIniNamesEachColumnAndItsType() {
    assertThat(
            new String(
                SchemaFile.ini(shape(table(List.of("id"), ID, AMOUNT)), true),
                StandardCharsets.UTF_8))
        .isEqualTo(
            "[orders]\r\n"
                + "ColNameHeader=True\r\n"
                + "Format=CSVDelimited\r\n"
                + "CharacterSet=UTF-8\r\n"
                + "Col1=\"CDC_OPERATION_TYPE\" Text\r\n"
                + "Col2=\"CDC_SORTABLE_SEQUENCE\" Text\r\n"
                + "Col3=\"id\" Long\r\n"
                + "Col4=\"amount\" Decimal\r\n"
                + "Col5=\"id_OLD\" Long\r\n"
                + "Col6=\"amount_OLD\" Decimal\r\n");
  }
}
