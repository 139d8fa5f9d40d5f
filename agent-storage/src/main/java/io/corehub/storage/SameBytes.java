package io.corehub.storage;

import io.corehub.agent.ErrorCode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathProperties;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Whether a file holds what was to be written there. */
final class SameBytes {

  private static final int READ_BYTES = 4 << 20;

  private SameBytes() {}

  /**
   * Refuses a file of other bytes.
   *
   * @param client the storage
   * @param path the file, in full
   * @param there what stands there
   * @param length bytes that were to be written
   * @param sha256 their hash
   * @throws StoreException if it is another file
   */
  static void require(
      DfsClient client, String path, PathProperties there, long length, String sha256)
      throws InterruptedException {
    if (there.directory()
        || there.length() != length
        || !hash(client, path, length).equals(sha256)) {
      throw new StoreException(
          ErrorCode.CONFLICT,
          path
              + " exists and holds something else than this pipeline would write there. It is left as"
              + " it is. Find out who wrote it, and keep only one writer of this folder; then remove"
              + " it or choose another folder.");
    }
  }

  private static String hash(DfsClient client, String path, long length)
      throws InterruptedException {
    MessageDigest digest = Sha256.digest();
    for (long at = 0; at < length; ) {
      byte[] part = client.read(path, at, (int) Math.min(READ_BYTES, length - at));
      if (part.length == 0) {
        break;
      }
      digest.update(part);
      at += part.length;
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
