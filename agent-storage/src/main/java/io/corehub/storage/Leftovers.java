package io.corehub.storage;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.runtime.text.LineLog;
import org.slf4j.Logger;

/** Temporary files that nobody will rename any more. Pure. */
public final class Leftovers {

  private static final Logger LOG = LineLog.of(Leftovers.class);

  private Leftovers() {}

  /**
   * Deletes a leftover; what cannot be deleted stays, ignored by readers for its name.
   *
   * @param client where it lies
   * @param file its path
   * @throws InterruptedException if interrupted
   */
  public static void delete(DfsClient client, String file) throws InterruptedException {
    try {
      client.delete(file, false);
    } catch (DfsException e) {
      LOG.debug("Leftover {} was not deleted", file, e);
    }
  }
}
