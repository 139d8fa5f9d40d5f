package io.corehub.onelake;

import io.corehub.onelake.DfsException.Kind;

/**
 * The sign-in half of {@link Advice}: what Microsoft Entra's AADSTS codes, and the refusals of the
 * platform that gives managed identities, ask of a person. Stateless.
 */
final class SignInAdvice {
  private SignInAdvice() {}

  /** The identity at the beginning of a sentence. */
  static String subject(Credentials credentials) {
    String identity = credentials.identity();
    return Character.toUpperCase(identity.charAt(0)) + identity.substring(1);
  }

  /** Who gives the tokens out. */
  static String service(Credentials credentials) {
    return credentials instanceof Credentials.ManagedIdentity
        ? "Azure's managed identity endpoint"
        : "Microsoft Entra";
  }

  /** The advice, or an empty string when the failure has nothing to do with signing in. */
  static String of(DfsException failure, Credentials credentials) {
    if (!failure.operation().equals("sign-in")) {
      return "";
    }
    if (failure.kind() == Kind.SIGN_IN_REFUSED && failure.status().isEmpty()) {
      // Nobody was asked: what is wrong with our own part says itself what to change.
      return String.valueOf(failure.getMessage());
    }
    return credentials instanceof Credentials.App app
        ? ofApp(failure, app)
        : ofManagedIdentity(failure, credentials);
  }

  private static String ofApp(DfsException failure, Credentials.App app) {
    String code = failure.errorCode();
    String clientId = app.clientId();
    String sentence =
        switch (code) {
          case "AADSTS7000215" ->
              "The client secret of app "
                  + clientId
                  + " is wrong. Paste the secret's Value, not its Secret ID, into 'password'.";
          case "AADSTS7000222" ->
              "The client secret of app "
                  + clientId
                  + " has expired. Create a new one under Certificates & secrets of the app registration and give its"
                  + " Value as 'password'.";
          case "AADSTS700027" ->
              "The client certificate is not one of app "
                  + clientId
                  + ". Upload it under Certificates & secrets of the app registration, or give the file of"
                  + " one that is listed there as 'clientCertificate'.";
          case "AADSTS700024" ->
              app instanceof Credentials.WorkloadIdentity
                  ? "The federated token of app "
                      + clientId
                      + " is not valid now. See that the platform renews its file, and check the"
                      + " machine's clock."
                  : "The sign-in of app "
                      + clientId
                      + " carries a time that is not now. Check the machine's clock.";
          case "AADSTS70021", "AADSTS700211", "AADSTS700212", "AADSTS700213" ->
              "App "
                  + clientId
                  + " does not trust the federated token. Give the app registration a federated"
                  + " credential with the token's issuer, subject and audience. "
                  + failure.getMessage();
          case "AADSTS90002", "AADSTS900023", "AADSTS900021" ->
              "Tenant '"
                  + app.tenantId()
                  + "' was not found. Enter the Directory (tenant) ID of the app registration as 'tenantId'.";
          case "AADSTS700016" ->
              "Client ID "
                  + clientId
                  + " is not registered in tenant "
                  + app.tenantId()
                  + ". Enter the Application (client) ID as 'username', not an object or subscription id.";
          case "AADSTS7000112" ->
              "App "
                  + clientId
                  + " is disabled. Enable it in Microsoft Entra under Enterprise applications.";
          case "AADSTS53003" ->
              "A conditional access policy keeps app "
                  + clientId
                  + " from signing in from here. Ask the Entra administrator to allow it.";
          default -> "";
        };
    if (!sentence.isEmpty()) {
      return sentence + " (" + code + ")";
    }
    if (failure.kind() == Kind.SIGN_IN_REFUSED) {
      return "App "
          + clientId
          + " cannot sign in to tenant "
          + app.tenantId()
          + ". Check "
          + whatToCheck(app)
          + ". "
          + failure.getMessage();
    }
    return "";
  }

  private static String whatToCheck(Credentials.App app) {
    if (app instanceof Credentials.Certificate) {
      return "client id, client certificate and tenant id (username, clientCertificate, tenantId)";
    }
    return app instanceof Credentials.WorkloadIdentity
        ? "client id, tenant id and the app's federated credential (username, tenantId)"
        : "client id, client secret and tenant id (username, password, tenantId)";
  }

  private static String ofManagedIdentity(DfsException failure, Credentials credentials) {
    return switch (failure.kind()) {
      case HOST_UNREACHABLE, TIMEOUT, NOT_ONELAKE ->
          failure.getMessage()
              + " This machine seems to have no managed identity. Run on an Azure machine or service"
              + " that has one, or choose another credential.";
      case SIGN_IN_REFUSED ->
          "This machine cannot sign in as "
              + credentials.identity()
              + ". Assign that identity to the machine or service, or correct the client id (empty for"
              + " the system-assigned identity). "
              + failure.getMessage();
      default -> "";
    };
  }
}
