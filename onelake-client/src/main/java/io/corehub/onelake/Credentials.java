package io.corehub.onelake;

import java.nio.file.Path;
import java.util.Optional;

/** How to sign in to Microsoft Entra. Immutable. */
public sealed interface Credentials {

  /** The tenant whose sign-in endpoint is asked; empty where the platform signs in by itself. */
  Optional<TenantId> tenant();

  /** Who signs in, as messages name it in the middle of a sentence. */
  String identity();

  /** An app registration, which shows in one way or another that it may use its client id. */
  sealed interface App extends Credentials {
    /** The tenant of the app registration. */
    TenantId tenantId();

    /** The application (client) id. */
    String clientId();

    @Override
    default Optional<TenantId> tenant() {
      return Optional.of(tenantId());
    }

    @Override
    default String identity() {
      return "app " + clientId();
    }
  }

  /**
   * An app registration with a client secret.
   *
   * @param clientId the application (client) id
   * @param secret the secret's value, not its id
   */
  record ClientSecret(TenantId tenantId, String clientId, Secret secret) implements App {
    public ClientSecret {
      clientId = checked(clientId);
    }
  }

  /**
   * An app registration with a certificate. The file is read at every sign-in, so that one that was
   * replaced in time needs no restart.
   *
   * @param clientId the application (client) id
   * @param file what {@link ClientCertificate#read} takes
   * @param password opens the file's private key; empty when it is not protected
   */
  record Certificate(TenantId tenantId, String clientId, Path file, Optional<Secret> password)
      implements App {
    public Certificate {
      clientId = checked(clientId);
    }
  }

  /**
   * An app registration or user-assigned identity that trusts the tokens of a platform, such as
   * Kubernetes. The file is read at every sign-in, as the platform replaces it every hour or so.
   *
   * @param clientId the application (client) id
   * @param tokenFile what {@link FederatedToken#read} takes
   */
  record WorkloadIdentity(TenantId tenantId, String clientId, Path tokenFile) implements App {
    public WorkloadIdentity {
      clientId = checked(clientId);
    }
  }

  /**
   * The identity of the Azure machine or service that this process runs on.
   *
   * @param clientId the client id of a user-assigned identity; empty for the system-assigned one
   */
  record ManagedIdentity(Optional<String> clientId) implements Credentials {
    public ManagedIdentity {
      clientId = clientId.map(Credentials::checked);
    }

    @Override
    public Optional<TenantId> tenant() {
      return Optional.empty();
    }

    @Override
    public String identity() {
      return clientId
          .map(id -> "managed identity " + id)
          .orElse("the system-assigned managed identity");
    }
  }

  private static String checked(String clientId) {
    String stripped = clientId.strip();
    if (stripped.isEmpty()) {
      throw new InvalidValueException(
          "The client id is empty. Enter the Application (client) ID of the app registration.");
    }
    return stripped;
  }
}
