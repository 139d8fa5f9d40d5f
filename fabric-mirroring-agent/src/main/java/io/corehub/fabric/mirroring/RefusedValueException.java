package io.corehub.fabric.mirroring;

/** A cell cannot be written as its column asks. */
final class RefusedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int row;

  /**
   * A refusal.
   *
   * @param row row index in the vectors that were read
   * @param message names the column, says what is wrong and what to change
   */
  RefusedValueException(int row, String message) {
    super(message);
    this.row = row;
  }

  int row() {
    return row;
  }
}
