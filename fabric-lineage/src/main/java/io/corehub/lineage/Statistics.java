package io.corehub.lineage;

/**
 * What was published in some time. Immutable.
 *
 * @param rows rows in the files, those of deletes included
 * @param bytes length of the files
 * @param files number of files
 */
record Statistics(long rows, long bytes, long files) {

  static final Statistics NONE = new Statistics(0, 0, 0);

  Statistics plus(Statistics more) {
    return new Statistics(rows + more.rows, bytes + more.bytes, files + more.files);
  }

  boolean isNone() {
    return files == 0;
  }
}
