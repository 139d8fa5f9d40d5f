package io.corehub.storage;

/** Where the bytes of one file go before the file gets its name. Called by one thread at a time. */
public interface UploadPlace {

  /**
   * The file among those in flight, compared by identity.
   *
   * @return always the same object
   */
  Object file();

  /**
   * A temporary path that was never used.
   *
   * @return another one at each call
   */
  String unusedPath();

  /**
   * Everything that comes before the file is created.
   *
   * @throws InterruptedException if interrupted
   */
  void beforeCreate() throws InterruptedException;

  /**
   * Looks whether the folder is still the writer's own, before an upload that got lost is begun
   * anew.
   *
   * @throws InterruptedException if interrupted
   */
  void beforeStartingOver() throws InterruptedException;
}
