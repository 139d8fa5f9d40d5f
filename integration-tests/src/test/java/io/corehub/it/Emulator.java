package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** {@code hub emulator} as a process, and its control endpoints. */
final class Emulator implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  private final Hub.Running process;
  private final Path directory;
  private final JsonNode description;
  private final HttpClient http;

  private Emulator(Hub.Running process, Path directory, JsonNode description, HttpClient http) {
    this.process = process;
    this.directory = directory;
    this.description = description;
    this.http = http;
  }

  /** Starts an emulator; {@code options} follow {@code --directory DIR --port 0}. */
  static Emulator start(Path directory, String... options) throws Exception {
    Path file = directory.resolve("emulator.json");
    Files.deleteIfExists(file);
    List<String> arguments =
        new ArrayList<>(List.of("emulator", "--directory", directory.toString(), "--port", "0"));
    arguments.addAll(List.of(options));
    Hub.Running process = Hub.start(Map.of(), arguments.toArray(String[]::new));
    try {
      Await.until(
          "the emulator is up", () -> Files.exists(file) || !process.alive(), process::errors);
      JsonNode description = JSON.readTree(file.toFile());
      return new Emulator(process, directory, description, trusting(description));
    } catch (Exception | AssertionError e) {
      process.close();
      throw e;
    }
  }

  private static HttpClient trusting(JsonNode description) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream pem =
        Files.newInputStream(Path.of(description.get("caCertificate").asText()))) {
      trusted.setCertificateEntry(
          "emulator", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  Path directory() {
    return directory;
  }

  String get(String field) {
    return description.get(field).asText();
  }

  /** Where the landing zone of the mirrored database lies on disk. */
  Path landingZone() {
    return directory.resolve(
        Path.of(get("workspaceId"), get("mirroredDatabaseId"), "Files", "LandingZone"));
  }

  /** Where the Files folder of the Lakehouse lies on disk. */
  Path lakehouseFiles() {
    return directory.resolve(Path.of(get("workspaceId"), get("lakehouseId"), "Files"));
  }

  /**
   * The rows of a mirrored table as JSON, as the replicator has them; none while there is no such
   * table.
   */
  List<String> mirrored(String table) throws InterruptedException {
    Hub.Result result = Hub.run("mirrored", directory.toString(), "--table", table);
    return result.exitCode() == 0 ? result.output().lines().toList() : List.of();
  }

  /** Waits until a mirrored table has a number of rows; fails if the hub ends before. */
  void awaitMirrored(Hub.Running hub, String table, int count) {
    Await.until(
        table + " has " + count + " rows",
        () -> !hub.alive() || mirrored(table).size() == count,
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  /** Names of the published files of a table folder, in order. */
  List<String> published(String folder) throws IOException {
    Path path = landingZone().resolve(folder);
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d{20}\\.parquet"))
          .sorted()
          .toList();
    }
  }

  /** What lies in the landing zone breaks no rule but remarks, whose lines are returned. */
  List<String> assertLandedWell() throws Exception {
    return Hub.run("verify", landingZone().toString()).succeeded().output().lines().toList();
  }

  void addFaults(String rules) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(control("faults"))
                .POST(HttpRequest.BodyPublishers.ofString(rules))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError("Fault rules refused: " + answer.statusCode() + " " + answer.body());
    }
  }

  void clearFaults() throws Exception {
    http.send(
        HttpRequest.newBuilder(control("faults")).DELETE().build(),
        HttpResponse.BodyHandlers.discarding());
  }

  /** How often the fault rules that are there have struck. */
  int firedFaults() throws Exception {
    return faults().stream().mapToInt(rule -> rule.get("fired").asInt()).sum();
  }

  /** The fault rules, with how often each was met. */
  List<JsonNode> faults() throws Exception {
    return list("faults");
  }

  /** Turns the replicator: running, stopped, paused or hung. */
  void replicator(String status) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(control("replicator"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"status\":\"" + status + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new AssertionError("Refused: " + answer.statusCode() + " " + answer.body());
    }
  }

  /** Every request so far, oldest first. */
  List<JsonNode> requests() throws Exception {
    return list("requests");
  }

  private List<JsonNode> list(String part) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(control(part)).build(), HttpResponse.BodyHandlers.ofString());
    List<JsonNode> all = new ArrayList<>();
    JSON.readTree(answer.body()).forEach(all::add);
    return all;
  }

  private URI control(String part) {
    return URI.create(get("controlUrl") + "/" + part);
  }

  /** The settings by which a hub finds the landing zone, as lines of YAML. */
  String targetSettings() {
    return targetSettings("landingZoneUrl", "landingZoneUrl");
  }

  /**
   * The settings by which a hub finds a place of this emulator, as lines of YAML.
   *
   * @param setting the one that takes the address
   * @param place which address of {@code emulator.json}
   */
  String targetSettings(String setting, String place) {
    URI zone = URI.create(get(place));
    return String.join(
        "\n",
        "        " + setting + ": " + get(place),
        "        tenantId: " + get("tenantId"),
        "        username: " + get("clientId"),
        "        password: \"" + get("clientSecret") + "\"",
        "        authorityHost: " + get("authorityHost"),
        "        trustedCertificates: \"" + get("caCertificate") + "\"",
        "        allowedHosts: "
            + zone.getHost()
            + ":"
            + zone.getPort()
            + ","
            + URI.create(get("authorityHost")).getAuthority(),
        "");
  }

  @Override
  public void close() {
    process.close();
  }
}
