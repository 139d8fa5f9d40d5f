package io.corehub.onelake;

/** How to sign in to Microsoft Entra. Immutable. */
public sealed interface Credentials {

  /** The application (client) id that signs in; messages name it. */
  String clientId();

  /**
   * An app registration with a client secret.
   *
   * @param clientId the application (client) id
   * @param secret the secret's value, not its id
   */
  record ClientSecret(String clientId, Secret secret) implements Credentials {
    public ClientSecret {
      clientId = clientId.strip();
      if (clientId.isEmpty()) {
        throw new InvalidValueException(
            "The client id is empty. Enter the Application (client) ID of the app registration.");
      }
    }
  }
}
