package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hub signs in with each kind of credential, and says what is wrong with one. */
class CredentialsTest {

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() {
    emulator.close();
  }

  /** A credential: its settings, and what its platform says in the environment. */
  record Way(String name, List<String> settings, Map<String, String> environment) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Way> ways() {
    String app = "username: " + emulator.get("clientId");
    String tenant = "tenantId: " + emulator.get("tenantId");
    return Stream.of(
        new Way(
            "client-secret",
            List.of(app, tenant, "password: \"" + emulator.get("clientSecret") + "\""),
            Map.of()),
        new Way(
            "certificate",
            List.of(
                "credential: certificate",
                app,
                tenant,
                "clientCertificate: \"" + emulator.get("clientCertificate") + "\""),
            Map.of()),
        new Way(
            "workload-identity by settings",
            List.of(
                "credential: workload-identity",
                app,
                tenant,
                "federatedTokenFile: \"" + emulator.get("federatedTokenFile") + "\""),
            Map.of()),
        new Way(
            "workload-identity by environment",
            List.of("credential: workload-identity"),
            Map.of(
                "AZURE_CLIENT_ID", emulator.get("clientId"),
                "AZURE_TENANT_ID", emulator.get("tenantId"),
                "AZURE_FEDERATED_TOKEN_FILE", emulator.get("federatedTokenFile"))),
        new Way(
            "managed-identity, system-assigned, on a machine",
            List.of("credential: managed-identity"),
            Map.of("AZURE_POD_IDENTITY_AUTHORITY_HOST", emulator.get("managedIdentityEndpoint"))),
        new Way(
            "managed-identity, user-assigned, in App Service",
            List.of("credential: managed-identity", app),
            Map.of(
                "IDENTITY_ENDPOINT",
                emulator.get("managedIdentityEndpoint") + "/msi/token",
                "IDENTITY_HEADER",
                emulator.get("managedIdentityHeader"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void checksAndRuns(Way way) throws Exception {
    String table = "t" + UUID.randomUUID().toString().substring(0, 8);
    String config = config(way.settings(), table);
    int before = emulator.requests().size();
    assertThat(Hub.run(way.environment(), "check", config).succeeded().output())
        .contains("signed in");
    Hub.Result run = Hub.run(way.environment(), "run", config).succeeded();
    List<JsonNode> requests = emulator.requests();
    assertThat(
            requests.subList(before, requests.size()).stream()
                .filter(request -> request.get("operation").asText().equals("token")))
        .as("one sign-in for each process")
        .hasSize(2);
    assertThat(emulator.published(table)).hasSize(1);
    assertThat(run.errors())
        .doesNotContain(emulator.get("clientSecret"))
        .doesNotContain(emulator.get("managedIdentityHeader"))
        .doesNotContain(Files.readString(Path.of(emulator.get("federatedTokenFile"))).strip());
  }

  @Test
  void aCertificateThatIsNotTheAppsIsNamed() throws Exception {
    Path other = directory.resolve("other.pfx");
    keytool(other, "-validity", "30");
    Hub.Result check = check("clientCertificate: other.pfx", "clientCertificatePassword: changeit");
    assertThat(check.output())
        .contains("certificate is not one of app " + emulator.get("clientId"))
        .contains("Upload it")
        .contains("AADSTS700027");
  }

  @Test
  void anExpiredCertificateIsNamedWithItsEndBeforeAnybodyIsAsked() throws Exception {
    keytool(directory.resolve("old.pfx"), "-startdate", "-30d", "-validity", "10");
    int before = emulator.requests().size();
    Hub.Result check = check("clientCertificate: old.pfx", "clientCertificatePassword: changeit");
    assertThat(check.output()).contains("clientCertificate").contains("expired on 20");
    assertThat(check("clientCertificate: old.pfx", "clientCertificatePassword: pw-canary").output())
        .contains("clientCertificatePassword")
        .doesNotContain("pw-canary");
    assertThat(emulator.requests()).hasSize(before);
  }

  @Test
  void everyMissingPartOfAWorkloadIdentityIsNamedAtOnce() throws Exception {
    String config = config(List.of("credential: workload-identity"), "t");
    assertThat(Hub.run("check", config).exited(1).output())
        .contains("AZURE_CLIENT_ID")
        .contains("AZURE_TENANT_ID")
        .contains("AZURE_FEDERATED_TOKEN_FILE");
  }

  @Test
  void anIdentityThatTheMachineDoesNotHaveIsNamed() throws Exception {
    String config = config(List.of("credential: managed-identity", "username: id-of-another"), "t");
    assertThat(
            Hub.run(
                    Map.of(
                        "AZURE_POD_IDENTITY_AUTHORITY_HOST",
                        emulator.get("managedIdentityEndpoint")),
                    "check",
                    config)
                .exited(1)
                .output())
        .contains("managed identity id-of-another")
        .contains("Assign that identity")
        .contains("Identity not found");
  }

  @Test
  void anEndpointOfManagedIdentitiesElsewhereIsNotAsked() throws Exception {
    assertThat(
            Hub.run(
                    Map.of("AZURE_POD_IDENTITY_AUTHORITY_HOST", "http://203.0.113.7"),
                    "check",
                    config(List.of("credential: managed-identity"), "t"))
                .exited(1)
                .output())
        .contains("203.0.113.7")
        .contains("AZURE_POD_IDENTITY_AUTHORITY_HOST");
  }

  @Test
  void theFormShowsWhatTheChoiceNeeds() throws Exception {
    assertThat(Hub.run("agents", "fabric-open-mirroring").succeeded().output())
        .contains(
            "password - Client Secret [secret] [required] [only with credential client-secret]",
            "Tenant ID (Entra) [text] [required when credential client-secret or certificate]",
            "Client certificate [file] [required] [only with credential certificate]");
    JsonNode schema =
        Emulator.JSON.readTree(
            Hub.run("agents", "fabric-open-mirroring", "--json").succeeded().output());
    assertThat(schema.at("/properties/password/visibleWhen/values/0").asText())
        .isEqualTo("client-secret");
    assertThat(schema.get("allOf").toString())
        .contains("\"then\":{\"required\":[\"clientCertificate\"]}");
  }

  private Hub.Result check(String... certificate) throws Exception {
    return Hub.run(
            "check",
            config(
                Stream.concat(
                        Stream.of(
                            "credential: certificate",
                            "username: " + emulator.get("clientId"),
                            "tenantId: " + emulator.get("tenantId")),
                        Stream.of(certificate))
                    .toList(),
                "t"))
        .exited(1);
  }

  /** The usual configuration with other settings of who signs in. */
  private String config(List<String> signIn, String table) throws Exception {
    Pipeline pipeline =
        new Pipeline(directory, emulator)
            .lines(
                List.of(
                    "{\"kind\":\"table\",\"table\":\""
                        + table
                        + "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}",
                    "{\"kind\":\"snapshot\",\"table\":\"" + table + "\",\"rows\":[{\"id\":1}]}",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"" + table + "\"}"));
    Path config = Path.of(pipeline.write());
    String text =
        Files.readString(config).replaceAll("(?m)^ *(username|password|tenantId):.*\n", "");
    StringBuilder settings = new StringBuilder("      settings:\n");
    signIn.forEach(line -> settings.append("        ").append(line).append('\n'));
    Files.writeString(config, text.replace("      settings:\n", settings.toString()));
    return config.toString();
  }

  private static void keytool(Path pfx, String... options) throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "own",
                    "-keyalg",
                    "RSA",
                    "-dname",
                    "CN=core-hub",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    "changeit",
                    "-keystore",
                    pfx.toString()),
                Stream.of(options))
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
