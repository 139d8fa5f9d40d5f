package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.settings.SettingProblem;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.Secret;
import io.corehub.onelake.TenantId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which settings each kind of credential needs, and what becomes of them. */
class SignInSettingsTest {
  private static final String TENANT = "11111111-2222-3333-4444-555555555555";

  @TempDir Path directory;
  private Path token;
  private Map<String, String> values;

  @BeforeEach
  void prepare() throws IOException {
    token = Files.writeString(directory.resolve("token"), "e30.e30.c2ln");
    values = MemoryTarget.settings();
    values.keySet().removeAll(List.of("username", "password", "tenantId"));
  }

  @Test
  void aClientSecretIsTheDefaultAndNeedsWhatItAlwaysDid() {
    assertThat(messages(Map.of()))
        .containsExactly(
            "Setting 'username' (Client ID (Application ID)) is missing.",
            "Setting 'password' (Client Secret) is missing.",
            "Setting 'tenantId' (Tenant ID (Entra)) is missing.");
    values.putAll(Map.of("username", "app", "password", "s3cr3t", "tenantId", TENANT));
    assertThat(credentials(Map.of()))
        .isEqualTo(new Credentials.ClientSecret(new TenantId(TENANT), "app", Secret.of("s3cr3t")));
  }

  @Test
  void aCertificateNeedsItsFile() {
    values.put("credential", "certificate");
    assertThat(messages(Map.of()))
        .containsExactly(
            "Setting 'username' (Client ID (Application ID)) is missing.",
            "Setting 'clientCertificate' (Client certificate) is missing.",
            "Setting 'tenantId' (Tenant ID (Entra)) is missing.");
  }

  @Test
  void aCertificateThatCannotBeUsedIsNamedWithEverythingElse() {
    values.putAll(
        Map.of(
            "credential", "certificate",
            "username", "app",
            "tenantId", "../x",
            "clientCertificate", token.toString(),
            "clientCertificatePassword", "pw-canary"));
    assertThat(messages(Map.of()))
        .hasSize(2)
        .anyMatch(message -> message.startsWith("Setting 'tenantId': Tenant ID '../x'"))
        .anyMatch(
            message ->
                message.startsWith("Setting 'clientCertificate': Client certificate '" + token)
                    && message.contains("neither a PEM file nor a PFX file"))
        .noneMatch(message -> message.contains("canary"));
  }

  @Test
  void aCertificateReachesTheCode() {
    values.putAll(
        Map.of(
            "credential", "certificate",
            "username", "app",
            "tenantId", TENANT,
            "clientCertificate", "app.pfx",
            "clientCertificatePassword", "pw-canary"));
    Credentials credentials = credentials(Map.of());
    assertThat(credentials)
        .isEqualTo(
            new Credentials.Certificate(
                new TenantId(TENANT),
                "app",
                Path.of("app.pfx"),
                Optional.of(Secret.of("pw-canary"))));
    assertThat(credentials.toString()).doesNotContain("canary");
    assertThat(MirroringSettings.AGENT.parse(values).toString()).doesNotContain("canary");
  }

  @Test
  void aWorkloadIdentityTakesWhatItsPlatformSays() {
    values.put("credential", "workload-identity");
    Map<String, String> environment =
        Map.of(
            "AZURE_CLIENT_ID",
            "app",
            "AZURE_TENANT_ID",
            TENANT,
            "AZURE_FEDERATED_TOKEN_FILE",
            token.toString());
    assertThat(messages(environment)).isEmpty();
    assertThat(credentials(environment))
        .isEqualTo(new Credentials.WorkloadIdentity(new TenantId(TENANT), "app", token));
  }

  @Test
  void aSettingOfAWorkloadIdentityGoesBeforeItsPlatform() {
    values.putAll(Map.of("credential", "workload-identity", "username", "mine"));
    Map<String, String> environment =
        Map.of(
            "AZURE_CLIENT_ID",
            "app",
            "AZURE_TENANT_ID",
            TENANT,
            "AZURE_FEDERATED_TOKEN_FILE",
            token.toString());
    assertThat(credentials(environment))
        .isEqualTo(new Credentials.WorkloadIdentity(new TenantId(TENANT), "mine", token));
  }

  @Test
  void aWorkloadIdentityWithoutPlatformNamesAllThatIsMissing() {
    values.put("credential", "workload-identity");
    assertThat(messages(Map.of()))
        .hasSize(3)
        .anyMatch(message -> message.contains("'username'") && message.contains("AZURE_CLIENT_ID"))
        .anyMatch(message -> message.contains("'tenantId'") && message.contains("AZURE_TENANT_ID"))
        .anyMatch(
            message ->
                message.contains("'federatedTokenFile'")
                    && message.contains("AZURE_FEDERATED_TOKEN_FILE"));
  }

  @Test
  void aTokenFileOfThePlatformThatIsMissingIsNamed() {
    values.put("credential", "workload-identity");
    assertThat(
            messages(
                Map.of(
                    "AZURE_CLIENT_ID", "app",
                    "AZURE_TENANT_ID", "no tenant",
                    "AZURE_FEDERATED_TOKEN_FILE", "/none")))
        .hasSize(2)
        .anyMatch(message -> message.contains("from AZURE_TENANT_ID"))
        .anyMatch(
            message ->
                message.contains("from AZURE_FEDERATED_TOKEN_FILE")
                    && message.contains("'/none' does not exist"));
  }

  @Test
  void aManagedIdentityNeedsNothing() {
    values.put("credential", "managed-identity");
    assertThat(messages(Map.of())).isEmpty();
    assertThat(credentials(Map.of())).isEqualTo(new Credentials.ManagedIdentity(Optional.empty()));

    values.put("username", "id");
    assertThat(credentials(Map.of())).isEqualTo(new Credentials.ManagedIdentity(Optional.of("id")));
  }

  private List<String> messages(Map<String, String> environment) {
    return SettingsCheck.problems(values, environment).stream()
        .map(SettingProblem::message)
        .toList();
  }

  private Credentials credentials(Map<String, String> environment) {
    return AgentConfig.of(MirroringSettings.AGENT.parse(values), environment)
        .connection()
        .credentials();
  }
}
