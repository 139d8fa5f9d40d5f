package io.corehub.emulator;

import java.nio.file.Path;

/**
 * Everything a client needs to use a running emulator: the content of {@code emulator.json}.
 * Immutable.
 *
 * @param landingZoneUrl {@code Files/LandingZone} of the mirrored database, by GUIDs
 * @param lakehouseFilesUrl {@code Files} of the Lakehouse, by GUIDs
 * @param adlsUrl a file system without workspaces and items
 * @param authorityHost base of the token endpoint, ending in a slash
 * @param clientSecret accepted by the token endpoint only; masked in {@link #toString}
 * @param clientCertificate PEM file of a certificate of the application, with its private key
 * @param federatedTokenFile a token of a platform that the application trusts; renewed with each
 *     start and good for a day
 * @param managedIdentityEndpoint base of the endpoint of managed identities, without a slash at the
 *     end, as {@code AZURE_POD_IDENTITY_AUTHORITY_HOST} takes it
 * @param managedIdentityHeader as {@code IDENTITY_HEADER} takes it, with {@code
 *     managedIdentityEndpoint/msi/token} as {@code IDENTITY_ENDPOINT}
 * @param caCertificate PEM file of the authority that signed the server's certificate
 * @param controlUrl base of {@code /faults} and {@code /requests}
 */
public record EmulatorConnection(
    String landingZoneUrl,
    String lakehouseFilesUrl,
    String adlsUrl,
    String workspaceId,
    String workspaceName,
    String mirroredDatabaseId,
    String mirroredDatabaseName,
    String lakehouseId,
    String lakehouseName,
    String authorityHost,
    String tenantId,
    String clientId,
    String clientSecret,
    Path clientCertificate,
    Path federatedTokenFile,
    String managedIdentityEndpoint,
    String managedIdentityHeader,
    Path caCertificate,
    String controlUrl) {

  /** The server's {@code host:port}, as {@code allowedHosts} takes it. */
  public String host() {
    return java.net.URI.create(landingZoneUrl).getAuthority();
  }

  @Override
  public String toString() {
    return "EmulatorConnection[landingZoneUrl="
        + landingZoneUrl
        + ", controlUrl="
        + controlUrl
        + "]";
  }
}
