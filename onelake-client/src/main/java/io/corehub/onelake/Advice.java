package io.corehub.onelake;

import java.time.Duration;

/**
 * What a person can do about a failure, in one sentence: the catalogue of sign-in and DFS errors.
 * Immutable.
 */
public final class Advice {
  private final OneLakeUrl url;
  private final TenantId tenant;
  private final String clientId;

  private Advice(OneLakeUrl url, TenantId tenant, String clientId) {
    this.url = url;
    this.tenant = tenant;
    this.clientId = clientId;
  }

  /** Advice that names what this connection is set up with. */
  public static Advice of(OneLakeConnection connection) {
    return new Advice(connection.url(), connection.tenantId(), connection.credentials().clientId());
  }

  /**
   * One sentence that says what went wrong and what to change; without secrets, fit for a log line.
   */
  public String of(DfsException failure) {
    String signIn = SignInAdvice.of(failure, tenant, clientId);
    return signIn.isEmpty() ? dfs(failure) : signIn;
  }

  private String dfs(DfsException failure) {
    return switch (failure.kind()) {
      case NOT_FOUND, PARENT_NOT_FOUND ->
          url
              + " does not exist. Open the mirrored database in Fabric and copy the landing zone URL from its Home page.";
      case CONTAINER_NOT_FOUND ->
          "The workspace or item of "
              + url
              + " does not exist. Give both as GUIDs, or both as names with the item's type behind its name, as in"
              + " Sales.MirroredDatabase.";
      case UNAUTHORIZED, FORBIDDEN ->
          "App "
              + clientId
              + " may not use workspace '"
              + url.fileSystem()
              + "' (HTTP "
              + failure.status().orElse(403)
              + "). Add it to the workspace as Contributor under Manage access, which may take minutes to act; an"
              + " administrator must also have turned on the tenant settings 'Service principals can use Fabric APIs' and"
              + " 'Users can access data stored in OneLake with apps external to Fabric'.";
      case BAD_REQUEST -> badRequest(failure);
      case CAPACITY_PAUSED ->
          "The Fabric capacity behind workspace '" + url.fileSystem() + "' is paused. Resume it.";
      case THROTTLED ->
          "OneLake asks to slow down ("
              + code(failure)
              + failure.retryAfter().map(Advice::waiting).orElse("")
              + "). If this lasts, use a larger capacity or fewer concurrent uploads.";
      case TRANSIENT ->
          "OneLake failed to serve the request ("
              + code(failure)
              + "). It is usually over in minutes.";
      case TIMEOUT ->
          url.authority()
              + " did not answer in time. Check the network, or raise the request try timeout. "
              + failure.getMessage();
      case CONNECTION_LOST ->
          "The connection to "
              + url.authority()
              + " broke. Check firewall and proxy if this goes on. "
              + failure.getMessage();
      case HOST_UNREACHABLE ->
          failure.getMessage() + " Check the host's name, the network, and the proxy settings.";
      case TLS ->
          failure.getMessage()
              + " If a proxy inspects TLS here, name its CA certificate file (PEM) in trustedCertificates; otherwise check the"
              + " machine's clock.";
      case NOT_ONELAKE ->
          failure.getMessage()
              + " Something between here and OneLake answered, such as a proxy or a sign-in portal. Let "
              + url.authority()
              + " through unchanged.";
      case CONDITION_IGNORED ->
          failure.getMessage()
              + " Files cannot be published safely on this storage. Report this with the request id.";
      case ALREADY_EXISTS,
          CONDITION_NOT_MET,
          SOURCE_NOT_FOUND,
          INVALID_FLUSH_POSITION,
          CONFLICT,
          UNEXPECTED_ANSWER,
          CLOSED ->
          message(failure);
      case SIGN_IN_REFUSED -> message(failure);
    };
  }

  private String badRequest(DfsException failure) {
    return switch (failure.errorCode()) {
      case "FriendlyNameSupportDisabled" ->
          "OneLake does not take this combination of names and ids in "
              + url
              + ". Use both GUIDs, or both names with the item's type behind its name, as in Sales.MirroredDatabase; if names"
              + " are off in this tenant, use GUIDs.";
      case "OperationNotAllowedOnThePath" ->
          "OneLake does not allow this on the given path. The URL must end in Files/LandingZone or go on below it.";
      default -> message(failure);
    };
  }

  private static String code(DfsException failure) {
    String status =
        failure.status().isPresent() ? "HTTP " + failure.status().getAsInt() : "no answer";
    return failure.errorCode().isEmpty() ? status : status + " " + failure.errorCode();
  }

  private static String waiting(Duration pause) {
    return ", wait " + Math.max(1, pause.toSeconds()) + " s";
  }

  private static String message(DfsException failure) {
    return String.valueOf(failure.getMessage());
  }
}
