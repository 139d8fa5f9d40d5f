package io.corehub.onelake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Reads the token that a platform such as Kubernetes lays ready for a process. Stateless. */
public final class FederatedToken {
  private static final int MAX_BYTES = 64 << 10;

  /** Three parts in base64url, as RFC 7519 has them. */
  private static final Pattern JWT =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

  private FederatedToken() {}

  /**
   * The token of a file.
   *
   * @throws InvalidValueException when the file cannot be read or holds something else; the message
   *     repeats nothing of the file
   */
  public static Secret read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new InvalidValueException(
          "Federated token file '"
              + file
              + "' does not exist. In Kubernetes, let workload identity mount it (label"
              + " azure.workload.identity/use, annotated service account); elsewhere give the path"
              + " of the file that the platform writes.",
          e);
    } catch (IOException e) {
      throw new InvalidValueException(
          "Federated token file '"
              + file
              + "' cannot be read ("
              + e.getClass().getSimpleName()
              + "). Let the user that runs this process read it.",
          e);
    }
    String text = new String(bytes, StandardCharsets.US_ASCII).strip();
    if (bytes.length > MAX_BYTES || !JWT.matcher(text).matches()) {
      throw new InvalidValueException(
          "Federated token file '"
              + file
              + "' holds no token (a JWT: three parts with dots between them). Give the path of the"
              + " file that the platform writes.");
    }
    return Secret.of(text);
  }
}
