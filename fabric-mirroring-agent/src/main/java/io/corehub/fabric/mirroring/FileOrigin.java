package io.corehub.fabric.mirroring;

import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;

/** Tells whose file Fabric stands at: the question a person asks first. Thread-safe. */
final class FileOrigin {

  private final DfsClient client;

  FileOrigin(DfsClient client) {
    this.client = client;
  }

  /** A clause about a file that follows its name; one request. */
  String of(PathEntry file) throws InterruptedException {
    if (file.length() == 0) {
      return "which has no bytes";
    }
    try {
      ChainEntry chain = FooterChain.read(client, file.path(), file.length()).chain();
      return "which pipeline '"
          + Text.shown(chain.pipeline())
          + "' wrote ("
          + chain.rows()
          + " rows)";
    } catch (FooterChain.ForeignFileException e) {
      return "which no run of this agent wrote: " + e.getMessage();
    }
  }
}
