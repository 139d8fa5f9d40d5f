package io.corehub.storage;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import java.util.Optional;

/**
 * Gives an uploaded file its name, unless there is a file already. Whatever a rename answers but
 * success, the name is looked at; whose file stands there then, its owner judges. Confined to one
 * caller at a time.
 */
public final class ExclusiveRename {

  /** What the owner of a file adds to each attempt. */
  public interface Owner {

    /** An attempt begins, which may look at the name first. */
    default void begins() {}

    /**
     * The rename is asked for next.
     *
     * @throws InterruptedException if interrupted
     */
    default void asks() throws InterruptedException {}

    /**
     * The rename answered that it is done.
     *
     * @param etag of the file at its name; may be empty
     * @throws InterruptedException if interrupted
     */
    default void renamed(String etag) throws InterruptedException {}

    /**
     * A file stands at the name, and no answer told that it is ours.
     *
     * @param there the file
     * @throws InterruptedException if interrupted
     * @throws RuntimeException if it is somebody else's
     */
    void found(PathProperties there) throws InterruptedException;

    /**
     * Neither the name nor the uploaded file is there.
     *
     * @throws InterruptedException if interrupted
     */
    default void gone() throws InterruptedException {}
  }

  /** What came of an attempt. */
  public sealed interface Outcome {
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

  private final DfsClient client;
  private final String path;
  private final Owner owner;
  private boolean doubtful;

  /**
   * A file that is to get a name.
   *
   * @param client the storage
   * @param path the name, in full
   * @param owner judges what stands there
   */
  public ExclusiveRename(DfsClient client, String path, Owner owner) {
    this.client = client;
    this.path = path;
    this.owner = owner;
  }

  /**
   * One attempt.
   *
   * @param temporary the uploaded file
   * @return what came of it
   * @throws DfsException if nothing was done
   * @throws RuntimeException what the owner throws
   * @throws InterruptedException if interrupted
   */
  public Outcome attempt(String temporary) throws InterruptedException {
    owner.begins();
    if (doubtful) {
      if (standsThere()) {
        return new Outcome.Standing();
      }
      doubtful = false;
    }
    owner.asks();
    String etag;
    try {
      etag = client.renameIfAbsent(temporary, path);
    } catch (DfsException e) {
      if (!e.outcomeUnknown() && e.kind() != Kind.ALREADY_EXISTS) {
        throw e;
      }
      doubtful = true;
      return resolve(temporary, e);
    }
    // Should the owner fail now, the next attempt begins by looking.
    doubtful = true;
    owner.renamed(etag);
    return new Outcome.Standing();
  }

  private boolean standsThere() throws InterruptedException {
    Optional<PathProperties> there = client.head(path);
    if (there.isPresent()) {
      owner.found(there.get());
    }
    return there.isPresent();
  }

  /** Finds out what a rename did that did not say so. */
  private Outcome resolve(String temporary, DfsException answer) throws InterruptedException {
    if (standsThere()) {
      return new Outcome.Standing();
    }
    if (answer.kind() == Kind.FORBIDDEN || answer.kind() == Kind.UNAUTHORIZED) {
      throw answer;
    }
    if (client.head(temporary).isPresent()) {
      return new Outcome.NotYet(answer);
    }
    if (standsThere()) {
      return new Outcome.Standing();
    }
    owner.gone();
    doubtful = false;
    return new Outcome.UploadGone(answer);
  }
}
