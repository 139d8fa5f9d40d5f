package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub check}: one line for each finding, nothing written, an exit code that tells. */
class CheckCommandTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"sales.Orders\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}\n"
          + "{\"kind\":\"snapshotEnd\",\"table\":\"sales.Orders\"}\n"
          + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"sales.Orders\",\"after\":{\"id\":7}}]}\n";

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;
  private Pipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    pipeline = new Pipeline(directory, emulator).lines(TABLE);
  }

  @AfterEach
  void clear() throws Exception {
    emulator.clearFaults();
    Files.deleteIfExists(replicator());
  }

  private static Path replicator() {
    return emulator.landingZone().resolveSibling("Monitoring").resolve("replicator.json");
  }

  private static String changed(String config, UnaryOperator<String> change) throws Exception {
    Path file = Path.of(config);
    Files.writeString(file, change.apply(Files.readString(file)));
    return config;
  }

  /** The lines of one severity, without pipeline and severity; every line has both. */
  private static List<String> lines(Hub.Result result, String severity) {
    assertThat(result.output().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).matches("(shop|hub): (ok|warning|error): .*"));
    String lead = "shop: " + severity + ": ";
    return result
        .output()
        .lines()
        .filter(line -> line.startsWith(lead))
        .map(line -> line.substring(lead.length()))
        .toList();
  }

  @Test
  void saysThatAllIsWellAndWritesNothing() throws Exception {
    long before = emulator.requests().size();
    Hub.Result result = Hub.run("check", pipeline.write()).succeeded();
    assertThat(lines(result, "ok"))
        .anyMatch(line -> line.startsWith("signed in to tenant " + emulator.get("tenantId")))
        .anyMatch(line -> line.equals(emulator.get("landingZoneUrl") + " exists"))
        .anyMatch(line -> line.equals("the landing zone can be read"));
    assertThat(result.output().lines()).hasSize(lines(result, "ok").size());
    assertThat(result.errors()).contains("Nothing needs to be changed.");
    assertThat(emulator.requests().stream().skip(before))
        .extracting(request -> request.get("operation").asText())
        .containsExactly("token", "head", "list", "get");
    try (Stream<Path> landed = Files.list(emulator.landingZone())) {
      assertThat(landed).isEmpty();
    }
    assertThat(directory.resolve("state")).doesNotExist();
  }

  @Test
  void asksOnceForWhatAPersonMustChange() throws Exception {
    for (Map.Entry<String, String> each :
        Map.of(
                "{\"operation\":\"token\",\"times\":99,\"fault\":{\"type\":\"status\",\"code\":401,\"errorCode\":\"7000222\"}}",
                "has expired. Create a new one",
                "{\"operation\":\"head\",\"times\":99,\"fault\":{\"type\":\"status\",\"code\":403,\"errorCode\":\"Forbidden\"}}",
                "may not use workspace",
                "{\"operation\":\"head\",\"times\":99,\"fault\":{\"type\":\"html200\"}}",
                "Something between here and OneLake answered")
            .entrySet()) {
      emulator.clearFaults();
      emulator.addFaults(each.getKey());
      long before = emulator.requests().size();
      Hub.Result result = Hub.run("check", pipeline.write()).exited(1);
      assertThat(lines(result, "error")).singleElement().asString().contains(each.getValue());
      assertThat(result.errors()).contains("1 finding needs a change.").doesNotContain("\tat ");
      assertThat(emulator.requests().size() - before).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void warnsWhenTheMirroredDatabaseTakesNoFiles() throws Exception {
    Files.createDirectories(replicator().getParent());
    Files.writeString(replicator(), "{\"status\":\"Stopped\",\"errorCode\":\"\"}");
    Hub.Result result = Hub.run("check", pipeline.write()).succeeded();
    assertThat(lines(result, "warning"))
        .singleElement()
        .asString()
        .startsWith("The mirrored database is Stopped and takes no files. Start or resume");
  }

  @Test
  void namesColumnsThatATableDoesNotHave() throws Exception {
    String tables =
        "[ { name: sales.Orders, columns: [ id, idd ] }, { name: sales.* , columns: [ none ] } ]";
    Hub.Result result = Hub.run("check", pipeline.tables(tables).write()).exited(1);
    assertThat(lines(result, "error"))
        .containsExactly(
            "'columns' of table sales.Orders names 'idd', which the table does not have. Did you"
                + " mean 'id'?");
    tables = "[ { name: sales.Orders, targetTypes: { amount: STRING } } ]";
    result = Hub.run("check", pipeline.tables(tables).write()).exited(1);
    assertThat(lines(result, "error"))
        .singleElement()
        .asString()
        .startsWith("'targetTypes' of table sales.Orders names 'amount', which");
  }

  @Test
  void namesEntriesOfTablesThatConcernNothing() throws Exception {
    String tables =
        "[ { name: sales.Ordrs }, { name: slaes.* }, { name: sales.* }, { name: tmp.*, exclude: true } ]";
    Hub.Result result = Hub.run("check", pipeline.tables(tables).write()).exited(1);
    assertThat(lines(result, "error"))
        .singleElement()
        .asString()
        .startsWith(
            "'tables' names sales.Ordrs, which the source does not have. Did you mean"
                + " 'sales.Orders'?");
    assertThat(lines(result, "warning"))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("'tables' names slaes.*, which matches no table"),
            line -> assertThat(line).startsWith("'tables' excludes tmp.*, which matches no table"));
  }

  @Test
  void saysWhereLineageNamesTheTablesOrWhyItCannot() throws Exception {
    Files.writeString(directory.resolve("openlineage.yml"), "transport: { type: console }\n");
    String lineage = "    lineage: { enabled: true, configFile: ./openlineage.yml%s }\n";
    String named =
        changed(
            pipeline.write(), text -> text + lineage.formatted(", mirroredDatabaseName: Sales"));
    assertThat(lines(Hub.run("check", named).succeeded(), "ok"))
        .anyMatch(line -> line.startsWith("lineage names the target's tables in fabric-warehouse"));
    String unnamed =
        changed(pipeline.write(), text -> text + lineage.formatted(", sqlEndpoint: elsewhere"));
    assertThat(lines(Hub.run("check", unnamed).succeeded(), "warning"))
        .singleElement()
        .asString()
        .contains("its events no output: 'sqlEndpoint' is 'elsewhere'");
  }

  @Test
  void saysWhereASettingOfTablesBelongs() throws Exception {
    Hub.Result result = Hub.run("check", pipeline.set("parquetMaxRowCount", 5).write()).exited(1);
    assertThat(lines(result, "error"))
        .singleElement()
        .asString()
        .startsWith("'parquetMaxRowCount' is a setting of tables: put it under 'settings'");
  }

  @Test
  void namesACertificateFileThatIsNone() throws Exception {
    Files.writeString(directory.resolve("none.pem"), "no certificate");
    String config =
        changed(
            pipeline.write(),
            text -> text.replaceAll("trustedCertificates: .*", "trustedCertificates: ./none.pem"));
    for (String command : List.of("check", "run")) {
      Hub.Result result = Hub.run(command, config).exited(1);
      assertThat(result.output() + result.errors())
          .contains("none.pem' ('trustedCertificates')")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void namesTheClockWhenACertificateIsNotValidNow() throws Exception {
    try (Emulator expired =
        Emulator.start(
            Files.createDirectory(directory.resolve("expired")), "--certificate", "expired")) {
      String config = new Pipeline(directory, expired).lines(TABLE).write();
      Hub.Result result = Hub.run("check", config).exited(1);
      assertThat(lines(result, "error"))
          .singleElement()
          .asString()
          .contains("Set this machine's clock right if it is wrong");
    }
  }

  @Test
  void worksWithRealNamesThroughAProxyThatInspectsTls() throws Exception {
    try (Emulator company =
        Emulator.start(
            Files.createDirectory(directory.resolve("company")), "--proxy", "intercept")) {
      String direct =
          changed(
              new Pipeline(directory, company).lines(TABLE).write(),
              text ->
                  text.replaceAll(
                          "landingZoneUrl: https://localhost:\\d+/",
                          "landingZoneUrl: https://onelake.dfs.fabric.microsoft.com/")
                      .replaceAll("(?m)^ *(authorityHost|allowedHosts):.*\n", "")
                      .replaceAll(
                          "trustedCertificates: .*",
                          "trustedCertificates: " + company.get("proxyCaCertificate")));

      Hub.Result byEnvironment =
          Hub.run(Map.of("HTTPS_PROXY", company.get("proxy")), "check", direct).succeeded();
      assertThat(lines(byEnvironment, "ok"))
          .anyMatch(line -> line.startsWith("https://onelake.dfs.fabric.microsoft.com/"));

      String port = company.get("proxy").replaceAll(".*:", "");
      Hub.Result byRuntime =
          Hub.run(
                  Map.of("HUB_JAVA_OPTS", "-Dhttps.proxyHost=localhost -Dhttps.proxyPort=" + port),
                  "check",
                  direct)
              .exited(1);
      assertThat(lines(byRuntime, "error"))
          .singleElement()
          .asString()
          .contains("proxy http://localhost:" + port + " asks for a user and a password")
          .contains("'proxy'");

      String config =
          changed(
              direct,
              text ->
                  text.replace(
                      "tenantId:", "proxy: " + company.get("proxy") + "\n        tenantId:"));
      Hub.run("check", config).succeeded();
      Hub.run("run", config).succeeded();
      assertThat(
              Hub.run("mirrored", company.directory().toString(), "--table", "sales.Orders")
                  .succeeded()
                  .output()
                  .strip())
          .isEqualTo("{\"id\":7}");
      assertThat(company.requests())
          .filteredOn(request -> request.get("operation").asText().equals("token"))
          .extracting(JsonNode::toString)
          .allMatch(request -> !request.toLowerCase(java.util.Locale.ROOT).contains("proxy-auth"))
          .hasSizeGreaterThanOrEqualTo(3);

      String untrusting =
          changed(config, text -> text.replaceAll("(?m)^ *trustedCertificates:.*\n", ""));
      assertThat(lines(Hub.run("check", untrusting).exited(1), "error"))
          .singleElement()
          .asString()
          .contains("login.microsoftonline.com: the connection is not trusted")
          .contains("name its CA certificate file (PEM) in 'trustedCertificates'");
    }
  }
}
