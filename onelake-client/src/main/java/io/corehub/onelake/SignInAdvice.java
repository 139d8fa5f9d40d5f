package io.corehub.onelake;

/**
 * The sign-in half of {@link Advice}: what Microsoft Entra's AADSTS codes ask of a person.
 * Stateless.
 */
final class SignInAdvice {
  private SignInAdvice() {}

  /** The advice, or an empty string when the failure has nothing to do with signing in. */
  static String of(DfsException failure, TenantId tenant, String clientId) {
    String code = failure.errorCode();
    if (!failure.operation().equals("sign-in")) {
      return "";
    }
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
          case "AADSTS90002", "AADSTS900023", "AADSTS900021" ->
              "Tenant '"
                  + tenant
                  + "' was not found. Enter the Directory (tenant) ID of the app registration as 'tenantId'.";
          case "AADSTS700016" ->
              "Client ID "
                  + clientId
                  + " is not registered in tenant "
                  + tenant
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
    if (failure.kind() == DfsException.Kind.SIGN_IN_REFUSED) {
      return "App "
          + clientId
          + " cannot sign in to tenant "
          + tenant
          + ". Check client id, client secret and tenant id (username, password, tenantId). "
          + failure.getMessage();
    }
    return "";
  }
}
