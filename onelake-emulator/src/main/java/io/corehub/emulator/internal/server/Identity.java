package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

/**
 * Who this emulator pretends to be: kept in its directory, so that a restarted emulator is the same
 * tenant with the same items. Immutable.
 *
 * @param tokenKey signs the tokens, in base64
 */
public record Identity(
    String workspaceId,
    String workspaceName,
    String mirroredDatabaseId,
    String mirroredDatabaseName,
    String lakehouseId,
    String lakehouseName,
    String adlsFileSystem,
    String tenantId,
    String clientId,
    String clientSecret,
    String tokenKey) {

  /** Loads the identity kept at {@code file}, or makes a new one there. */
  public static Identity at(Path file) throws IOException {
    ObjectMapper json = new ObjectMapper();
    if (Files.exists(file)) {
      try {
        return json.readValue(file.toFile(), Identity.class);
      } catch (IOException e) {
        throw new IOException(
            "Cannot read " + file + "; delete it to start with a new identity", e);
      }
    }
    SecureRandom random = new SecureRandom();
    Identity identity =
        new Identity(
            uuid(),
            "emulated workspace",
            uuid(),
            "mirror",
            uuid(),
            "lakehouse",
            "adls",
            uuid(),
            uuid(),
            secret(random, 30),
            secret(random, 32));
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    json.writerWithDefaultPrettyPrinter().writeValue(draft.toFile(), identity);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    return identity;
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }

  private static String secret(SecureRandom random, int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(value);
  }

  @Override
  public String toString() {
    return "Identity[workspaceId="
        + workspaceId
        + ", mirroredDatabaseId="
        + mirroredDatabaseId
        + "]";
  }
}
