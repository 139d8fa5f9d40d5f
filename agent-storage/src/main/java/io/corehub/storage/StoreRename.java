package io.corehub.storage;

import io.corehub.agent.ErrorCode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Gives an uploaded file its name, unless there is a file already. Whatever a rename answers but
 * success, the name is looked at: a file of the same bytes is ours, any other somebody else's.
 * Confined to one caller at a time.
 */
final class StoreRename {

  private static final int READ_BYTES = 4 << 20;

  private final DfsClient client;
  private final String path;
  private boolean doubtful;

  StoreRename(DfsClient client, String path) {
    this.client = client;
    this.path = path;
  }

  /** What came of an attempt. */
  sealed interface Outcome {
    /** The file stands at its name. */
    record Standing() implements Outcome {}

    /**
     * Not done yet: to be tried again. Should the storage do it late, it publishes these very
     * bytes.
     *
     * @param answer what the storage said
     */
    record NotYet(DfsException answer) implements Outcome {}

    /**
     * Neither the name nor the uploaded file is there.
     *
     * @param answer what the storage said
     */
    record UploadGone(DfsException answer) implements Outcome {}
  }

  /**
   * One attempt.
   *
   * @param temporary the uploaded file
   * @param length its length
   * @param sha256 its hash
   * @throws DfsException if nothing was done
   * @throws StoreException if another file has the name
   */
  Outcome attempt(String temporary, long length, String sha256) throws InterruptedException {
    if (doubtful) {
      Optional<PathProperties> there = client.head(path);
      if (there.isPresent()) {
        return settled(there.get(), length, sha256);
      }
      doubtful = false;
    }
    try {
      client.renameIfAbsent(temporary, path);
      return new Outcome.Standing();
    } catch (DfsException e) {
      if (!e.outcomeUnknown() && e.kind() != Kind.ALREADY_EXISTS) {
        throw e;
      }
      doubtful = true;
      return resolve(temporary, length, sha256, e);
    }
  }

  /** Finds out what a rename did that did not say so. */
  private Outcome resolve(String temporary, long length, String sha256, DfsException answer)
      throws InterruptedException {
    Optional<PathProperties> there = client.head(path);
    if (there.isPresent()) {
      return settled(there.get(), length, sha256);
    }
    if (answer.kind() == Kind.FORBIDDEN || answer.kind() == Kind.UNAUTHORIZED) {
      throw answer;
    }
    if (client.head(temporary).isPresent()) {
      return new Outcome.NotYet(answer);
    }
    Optional<PathProperties> late = client.head(path);
    if (late.isPresent()) {
      return settled(late.get(), length, sha256);
    }
    doubtful = false;
    return new Outcome.UploadGone(answer);
  }

  private Outcome settled(PathProperties there, long length, String sha256)
      throws InterruptedException {
    if (there.directory() || there.length() != length || !hash(length).equals(sha256)) {
      throw new StoreException(
          ErrorCode.CONFLICT,
          path
              + " exists and holds something else than this pipeline would write there. It is left as"
              + " it is. Find out who wrote it, and keep only one writer of this folder; then remove"
              + " it or choose another folder.");
    }
    return new Outcome.Standing();
  }

  private String hash(long length) throws InterruptedException {
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
