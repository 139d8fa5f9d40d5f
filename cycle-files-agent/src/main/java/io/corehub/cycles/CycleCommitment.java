package io.corehub.cycles;

import io.corehub.storage.ObjectStore;
import java.util.List;

/**
 * The files that make a cycle visible, once its data files stand there. Immutable.
 *
 * @param name the cycle
 * @param dropped data files that were given up, which go first
 * @param manifest its manifest
 * @param files its data files
 * @param sequence how far it comes
 * @param completedFile bytes of the completed file
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
record CycleCommitment(
    CycleName name,
    List<String> dropped,
    Manifest manifest,
    List<DataFileFacts> files,
    Sequence sequence,
    byte[] completedFile) {

  /**
   * Manifest, contents file, completed file: strictly in this order, the last only as the writer.
   */
  void write(CycleConfig config, ObjectStore store, WriterFence fence) throws InterruptedException {
    CycleLayout layout = config.layout();
    for (String path : dropped) {
      store.delete(path);
    }
    store.publish(layout.manifestFile(name), manifest.bytes());
    store.publish(
        layout.contentsFile(name),
        ContentsFile.bytes(
            name,
            files,
            layout,
            config.style(),
            config.rules().combined(),
            config.summary().listFiles()));
    fence.prove();
    store.publish(layout.completedFile(name), completedFile);
  }
}
