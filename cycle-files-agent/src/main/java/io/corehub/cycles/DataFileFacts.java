package io.corehub.cycles;

import io.corehub.agent.table.TableId;

/**
 * A finished data file of a cycle. Immutable.
 *
 * @param path relative to the connection folder
 * @param table its table
 * @param schemaVersion version of all its rows
 * @param part from 1, in the order of the rows
 * @param bytes length
 * @param sha256 hash of its bytes, 64 hexadecimal digits in lower case
 * @param counts its rows
 * @param firstSequence sequence of the first row, 32 or 52 digits
 * @param lastSequence sequence of the last row
 */
record DataFileFacts(
    String path,
    TableId table,
    int schemaVersion,
    int part,
    long bytes,
    String sha256,
    RowCounts counts,
    String firstSequence,
    String lastSequence) {

  /** The folder it lies in. */
  String folder() {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
