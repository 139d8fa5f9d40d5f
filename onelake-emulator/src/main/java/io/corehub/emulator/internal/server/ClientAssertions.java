package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Judges the signed tokens by which an application signs in instead of with a secret: one that it
 * made itself with a registered certificate, or one of a platform that it trusts. Thread-safe.
 */
final class ClientAssertions {
  static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final X509Certificate registered;
  private final FederatedIssuer trusted;
  private final List<String> audiences;
  private final Clock clock;

  /** Why an assertion is not taken, as Entra words it. */
  record Refusal(String code, String text) {}

  /**
   * @param registered the application's certificate
   * @param trusted the platform whose tokens the application trusts
   * @param audiences whom an assertion of the application's own may be meant for
   */
  ClientAssertions(
      X509Certificate registered, FederatedIssuer trusted, List<String> audiences, Clock clock) {
    this.registered = registered;
    this.trusted = trusted;
    this.audiences = List.copyOf(audiences);
    this.clock = clock;
  }

  /** Why the assertion does not show that its bearer is this client; empty when it does. */
  Optional<Refusal> refusal(String assertion, String clientId) {
    String[] parts = assertion.split("\\.", -1);
    if (parts.length != 3) {
      return malformed();
    }
    try {
      JsonNode header = JSON.readTree(decoded(parts[0]));
      JsonNode claims = JSON.readTree(decoded(parts[1]));
      byte[] content = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
      byte[] signature = decoded(parts[2]);
      return header.has("x5t#S256") || header.has("x5t")
          ? ofCertificate(header, claims, content, signature, clientId)
          : ofPlatform(header, claims, content, signature);
    } catch (IOException | IllegalArgumentException e) {
      // Neither base64url nor JSON: not a token.
      return malformed();
    }
  }

  private Optional<Refusal> ofCertificate(
      JsonNode header, JsonNode claims, byte[] content, byte[] signature, String clientId) {
    byte[] named = decoded(header.path(header.has("x5t#S256") ? "x5t#S256" : "x5t").asText());
    String digest = header.has("x5t#S256") ? "SHA-256" : "SHA-1";
    boolean known = MessageDigest.isEqual(named, thumbprint(digest));
    if (!known || !signed("RS256", header, content, signature, registered.getPublicKey())) {
      return refused(
          "700027",
          "The certificate with identifier used to sign the client assertion is not registered on"
              + " application. [Reason - "
              + (known
                  ? "The key was found, but use of the key to verify the signature failed."
                  : "The key was not found.")
              + ", Thumbprint of key used by client: '"
              + HexFormat.of().withUpperCase().formatHex(named)
              + "']");
    }
    if (!audiences.contains(claims.path("aud").asText())) {
      return refused("700023", "Client assertion audience claim does not match Realm issuer.");
    }
    if (!claims.path("iss").asText().equalsIgnoreCase(clientId)
        || !claims.path("sub").asText().equalsIgnoreCase(clientId)) {
      return refused(
          "700021", "Client assertion application identifier doesn't match 'client_id' parameter.");
    }
    return untimely(claims);
  }

  private Optional<Refusal> ofPlatform(
      JsonNode header, JsonNode claims, byte[] content, byte[] signature) {
    String issuer = claims.path("iss").asText();
    if (!issuer.equals(FederatedIssuer.ISSUER)) {
      return refused(
          "700211",
          "No matching federated identity record found for presented assertion issuer '"
              + issuer
              + "'.");
    }
    if (!signed("ES256", header, content, signature, trusted.key())) {
      return refused("5000223", "The signature of the federated token is not its issuer's.");
    }
    if (!claims.path("aud").asText().equals(FederatedIssuer.AUDIENCE)) {
      return refused(
          "700212",
          "No matching federated identity record found for presented assertion audience '"
              + claims.path("aud").asText()
              + "'.");
    }
    if (!claims.path("sub").asText().equals(FederatedIssuer.SUBJECT)) {
      return refused(
          "700213",
          "No matching federated identity record found for presented assertion subject '"
              + claims.path("sub").asText()
              + "'.");
    }
    return untimely(claims);
  }

  private Optional<Refusal> untimely(JsonNode claims) {
    long now = clock.instant().getEpochSecond();
    boolean timely =
        claims.path("exp").asLong() > now - SKEW.toSeconds()
            && claims.path("nbf").asLong() < now + SKEW.toSeconds();
    return timely
        ? Optional.empty()
        : refused("700024", "Client assertion is not within its valid time range.");
  }

  private static boolean signed(
      String algorithm, JsonNode header, byte[] content, byte[] signature, PublicKey key) {
    if (!header.path("alg").asText().equals(algorithm)) {
      return false;
    }
    try {
      Signature verifier =
          Signature.getInstance(
              algorithm.equals("RS256") ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
      verifier.initVerify(key);
      verifier.update(content);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // A signature of the wrong length, for one: not this key's.
      return false;
    }
  }

  private byte[] thumbprint(String digest) {
    try {
      return MessageDigest.getInstance(digest).digest(registered.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + digest, e);
    }
  }

  /** Base64 in either alphabet: clients are not of one mind about a thumbprint's. */
  private static byte[] decoded(String text) {
    String url = text.replace('+', '-').replace('/', '_');
    int end = url.length();
    while (end > 0 && url.charAt(end - 1) == '=') {
      end--;
    }
    return Base64.getUrlDecoder().decode(url.substring(0, end));
  }

  private static Optional<Refusal> malformed() {
    return refused("50027", "JWT token is invalid or malformed.");
  }

  private static Optional<Refusal> refused(String code, String text) {
    return Optional.of(new Refusal(code, text));
  }
}
