package io.corehub.onelake;

/** What else an append does. */
public enum AppendMode {
  /** Only appends. */
  APPEND,
  /** Appends and flushes: the file then ends with these bytes. */
  APPEND_FLUSH,
  /** Appends, flushes and closes: the file is complete, and the storage event says so. */
  APPEND_FLUSH_CLOSE
}
