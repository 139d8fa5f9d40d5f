package io.corehub.storage;

import io.corehub.agent.settings.Secret;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.onelake.ClientCertificate;
import io.corehub.onelake.Credentials;
import io.corehub.onelake.FederatedToken;
import io.corehub.onelake.InvalidValueException;
import io.corehub.onelake.TenantId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings that say who signs in and how. Immutable. */
public final class SignInSettings {
  static final String CLIENT_SECRET = "client-secret";
  static final String CERTIFICATE = "certificate";
  static final String WORKLOAD_IDENTITY = "workload-identity";
  static final String MANAGED_IDENTITY = "managed-identity";

  private static final String CHOICE = "credential";
  private static final String GROUP = "Setup";

  /** How to sign in. */
  public static final Setting<String> CREDENTIAL =
      Setting.choice(
              CHOICE,
              "Sign in with",
              "'client-secret' and 'certificate' prove an app registration; 'workload-identity'"
                  + " uses the token that Kubernetes or another platform lays ready in a file;"
                  + " 'managed-identity' is the identity of the Azure machine or service that this"
                  + " runs on.",
              CLIENT_SECRET,
              List.of(CLIENT_SECRET, CERTIFICATE, WORKLOAD_IDENTITY, MANAGED_IDENTITY))
          .inGroup(GROUP);

  /** The client id. */
  public static final Setting<String> USERNAME =
      Setting.text(
              "username",
              "Client ID (Application ID)",
              "The Application (client) ID of the app registration. For a workload identity empty"
                  + " means AZURE_CLIENT_ID of the environment; for a managed identity it is the"
                  + " client ID of a user-assigned one, and empty means the system-assigned one.")
          .mandatoryWhen(CHOICE, CLIENT_SECRET, CERTIFICATE)
          .inGroup(GROUP);

  /** The client secret. */
  public static final Setting<Secret> PASSWORD =
      Setting.secret(
              "password",
              "Client Secret",
              "The secret value of the app registration, not the secret's ID.")
          .mandatory()
          .visibleWhen(CHOICE, CLIENT_SECRET)
          .inGroup(GROUP);

  /** The file of a certificate. */
  public static final Setting<String> CLIENT_CERTIFICATE =
      Setting.file(
              "clientCertificate",
              "Client certificate",
              "A PEM file with certificate and private key (PKCS #8), or a PFX file (PKCS #12). The"
                  + " certificate, with an RSA key, is uploaded to the app registration.")
          .mandatory()
          .visibleWhen(CHOICE, CERTIFICATE)
          .inGroup(GROUP);

  /** What opens the certificate. */
  public static final Setting<Secret> CLIENT_CERTIFICATE_PASSWORD =
      Setting.secret(
              "clientCertificatePassword",
              "Password of the client certificate",
              "Opens the PFX file or the PEM file's private key. Empty when neither is protected.")
          .visibleWhen(CHOICE, CERTIFICATE)
          .inGroup(GROUP);

  /** The file of a federated token. */
  public static final Setting<String> FEDERATED_TOKEN_FILE =
      Setting.file(
              "federatedTokenFile",
              "Federated token file",
              "Where the platform writes the token. Empty means AZURE_FEDERATED_TOKEN_FILE of the"
                  + " environment.")
          .visibleWhen(CHOICE, WORKLOAD_IDENTITY)
          .inGroup(GROUP);

  /** The directory to sign in to. */
  public static final Setting<String> TENANT_ID =
      Setting.text(
              "tenantId",
              "Tenant ID (Entra)",
              "The Directory (tenant) ID of the app registration. For a workload identity empty"
                  + " means AZURE_TENANT_ID of the environment.")
          .visibleWhen(CHOICE, CLIENT_SECRET, CERTIFICATE, WORKLOAD_IDENTITY)
          .mandatoryWhen(CHOICE, CLIENT_SECRET, CERTIFICATE)
          .inGroup(GROUP);

  /**
   * What the environment says when the setting is empty, for platforms that tell their processes so
   * who they are: by setting, the variable.
   */
  static final Map<Setting<String>, String> OF_WORKLOAD =
      Map.of(
          USERNAME, "AZURE_CLIENT_ID",
          TENANT_ID, "AZURE_TENANT_ID",
          FEDERATED_TOKEN_FILE, "AZURE_FEDERATED_TOKEN_FILE");

