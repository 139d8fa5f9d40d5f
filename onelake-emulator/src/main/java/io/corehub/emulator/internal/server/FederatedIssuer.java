package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/**
 * A platform such as Kubernetes, whose tokens the emulated application trusts: it lays one ready in
 * a file, good for a day, with every start. Immutable.
 */
public final class FederatedIssuer {
  static final String ISSUER = "https://kubernetes.emulator.invalid/";
  static final String SUBJECT = "system:serviceaccount:cdc:core-hub";
  static final String AUDIENCE = "api://AzureADTokenExchange";

  private static final Duration LIFETIME = Duration.ofDays(1);

  private final Path file;
  private final PublicKey key;

  private FederatedIssuer(Path file, PublicKey key) {
    this.file = file;
    this.key = key;
  }

  /** A new issuer, with a token at {@code file}. */
  public static FederatedIssuer at(Path file, Clock clock) throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      long now = clock.instant().getEpochSecond();
      ObjectMapper json = new ObjectMapper();
      String content =
          encoded(json.writeValueAsBytes(Map.of("alg", "ES256", "typ", "JWT")))
              + "."
              + encoded(
                  json.writeValueAsBytes(
                      Map.of(
                          "iss", ISSUER,
                          "sub", SUBJECT,
                          "aud", AUDIENCE,
                          "nbf", now,
                          "exp", now + LIFETIME.toSeconds())));
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(keys.getPrivate());
      signature.update(content.getBytes(StandardCharsets.US_ASCII));
      Path draft = file.resolveSibling(file.getFileName() + ".draft");
      Files.writeString(draft, content + "." + encoded(signature.sign()) + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new FederatedIssuer(file, keys.getPublic());
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot make the federated token " + file, e);
    }
  }

  /** Where the token lies. */
  public Path file() {
    return file;
  }

  PublicKey key() {
    return key;
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
