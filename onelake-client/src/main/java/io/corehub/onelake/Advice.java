package io.corehub.onelake;

import java.time.Duration;

/**
 * What a person can do about a failure, in one sentence: the catalogue of sign-in and DFS errors.
 * Immutable.
 */
public final class Advice {
  private static final String LANDING_ZONE = "landingZoneUrl";

  private final OneLakeUrl url;
  private final Credentials credentials;
  private final AuthorityHost authority;
  private final String setting;

  private Advice(OneLakeUrl url, Credentials credentials, AuthorityHost authority, String setting) {
    this.setting = setting;
    this.url = url;
    this.credentials = credentials;
    this.authority = authority;
  }

  /** Advice that names what this connection is set up with. */
  public static Advice of(OneLakeConnection connection) {
    return of(connection, LANDING_ZONE);
  }

  /** The same where the URL comes from another setting than {@code landingZoneUrl}. */
  public static Advice of(OneLakeConnection connection, String setting) {
    return new Advice(
        connection.url(), connection.credentials(), connection.authorityHost(), setting);
  }

  /**
   * One sentence that says what went wrong and what to change; without secrets, fit for a log line.
   */
  public String of(DfsException failure) {
    String signIn = SignInAdvice.of(failure, credentials);
    return signIn.isEmpty() ? byKind(failure) : signIn;
  }

  private String byKind(DfsException failure) {
    if (failure.fileVanished()) {
      return sentence(failure)
          + " The file had been listed before and is gone. Find out what deletes files there, then"
          + " start again.";
    }
    return switch (failure.kind()) {
      case NOT_FOUND, PARENT_NOT_FOUND ->
          setting.equals(LANDING_ZONE)
              ? url
                  + " does not exist. Open the mirrored database in Fabric and copy the landing zone URL from its Home page"
                  + " to 'landingZoneUrl'."
              : url + " does not exist. Correct '" + setting + "', or make the folder.";
      case CONTAINER_NOT_FOUND ->
          "The workspace or item of "
              + url
              + " does not exist. Give both as GUIDs, or both as names with the item's type behind its name, as in"
              + " Sales."
              + itemType()
              + " ('"
              + setting
              + "').";
      case UNAUTHORIZED, FORBIDDEN ->
          failure
              .clockAhead()
              .map(ahead -> wrongClock(failure, ahead))
              .orElseGet(() -> noAccess(failure));
      case BAD_REQUEST -> badRequest(failure);
      case CAPACITY_PAUSED ->
          "The Fabric capacity behind workspace '"
              + url.fileSystem()
              + "' is paused ("
              + code(failure)
              + "). Resume it"
              + (setting.equals(LANDING_ZONE)
                  ? ", then resume replication in the mirrored database."
                  : ".");
      case THROTTLED -> throttled(failure);
      case TRANSIENT ->
          service(failure)
              + " failed to serve the request ("
              + code(failure)
              + "). It is usually over in minutes"
              + (signIn(failure) ? "." : "; if it lasts, look whether the Fabric capacity runs.");
      case TIMEOUT ->
          message(failure) + " Check the network; for a slow line raise 'tryTimeoutInSeconds'.";
      case CONNECTION_LOST -> message(failure) + " Check firewall and proxy if this goes on.";
      case HOST_UNREACHABLE ->
          message(failure)
              + " Check the host's name, the network, and the proxy settings ('proxy', else those of the Java runtime and"
              + " HTTPS_PROXY).";
      case TLS -> message(failure) + " " + tls(failure);
      case NOT_ONELAKE -> message(failure) + " " + inBetween(failure);
      case CONDITION_IGNORED ->
          message(failure)
              + " Files cannot be published safely on this storage. Report this with the request id.";
      case ALREADY_EXISTS, CONDITION_NOT_MET, SOURCE_NOT_FOUND, CONFLICT ->
          sentence(failure)
              + " Something else uses or changes this path. Find out what it is, then start again.";
      case INVALID_FLUSH_POSITION, UNEXPECTED_ANSWER -> unforeseen(failure);
      case SIGN_IN_REFUSED, CLOSED -> message(failure);
    };
  }