  /** All of them, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          CREDENTIAL,
          USERNAME,
          PASSWORD,
          CLIENT_CERTIFICATE,
          CLIENT_CERTIFICATE_PASSWORD,
          FEDERATED_TOKEN_FILE,
          TENANT_ID);

  private SignInSettings() {}

  /**
   * Notes what is wrong with the settings of the chosen credential.
   *
   * @param reading the settings under examination
   */
  public static void check(SettingsReading reading) {
    switch (reading.value(CREDENTIAL)) {
      case CLIENT_SECRET -> reading.reads(TENANT_ID, TenantId::new);
      case CERTIFICATE -> {
        reading.reads(TENANT_ID, TenantId::new);
        reading.reads(
            CLIENT_CERTIFICATE,
            file ->
                ClientCertificate.read(
                    SettingsReading.path(file),
                    reading.given(CLIENT_CERTIFICATE_PASSWORD).map(io.corehub.onelake.Secret::of),
                    Instant.now()));
      }
      case WORKLOAD_IDENTITY -> {
        orEnvironment(reading, USERNAME, text -> text);
        orEnvironment(reading, TENANT_ID, TenantId::new);
        orEnvironment(
            reading, FEDERATED_TOKEN_FILE, file -> FederatedToken.read(SettingsReading.path(file)));
      }
      default -> {
        // A managed identity needs nothing, and an unknown choice is a problem already.
      }
    }
  }

  /** Reads a setting of a workload identity, or what its platform says in the environment. */
  private static void orEnvironment(
      SettingsReading reading, Setting<String> setting, SettingsReading.Reader reader) {
    if (reading.given(setting).isPresent()) {
      reading.reads(setting, reader);
      return;
    }
    String variable = OF_WORKLOAD.getOrDefault(setting, "");
    String value = reading.variable(variable);
    if (value.isBlank()) {
      reading.add(
          setting,
          "Setting '"
              + setting.name()
              + "' ("
              + setting.label()
              + ") is missing, and so is "
              + variable
              + " of the environment. Give one of them.");
      return;
    }
    try {
      reader.read(value);
    } catch (InvalidValueException e) {
      reading.add(
          setting, "Setting '" + setting.name() + "', from " + variable + ": " + e.getMessage());
    }
  }

  /**
   * How to sign in.
   *
   * @param settings without problems
   * @param environment the environment's variables
   * @return the credentials
   */
  public static Credentials credentials(Settings settings, Map<String, String> environment) {
    return switch (settings.get(CREDENTIAL)) {
      case CERTIFICATE ->
          new Credentials.Certificate(
              new TenantId(settings.get(TENANT_ID)),
              settings.get(USERNAME),
              Path.of(settings.get(CLIENT_CERTIFICATE)),
              password(settings.find(CLIENT_CERTIFICATE_PASSWORD)));
      case WORKLOAD_IDENTITY ->
          new Credentials.WorkloadIdentity(
              new TenantId(ofWorkload(TENANT_ID, settings, environment)),
              ofWorkload(USERNAME, settings, environment),
              Path.of(ofWorkload(FEDERATED_TOKEN_FILE, settings, environment)));
      case MANAGED_IDENTITY -> new Credentials.ManagedIdentity(settings.find(USERNAME));
      default ->
          new Credentials.ClientSecret(
              new TenantId(settings.get(TENANT_ID)),
              settings.get(USERNAME),
              password(settings.find(PASSWORD)).orElseThrow());
    };
  }

  private static String ofWorkload(
      Setting<String> setting, Settings settings, Map<String, String> environment) {
    return settings
        .find(setting)
        .or(() -> Optional.ofNullable(environment.get(OF_WORKLOAD.get(setting))))
        .orElseThrow();
  }

  private static Optional<io.corehub.onelake.Secret> password(Optional<Secret> setting) {
    return setting.map(secret -> io.corehub.onelake.Secret.of(secret.reveal()));
  }
}
