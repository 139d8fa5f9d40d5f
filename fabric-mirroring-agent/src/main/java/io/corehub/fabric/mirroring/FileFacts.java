package io.corehub.fabric.mirroring;

import java.util.List;
import java.util.UUID;

/**
 * What is known of a file before its first byte. Immutable; compared by identity where it stands
 * for the file.
 *
 * @param seq its number
 * @param fileId its id
 * @param keys key columns of its table
 */
record FileFacts(long seq, UUID fileId, List<String> keys) {

  FileFacts {
    keys = List.copyOf(keys);
  }

  String name() {
    return FileName.numbered(seq);
  }
}
