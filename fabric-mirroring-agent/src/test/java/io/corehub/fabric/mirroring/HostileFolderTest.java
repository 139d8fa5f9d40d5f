package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.FooterReader;
import io.corehub.parquet.FooterReading;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import io.corehub.parquet.ParquetWriter;
import io.corehub.parquet.WriterOptions;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever may write in the landing zone may put anything there. A table whose last file or metadata
 * was tampered with is opened as what stands there says, or stops by name: quickly, within a
 * bounded amount of memory, with one line of bounded length, and never with anything else.
 */
class HostileFolderTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Set<String> COMMON =
      Set.of(
          "v",
          "pipeline",
          "next",
          "table",
          "incarnation",
          "seq",
          "fileId",
          "prev",
          "epoch",
          "writer",
          "kind",
          "timeline",
          "rows",
          "schema",
          "keys");
  private static final Set<String> OF_CHANGES =
      Set.of("from", "to", "toIdx", "toDone", "toHash", "commits");

  /** Entries as they are written. */
  private static List<String> entries() throws InterruptedException {
    List<String> entries = new ArrayList<>();
    try (AgentRun run = new AgentRun().open(LOG, ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 2));
      run.publish(insert(LOG, 11), insert(ORDERS, 12));
      for (TableSchema table : List.of(LOG, ORDERS)) {
        run.tables
            .files(table.table())
            .values()
            .forEach(file -> entries.add(file.keyValues().get(ChainEntry.KEY)));
      }
    }
    String changes = entries.get(0);
    entries.add(changes.replace("\"toDone\":true", "\"toDone\":false,\"toHash\":\"00ff\""));
    entries.add(
        changes.replace(
            "\"table\":",
            "\"next\":{\"pipeline\":\"b\",\"timeline\":\"t\",\"from\":\"18446744073709551615\"},\"table\":"));
    return entries;
  }

  @Test
  void anEntryIsReadAsWhatItSaysOrRefused() throws Exception {
    readAsItSays(4_000, 1);
  }

  @Tag("full")
  @Test
  void anEntryIsReadAsWhatItSaysOrRefusedTwoHundredThousandTimes() throws Exception {
    readAsItSays(200_000, 2);
  }

  private static void readAsItSays(int count, long seed) throws Exception {
    List<String> entries = entries();
    int refused = 0;
    for (int i = 0; i < count; i++) {
      Random random = new Random(seed * 1_000_003 + i);
      String mutated = mutated(entries.get(random.nextInt(entries.size())), random);
      long begun = System.nanoTime();
      try {
        ChainEntry entry = ChainEntry.parse(mutated);
        assertThat(meaning(entry.toJson())).as(mutated).isEqualTo(meaning(mutated));
      } catch (ChainEntry.MalformedChainException e) {
        refused++;
        fitForALog(String.valueOf(e.getMessage()));
      } catch (RuntimeException | Error e) {
        throw new AssertionError("Mutation " + i + " of seed " + seed + ": " + mutated, e);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
    }
    assertThat(refused).isBetween(count / 3, count - count / 100);
  }

  /** What of an entry counts, written in one way. */
  private static JsonNode meaning(String text) throws Exception {
    ObjectNode json = (ObjectNode) JSON.readTree(text);
    boolean changes = json.path("kind").asText().equals("changes");
    ObjectNode meaning = JSON.createObjectNode();
    json.properties()
        .forEach(
            field -> {
              if (COMMON.contains(field.getKey())
                  || changes && OF_CHANGES.contains(field.getKey())
                  || !changes && field.getKey().equals("snap")) {
                meaning.set(field.getKey(), field.getValue());
              }
            });
    if (json.path("timeline").asText().isEmpty()) {
      meaning.remove(List.of("timeline", "from", "to"));
    }
    if (meaning.path("toDone").asBoolean(false)) {
      meaning.remove("toHash");
    }
    if (meaning.get("snap") instanceof ObjectNode snap) {
      snap.retain("id", "chunk", "last", "low");
      if (json.path("timeline").asText().isEmpty()) {
        snap.remove("low");
      }
    }
    if (meaning.get("next") instanceof ObjectNode next) {
      next.retain("pipeline", "timeline", "from");
      // The order of a successor is written with its timeline; without one it says nothing.
      if (next.path("timeline").asText().isEmpty()) {
        next.remove(List.of("timeline", "from"));
      }
    }
    meaning.set("keys", JSON.readTree(meaning.get("keys").asText()));
    return meaning;
  }

  private static String mutated(String entry, Random random) throws Exception {
    String text = entry;
    for (int n = 1 + random.nextInt(2); n > 0; n--) {
      text = random.nextInt(4) == 0 ? textMutated(text, random) : fieldMutated(text, random);
    }
    return text;
  }

  private static String textMutated(String text, Random random) {
    if (text.isEmpty()) {
      return "{";
    }
    int at = random.nextInt(text.length());
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at);
      case 1 -> text.substring(0, at) + (char) random.nextInt(0x250) + text.substring(at + 1);
      case 2 -> text.substring(0, at) + text.substring(random.nextInt(text.length()));
      case 3 -> text + text;
      // A field twice, the second time with another value.
      default -> text.replaceFirst("\\{", "{\"seq\":" + random.nextInt(5) + ",");
    };
  }

  private static String fieldMutated(String text, Random random) throws Exception {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return text;
    }
    if (!(root instanceof ObjectNode json) || json.isEmpty()) {
      return text;
    }
    ObjectNode into = json;
    List<String> names = new ArrayList<>();
    into.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    if (into.get(name) instanceof ObjectNode inner && !inner.isEmpty() && random.nextBoolean()) {
      into = inner;
      names.clear();
      into.fieldNames().forEachRemaining(names::add);
      name = names.get(random.nextInt(names.size()));
    }
    if (random.nextInt(6) == 0) {
      into.remove(name);
    } else {
      into.set(name, value(into.get(name), random));
    }
    return json.toString();
  }

  private static JsonNode value(JsonNode old, Random random) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (random.nextInt(20)) {
      case 0 -> make.nullNode();
      case 1 -> make.booleanNode(random.nextBoolean());
      case 2 -> make.numberNode(random.nextLong());
      case 3 -> make.numberNode(random.nextInt(20) - 5);
      case 4 -> make.numberNode(random.nextInt(100) / 8.0);
      case 5 -> make.numberNode(1e300);
      case 6 -> make.numberNode(BigInteger.TWO.pow(64).add(BigInteger.ONE));
      case 7 -> make.numberNode(BigInteger.TWO.pow(5_000));
      case 8 -> make.textNode("");
      case 9 -> make.textNode("x\n2026-01-01 ERROR admin ok\u001b[31m\u202e\u2028");
      case 10 -> make.textNode("y".repeat(random.nextInt(100_000)));
      case 11 -> make.textNode(Long.toUnsignedString(random.nextLong()));
      case 12 -> make.textNode("-" + random.nextInt(100));
      case 13 -> make.textNode("18446744073709551616");
      case 14 -> make.textNode("00" + random.nextInt(100));
      case 15 -> make.textNode("1-1-1-1-1");
      case 16 -> make.arrayNode();
      case 17 -> nested(random.nextInt(400));
      case 18 -> make.objectNode().set("seq", old);
      default -> old instanceof TextNode ? make.numberNode(1) : make.textNode(old.toString());
    };
  }

  private static JsonNode nested(int depth) {
    ArrayNode outer = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < depth; i++) {
      outer = JsonNodeFactory.instance.arrayNode().add(outer);
    }
    return outer;
  }

  @Test
  void aTableIsOpenedAsBeforeOrStops() throws Exception {
    openedOrStopped(150, 3);
  }

  @Tag("full")
  @Test
  void aTableIsOpenedAsBeforeOrStopsTenThousandTimes() throws Exception {
    openedOrStopped(10_000, 4);
  }

  static Stream<Arguments> foreignEntries() {
    return Stream.of(
        Arguments.of("\"v\":1", "\"v\":2", "it is of version 2, and this release knows version 1"),
        Arguments.of(
            "\"pipeline\":\"shop\"",
            "\"pipeline\":\"store\"",
            "the folder belongs to pipeline 'store', and this is 'shop'"),
        Arguments.of(
            "\"pipeline\":\"shop\"",
            "\"pipeline\":\"shop\",\"next\":{\"pipeline\":\"store\"}",
            "the folder was handed over to pipeline 'store'"),
        Arguments.of(
            "\"table\":\"" + ORDERS.table() + "\"",
            "\"table\":\"o.ther\"",
            "it holds table o.ther"),
        Arguments.of(
            "\"seq\":2", "\"seq\":3", "it was published as number 3 and renamed or copied"),
        Arguments.of("\"kind\":\"changes\"", "\"kind\":\"chances\"", "its kind is 'chances'"));
  }

  @ParameterizedTest
  @MethodSource("foreignEntries")
  void eachThingInAnEntryThatIsNotOursStopsItsTableByItsName(
      String field, String foreign, String words) throws Exception {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 2));
      first.publish(insert(ORDERS, 12));
      String path = first.tables.folder(ORDERS.table()) + "/00000000000000000002.parquet";
      String entry = keyValues(first.tables.bytes(path)).get(ChainEntry.KEY);
      assertThat(entry).contains(field);
      byte[] file = fileOf(entry.replace(field, foreign));
      replace(first.fileSystem.client(), path, file);

      try (AgentRun second = first.successor().open(ORDERS)) {
        assertThat(second.progress(ORDERS))
            .isInstanceOfSatisfying(
                TableProgress.Stopped.class,
                stop -> {
                  assertThat(stop.reason().code()).isEqualTo(ErrorCode.CONFLICT);
                  assertThat(stop.reason()).hasMessageContaining(words);
                  namesTheTable(stop.reason());
                });
        assertThat(second.tables.bytes(path)).isEqualTo(file);
      }
    }
  }

  private static void openedOrStopped(int count, long seed) throws Exception {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 2));
      first.publish(insert(ORDERS, 12));
      String path = first.tables.folder(ORDERS.table()) + "/00000000000000000002.parquet";
      byte[] file = first.tables.bytes(path);
      TableProgress untouched;
      try (AgentRun second = first.successor().open(ORDERS)) {
        untouched = second.progress(ORDERS);
        assertThat(untouched).isInstanceOf(TableProgress.ChangesPublished.class);
      }
      int stopped = 0;
      for (int i = 0; i < count; i++) {
        Random random = new Random(seed * 1_000_003 + i);
        byte[] mutated =
            random.nextBoolean() ? footerMutated(file, random) : entryMutated(file, random);
        replace(first.fileSystem.client(), path, mutated);
        long begun = System.nanoTime();
        try (AgentRun run = first.successor().open(ORDERS)) {
          TableProgress progress = run.progress(ORDERS);
          if (progress instanceof TableProgress.Stopped stop) {
            stopped++;
            namesTheTable(stop.reason());
          } else {
            openedAsItSays(mutated, progress, untouched);
          }
        } catch (RuntimeException | Error e) {
          throw new AssertionError("Mutation " + i + " of seed " + seed, e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
      }
      assertThat(stopped).isGreaterThan(count / 3);
    }
  }

  /** What was opened is what the entry says; bytes that do not matter change nothing. */
  private static void openedAsItSays(byte[] file, TableProgress progress, TableProgress untouched)
      throws Exception {
    ChainEntry entry = ChainEntry.parse(keyValues(file).get(ChainEntry.KEY));
    if (entry.content() instanceof ChainEntry.Changes changes
        && progress instanceof TableProgress.ChangesPublished published
        && untouched instanceof TableProgress.ChangesPublished) {
      assertThat(published.toString()).contains(Long.toUnsignedString(changes.to()));
    }
    assertThat(entry.pipeline().equals("shop") || entry.next().isPresent()).isTrue();
    assertThat(entry.table()).isEqualTo(ORDERS.table().toString());
    assertThat(entry.seq()).isEqualTo(2);
  }

  private static byte[] footerMutated(byte[] file, Random random) {
    byte[] mutated = file.clone();
    int footer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int at = file.length - 1 - random.nextInt(footer + 8);
      mutated[at] =
          random.nextBoolean()
              ? (byte) random.nextInt()
              : (byte) (mutated[at] ^ (1 << random.nextInt(8)));
    }
    return mutated;
  }

  private static byte[] entryMutated(byte[] file, Random random) throws Exception {
    return fileOf(mutated(keyValues(file).get(ChainEntry.KEY), random));
  }

  private static Map<String, String> keyValues(byte[] file) throws Exception {
    return ((FooterReading.Complete) FooterReader.read(file, file.length)).footer().keyValues();
  }

  /** A file with the columns of ORDERS and this entry. */
  private static byte[] fileOf(String entry) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteSink sink =
        new ByteSink() {
          @Override
          public void write(byte[] buffer, int from, int length) {
            bytes.write(buffer, from, length);
          }

          @Override
          public void complete() {}

          @Override
          public void discard() {}
        };
    ParquetSchema schema =
        new ParquetSchema(
            List.of(
                new ParquetColumn("id", ParquetType.INT32),
                new ParquetColumn("text", ParquetType.STRING)));
    try (ParquetWriter writer = ParquetWriter.open(schema, WriterOptions.DEFAULTS, sink)) {
      writer.keyValue(ChainEntry.KEY, entry);
      writer.finish();
    }
    return bytes.toByteArray();
  }

  private static void replace(DfsClient client, String path, byte[] content) throws Exception {
    client.delete(path, false);
    client.create(path, true);
    client.append(path, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
  }

  private static void namesTheTable(TableStoppedException stop) {
    assertThat(stop.getMessage()).contains(ORDERS.table().toString());
    fitForALog(stop.getMessage());
  }

  private static void fitForALog(String message) {
    assertThat(message).hasSizeLessThan(2_000);
    assertThat(message.codePoints())
        .as(message)
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || Character.getType(c) == Character.LINE_SEPARATOR);
  }

  static Stream<byte[]> metadata() {
    String deep = "[".repeat(100_000);
    return Stream.of(
            " ",
            "null",
            "[]",
            "{",
            "{}}",
            "{\"keyColumns\":\"id\"}",
            "{\"keyColumns\":{\"id\":1}}",
            "{\"keyColumns\":[1]}",
            "{\"keyColumns\":[null]}",
            "{\"keyColumns\":[[\"id\"]]}",
            "{\"keyColumns\":[\"id\"],\"keyColumns\":[\"note\"]}",
            "{\"keyColumns\":[\"ID\"]}",
            "{\"keyColumns\":[\"x\\n2026-01-01 ERROR admin ok\\u202e\"]}",
            "{\"keyColumns\":[\"" + "z".repeat(1 << 20) + "\"]}",
            "{\"keyColumns\":[" + "\"a\",".repeat(500_000) + "\"b\"]}",
            "{\"keyColumns\":" + deep,
            "{\"a\":" + deep + "]".repeat(100_000) + ",\"keyColumns\":[\"id\"]}",
            "{\"a\":" + "9".repeat(100_000) + ",\"keyColumns\":[\"id\"]}",
            "{\"a\":" + "{\"b\":".repeat(5_000) + "1",
            "\u0000\u0001\ufeff{}",
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "{\"keyColumns\":[\"id\"]" + " ".repeat(Json.MAX_BYTES) + "}",
            "{\"keyColumns\":[\"id\"],\"a\":1e9999999999" + "9".repeat(100) + "}")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("metadata")
  void hostileMetadataStopsItsTableAlone(byte[] content) throws Exception {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      replace(
          first.fileSystem.client(),
          first.tables.folder(ORDERS.table()) + "/_metadata.json",
          content);
      try (AgentRun second = first.successor().open(ORDERS, LOG)) {
        assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.Stopped.class);
        namesTheTable(((TableProgress.Stopped) second.progress(ORDERS)).reason());
        assertThat(second.progress(LOG)).isInstanceOf(TableProgress.ChangesPublished.class);
      }
    }
  }

  @Test
  void aFolderThatGoesWhileItIsLookedAtIsLookedAtAgain() throws Exception {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.publish(insert(ORDERS, 1));
      AgentRun next = first.successor();
      String folder = first.tables.folder(ORDERS.table());
      next.script.before(
          Operation.READ,
          folder + "/00000000000000000001.parquet",
          () -> next.fileSystem.client().delete(folder, true));
      try (AgentRun second = next.open(ORDERS)) {
        assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
        second.publish(insert(ORDERS, 1));

        assertThat(second.tables.names(ORDERS.table()))
            .containsExactly("00000000000000000001.parquet");
      }
    }
  }

  private static String stoppedBy(byte[] metadata) throws Exception {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.publish(insert(ORDERS, 1));
      String file = first.tables.folder(ORDERS.table()) + "/_metadata.json";
      replace(first.fileSystem.client(), file, metadata);
      try (AgentRun second = first.successor().open(ORDERS)) {
        if (second.progress(ORDERS) instanceof TableProgress.Stopped stopped) {
          assertThat(stopped.reason()).hasMessageContaining(file);
          return stopped.reason().getMessage();
        }
        return "";
      }
    }
  }

  private static byte[] metadataOf(int length) {
    String end = "\"keyColumns\":[\"id\"]}";
    return ("{" + " ".repeat(length - 1 - end.length()) + end).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void jsonOfAMebibyteIsReadAndNoMore() throws Exception {
    assertThat(stoppedBy(metadataOf(1 << 20))).isEmpty();
    assertThat(stoppedBy(metadataOf((1 << 20) + 1)))
        .contains("it is larger than 1048576 bytes")
        .contains("Repair or remove it.");
  }

  @Test
  void jsonThatIsNotUtf8IsNotGuessedAt() throws Exception {
    byte[] content = "{\"keyColumns\":[\"id\"],\"a\":\"?\"}".getBytes(StandardCharsets.UTF_8);
    content[content.length - 3] = (byte) 0xff;
    assertThat(stoppedBy(content)).contains("it is not UTF-8").contains("Repair or remove it.");
  }

  @ParameterizedTest
  @MethodSource("metadata")
  void hostileReportsOfFabricAreNotReadable(byte[] content) throws Exception {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      DfsClient client = run.fileSystem.client();
      client.createDirectory("Files/Monitoring");
      for (String name : List.of("tables.json", "replicator.json")) {
        String path = "Files/Monitoring/" + name;
        client.create(path, true);
        client.append(path, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
      }
      // Whatever Fabric's reports say, changes go on.
      run.publish(insert(ORDERS, 1));
      assertThat(run.tables.names(ORDERS.table())).hasSize(1);
      for (Monitoring.Reading<?> reading : readings(client)) {
        if (reading instanceof Monitoring.Reading.Unreadable<?> unreadable) {
          fitForALog(unreadable.toString());
        }
      }
    }
  }

  private static List<Monitoring.Reading<?>> readings(DfsClient client) throws Exception {
    Monitoring monitoring =
        new Monitoring(
            client,
            AgentConfig.of(MirroringSettings.AGENT.parse(MemoryTarget.settings())).connection(),
            List.of());
    return List.of(monitoring.tables(), monitoring.replicator());
  }
}