  private String itemType() {
    return setting.equals(LANDING_ZONE) ? "MirroredDatabase" : "Lakehouse";
  }

  private String rule() {
    return "'"
        + setting
        + "' must end in Files"
        + (setting.equals(LANDING_ZONE) ? "/LandingZone" : "")
        + " or go on below it.";
  }

  private String noAccess(DfsException failure) {
    return SignInAdvice.subject(credentials)
        + " may not use workspace '"
        + url.fileSystem()
        + "' (HTTP "
        + failure.status().orElse(403)
        + "). Add it to the workspace as Contributor under Manage access, which may take minutes to act; an"
        + " administrator must also have turned on the tenant settings 'Service principals can use Fabric APIs' and"
        + " 'Users can access data stored in OneLake with apps external to Fabric'.";
  }

  private String wrongClock(DfsException failure, Duration ahead) {
    return "This machine's clock is "
        + ahead.abs().toMinutes()
        + " minutes "
        + (ahead.isNegative() ? "behind" : "ahead of")
        + " that of "
        + url.authority()
        + ", which refused the token (HTTP "
        + failure.status().orElse(401)
        + "). Set this machine's clock right.";
  }

  private String throttled(DfsException failure) {
    return service(failure)
        + " asks to slow down ("
        + code(failure)
        + failure.retryAfter().map(Advice::waiting).orElse("")
        + "). If this lasts, "
        + (signIn(failure)
            ? "let fewer processes sign in with this identity."
            : "use a larger capacity, or lower 'maxConcurrentUploads'.");
  }

  private static String tls(DfsException failure) {
    return switch (failure.errorCode()) {
      case DfsException.NOT_VALID_NOW ->
          "Set this machine's clock right if it is wrong; otherwise the host needs a new certificate.";
      case DfsException.OTHER_HOST ->
          "Something else answers under this name: check the host's name and what a proxy or DNS server makes of it.";
      default ->
          "If a proxy inspects TLS here, name its CA certificate file (PEM) in 'trustedCertificates'.";
    };
  }

  private String inBetween(DfsException failure) {
    return switch (failure.errorCode()) {
      case DfsException.PROXY_SIGN_IN ->
          "Give them in 'proxy': http://user:password@host:port, special characters percent-encoded.";
      case DfsException.PROXY_REFUSED ->
          "Have the proxy let connections to "
              + host(failure)
              + " through, or name another one in 'proxy'.";
      default ->
          "Something between here and "
              + service(failure)
              + " answered, such as a proxy or a sign-in portal. Have "
              + host(failure)
              + " let through unchanged, or name another 'proxy'.";
    };
  }

  private static boolean signIn(DfsException failure) {
    return failure.operation().equals("sign-in");
  }

  private String service(DfsException failure) {
    return signIn(failure) ? SignInAdvice.service(credentials) : "OneLake";
  }

  private String host(DfsException failure) {
    return signIn(failure) ? authority.host() : url.authority();
  }

  private String badRequest(DfsException failure) {
    return switch (failure.errorCode()) {
      case "FriendlyNameSupportDisabled" ->
          "OneLake does not take this combination of names and ids in "
              + url
              + ". Use both GUIDs, or both names with the item's type behind its name, as in Sales."
              + itemType()
              + "; if names are off in this tenant, use GUIDs ('"
              + setting
              + "').";
      case DfsException.NAME_REFUSED ->
          sentence(failure)
              + " A name is too long for the store, or holds what it does not take: rename the table in the source,"
              + " or leave it out of the configuration.";
      case "OperationNotAllowedOnThePath" ->
          "OneLake does not allow this on the given path. " + rule();
      default ->
          String.valueOf(failure.getMessage()).contains("ArtifactId are missing")
              ? url + " names no item. " + rule()
              : unforeseen(failure);
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

  private static String unforeseen(DfsException failure) {
    return sentence(failure)
        + " Start again; if it comes back, report it with this message, which names the request.";
  }

  private static String sentence(DfsException failure) {
    String message = message(failure);
    return message.endsWith(".") ? message : message + ".";
  }

  private static String message(DfsException failure) {
    return String.valueOf(failure.getMessage());
  }
}
